"""The functions of the expression language: counting and choosing over members, order, routes, possible actions."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from polis_rules.semantics.expressions import nodes as n
from polis_rules.semantics.expressions.nodes import Expr
from polis_rules.semantics.expressions.parse import place
from polis_rules.semantics.expressions.scope import Scope, when_true
from polis_rules.semantics.expressions.types import BOOL, INT, Type

if TYPE_CHECKING:
    from polis_rules.semantics.check_expressions import ExpressionChecker

OVER = ("any", "all", "count", "sum", "min", "max", "first")
FUNCTIONS = (*OVER, "abs", "len", "next", "order", "nth", "possible", "route_exists", "cheapest_route")


class Builtins:
    """Checks calls of the language's own functions for an ExpressionChecker."""

    def __init__(self, checker: ExpressionChecker) -> None:
        self.checker = checker

    def function(self, word: str, node: ast.Call, scope: Scope) -> Expr:
        """A call by name that is no term."""
        checker = self.checker
        if word in OVER and node.args and isinstance(node.args[0], ast.GeneratorExp):
            return self.over(word, node, scope)
        if word in ("min", "max") and len(node.args) > 1 and not node.keywords:
            return n.MinMax(INT, word, tuple(checker.typed(part, scope, INT) for part in node.args))
        simple = {
            "abs": 1,
            "len": 1,
            "next": 1,
            "order": 1,
            "nth": 2,
            "possible": 1,
            "route_exists": 3,
            "cheapest_route": 3,
        }
        if word not in simple:
            if word in OVER:
                hint = f"write {word}(... for x in kind if condition)"
                raise checker.fail("wrong-arguments", f"`{word}` goes over members", node, hint=hint)
            if word in ("reachable", "range"):
                message = f"`{word}` stands after `in` only"
                raise checker.fail("wrong-arguments", message, node)
            raise checker.unknown("function or term", word, [*checker.symbols.terms, *FUNCTIONS], node.func)
        if node.keywords or len(node.args) != simple[word]:
            raise checker.fail("wrong-arguments", f"`{word}` takes {simple[word]} arguments", node)
        return self._simple(word, node, scope)

    def _simple(self, word: str, node: ast.Call, scope: Scope) -> Expr:
        checker = self.checker
        if word in ("route_exists", "cheapest_route"):
            return self.route(word, node, scope)
        if word == "nth":
            domain = checker.visit(node.args[0], scope)
            if not isinstance(domain, n.Everyone):
                raise checker.fail("wrong-type", "nth takes a kind and a number", node.args[0])
            where = checker.typed(node.args[1], scope, INT)
            count = len(checker.symbols.kinds[domain.type.kind].members)
            if isinstance(where, n.Const) and not 0 <= where.value < count:
                message = f"{domain.type.kind} has the places 0 to {count - 1}, not {where.value}"
                raise checker.fail("out-of-range", message, node.args[1])
            return n.Nth(Type("ref", domain.type.kind), where)
        if word == "possible":
            if "you" not in scope.names:
                raise checker.fail("nobody-acts", "nobody acts here, so nothing is possible for them", node)
            checker.using_you(place(checker.text, node))
            return n.Possible(BOOL, checker.typed(node.args[0], scope, Type("ref", "action")))
        item = checker.visit(node.args[0], scope)
        if word == "abs":
            checker.need(item, INT, node.args[0])
            return n.Abs(INT, item)
        if word == "len":
            if item.type.base != "set":
                raise checker.fail("wrong-type", f"len counts a set, not {item.type}", node.args[0])
            return n.Size(INT, item)
        if item.type.base != "ref":
            raise checker.fail("wrong-type", f"`{word}` takes a member, not {item.type}", node.args[0])
        checker.need(item, item.type.sure(), node.args[0])
        return n.Next(item.type, item) if word == "next" else n.Order(INT, item)

    def over(self, word: str, node: ast.Call, scope: Scope) -> Expr:
        """`word(body for x in domain if test)`."""
        checker = self.checker
        tree = node.args[0]
        assert isinstance(tree, ast.GeneratorExp)
        default = None
        for keyword in node.keywords:
            if keyword.arg != "default" or word not in ("min", "max"):
                raise checker.fail("wrong-arguments", f"`{word}` has no `{keyword.arg}`", node)
            default = checker.typed(keyword.value, scope, INT)
        if word in ("min", "max") and default is None:
            raise checker.fail("wrong-arguments", f"{word} of nothing has no value", node, hint="add default=0")
        if len(node.args) > 1:
            raise checker.fail("wrong-arguments", f"`{word}` takes one thing to go over", node)
        return self._nested(word, tree, tree.generators, scope, default)

    def _nested(
        self, word: str, tree: ast.GeneratorExp, generators: list[ast.comprehension], scope: Scope, default: Expr | None
    ) -> Expr:
        checker = self.checker
        loop, rest = generators[0], generators[1:]
        name, domain, test, inner = self.loop(loop, scope)
        if rest:
            if word not in ("any", "all", "count", "sum"):
                raise checker.fail("wrong-arguments", f"`{word}` goes over one kind only", rest[0].target)
            body = self._nested(word, tree, rest, inner, None).at(place(checker.text, tree))
            outer = "sum" if word == "count" else word
            return n.Comp(body.type, outer, name, domain, test, body)
        if word == "first" or word == "count":
            loops = {each.target.id for each in tree.generators if isinstance(each.target, ast.Name)}
            if not (isinstance(tree.elt, ast.Name) and tree.elt.id in loops):
                raise checker.fail("wrong-arguments", f"write {word}({name} for {name} in ...)", tree.elt)
            if domain.type.base != "set" and word == "first":
                raise checker.fail("wrong-type", "first finds a member, not a number", loop.iter, hint="write min(...)")
            if word == "count":
                return n.Comp(INT, word, name, domain, test, n.Var(inner.names[name], name))
            return n.Comp(Type("ref", domain.type.kind, True), word, name, domain, test, n.Var(inner.names[name], name))
        want = BOOL if word in ("any", "all") else INT
        return n.Comp(want, word, name, domain, test, checker.typed(tree.elt, inner, want), default)

    def set_comprehension(self, node: ast.SetComp, scope: Scope) -> Expr:
        """`{x for x in domain if test}`."""
        checker = self.checker
        if len(node.generators) != 1:
            raise checker.fail("wrong-arguments", "a set goes over one kind only", node)
        name, domain, test, inner = self.loop(node.generators[0], scope)
        body = checker.visit(node.elt, inner)
        if body.type.base != "ref":
            raise checker.fail("wrong-type", "a set holds members of a kind", node.elt)
        checker.need(body, body.type.sure(), node.elt)
        return n.Comp(Type("set", body.type.kind), "set", name, domain, test, body)

    def loop(self, loop: ast.comprehension, scope: Scope) -> tuple[str, Expr, Expr | None, Scope]:
        """The name, the domain, the condition and the inner scope of one `for`."""
        checker = self.checker
        if not isinstance(loop.target, ast.Name) or loop.is_async:
            raise checker.fail("expression-word", "one name after `for`", loop.target)
        name = loop.target.id
        if name in scope.names:
            raise checker.fail("shadowing", f"`{name}` is a local name already", loop.target, "choose another name")
        checker.symbols.check_local(name, place(checker.text, loop.target), checker.diagnostics)
        domain, kind = self.domain(loop.iter, scope)
        checker.note_local(name, loop.target, kind)
        inner = scope.having(**{name: kind})
        tests = []
        for part in loop.ifs:
            test = checker.typed(part, inner, BOOL)
            tests.append(test)
            inner = inner.knowing(when_true(test))
        if not tests:
            return name, domain, None, inner
        both = n.Bool(BOOL, "and", tuple(tests), span=checker.between(loop.ifs[0], loop.ifs[-1]))
        return name, domain, tests[0] if len(tests) == 1 else both, inner

    def domain(self, node: ast.expr, scope: Scope) -> tuple[Expr, Type]:
        """What a loop goes over, and the type of its name."""
        checker = self.checker
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
            if len(node.args) != 2 or node.keywords:
                raise checker.fail("wrong-arguments", "write range(low, high)", node)
            low, high = (checker.typed(part, scope, INT) for part in node.args)
            return n.Numbers(INT, low, high, span=place(checker.text, node)), INT
        found = checker.visit(node, scope)
        if found.type.base != "set":
            raise checker.fail("wrong-type", f"expected a kind or a set, found {found.type}", node)
        return found, Type("ref", found.type.kind)

    def membership(self, left: ast.expr, right: ast.expr, scope: Scope) -> Expr:
        """`x in set` or `x in reachable(route, a)`."""
        checker = self.checker
        if isinstance(right, ast.Call) and isinstance(right.func, ast.Name) and right.func.id == "reachable":
            if len(right.args) != 2 or right.keywords:
                raise checker.fail("wrong-arguments", "write reachable(route, start)", right)
            return self._travel("route_exists", [*right.args, left], right, scope)
        group = checker.visit(right, scope)
        if group.type.base != "set":
            raise checker.fail("wrong-type", f"expected a set after `in`, found {group.type}", right)
        item = checker.visit(left, scope, Type("ref", group.type.kind))
        if item.type.base != "ref" or item.type.kind != group.type.kind:
            raise checker.fail("wrong-type", f"{item.type} is never in a {group.type}", left)
        return n.Contains(BOOL, item, group)

    def route(self, word: str, node: ast.Call, scope: Scope) -> Expr:
        """`route_exists(route(...), a, b)` or `cheapest_route(...)`."""
        return self._travel(word, node.args, node, scope)

    def _travel(self, word: str, parts: list[ast.expr], node: ast.Call, scope: Scope) -> Expr:
        checker = self.checker
        routes = checker.symbols.routes
        first = parts[0]
        name = first.id if isinstance(first, ast.Name) else ""
        args: tuple[Expr, ...] = ()
        if isinstance(first, ast.Call) and isinstance(first.func, ast.Name):
            name = first.func.id
        if name not in routes:
            at = first.func if isinstance(first, ast.Call) else first
            raise checker.unknown("route", name or ast.unparse(at), list(routes), at)
        checker.note(f"routes.{name}", first.func if isinstance(first, ast.Call) else first)
        params = routes[name].params
        if isinstance(first, ast.Call):
            args = checker.arguments(first, params, scope, name)
        elif params:
            raise checker.fail("wrong-arguments", f"`{name}` is a route of: {', '.join(params)}", first)
        start, goal = (self.node(part, scope) for part in parts[1:])
        if word == "route_exists":
            return n.RouteExists(BOOL, name, args, start, goal)
        return n.RouteCost(INT, name, args, start, goal)

    def node(self, part: ast.expr, scope: Scope) -> Expr:
        """A start or a goal: a member that stands in the graphs."""
        checker = self.checker
        found = checker.visit(part, scope)
        if found.type.base != "ref" or found.type.kind not in checker.symbols.first_node:
            raise checker.fail("wrong-type", f"{found.type} stands in no graph", part)
        checker.need(found, found.type.sure(), part)
        return found
