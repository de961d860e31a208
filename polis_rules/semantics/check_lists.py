"""Typecheck what steps do with lists: members moved from one to another, lists sorted and shuffled."""

from __future__ import annotations

import re

from polis_rules.diagnostics import nearest
from polis_rules.schema import steps as written
from polis_rules.semantics import ir
from polis_rules.semantics.check_changes import Checked
from polis_rules.semantics.check_payments import PaymentChecker
from polis_rules.semantics.expressions import BOOL, INT, Expr, Scope, Type, nodes as n, number
from polis_rules.semantics.expressions.lowered import MEMBER, members_of
from polis_rules.source import Text

UNDER = re.compile(r"under\((.*)\)")
"""The bottom of a list, as the end of a move."""

CALLED = re.compile(r"(\w+)\(")
"""What a text calls."""


class ListChecker(PaymentChecker):
    """Checks the steps that change lists."""

    def move(self, item: written.Move, scope: Scope) -> Checked:
        source = self.state(item.from_, scope)
        bottom, word = UNDER.fullmatch(item.to), CALLED.match(item.to)
        if word and word[1] != "under" and word[1] not in self.symbols.terms and nearest(word[1], ["under"]):
            at = item.to.part(*word.span(1))
            self.diagnostics.unknown("unknown-name", f"there is no function `{at}`", at.span, at, ["under"])
            return [], scope
        to = item.to.part(*bottom.span(1)) if bottom else item.to
        target = self.state(to, scope)
        lists = [end for end in (source, target) if end is not None and end.type.base == "list"]
        for end, text in ((source, item.from_), (target, to)):
            if end is not None and end.type != INT and end not in lists:
                self.expected("a number of pieces or a list", end.type, text)
                source = None
        if bottom and target is not None and target not in lists:
            self.diagnostics.error("wrong-type", "only a list has a bottom", item.to.span, hint=f"write {to}")
            target = None
        if len(lists) == 2 and lists[0].type != lists[1].type:
            self.expected(lists[0].type, lists[1].type, to)
            source = None
        for end, text in ((source, item.from_), (target, to)):
            if len(lists) == 1 and end is not None and end not in lists:
                kind = lists[0].type.kind
                if kind not in self.symbols.variable(end.owner, end.name).kinds:
                    message = f"`{end.name}` does not count each {kind} by itself"
                    hint = f"{end.name} would need `per: {kind}`"
                    self.diagnostics.error("wrong-type", message, text.span, hint=hint)
                    source = None
        amount = self.moved(item.move, source if target is not None else None, lists, scope)
        if amount is None or source is None or target is None:
            return [], scope
        if not lists:
            return [ir.Move(item.span, amount, source, target)], scope
        return [ir.MoveMembers(item.span, amount, source, target, under=bool(bottom))], scope

    def moved(self, text: Text, source: n.Load | None, lists: list[n.Load], scope: Scope) -> Expr | None:
        """What is moved: how many pieces, a member, or how many members from the top."""
        if text == "all":
            if source is None or source not in lists:
                return source
            amount: Expr | None = n.Size(INT, source, span=text.span)
        elif not lists:
            amount = self.expr(text, scope, INT)
        else:
            amount = self.expressions.check_near(text, scope, Type("ref", lists[0].type.kind))
        if amount is None or amount.type == INT:
            if amount is not None:
                self.not_negative(amount, text)
            if amount is not None and len(lists) == 1 and source is not None:
                hint = f"name the {lists[0].type.kind} that moves"
                message = "between a list and a counter one member moves, not a number of them"
                self.diagnostics.error("wrong-type", message, text.span, hint=hint)
                return None
            return amount
        wanted = Type("ref", lists[0].type.kind)
        if amount.type == Type("ref", wanted.kind, True):
            message, hint = f"`{text}` may be none here", f"check `{text} is not none` before"
            self.diagnostics.error("maybe-none", message, text.span, hint=hint)
        elif amount.type != wanted:
            self.expected(f"a number, `all` or {wanted}", amount.type, text)
        else:
            return amount
        return None

    def list_state(self, text: Text, scope: Scope) -> n.Load | None:
        """The list that a step changes."""
        target = self.state(text, scope)
        if target is not None and target.type.base != "list":
            self.expected("a list", target.type, text)
            return None
        return target

    def sort(self, item: written.Sort, scope: Scope) -> Checked:
        target = self.list_state(item.sort, scope)
        if target is None:
            return [], scope
        by = self.expr(item.by, scope.anew("it", Type("ref", target.type.kind)), INT)
        return [ir.Sort(item.span, target, by)] if by is not None else [], scope

    def shuffle(self, item: written.Shuffle, scope: Scope) -> Checked:
        """Of those that are left on top one is drawn and goes under the list, until one is left.

        So the one that is drawn first comes out on top, and equal members make no difference to chance. How often
        something is drawn depends on the length alone: it tells nothing of what the members are.
        """
        target = self.list_state(item.shuffle, scope)
        if target is None:
            return [], scope
        at, kind = item.span, Type("ref", target.type.kind)
        path = self.rule.name("shuffle")
        drawn, left = Text(f"DRAWN_{path.rpartition('.')[2]}", at), Text(f"LEFT_{path.rpartition('.')[2]}", at)
        self.rule.locals |= {str(drawn): kind, str(left): INT}
        rest, one = n.Var(INT, str(left)), n.Var(kind, MEMBER)
        waiting = members_of(n.Top(target.type, target, rest))
        same = n.Compare(BOOL, "==", one, n.Var(kind, str(drawn)))
        weight = n.Comp(INT, "count", MEMBER, n.Top(target.type, target, rest), same, one)
        stream = str(item.stream or self.rule.path)
        body = (
            ir.Let(at, str(left), n.Size(INT, target)),
            ir.While(
                at,
                n.Compare(BOOL, ">", rest, number(1)),
                (
                    ir.Draw(at, path, drawn, waiting, (), weight, stream, False),
                    ir.MoveMembers(at, n.Var(kind, str(drawn)), target, target, under=True, quiet=True),
                    ir.Let(at, str(left), n.Arith(INT, "-", rest, number(1))),
                ),
            ),
            ir.MoveMembers(at, rest, target, target, under=True, quiet=True),
            ir.Shuffled(at, target),
        )
        return [ir.Shuffle(at, body, target, stream)], scope
