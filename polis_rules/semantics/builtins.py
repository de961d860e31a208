"""The functions of the expression language: counting and choosing over members, order, routes, possible actions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Literal

from polis_rules.diagnostics import Diagnostics, some
from polis_rules.semantics.expression_reader import ExpressionReader
from polis_rules.semantics.expressions import nodes as n
from polis_rules.semantics.expressions.lowered import any_inside, members_of, most, set_over
from polis_rules.semantics.expressions.nodes import Expr, conjunction, number
from polis_rules.semantics.expressions.scope import Scope
from polis_rules.semantics.expressions.types import BOOL, GROUPS, INT, NONE, Type
from polis_rules.semantics.questions import Questions
from polis_rules.semantics.symbols import Symbols
from polis_rules.semantics.words import DOMAINS, ELSEWHERE, FUNCTIONS, MOST, OVER


class BuiltinChecker(ExpressionReader):
    """Checks calls of the language's own functions, and what else goes over members."""

    def __init__(self, symbols: Symbols, diagnostics: Diagnostics, require_term: Callable[[str], Type | None]) -> None:
        super().__init__(symbols, diagnostics, require_term)
        self.functions: dict[str, Callable[[str, ast.Call, Scope], Expr]] = {
            **dict.fromkeys(OVER, self.over), **dict.fromkeys(DOMAINS, self.misplaced), "line_of": self.line_of,
            "abs": lambda word, node, scope: n.Abs(INT, self.typed(node.args[0], scope, INT)),
            "len": lambda word, node, scope: n.Size(INT, self.group(node.args[0], scope)),
            "next": self.beside, "order": self.beside, "nth": self.nth, "possible": self.possible,
            "route_exists": lambda word, node, scope: self.route(word, node.args, node, scope),
            "cheapest_route": lambda word, node, scope: self.route(word, node.args, node, scope),
        }  # fmt: skip

    def function(self, word: str, node: ast.Call, scope: Scope) -> Expr:
        """A call by name that is no term."""
        if word in ELSEWHERE:
            raise self.fail("unknown-name", f"`{word}` means something only {ELSEWHERE[word]}", node.func)
        if word not in self.functions:
            raise self.unknown("function or term", word, [*self.symbols.terms, *FUNCTIONS], node.func)
        takes = FUNCTIONS[word].count(",") + 1
        if not {word} & {*OVER, *DOMAINS} and (node.keywords or len(node.args) != takes):
            raise self.fail("wrong-arguments", f"`{word}` takes {some(takes, 'argument')}", node)
        return self.functions[word](word, node, scope)

    def misplaced(self, word: str, node: ast.Call, scope: Scope) -> Expr:
        raise self.fail("wrong-arguments", f"`{word}` stands after `in` only", node)

    def beside(self, word: str, node: ast.Call, scope: Scope) -> Expr:
        """The member after another one, or its place among all."""
        item = self.visit(node.args[0], scope)
        if item.type.base != "ref":
            raise self.fail("wrong-type", f"`{word}` takes a member, not {item.type}", node.args[0])
        self.need(item, item.type.sure(), node.args[0])
        return n.Next(item.type, item) if word == "next" else n.Order(INT, item)

    def nth(self, word: str, node: ast.Call, scope: Scope) -> Expr:
        """The member at a place of its table."""
        domain = self.visit(node.args[0], scope)
        if not isinstance(domain, n.Everyone):
            raise self.fail("wrong-type", "nth takes a kind and a number", node.args[0])
        where = self.typed(node.args[1], scope, INT)
        count = self.ask(Questions.count, domain.type.kind)
        if isinstance(where, n.Const) and not 0 <= where.value < count:
            message = f"{domain.type.kind} has the places 0 to {count - 1}, not {where.value}"
            raise self.fail("out-of-range", message, node.args[1])
        return n.Nth(Type("ref", domain.type.kind), where)

    def located(self, kind: str, indexes: list[ast.expr], node: ast.Subscript, scope: Scope) -> Expr:
        """`kind[number]`, or `kind[part, part]`: the member there, or none."""
        kinds = self.ask(Questions.shape, kind)[2]
        self.note(f"kinds.{kind}", node.value)
        if len(indexes) != max(len(kinds), 1):
            what = f"is one {' and one '.join(kinds)}" if kinds else "has one place"
            hint = f"write {kind}[{', '.join(kinds) or 'number'}]"
            raise self.fail("missing-index", f"each {kind} {what}", node, hint)
        if kinds:
            parts = [self.part(each, index, scope) for each, index in zip(kinds, indexes, strict=True)]
            return n.Located(Type("ref", kind, any(part.type.maybe for part in parts)), tuple(parts))
        return self.numbered(kind, self.typed(indexes[0], scope, INT), indexes[0])

    def part(self, kind: str, index: ast.expr, scope: Scope) -> Expr:
        """One part of a member: a member itself, perhaps none, or the number by which that is found."""
        part = self.visit(index, scope, Type("ref", kind, True))
        if part.type == INT and not self.ask(Questions.shape, kind)[2]:
            return self.numbered(kind, part, index)
        self.need(part, Type("ref", kind, True), index)
        return part

    def numbered(self, kind: str, place: Expr, node: ast.expr) -> Expr:
        """The member that is found by a number."""
        first, count, _ = self.ask(Questions.shape, kind)
        if isinstance(place, n.Const):
            if not first <= place.value < first + count:
                message = f"{kind} has the numbers {first} to {first + count - 1}, not {place.value}"
                raise self.fail("out-of-range", message, node)
            return n.Const(Type("ref", kind), place.value - first)
        place = n.Arith(INT, "-", place, n.number(first)) if first else place
        return n.Located(Type("ref", kind, True), (place,))

    def possible(self, word: str, node: ast.Call, scope: Scope) -> Expr:
        """Whether an action can be begun now, by whoever acts."""
        if "you" not in scope.names:
            raise self.fail("nobody-acts", "nobody acts here, so nothing is possible for them", node)
        return n.Possible(BOOL, self.typed(node.args[0], scope, Type("ref", "action")))

    def over(self, word: str, node: ast.Call, scope: Scope) -> Expr:
        """`word(body for x in domain if test)`, or the lowest or highest of some numbers."""
        tree = node.args[0] if node.args else None
        if not isinstance(tree, ast.GeneratorExp):
            if word in ("min", "max") and len(node.args) > 1 and not node.keywords:
                return n.MinMax(INT, word, tuple(self.typed(part, scope, INT) for part in node.args))
            hint = f"write {word}(... for x in kind if condition)"
            raise self.fail("wrong-arguments", f"`{word}` goes over members", node, hint=hint)
        default = tie = None
        for keyword in node.keywords:
            if keyword.arg == "tie" and word in MOST:
                tie = keyword.value
            elif keyword.arg == "default" and word in ("min", "max"):
                default = self.typed(keyword.value, scope, INT)
            else:
                raise self.fail("wrong-arguments", f"`{word}` has no `{keyword.arg}`", node)
        if word in ("min", "max") and default is None:
            raise self.fail("wrong-arguments", f"{word} of nothing has no value", node, hint="add default=0")
        if len(node.args) > 1:
            raise self.fail("wrong-arguments", f"`{word}` takes one thing to go over", node)
        if word in MOST:
            return self.most(MOST[word], tree, tie, scope)
        return self._nested(word, tree, tree.generators, scope, default)

    def most(self, best: str, tree: ast.GeneratorExp, tie: ast.expr | None, scope: Scope) -> Expr:
        """`most(n for x in domain, tie=y)`: the one member with the greatest number; of several `y`, or none."""
        if len(tree.generators) != 1:
            raise self.fail("wrong-arguments", "this finds one member of one kind", tree.generators[1].target)
        name, domain, test, inner = self.loop(tree.generators[0], scope)
        if domain.type.base not in GROUPS:
            raise self.fail("wrong-type", "this finds a member, not a number", tree.generators[0].iter)
        if domain.type.base == "list":
            domain = members_of(domain)
        number = self.typed(tree.elt, inner, INT)
        certain = isinstance(domain, n.Everyone) and test is None and self.ask(Questions.count, domain.type.kind) > 0
        kind = Type("ref", domain.type.kind, True)
        several = self.visit(tie, scope, kind) if tie is not None else n.Const(NONE, -1)
        if tie is not None:
            self.need(several, kind, tie)
        return most(best, name, domain, test, number, several, certain)

    def _nested(
        self, word: str, tree: ast.GeneratorExp, generators: list[ast.comprehension], scope: Scope, default: Expr | None
    ) -> Expr:
        loop, rest = generators[0], generators[1:]
        name, domain, test, inner = self.loop(loop, scope)
        if rest:
            if word not in ("any", "all", "count", "sum", "min", "max"):
                raise self.fail("wrong-arguments", f"`{word}` goes over one kind only", rest[0].target)
            body = self._nested(word, tree, rest, inner, default).at(self.span(tree))
            if default is not None:  # which must not count where there is nothing to go over inside
                test = conjunction([*([test] if test is not None else []), any_inside(body)])
            outer = "sum" if word == "count" else word
            return n.Comp(body.type, outer, name, domain, test, body, default)
        if word in ("first", "count", "place_of"):
            loops = {each.target.id for each in tree.generators if isinstance(each.target, ast.Name)}
            if not (isinstance(tree.elt, ast.Name) and tree.elt.id in loops):
                raise self.fail("wrong-arguments", f"write {word}({name} for {name} in ...)", tree.elt)
            if domain.type.base not in GROUPS and word == "first":
                raise self.fail("wrong-type", "first finds a member, not a number", loop.iter, hint="write min(...)")
            if domain.type.base != "list" and word == "place_of":
                raise self.fail("wrong-type", "only a list has places", loop.iter, hint="write order(x)")
            kind = Type("ref", domain.type.kind, True) if word == "first" else INT
            return n.Comp(kind, word.removesuffix("_of"), name, domain, test, n.Var(inner.names[name], name))
        want = BOOL if word in ("any", "all") else INT
        return n.Comp(want, word, name, domain, test, self.typed(tree.elt, inner, want), default)

    def comprehension(self, node: ast.SetComp | ast.ListComp, scope: Scope) -> Expr:
        """`{x for x in domain if test}` or `[x for x in domain if test]`."""
        what: Literal["set", "list"] = "set" if isinstance(node, ast.SetComp) else "list"
        loops, inner = [], scope
        for loop in node.generators:
            name, domain, test, inner = self.loop(loop, inner)
            loops.append((name, domain, test))
        body = self.visit(node.elt, inner)
        if body.type.base != "ref":
            raise self.fail("wrong-type", f"a {what} holds members of a kind", node.elt)
        self.need(body, body.type.sure(), node.elt)
        if len(loops) > 1 and what == "set":
            return set_over(loops, body)
        for over in reversed(loops):
            body = n.Comp(Type(what, body.type.kind), what, *over, body).at(self.span(node))
        return body

    def line_of(self, word: str, node: ast.Call, scope: Scope) -> Expr:
        """`line_of(x.next for x in member if condition)`: what follows a member as long as a condition holds."""
        tree = node.args[0] if len(node.args) == 1 and not node.keywords else None
        if not isinstance(tree, ast.GeneratorExp) or len(tree.generators) != 1:
            hint = "write line_of(x.next for x in member if condition)"
            raise self.fail("wrong-arguments", "`line_of` goes from one member to the next", node, hint)
        name, start, test, _ = self.loop(tree.generators[0], scope, walks=True)
        kind = start.type.sure()
        step = self.visit(tree.elt, scope.having(**{name: kind}), Type("ref", kind.kind, True))
        self.need(step, Type("ref", kind.kind, True), tree.elt)
        if not any(isinstance(part, n.Var) and part.name == name for part in step.walk()) or isinstance(step, n.Var):
            message = f"the next {kind.kind} depends on `{name}`, the one before"
            raise self.fail("wrong-arguments", message, tree.elt, f"write {name}.next or the like")
        return n.Comp(Type("list", kind.kind), "walk", name, start, test, step)

    def loop(self, loop: ast.comprehension, scope: Scope, walks: bool = False) -> tuple[str, Expr, Expr | None, Scope]:
        """The name, the domain, the condition and the inner scope of one `for`, which may `walk` from one member on."""
        if not isinstance(loop.target, ast.Name) or loop.is_async:
            raise self.fail("expression-word", "one name after `for`", loop.target)
        name = loop.target.id
        if name in scope.names:
            raise self.fail("shadowing", f"`{name}` is a local name already", loop.target, "choose another name")
        domain, kind = self.beginning(loop.iter, scope) if walks else self.domain(loop.iter, scope)
        self.symbols.check_local(name, self.span(loop.target), self.diagnostics, kind.kind)
        self.note_local(name, loop.target, kind)
        inner = scope.having(**{name: kind})
        if isinstance(domain, n.Numbers):
            last = n.Arith(INT, "-", domain.high, number(1))
            inner = inner.counting(name, domain.low, last)
        tests = []
        for part in loop.ifs:
            test = self.typed(part, inner, BOOL)
            tests.append(test)
            inner = inner.after(test)
        condition = conjunction(tests)
        if condition is not None and len(tests) > 1:
            condition = condition.at(self.between(loop.ifs[0], loop.ifs[-1]))
        return name, domain, condition, inner

    def domain(self, node: ast.expr, scope: Scope) -> tuple[Expr, Type]:
        """What a loop goes over, and the type of its name."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
            if len(node.args) != 2 or node.keywords:
                raise self.fail("wrong-arguments", "write range(low, high)", node)
            low, high = (self.typed(part, scope, INT) for part in node.args)
            return n.Numbers(INT, low, high, span=self.span(node)), INT
        group = self.group(node, scope)
        return group, Type("ref", group.type.kind)

    def beginning(self, node: ast.expr, scope: Scope) -> tuple[Expr, Type]:
        """The member from which a walk begins, and the type of its name."""
        start = self.visit(node, scope)
        if start.type.base != "ref":
            raise self.fail("wrong-type", f"a line begins at one member, not at {start.type}", node)
        self.need(start, start.type.sure(), node)
        return start, start.type

    def membership(self, left: ast.expr, right: ast.expr, scope: Scope) -> Expr:
        """`x in set`, `x in list` or `x in reachable(route, a)`."""
        if isinstance(right, ast.Call) and isinstance(right.func, ast.Name) and right.func.id == "reachable":
            if len(right.args) != 2 or right.keywords:
                raise self.fail("wrong-arguments", "write reachable(route, start)", right)
            return self.route("route_exists", [*right.args, left], right, scope)
        group = self.group(right, scope)
        item = self.visit(left, scope, Type("ref", group.type.kind))
        if item.type.base != "ref" or item.type.kind != group.type.kind:
            raise self.fail("wrong-type", f"{item.type} is never in a {group.type}", left)
        return n.Contains(BOOL, item, group)

    def route(self, word: str, parts: list[ast.expr], node: ast.Call, scope: Scope) -> Expr:
        """`route_exists(route(...), a, b)` or `cheapest_route(...)`."""
        routes = self.symbols.routes
        first = parts[0]
        target = first.func if isinstance(first, ast.Call) else first
        name = target.id if isinstance(target, ast.Name) else ast.unparse(target)
        if name not in routes:
            raise self.unknown("route", name, list(routes), target)
        self.note(f"routes.{name}", target)
        args = self.arguments(name, routes[name].params, first, scope)
        start, goal = (self.node(part, scope) for part in parts[1:])
        if word == "route_exists":
            return n.RouteExists(BOOL, name, args, start, goal)
        return n.RouteCost(INT, name, args, start, goal)

    def node(self, part: ast.expr, scope: Scope) -> Expr:
        """A start or a goal: a member that stands in the graphs."""
        node = self.visit(part, scope)
        if node.type.base != "ref" or not self.ask(Questions.in_graphs, node.type.kind):
            raise self.fail("wrong-type", f"{node.type} stands in no graph", part)
        self.need(node, node.type.sure(), part)
        return node
