"""Random steps: what rules do."""

from __future__ import annotations

from dataclasses import replace

from support.random_rulesets.changes import Changes, Room, Step, Tree
from support.random_rulesets.world import INT, Scope, Type


def chosen_in(choice: Tree) -> list[str]:
    """The names of what is chosen."""
    return [choice["choose"]] if isinstance(choice["choose"], str) else [*choice["choose"]]


class Steps(Changes):
    """Makes lists of steps for one world."""

    def steps(self, scope: Scope, room: Room, most: int = 4) -> list[Step]:
        """Some steps."""
        return self.following(scope, room, most)[0]

    def following(self, scope: Scope, room: Room, most: int = 4) -> tuple[list[Step], Scope]:
        """Some steps, and what is known after them."""
        made: list[Step] = []
        for _ in range(self.rng.randint(1, most)):
            before = scope
            step, scope = self.step(scope, room)
            made.append(self.telling(step, before))
        return made, scope

    def step(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        ways = [self.set, self.set, self.set, self.set, self.let, self.amounts, self.amounts, self.move]
        if room.depth > 0:
            ways += [self.if_, self.if_, self.each, self.each, self.repeat, self.as_, self.together]
            if room.waits:
                ways += [self.choose] * 4 + [self.either, self.choices, self.pair, self.many, self.roll_again]
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

    def telling(self, step: Step, scope: Scope) -> Step:
        """The step, which may say how it is told; that takes no chance, so that what follows stays the same."""
        if isinstance(step, dict) and "roll" in step and not len(str(step)) % 3:
            rolled = step["roll"]
            return step | {"says": ["", f"it was {{{rolled}}}", f"{{{rolled}: sheep}} come"][len(str(step)) // 3 % 3]}
        if not isinstance(step, dict) or "set" not in step or len(str(step)) % 3:
            return step
        number = (self.known(INT, scope) or ["2"])[0]
        return step | {"says": ["", f"it was {{{number}}}", f"{{{number}: sheep}} are lost"][len(step["set"]) % 3]}

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

    def roll_again(self, scope: Scope, room: Room) -> tuple[Step, Scope]:
        """A roll that may be made again before its result is used."""
        kept = scope.fresh(INT, "k")
        if kept[0] != "k":
            return self.roll(scope, room)
        inner = scope.having(kept, INT)
        first, second = (Scope.fresh(inner, INT, letters) for letters in ("abcd", "efgh"))
        dice = f"{self.rng.randint(1, 2)}d{self.rng.choice([2, 4])}"
        keep: Tree = {"title": f"Keep {{{kept}}}", "do": ["stop"]}
        again: Tree = {"do": [{"roll": second, "dice": dice, **self.stream()}, {"set": {kept: second}}]}
        if scope.you and self.rng.random() < 0.5:
            again = {"cost": self.cost(inner), **again}
        either = {"either": {"keep": keep, "again": again}} | self.decider(inner)
        most = self.one(lambda: "2", lambda: f"abs({self.number(scope, 1)}) % 3")
        return {
            "if": "fuel > 0",
            "then": [
                {"let": {kept: {"type": "0..9"}}},
                {"roll": first, "dice": dice, **self.stream()},
                {"set": {kept: first}},
                {"repeat": {"times": most, "do": [either]}},
                {"set": {"tally": f"{kept} % 4"}},
                *self.steps(inner.having(first, INT), room.inside(), 2),
            ],
        }, scope

    def sight(self, scope: Scope) -> Tree:
        """Who sees what comes out."""
        if self.rng.random() > 0.2:
            return {}
        return {"seen_by": self.one(lambda: "false", lambda: f"viewer == {self.member('player', scope, 1)}")}

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
