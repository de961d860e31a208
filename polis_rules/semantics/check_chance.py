"""Typecheck what chance decides: dice that are rolled, members that are drawn."""

from __future__ import annotations

import re

from polis_rules.schema import steps as written
from polis_rules.semantics import ir
from polis_rules.semantics.check_changes import Checked
from polis_rules.semantics.expressions import BOOL, BROKEN, INT, Expr, Scope, Type, number
from polis_rules.semantics.expressions.lowered import members_of
from polis_rules.semantics.related_choices import ChoiceChecker
from polis_rules.semantics.traversal import PLAYER
from polis_rules.source import Text

PART_OF_DICE = re.compile(r"[1-9][0-9]{0,2}|\(.+\)")


class ChanceChecker(ChoiceChecker):
    """Checks rolls and draws; the checker of all steps builds on it."""

    def roll(self, item: written.Roll, scope: Scope) -> Checked:
        path = self.rule.name(str(item.roll))
        parts = [self.part_of_dice(each, scope) for each in self.dice(item.dice)]
        test = None
        if item.hits is not None and item.hits.isdigit():
            hint = f"write `die >= {item.hits}`"
            self.diagnostics.error("wrong-type", "a condition is expected, not a number", item.hits.span, hint=hint)
        elif item.hits is not None:
            test = self.expr(item.hits, scope.anew("die", INT), BOOL)
        seen_by = self.seen_by(item.seen_by, scope)
        scope = self.local(item.roll, INT, scope)
        if len(parts) < 2 or parts[0] is None or parts[1] is None:
            return [], scope
        if test is None and isinstance(parts[0], int):
            sides = parts[1]
            most = number(parts[0] * sides) if isinstance(sides, int) else None
            scope = scope.counting(item.roll, number(parts[0]), most)
        stream = str(item.stream or self.rule.path)
        return [ir.Roll(item.span, path, item.roll, parts[0], parts[1], stream, test, seen_by)], scope

    def dice(self, text: Text) -> list[Text]:
        """How many dice, and of how many sides; nothing, after saying so, where these are no dice."""
        depth = 0
        for at, sign in enumerate(text):
            depth += (sign == "(") - (sign == ")")
            parts = [text.part(0, at), text.part(at + 1, len(text))]
            if sign == "d" and not depth and all(map(PART_OF_DICE.fullmatch, parts)):
                return parts
        many, _, sides = (part.strip() for part in text.rpartition("d"))
        bare = [bool(re.fullmatch(r"[a-z_][\w.\[\]]*", part)) for part in (many, sides)]
        named = [f"({part})" if is_bare else part for part, is_bare in zip((many, sides), bare, strict=True)]
        hint = f"write {'d'.join(named)}" if any(bare) and all(map(PART_OF_DICE.fullmatch, named)) else None
        self.diagnostics.error("wrong-dice", f"dice are written like 2d6, not `{text}`", text.span, hint=hint)
        return []

    def part_of_dice(self, text: Text, scope: Scope) -> int | Expr | None:
        """A plain number, or an expression in brackets."""
        return int(text) if text.isdigit() else self.expr(text.part(1, len(text) - 1), scope, INT)

    def seen_by(self, text: Text | None, scope: Scope) -> Expr | None:
        """Which players, as `viewer`, see what comes out."""
        if text is not None and (text == "you" or text in self.symbols.kinds["player"].index):
            message, hint = "a condition is expected, not a player", f"write `viewer == {text}`"
            self.diagnostics.error("wrong-type", message, text.span, hint=hint)
            return None
        return self.expr(text, scope.having(viewer=PLAYER), BOOL)

    def draw(self, item: written.Draw, scope: Scope) -> Checked:
        path = self.rule.name(str(item.draw))
        source = self.expressions.check_group(item.from_, scope)
        if source is not None and source.type.base == "list":
            source = members_of(source)
        kind = Type("ref", source.type.kind) if source is not None else BROKEN
        inner = self.local(item.draw, kind, scope)
        conditions, inner = self.conditions(item.where, inner)
        weight = self.expr(item.weight, inner, INT)
        seen_by = self.seen_by(item.seen_by, inner)
        stream = str(item.stream or self.rule.path)
        if source is None:
            return [], inner
        scope = self.perhaps(item.draw, kind, scope) if item.if_possible else inner
        may_fail = item.if_possible
        return [ir.Draw(item.span, path, item.draw, source, conditions, weight, stream, may_fail, seen_by)], scope
