"""Random steps: what rules do."""

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


def chosen_in(choice: Tree) -> list[str]:
    """The names of what is chosen."""
    return [choice["choose"]] if isinstance(choice["choose"], str) else [*choice["choose"]]


class Steps(Expressions):
    """Makes lists of steps for one world."""

    def steps(self, scope: Scope, room: Room, most: int = 4) -> list[Step]:
        """Some steps."""
        return self.following(scope, room, most)[0]

    def following(self, scope: Scope, room: Room, most: int = 4) -> tuple[list[Step], Scope]:
        """Some steps, and what is known after them."""
        made: list[Step] = []
        for _ in range(self.rng.randint(1, most)):
            step, scope = self.step(scope, room)
            made.append(step)
        return made, scope

    def step(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        ways = [self.set, self.set, self.set, self.set, self.let, self.amounts, self.amounts, self.move]
        if room.depth > 0:
            ways += [self.if_, self.if_, self.each, self.each, self.repeat, self.as_, self.together]
            if room.waits:
                ways += [self.choose] * 4 + [self.either, self.choices, self.pair, self.many]
        ways += [self.transfer, self.transfer, self.sort, self.remember, self.remember]
        if any(name[:2] == "k_" for name, _ in scope.names):
            ways += [self.revise] * 3
        if room.gives is not None:
            ways += [self.give] * 2
        if room.waits:
            ways += [self.roll, self.draw, self.shuffle]
        if room.calls:
            ways += [self.do]
        if room.effects:
            ways += [self.effects, self.effects]
        return self.rng.choice(ways)(scope, room)

    # -- changes ----------------------------------------------------------------------------------------------------

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

    # -- branches and loops -----------------------------------------------------------------------------------------

    def if_(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        checked = [(name, kind) for name, kind in scope.names if kind.maybe and name.isidentifier()]
        then = scope
        test = self.flag(scope, 3)
        if checked and self.rng.random() < 0.7:
            name, kind = self.rng.choice(checked)
            test, then = f"{name} is not none", scope.having(name, replace(kind, maybe=False))
        made: Tree = {"if": test, "then": self.steps(then, room.inside(), 2)}
        if room.loops and self.rng.random() < 0.4:
            made["then"].append("stop")
        elif room.ends and self.rng.random() < 0.1:
            made["then"].append({"end": "over"} | self.rng.choice([{}, self.winner(scope)]))
        if self.rng.random() < 0.4:
            made["else"] = self.steps(scope, room.inside(), 2)
        elif len(made["then"]) == 1 and self.rng.random() < 0.7:
            (step,) = made["then"]
            if isinstance(step, str):
                return {"when": test, "do": step}, scope
            if not {"let", "roll", "draw", "choose", "if", "when", "result"} & step.keys():
                return {"when": test} | step, scope
        return made, scope

    def where(self, scope: Scope, most: int = 2) -> Tree:
        """Labelled conditions; some later ones rely on a check in an earlier one."""
        made: Tree = {}
        for number in range(self.rng.randint(0, most)):
            checked = self.checked(scope, 1) if self.rng.random() < 0.3 else None
            if checked:
                made[f"label_{number}"] = f"{checked[0]} is not none"
                made[f"relying_{number}"] = self.flag(checked[1], 2)
            else:
                made[f"label_{number}"] = self.flag(scope, 2)
                if len(made) % 2 and len(made[f"label_{number}"]) % 4 == 0:
                    known = (self.known(INT, scope) or ["2"])[0]
                    made[f"label_{number}"] = {"if": made[f"label_{number}"], "says": f"it is {{{known}}}"}
        return made

    def each(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        kind = self.kind()
        name = "you" if kind == "player" and scope.you and self.rng.random() < 0.4 else scope.fresh(Type("ref", kind))
        inner = scope.having(name, Type("ref", kind))
        made: Tree = {"each": name, "in": self.collection(kind, scope, 2)}
        if where := self.where(inner, 1):
            made["where"] = where
        if self.rng.random() < 0.3:
            made["starting"] = self.member(kind, scope, 2)
        made["do"] = self.steps(inner, room.inside(loops=room.loops + 1), 3)
        return made, scope

    def together(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        """Each changes its own numbers alone and reads no others, as it has to be."""
        if self.world.banked:  # whoever gains first may leave nothing
            return self.set(scope, room)
        inner = scope.having("you", Type("ref", "player"))
        own = self.rng.choice([each for each in self.numbers() if each.owner == "player" and not each.per])
        name, span = inner.fresh(INT), own.high - own.low + 1
        change: Tree = {"set": {f"you.{own.name}": f"{own.low} + abs(you.{own.name} - {name}) % {span}"}}
        do: list[Step] = [{"let": {name: f"{self.rng.randint(-3, 3)} + order(you)"}}, change]
        if room.waits and self.rng.random() < 0.8:
            choice: Tree = {"choose": name, "from": f"{self.rng.randint(-1, 1)}..{self.rng.randint(1, 3)}"}
            choice |= {"secret": "true"} if self.rng.random() < 0.2 else {}
            ways = {"or": {"pass": {"do": [{"lose": {"coins": "1"}}]}}, "do": [change]}
            do = [choice | ways] if self.rng.random() < 0.5 else [choice, change]
        if self.rng.random() < 0.4:
            do.append({"if": f"you.{own.name} > {own.low}", "then": [{"gain": {"coins": "2"}}]})
        made: Tree = {"together": "you", "in": self.collection("player", scope, 2)}
        if where := self.where(inner, 1):
            made["where"] = where
        return made | {"do": do}, scope

    def winner(self, scope: Scope) -> Tree:
        """Who wins, or who win together."""
        return {"winner": self.one(lambda: self.perhaps("player", scope), lambda: self.gathered("player", scope, 1))}

    def repeat(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        do = self.steps(scope, room.inside(loops=room.loops + 1), 3)
        burn = {"set": {"fuel": "fuel - 1"}}
        return self.rng.choice([
            {"repeat": {"times": self.one(lambda: "3", lambda: f"abs({self.number(scope, 2)}) % 4"), "do": do}},
            {"repeat": {"while": f"fuel > 0 and {self.flag(scope, 2)}", "do": [burn, *do]}},
            {"repeat": {"while": "true", "do": [{"if": "fuel == 0", "then": ["stop"]}, burn, *do]}},
        ]), scope  # fmt: skip

    def as_(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        inner = scope.having("you", Type("ref", "player"))
        return {"as": self.member("player", scope, 2), "do": self.steps(inner, room.inside(), 2)}, scope

    # -- decisions and chance ---------------------------------------------------------------------------------------

    def title(self, scope: Scope) -> str:
        return f"Which {{{self.of(self.rng.choice([INT, Type('ref', 'spot')]), scope, 1)}}}?"

    def way(self, scope: Scope, room: Room, sure: bool) -> Tree:
        made: Tree = {}
        if self.rng.random() < 0.3:
            made["title"] = self.title(scope)
        if not sure and scope.you and self.rng.random() < 0.4:
            made["cost"] = self.cost(scope)
        if not sure and (where := self.where(scope, 1)):
            made["where"] = where
        return made | ({"do": self.steps(scope, room.inside(), 2)} if self.rng.random() < 0.8 else {})

    def decider(self, scope: Scope) -> Tree:
        made = {"who": self.member("player", scope, 1)} if not scope.you or self.rng.random() < 0.3 else {}
        return made | ({"secret": "true"} if self.rng.random() < 0.2 else {})

    def choose(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        made, inner = self.choice(scope)
        kinds = {name: dict(inner.names)[name] for name in chosen_in(made)}
        made |= self.decider(scope)
        if self.rng.random() < 0.4:
            calls = tuple(each for each in room.calls if each.quiet)
            quiet = Room(waits=False, depth=1, calls=calls)
            made["do"], after = self.following(inner, quiet, 2)
            if self.rng.random() < 0.4:
                value = self.rng.choice(self.numbers())
                target = self.path(value, inner, 1)
                made["do"].append({"set": {target: f"{target} + {self.rng.choice([-5, -1, 1, 5])}"}})
                made["leaving"] = {"low": f"{target} >= {value.low}", "high": f"{target} <= {value.high}"}
                if self.rng.random() < 0.5:
                    made["leaving"]["well"] = self.flag(inner.having(target, INT), 2)
            elif self.rng.random() < 0.7:
                for name, kind in kinds.items():
                    after = after.having(name, kind)
                made["leaving"] = self.where(after, 1) or {"well": self.flag(after, 2)}
        if self.rng.random() < 0.6:
            around = replace(scope, chosen=scope.chosen | {*kinds})
            made["or"] = {"way_1": self.way(around, room, True)}
            if self.rng.random() < 0.3:
                made["or"]["way_2"] = self.way(around, room, False)
        elif self.rng.random() < 0.9:
            made["if_possible"] = "true"
        if "or" not in made and "if_possible" not in made:
            return made, inner
        for name, kind in kinds.items():
            scope = scope if kind == INT else scope.having(name, replace(kind, maybe=True))
        return made, scope

    def choice(self, scope: Scope, several: bool = True) -> tuple[Tree, Scope]:
        """A choice with where it chooses from and its conditions, and what is known of what is chosen."""
        kind = self.rng.choice([INT, Type("ref", self.kind()), Type("ref", "spot")])
        name = scope.fresh(kind)
        inner = scope.having(name, kind)
        if kind == INT:
            low = self.one(lambda: "0", lambda: str(self.rng.randint(-3, 2)), lambda: f"{self.number(scope, 1)} % 3")
            source = f"{low}..{self.number(scope, 2)} % {self.rng.randint(2, 7)}"
        else:
            source = self.collection(kind.kind, scope, 3)
        made: Tree = {"choose": name, "from": source}
        if several and kind != INT and self.rng.random() < 0.25:
            other = Type("ref", self.kind())
            second = inner.fresh(other)
            made = {"choose": {name: source, second: self.collection(other.kind, inner, 2)}}
            inner = inner.having(second, other)
        if self.rng.random() < 0.3:
            made["title"] = self.title(scope)
        if where := self.where(inner):
            made["where"] = where
        return made, inner

    def many(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        """A choice of several members; conditions may speak of those chosen so far."""
        kind = self.kind()
        name = scope.fresh(Type("set", kind))
        inner = scope.having("it", Type("ref", kind)).having(name, Type("set", kind))
        least = min(self.rng.choice([0, 0, 1, 1, 2, 3]), len(self.world.members[kind]))
        most = self.rng.choice(["", str(max(least, 1)), str(least + 1)])
        made: Tree = {"choose": name, "from": self.collection(kind, scope, 2), "many": f"{least}..{most}"}
        if least and self.rng.random() < 0.5:
            made["many"] = str(least)
        else:
            made["finish"] = "Enough"
        if where := self.where(inner):
            made["where"] = where
        if self.rng.random() < 0.3:
            made.setdefault("where", {})["few_so_far"] = f"len({name}) < {self.number(inner, 1)}"
        if least and self.rng.random() < 0.9:
            made["if_possible"] = "true"
        return made | self.decider(scope), scope.having(name, Type("set", kind))

    def either(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        ways = {f"way_{n}": self.way(scope, room, n == 1) for n in range(1, self.rng.randint(2, 4))}
        return {"either": ways} | self.decider(scope), scope

    def choices(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        """A choice made again and again, until the fuel is burnt."""
        made, inner = self.choice(scope)
        made |= self.decider(scope)
        made["where"] = {"fuel_is_left": "fuel > 0", **made.get("where", {})}
        made["do"] = [{"set": {"fuel": "fuel - 1"}}, *self.steps(inner, Room(waits=False, depth=1), 2)]
        rest = self.steps(inner, room.inside(loops=room.loops + 1), 2)
        body: Tree = {"do": [made, *rest]}
        if self.rng.random() < 0.6:
            body = {"at_least": str(self.rng.randint(0, 2)), "finish": "Finish", **body}
        name = chosen_in(made)[-1]
        if dict(inner.names)[name].base == "ref" and self.rng.random() < 0.5:
            body["different"] = name
        return {"repeat": body}, scope

    def pair(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        """A choice that leads to another one."""
        first, inner = self.choice(scope)
        names: list[Step] = []
        if self.rng.random() < 0.3:
            named, inner = self.let(inner, room)
            names = [named]
        second, _ = self.choice(inner)
        if self.rng.random() < 0.3:
            second["or"] = {
                "way_1": {"where": self.flag(replace(inner, chosen=inner.chosen | {*chosen_in(second)}), 2)}
            }
        name = self.rng.choice(chosen_in(second))
        first["leads_to"] = self.rng.choice([name, {"it_must_lead_on": name}])
        if self.rng.random() < 0.4:
            second = {"repeat": {"finish": "Finish", "do": [second, {"set": {"fuel": "fuel - 1"}}]}}
            second["repeat"]["do"][0]["where"] = {
                "fuel_is_left": "fuel > 0",
                **second["repeat"]["do"][0].get("where", {}),
            }
        return {"if": "fuel > 0", "then": [first, *names, second]}, scope

    def roll(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        name = scope.fresh(INT)
        many, sides = str(self.rng.randint(1, 3)), str(self.rng.choice([1, 2, 3, 6]))
        if self.rng.random() < 0.3:
            many = f"({self.number(scope, 2)} % 4)"
        if self.rng.random() < 0.2:
            sides = f"(1 + {self.number(scope, 2)} % 6)"
        made = {"roll": name, "dice": f"{many}d{sides}"}
        if self.rng.random() < 0.3:
            made["hits"] = self.flag(scope.having("die", INT), 2)
        return made | self.stream() | self.sight(scope), scope.having(name, INT)

    def sight(self, scope: Scope) -> Tree:
        """Who sees what comes out."""
        if self.rng.random() > 0.2:
            return {}
        return {"seen_by": self.one(lambda: "false", lambda: f"viewer == {self.member('player', scope, 1)}")}

    def stream(self) -> Tree:
        return {"stream": self.rng.choice(["luck", "fate"])} if self.rng.random() < 0.3 else {}

    def draw(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        kind = self.kind()
        name, sure = scope.fresh(Type("ref", kind)), self.rng.random() < 0.2
        inner = scope.having(name, Type("ref", kind))
        made: Tree = {"draw": name, "from": kind if sure else self.collection(kind, scope, 2), **self.stream()}
        if not sure and (where := self.where(inner)):
            made["where"] = where
        made |= self.sight(inner)
        if self.rng.random() < 0.4:
            made["weight"] = f"{self.amount(inner)} + 1" if sure else self.amount(inner)
        if not sure:
            made["if_possible"] = "true"
        return made, scope.having(name, Type("ref", kind, not sure))

    # -- calls ------------------------------------------------------------------------------------------------------

    def do(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        fit = [each for each in room.calls if room.waits or each.quiet]
        if not fit or not scope.you:
            return self.set(scope, room)
        chosen = self.rng.choice(fit)
        args = ", ".join(self.of(kind, scope, 2) for _, kind in chosen.params)
        made = {"do": f"{chosen.name}({args})" if args else chosen.name}
        if chosen.gives is None or self.rng.random() < 0.3:
            return made, scope
        name = scope.fresh(chosen.gives)
        return made | {"result": name}, scope.having(name, chosen.gives)

    def effects(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        if not scope.you or not room.waits:
            return self.set(scope, room)
        card = self.member("card", scope, 1)
        return {"do": self.one(
            lambda: f"{card}.now",
            lambda: f"{card}.own[{self.member('player', scope, 1)}]",
            lambda: f"{card}.given({self.member('spot', scope, 2)}, {self.number(scope, 2)})",
        )}, scope  # fmt: skip
