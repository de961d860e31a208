"""Random steps that change the state: amounts, counters, lists, and what rules remember."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from support.random_rulesets.expressions import Expressions
from support.random_rulesets.world import FLAG, INT, Scope, Type, Value

Step = Any
Tree = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Procedure:
    """What can be called by `do`."""

    name: str
    params: tuple[tuple[str, Type], ...]
    quiet: bool
    gives: Type | None = None


@dataclass(frozen=True, slots=True)
class Room:
    """What steps may do at their place."""

    waits: bool = True
    loops: int = 0
    depth: int = 2
    calls: tuple[Procedure, ...] = ()
    effects: bool = False
    ends: bool = False
    gives: Type | None = None

    def inside(self, **changes: Any) -> Room:
        return replace(self, depth=self.depth - 1, **changes)


class Changes(Expressions):
    """Makes steps that change the state of one world."""

    def settable(self) -> Value:
        return self.rng.choice([value for value in self.world.values if value.state and not value.fixed])

    def set(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        made: Tree = {}
        inner = scope
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            value = self.settable()
            target = self.path(value, inner, 2)
            made[target] = self.fresh_value(value, inner)
            if value.type.base not in ("set", "list") and not value.type.maybe:
                inner = scope.having(target, value.type)  # what is set next is found by what is set here
        return {"set": made}, scope

    def numbers(self) -> list[Value]:
        """State that any step may count up and down."""
        return [value for value in self.world.values if value.state and not value.fixed and value.type == INT]

    def by_number(self, value: Value, number: str) -> str:
        """A value whose owner and indexes hang on a number, which a step may be changing."""
        places = [
            f"nth({kind}, {number} % {len(self.world.members[kind])})" for kind in (value.owner, *value.per) if kind
        ]
        owner = f"{places.pop(0)}." if value.owner else ""
        return f"{owner}{value.name}" + (f"[{', '.join(places)}]" if places else "")

    def fresh_value(self, value: Value, scope: Scope, depth: int = 3) -> str:
        """What a state may become."""
        if value.type == INT:
            return self.fit(value.low, value.high, scope, depth)
        if value.type.maybe and self.rng.random() < 0.1:
            return "none"
        if value.type.base == "list":
            return self.one(
                lambda: "[]",
                lambda: f"[{self.member(value.type.kind, scope, 1)}]",
                lambda: f"[{self.gathered(value.type.kind, scope, 1)[1:-1]}]",
                lambda: self.listed(value.type.kind, scope, 1),
            )
        return self.of(value.type, scope, depth)

    def amount(self, scope: Scope, most: str = "3") -> str:
        number = self.number(scope, 2)
        return self.one(
            *[lambda: str(self.rng.randint(0, 2))] * 3,
            *[lambda: f"abs({number}) % 3"] * 2,
            *[lambda: f"min(abs({number}), {most})"] * 2,
            *[lambda: f"max(min({number}, {most}), 0)"] * 2,
        )

    def resource(self, scope: Scope) -> tuple[str, str]:
        """What can be paid: its key, and where it is kept."""
        good = self.rng.choice(self.world.members["good"])
        if self.rng.random() < 0.3:
            good = self.member("good", scope, 1)
        return self.rng.choice([("coins", "coins"), (good, f"purse[{good}]")])

    def cost(self, scope: Scope) -> Tree:
        """What something costs, sometimes in one of several ways."""
        first, other = self.resource(scope)[0], self.resource(scope)[0]
        if first == other or self.rng.random() < 0.5:
            return {first: self.amount(scope)}
        one, two = (each if each.isidentifier() else f"({each})" for each in (first, other))
        made = {f"{one} or {two}": self.one(lambda: "1", lambda: self.amount(scope))}
        if self.world.banked and "coins" not in (first, other) and self.rng.random() < 0.5:
            made["coins"] = "1"
        return made

    def amounts(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        verb = self.rng.choice(["gain", "gain", "lose", "pay", "pay"])
        if verb == "pay" and self.world.stand_ins and not room.waits:
            verb = "gain"  # the player might be asked what is paid
        who = self.member("player", scope, 1) if not scope.you or self.rng.random() < 0.4 else ""
        made = {}
        for _ in range(self.rng.choice([1, 1, 2]) if verb != "pay" or not self.world.stand_ins else 1):
            key, kept = self.resource(scope)
            amount = self.amount(scope)
            made[key] = f"min({amount}, {who or 'you'}.{kept})" if verb == "pay" else amount
        if verb == "pay" and room.waits and self.rng.random() < 0.8:
            key, amount = next(iter(made.items()))
            if key not in ("coins", other := self.rng.choice(self.world.members["good"])) and key.isidentifier():
                made = {f"{key} or {self.rng.choice(['coins', other])}": amount}
        return ({verb: made} | ({"who": who} if who else {})), scope

    def move(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        if self.rng.random() < 0.6:
            owner = self.member("player", scope, 1)
            spots = [f"{self.member('spot', scope, 2)}.units[{owner}]" for _ in "ab"]
            source, target = self.rng.choice([(f"{owner}.stock", spots[0]), (spots[0], f"{owner}.stock"), spots])
        else:
            source, target = (self.path(self.rng.choice(self.numbers()), scope, 2) for _ in "ab")
            if self.rng.random() < 0.5:
                target = self.by_number(self.rng.choice(self.numbers()), source)
            if self.rng.random() < 0.3:
                source, target = target, source
        amount = self.one(lambda: "1", *[lambda: f"min({self.amount(scope)}, max({source}, 0))"] * 4)
        return {"move": amount, "from": source, "to": target}, scope

    def list_state(self, kind: str = "") -> Value:
        """Some list."""
        lists = [value for value in self.world.values if value.state and value.type.base == "list"]
        return self.rng.choice([value for value in lists if kind in ("", value.type.kind)])

    def transfer(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        """Members go from list to list, or between a list and a counter; most often where that is possible."""
        value = self.list_state()
        kind, source = value.type.kind, self.path(value, scope, 1)
        member, tests = self.member(kind, scope, 1), []
        end = self.path(self.list_state(kind), scope, 1)
        target = f"under({end})" if self.rng.random() < 0.4 else end
        if kind == "card" and self.rng.random() < 0.3:
            target, moved = f"{member}.spent", member
            tests.append(f"{member} in {source}")
            if self.rng.random() < 0.5:
                source, target, tests = target, source, [f"{member}.spent > 0", f"len({source}) < 9"]
        elif self.rng.random() < 0.2:
            moved = member
            tests += [f"{member} in {source}", f"len({end}) < 9"]
        elif self.rng.random() < 0.4:
            moved = f"{source}[{self.rng.choice(['0', '-1'])}]"
            tests += [f"len({source}) > 0", f"len({end}) < 9"]
        else:
            moved = self.one(lambda: "all", lambda: "1", lambda: f"min({self.amount(scope)}, len({source}))")
            tests += [f"len({source}) > 0", f"len({source}) + len({end}) <= 9"]
        step = {"move": moved, "from": source, "to": target}
        if self.rng.random() < 0.03 and not moved.endswith("]"):  # which may be none
            return step, scope
        return {"if": " and ".join(tests), "then": [step]}, scope

    def sort(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        value = self.list_state()
        by = self.number(scope.having("it", Type("ref", value.type.kind)), 2)
        by = self.one(lambda: by, lambda: "order(it)", lambda: "0 - order(it)", lambda: f"order(it) % 2 + {by}")
        return {"sort": self.path(value, scope, 1), "by": by}, scope

    def shuffle(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        return {"shuffle": self.path(self.list_state(), scope, 1), **self.stream()}, scope

    def let(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        kind = self.rng.choice([INT, FLAG, *(Type("ref", k, m) for k in ("player", "spot") for m in (True, False))])
        kind = self.rng.choice([kind, Type("set", "spot")])
        text = self.perhaps(kind.kind, scope, 2) if kind.maybe else self.of(kind, scope, 3)
        name = scope.fresh(kind)
        return {"let": {name: text}}, scope.having(name, kind)

    def remember(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        """A name for what later steps change; one for each type."""
        spot = Type("ref", "spot")
        kind = self.rng.choice(
            [INT, INT, FLAG, Type("ref", "player", True), spot, spot, Type("set", "spot"), Type("list", "spot")]
        )
        name = scope.fresh(kind, "k")
        if name[0] != "k":
            return self.set(scope, room)
        made: Tree = {"type": "0..9" if kind == INT else str(kind)}
        if kind.base == "list":
            made |= {"at_most": "9", "start": f"[{self.member('spot', scope, 1)}]"}
        elif self.rng.random() < 0.6:
            made["start"] = self.fit(0, 9, scope, 2) if kind == INT else self.of(kind, scope, 2)
        if self.rng.random() < 0.3:
            made["title"] = "kept"
            if kind == INT:
                made["unit"] = "pebbles"
        if kind == INT and self.rng.random() < 0.4 and not any(each.startswith("k_per") for each, _ in scope.names):
            made["per"] = "spot"
            paths = [f"k_per[{each}]" for each in self.world.members["spot"][:2]]
            return {"let": {"k_per": made}}, scope.having(paths[0], INT).having(paths[1], INT)
        return {"let": {name: made}}, scope.having(name, kind)

    def revise(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        """What was declared so becomes something else."""
        name, kind = self.rng.choice([each for each in scope.names if each[0][:2] == "k_"])
        if kind.base == "list":
            at = self.member("spot", scope, 1)
            return {"if": f"len({name}) < 8", "then": [{"set": {name: f"{name} + [{at}]"}}]}, scope
        value = self.fit(0, 9, scope, 2) if kind == INT else self.of(kind, scope, 2)
        return {"set": {name: value}}, scope

    def give(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        assert room.gives is not None
        if room.gives == INT:
            return {"give": self.fit(0, 9, scope, 2)}, scope
        return {"give": self.of(room.gives, scope, 2)}, scope

    def stream(self) -> Tree:
        return {"stream": self.rng.choice(["luck", "fate"])} if self.rng.random() < 0.3 else {}
