"""Comprehensions to Python: written out member by member while that is short, as loops otherwise."""

from __future__ import annotations

from abc import abstractmethod

from polis_rules.interpreter.compiler.python.masks import MaskWriter, intersection, inverted
from polis_rules.interpreter.compiler.python.module import Env
from polis_rules.interpreter.compiler.python.numbers import Code
from polis_rules.interpreter.compiler.python.pieces import join, negate, shift, union
from polis_rules.semantics.expressions import Comp, Expr, Numbers, Var

MOST_PARTS = 700
"""A comprehension that would be written out into more parts than this becomes a loop."""

MOST_NESTED = 50
"""`first` over more members than this becomes a loop: written out, each member stands inside the one before."""

LONGEST = 16_000
"""Longest written-out code, in characters."""


class ComprehensionWriter(MaskWriter):
    """Writes comprehensions."""

    @abstractmethod
    def walk(self, tree: Comp, env: Env) -> Code:
        """The members that a walk meets, as a list."""

    @abstractmethod
    def over_list(self, tree: Comp, env: Env) -> Code | None:
        """A comprehension over a list, where there is something shorter than a loop."""

    @abstractmethod
    def over_members(self, tree: Comp, env: Env) -> Code | None:
        """The call of a function for a comprehension that would be long; None where it is not."""

    def comprehension(self, tree: Comp, env: Env) -> Code:
        """The code of a comprehension."""
        if tree.func == "walk":
            return self.walk(tree, env)
        if (code := self.over_walk(tree, env)) is not None:
            return code
        listed = tree.domain.type.base == "list"
        if listed and (code := self.over_list(tree, env)) is not None:
            return code
        loops = listed or tree.type.base == "list"
        if not self.module.into.compact and not loops and self.parts(tree) <= MOST_PARTS:
            if (code := self.at_once(tree, env)) is not None or (code := self.over_members(tree, env)) is not None:
                return code
            members = self.members(tree.domain, env)
            if members is not None and (tree.func != "first" or len(members) <= MOST_NESTED):
                code = self.written_out(tree, members, env)
                if isinstance(code, int) or len(code) <= LONGEST:
                    return code
        return self.loop(tree, env)

    def at_once(self, tree: Comp, env: Env) -> Code | None:
        """The code of a comprehension over a set whose conditions can be asked of all its members at once."""
        kind = tree.domain.type.kind
        if tree.domain.type.base != "set" or tree.func not in ("any", "all", "count", "set"):
            return None
        if tree.func == "set" and not (isinstance(tree.body, Var) and tree.body.name == tree.var):
            return None
        tests = [tree.test] if tree.test is not None else []
        tests += [tree.body] if tree.func in ("any", "all") else []
        masks = [mask for test in tests if (mask := self.members_with(test, tree.var, kind, env)) is not None]
        if len(masks) < len(tests):
            return None
        if tree.func == "all":
            masks.append(inverted(masks.pop()))
        code = intersection([self.emit(tree.domain, env), *masks])
        if isinstance(code, int):
            return None
        codes = {"any": f"({code} != 0)", "all": f"({code} == 0)", "count": f"({code}).bit_count()", "set": code}
        return codes[tree.func]

    def parts(self, tree: Expr) -> int:
        """How many parts an expression has when all its comprehensions are written out."""
        if (known := self.counted_parts.get(id(tree))) is None:
            known = self.counted_parts[id(tree)] = tree, self._parts(tree)
        return known[1]

    def weight(self, tree: Expr) -> int:
        """How many parts the code of an expression has, roughly."""
        return sum(1 for _ in tree.walk()) * self.parts(tree)

    def _parts(self, tree: Expr) -> int:
        if isinstance(tree, Comp) and tree.func == "walk":
            return self.parts(tree.domain)  # the rest is a function
        inner = max((self.parts(child) for child in tree.children()), default=1)
        if isinstance(tree, Comp) and not isinstance(tree.domain, Numbers) and tree.domain.type.base != "list":
            return inner * max(self.count(tree.domain.type.kind), 1)
        return inner

    def members(self, domain: Expr, env: Env) -> list[tuple[int, Code]] | None:
        """The members of a domain with the condition under which each is in it; None for a range unknown now."""
        if isinstance(domain, Numbers):
            low, high = self.emit(domain.low, env), self.emit(domain.high, env)
            if isinstance(low, int) and isinstance(high, int) and high - low <= 64:
                return [(number, 1) for number in range(low, high)]
            return None
        count = self.count(domain.type.kind)
        mask = self.emit(domain, env)
        if isinstance(mask, int):
            return [(number, 1) for number in range(count) if mask >> number & 1]
        return [(number, f"({mask} >> {number} & 1)") for number in range(count)]

    def written_out(self, tree: Comp, members: list[tuple[int, Code]], env: Env) -> Code:
        pieces: list[tuple[Code, Code, int]] = []
        for number, inside in members:
            inner = {**env, tree.var: number}
            test = join("and", [inside, self.emit(tree.test, inner) if tree.test is not None else 1])
            if test != 0:
                pieces.append((test, self.emit(tree.body, inner), number))
        code = self.together(tree, pieces, env)
        asked = next((inside for _, inside in members if isinstance(inside, str)), None)
        if self.module.into.checks and isinstance(code, int) and asked is not None:
            return f"({code} if {asked} < 2 else 0)"  # what it goes over is asked all the same: it may be wrong
        return code

    def together(self, tree: Comp, pieces: list[tuple[Code, Code, int]], env: Env) -> Code:
        """Join the parts (test, body, member) of a written-out comprehension."""
        match tree.func:
            case "any":
                return join("or", [join("and", [test, body]) for test, body, _ in pieces])
            case "all":
                return join("and", [join("or", [negate(test), body]) for test, body, _ in pieces])
            case "count":
                return self.total([(test, 1) for test, _, _ in pieces])
            case "sum":
                return self.total([(test, body) for test, body, _ in pieces])
            case "set":
                bits = [shift(body) if test == 1 else f"({shift(body)} if {test} else 0)" for test, body, _ in pieces]
                return union(bits)
            case "first":
                code: Code = -1
                for test, _, number in reversed(pieces):
                    code = number if test == 1 else f"({number} if {test} else {code})"
                return code
        return self.extreme(tree, pieces, env)

    def total(self, pieces: list[tuple[Code, Code]]) -> Code:
        """The sum of what holds."""
        known, parts = 0, []
        for test, body in pieces:
            if test == 1:
                if isinstance(body, int):
                    known += body
                else:
                    parts.append(body)
            elif body != 0:
                parts.append(f"({body} if {test} else 0)")
        if not parts:
            return known
        return f"({' + '.join([*parts, str(known)] if known else parts)})"

    def extreme(self, tree: Comp, pieces: list[tuple[Code, Code, int]], env: Env) -> Code:
        """The least or the greatest of what holds."""
        assert tree.default is not None
        default = self.emit(tree.default, env)
        if not pieces:
            return default
        if all(test == 1 for test, _, _ in pieces):
            bodies = [body for _, body, _ in pieces]
            known = [body for body in bodies if isinstance(body, int)]
            if len(known) == len(bodies):
                return min(known) if tree.func == "min" else max(known)
            return str(bodies[0]) if len(bodies) == 1 else f"{tree.func}({', '.join(map(str, bodies))})"
        items = ", ".join(f"*(({body},) if {test} else ())" for test, body, _ in pieces)
        return f"{tree.func}(({items},), default={default})"

    def loop(self, tree: Comp, env: Env) -> Code:
        """A comprehension of Python's own."""
        name = self.module.name(f"v_{tree.var}")
        inner = {**env, tree.var: name}
        test = self.emit(tree.test, inner) if tree.test is not None else 1
        body = self.emit(tree.body, inner)
        if isinstance(tree.domain, Numbers):
            low, high = self.emit(tree.domain.low, env), self.emit(tree.domain.high, env)
            known = isinstance(low, int) and isinstance(high, int)
            over = f"for {name} in {'range' if known else 'numbers'}({low}, {high})"
        elif tree.domain.type.base == "list":
            over = f"for {name} in {self.emit(tree.domain, env)}"
        else:
            over = f"for {name} in {self.among(self.emit(tree.domain, env), tree.domain.type.kind)}"
        if tree.func == "place":
            return f"place_of([{test} {over}])"
        if test != 1:
            over += f" if {test}"
        match tree.func:
            case "list" if tree.body.type.base == "list":
                return f"joined(*[{body} {over}])"
            case "list":
                return f"[{body} {over}]"
            case "any" | "all":
                return f"{tree.func}({body} {over})"
            case "count":
                return f"sum(1 {over})"
            case "sum":
                return f"sum({body} {over})"
            case "set":
                return f"sum({{1 << {body} {over}}})"
            case "first":
                return f"next(({name} {over}), -1)"
        assert tree.default is not None
        return f"{tree.func}(({body} {over}), default={self.emit(tree.default, env)})"
