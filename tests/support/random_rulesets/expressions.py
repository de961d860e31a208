"""Random expressions of a wanted type."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from support.random_rulesets.world import FLAG, INT, Scope, Type, Value, Word, World

LITERALS = [-7, -3, -1, 0, 0, 1, 1, 2, 3, 4, 5, 9]


class Expressions:
    """Makes expressions for one world. `depth` is how deep they may nest."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.rng: Random = world.rng

    def of(self, kind: Type, scope: Scope, depth: int = 3) -> str:
        """An expression of a type."""
        if kind.base == "int":
            return self.number(scope, depth)
        if kind.base == "flag":
            return self.flag(scope, depth)
        if kind.base == "set":
            return self.group(kind.kind, scope, depth)
        if kind.base == "list":
            return self.listed(kind.kind, scope, depth)
        if kind.maybe and self.rng.random() < 0.8:
            return self.perhaps(kind.kind, scope, depth)
        return self.member(kind.kind, scope, depth)

    def one(self, *ways: Callable[[], str]) -> str:
        return self.rng.choice(ways)()

    # -- leaves -----------------------------------------------------------------------------------------------------

    def known(self, kind: Type, scope: Scope) -> list[str]:
        """The local names of a type."""
        return [name for name, other in scope.names if other == kind]

    def path(self, value: Value, scope: Scope, depth: int) -> str:
        """An attribute or state with its owner and indexes."""
        indexes = [self.member(kind, scope, depth - 1) for kind in value.per]
        owner = f"{self.member(value.owner, scope, depth - 1)}." if value.owner else ""
        return f"{owner}{value.name}" + (f"[{', '.join(indexes)}]" if indexes else "")

    def load(self, kind: Type, scope: Scope, depth: int) -> str:
        """A value that is declared, or a local name; empty where there is none."""
        names = self.known(kind, scope)
        if names and self.rng.random() < 0.5:
            return self.rng.choice(names)
        values = [value for value in self.world.values if value.type == kind and self.is_known(value, scope)]
        return self.path(self.rng.choice(values), scope, depth) if values else ""

    def is_known(self, value: Value, scope: Scope) -> bool:
        """Whether an expression may read a value: what is worked out before play reads nothing that changes."""
        return not scope.fixed or not (value.state or value.derived >= scope.fixed)

    def word(self, kind: Type, scope: Scope, depth: int, sorts: tuple[str, ...] = ("term", "formula")) -> str:
        """A call of a term or formula that gives a type; empty where there is none."""
        fit = [each for each in self.words(scope, sorts) if each.result == kind]
        return self.call(self.rng.choice(fit), scope, depth) if fit else ""

    def words(self, scope: Scope, sorts: tuple[str, ...]) -> list[Word]:
        return [each for each in self.world.words[: scope.words] if each.sort in sorts and not scope.fixed]

    def call(self, word: Word, scope: Scope, depth: int) -> str:
        args = ", ".join(self.of(kind, scope, depth - 1) for _, kind in word.params)
        owner = f"{self.member(word.owner, scope, depth - 1)}." if word.owner else ""
        return f"{owner}{word.name}({args})" if args else f"{owner}{word.name}"

    def travel(self, scope: Scope, depth: int) -> tuple[str, str, str] | None:
        """A route, a start and a goal."""
        routes = self.words(scope, ("route",))
        if not routes:
            return None
        start, goal = (self.member(self.rng.choice(["spot", "spot", "good"]), scope, depth - 1) for _ in "ab")
        return self.call(self.rng.choice(routes), scope, depth - 1), start, goal

    def checked(self, scope: Scope, depth: int) -> tuple[str, Scope] | None:
        """A path that may be none, and what is known where it is not."""
        kind = Type("ref", self.rng.choice(list(self.world.members)), True)
        path = self.load(kind, scope, min(depth, 1))
        return (path, scope.having(path, Type("ref", kind.kind))) if path else None

    # -- numbers ----------------------------------------------------------------------------------------------------

    def number(self, scope: Scope, depth: int = 3) -> str:
        """A number."""
        literal = str(self.rng.choice(LITERALS))
        if depth <= 0:
            names = self.known(INT, scope)
            return self.rng.choice(names) if names and self.rng.random() < 0.7 else literal
        down = depth - 1
        return self.one(
            lambda: literal,
            lambda: self.load(INT, scope, depth) or literal,
            lambda: self.load(INT, scope, depth) or literal,
            lambda: self.word(INT, scope, depth) or literal,
            lambda: self.arithmetic(scope, down),
            lambda: self.arithmetic(scope, down),
            lambda: self.arithmetic(scope, down),
            lambda: f"{self.rng.choice(['min', 'max'])}({self.number(scope, down)}, {self.number(scope, down)})",
            lambda: f"abs({self.number(scope, down)})",
            lambda: f"(-{self.number(scope, 0)})",
            lambda: self.over_numbers(scope, down),
            lambda: self.over_numbers(scope, down),
            lambda: f"len({self.collection(self.kind(), scope, down)})",
            lambda: self.placed(scope, down),
            lambda: f"order({self.member(self.kind(), scope, down)})",
            lambda: self.either_way(INT, scope, down),
            lambda: self.routed(scope, down) or literal,
        )

    def kind(self) -> str:
        return self.rng.choice(list(self.world.members))

    def arithmetic(self, scope: Scope, depth: int) -> str:
        op = self.rng.choice(["+", "-", "*", "//", "%", "//", "%"])
        left = self.number(scope, depth)
        right = self.number(scope, depth)
        if op in ("//", "%"):
            right = f"max({right}, {1 + len(right) % 3})" if len(right) % 3 == 0 else str(1 + len(right) % 6)
        return f"({left} {op} {right})"

    def fit(self, low: int, high: int, scope: Scope, depth: int = 2) -> str:
        """A number of a range; once in a while one that may lie outside."""
        number = self.number(scope, depth)
        return self.one(
            *[lambda: f"{number} % {high - low + 1} + {low}"] * 3,
            *[lambda: f"min(max({number}, {low}), {high})"] * 3,
            *[lambda: f"max(min({number}, {high}), {low})"] * 2,
            *[lambda: str(self.rng.choice([low, high, self.rng.randint(low, high)]))] * 3,
            *([lambda: number] if self.rng.random() < 0.3 and not number.lstrip("-").isdigit() else []),
        )

    def loop(self, scope: Scope, depth: int, kind: str = "") -> tuple[str, str, Scope]:
        """`for x in domain if test`: the name, the text, what is known inside."""
        if not kind and self.rng.random() < 0.2:
            name = scope.fresh(INT, "ijk")
            inner, domain = scope.having(name, INT), f"range({self.rng.randint(-3, 2)}, {self.number(scope, 1)} % 4)"
        else:
            kind = kind or self.kind()
            name = scope.fresh(Type("ref", kind), "ijk")
            inner, domain = scope.having(name, Type("ref", kind)), self.collection(kind, scope, depth - 1)
        test = ""
        if self.rng.random() < 0.5:
            test = f" if {self.flag(inner, depth)}"
        return name, f"for {name} in {domain}{test}", inner

    def over_numbers(self, scope: Scope, depth: int) -> str:
        word = self.rng.choice(["count", "sum", "min", "max"])
        name, loop, inner = self.loop(scope, depth)
        if depth > 0 and self.rng.random() < 0.3:
            name, second, inner = self.loop(inner, depth - 1)
            loop = f"{loop} {second}"
        if word == "count":
            return f"count({name} {loop})"
        body = self.number(inner, depth)
        default = f", default={self.number(scope, 0)}" if word in ("min", "max") else ""
        # a generator before a keyword is not Python's usual grammar, but the language's
        return f"{word}({body} {loop}{default})"

    def routed(self, scope: Scope, depth: int) -> str:
        travel = self.travel(scope, depth)
        return f"cheapest_route({', '.join(travel)})" if travel else ""

    def either_way(self, kind: Type, scope: Scope, depth: int) -> str:
        """`a if c else b`, half of the time with a check against none that the first relies on."""
        checked = self.checked(scope, depth) if self.rng.random() < 0.5 else None
        if checked:
            path, knowing = checked
            if self.rng.random() < 0.5:
                return f"({self.of(kind, knowing, depth)} if {path} is not none else {self.of(kind, scope, depth)})"
            return f"({self.of(kind, scope, depth)} if {path} is none else {self.of(kind, knowing, depth)})"
        return f"({self.of(kind, scope, depth)} if {self.flag(scope, depth)} else {self.of(kind, scope, depth)})"

    # -- conditions -------------------------------------------------------------------------------------------------

    def flag(self, scope: Scope, depth: int = 3) -> str:
        """A condition."""
        if depth <= 0:
            names = self.known(FLAG, scope)
            sign = self.rng.choice(["<", "<=", ">", ">=", "==", "!="])
            return self.rng.choice(names) if names else f"{self.number(scope, 0)} {sign} {self.number(scope, 0)}"
        down = depth - 1
        return self.one(
            lambda: self.compared(scope, down),
            lambda: self.compared(scope, down),
            lambda: self.load(FLAG, scope, depth) or self.compared(scope, down),
            lambda: self.word(FLAG, scope, depth) or self.compared(scope, down),
            lambda: self.same(scope, down),
            lambda: self.same(scope, down),
            lambda: self.inside(scope, down),
            lambda: self.inside(scope, down),
            lambda: f"not ({self.flag(scope, down)})",
            lambda: f"({self.flag(scope, down)} {self.rng.choice(['and', 'or'])} {self.flag(scope, down)})",
            lambda: self.relied(scope, down),
            lambda: self.over_flags(scope, down),
            lambda: self.over_flags(scope, down),
            lambda: self.either_way(FLAG, scope, down),
            lambda: self.reached(scope, down) or self.compared(scope, down),
            lambda: self.feasible(scope) or self.compared(scope, down),
        )

    def compared(self, scope: Scope, depth: int) -> str:
        signs = [self.rng.choice(["<", "<=", ">", ">=", "==", "!="]) for _ in "ab"]
        text = f"{self.number(scope, depth)} {signs[0]} {self.number(scope, depth)}"
        return f"({text} {signs[1]} {self.number(scope, 0)})" if self.rng.random() < 0.1 else f"({text})"

    def same(self, scope: Scope, depth: int) -> str:
        kind = self.kind()
        if self.rng.random() < 0.4:
            return f"({self.perhaps(kind, scope, depth)} is {self.rng.choice(['', 'not '])}none)"
        if self.rng.random() < 0.1:
            left, right = (self.listed(kind, scope, depth) for _ in "ab")
            return f"({left} {self.rng.choice(['==', '!='])} {right})"
        left, right = (self.of(Type("ref", kind, self.rng.random() < 0.5), scope, depth) for _ in "ab")
        return f"({left} {self.rng.choice(['==', '!='])} {right})"

    def inside(self, scope: Scope, depth: int) -> str:
        kind = self.kind()
        item = self.of(Type("ref", kind, self.rng.random() < 0.3), scope, depth)
        return f"({item} {self.rng.choice(['', 'not '])}in {self.collection(kind, scope, depth)})"

    def relied(self, scope: Scope, depth: int) -> str:
        """A check against none and a condition that relies on it."""
        checked = self.checked(scope, depth)
        if checked is None:
            return self.compared(scope, depth)
        path, knowing = checked
        if self.rng.random() < 0.5:
            return f"({path} is not none and {self.flag(knowing, depth)})"
        return f"({path} is none or {self.flag(knowing, depth)})"

    def over_flags(self, scope: Scope, depth: int) -> str:
        _, loop, inner = self.loop(scope, depth)
        if depth > 0 and self.rng.random() < 0.2:
            _, second, inner = self.loop(inner, depth - 1)
            loop = f"{loop} {second}"
        return f"{self.rng.choice(['any', 'all'])}({self.flag(inner, depth)} {loop})"

    def reached(self, scope: Scope, depth: int) -> str:
        travel = self.travel(scope, depth)
        if travel is None:
            return ""
        route, start, goal = travel
        return self.one(
            lambda: f"route_exists({route}, {start}, {goal})", lambda: f"({goal} in reachable({route}, {start}))"
        )

    def feasible(self, scope: Scope) -> str:
        return f"possible({self.rng.choice(self.world.actions)})" if scope.possible and scope.you else ""

    # -- members and sets -------------------------------------------------------------------------------------------

    def member(self, kind: str, scope: Scope, depth: int = 2) -> str:
        """A member, never none."""
        names = [*self.known(Type("ref", kind), scope), self.rng.choice(self.world.members[kind])]
        if depth <= 0:
            return self.rng.choice([names[0], names[0], self.rng.choice(names)])
        down, count, wanted = depth - 1, len(self.world.members[kind]), Type("ref", kind)
        return self.one(
            *[lambda: self.rng.choice(names)] * 4,
            lambda: f"next({self.member(kind, scope, down)})",
            lambda: f"nth({kind}, {self.number(scope, down)} % {count})",
            lambda: f"nth({kind}, {self.fit(0, count - 1, scope, down)})",
            lambda: self.load(wanted, scope, depth) or names[0],
            lambda: self.load(wanted, scope, depth) or names[0],
            lambda: self.word(wanted, scope, depth) or names[0],
            lambda: self.either_way(wanted, scope, down),
        )

    def perhaps(self, kind: str, scope: Scope, depth: int = 2) -> str:
        """A member or none."""
        wanted, down = Type("ref", kind, True), depth - 1
        plain = f"({self.member(kind, scope, down)} if {self.flag(scope, min(down, 1))} else none)"
        if depth <= 0:
            return self.rng.choice(self.known(wanted, scope) or [plain])
        places = (lambda: "0", lambda: "-1", lambda: self.number(scope, down))
        return self.one(
            lambda: plain,
            lambda: self.load(wanted, scope, depth) or plain,
            lambda: self.load(wanted, scope, depth) or plain,
            lambda: self.word(wanted, scope, depth) or plain,
            lambda: self.found(kind, scope, down),
            lambda: self.foremost(kind, scope, down),
            lambda: self.located(kind, scope, down),
            lambda: f"{self.listed(kind, scope, down)}[{self.one(*places)}]",
        )

    def located(self, kind: str, scope: Scope, depth: int) -> str:
        """A member by its place or its parts, or none."""
        parts = {"pair": ("good", "card"), "plot": ("rank", "good")}.get(kind, ())
        if not parts:
            return f"{kind}[{self.number(scope, depth)} % {len(self.world.members[kind]) + 1}]"
        return f"{kind}[{', '.join(self.part(part, scope, depth) for part in parts)}]"

    def part(self, kind: str, scope: Scope, depth: int) -> str:
        return self.one(
            lambda: self.member(kind, scope, depth),
            lambda: self.perhaps(kind, scope, depth),
            lambda: f"{self.number(scope, depth)} % 5",
        )

    def walked(self, kind: str, scope: Scope, depth: int) -> str:
        """The members that one after the other tells; empty where no value does."""
        own = [value for value in self.world.values if value.owner == kind and self.is_known(value, scope)]
        steps = [value for value in own if value.type.base == "ref" and value.type.kind == kind]
        if not steps:
            return ""
        name = scope.fresh(Type("ref", kind), "ijk")
        inner, value = scope.having(name, Type("ref", kind)), self.rng.choice(steps)
        indexes = ", ".join(self.member(each, scope, depth - 1) for each in value.per)
        test = f" if {self.flag(inner, depth)}" if self.rng.random() < 0.8 else ""
        step = f"{name}.{value.name}" + (f"[{indexes}]" if indexes else "")
        return f"line_of({step} for {name} in {self.member(kind, scope, depth)}{test})"

    def found(self, kind: str, scope: Scope, depth: int) -> str:
        name = scope.fresh(Type("ref", kind), "ijk")
        inner = scope.having(name, Type("ref", kind))
        return f"first({name} for {name} in {self.collection(kind, scope, depth)} if {self.flag(inner, depth)})"

    def foremost(self, kind: str, scope: Scope, depth: int) -> str:
        """The member with the most or the least of something."""
        _, loop, inner = self.loop(scope, min(depth, 1), kind)
        tie = f", tie={self.perhaps(kind, scope, 0)}" if self.rng.random() < 0.5 else ""
        return f"{self.rng.choice(['most', 'least'])}({self.number(inner, min(depth, 1))} {loop}{tie})"

    def placed(self, scope: Scope, depth: int) -> str:
        """A place in a list."""
        kind = self.kind()
        name = scope.fresh(Type("ref", kind), "ijk")
        inner = scope.having(name, Type("ref", kind))
        return f"place_of({name} for {name} in {self.listed(kind, scope, depth)} if {self.flag(inner, depth)})"

    def collection(self, kind: str, scope: Scope, depth: int = 2) -> str:
        """A kind, a set or a list of members."""
        return self.group(kind, scope, depth) if self.rng.random() < 0.6 else self.listed(kind, scope, depth)

    def listed(self, kind: str, scope: Scope, depth: int = 2) -> str:
        """A list of members."""
        wanted, down = Type("list", kind), depth - 1
        known = self.known(wanted, scope) or [f"[{self.member(kind, scope, 0)}]"]
        if depth <= 0:
            return self.rng.choice(known)
        return self.one(
            *[lambda: self.load(wanted, scope, depth) or known[0]] * 3,
            lambda: self.word(wanted, scope, depth) or known[0],
            lambda: "[" + ", ".join(self.member(kind, scope, down) for _ in range(self.rng.randint(1, 3))) + "]",
            lambda: f"({self.listed(kind, scope, down)} + {self.listed(kind, scope, down)})",
            lambda: f"({self.listed(kind, scope, down)} + [])",
            lambda: f"[{self.gathered(kind, scope, down)[1:-1]}]",
            lambda: self.walked(kind, scope, down) or known[0],
            lambda: self.either_way(wanted, scope, down),
        )

    def group(self, kind: str, scope: Scope, depth: int = 2) -> str:
        """A set of members."""
        if depth <= 0:
            return self.rng.choice([kind, kind, *self.known(Type("set", kind), scope)])
        down, wanted = depth - 1, Type("set", kind)
        return self.one(
            lambda: kind,
            lambda: self.load(wanted, scope, depth) or kind,
            lambda: self.load(wanted, scope, depth) or kind,
            lambda: self.word(wanted, scope, depth) or kind,
            lambda: "{" + ", ".join(self.member(kind, scope, down) for _ in range(self.rng.randint(1, 3))) + "}",
            lambda: f"({self.group(kind, scope, down)} {self.rng.choice('|&-')} {self.group(kind, scope, down)})",
            lambda: self.gathered(kind, scope, down, second=True),
            lambda: f"({self.group(kind, scope, down)} | {{}})",
        )

    def gathered(self, kind: str, scope: Scope, depth: int, second: bool = False) -> str:
        _, loop, inner = self.loop(scope, depth)
        if second and self.rng.random() < 0.4:
            _, other, inner = self.loop(inner, 0)
            loop = f"{loop} {other}"
        return f"{{{self.member(kind, inner, depth)} {loop}}}"
