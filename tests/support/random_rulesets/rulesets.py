"""Whole random rulesets: a tree of sections, and the same as files."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

from support.random_rulesets.changes import Procedure, Room, Tree
from support.random_rulesets.steps import Steps
from support.random_rulesets.world import FLAG, INT, TABLELESS, Scope, Type, Value, Word, world

PLAIN = re.compile(r"[a-z][a-z0-9_.]*|-?[0-9]+(\.\.-?[0-9]+)?")
YOU = Scope((("you", Type("ref", "player")),))


def ruleset(seed: int, spots: int = 0) -> Tree:
    """The sections of a ruleset, the same for the same seed; with so many spots at least."""
    made = world(Random(seed), spots)
    return Maker(made).ruleset()


class Maker(Steps):
    """Makes the sections one after the other."""

    def ruleset(self) -> Tree:
        made = self.world
        tables, kinds = self.tables(), self.kinds()
        rules: Tree = {
            "kinds": kinds,
            "state": {value.name: self.declared(value) for value in self.values("", True)},
            "tables": tables,
            "graphs": self.graphs(),
        }
        words = {"terms": "term", "routes": "route"}
        for section, sort in words.items():
            made_of_sort = {word.name: self.written(word) for word in made.words if word.sort == sort}
            if made_of_sort:
                rules[section] = made_of_sort
        rules["supplies"] = {
            "pieces": {
                "per": "player", "total": "12", "reserve": "owner.stock",
                "places": {"board": "sum(s.units[owner] for s in spot)"},
            }
        }  # fmt: skip
        rules |= self.rules()
        known = Scope(words=len(made.words))
        rules["invariants"] = {"it_always_holds": f"({self.flag(known, 2)}) or fuel >= 0"}
        self.lasting(rules)
        return rules | {"scenario": {"start": start}} if (start := self.start()) else rules

    def start(self) -> Tree:
        """First values that the scenario gives, of some state and some members."""
        start: Tree = {}
        for value in self.world.values:
            if not value.state or value.fixed or self.rng.random() > 0.15:
                continue
            if not value.owner:
                start[value.name] = self.row_value(value, value.per)
                continue
            for member in self.rng.sample(self.world.members[value.owner], 1):
                rows = start.setdefault(value.owner, {})
                rows.setdefault(member, {})[value.name] = self.row_value(value, value.per)
        if self.rng.random() < 0.3:
            spot, player = (self.world.members[kind][0] for kind in ("spot", "player"))
            start.setdefault("spot", {}).setdefault(spot, {})["units"] = {player: str(self.rng.randint(1, 12))}
        return start

    def lasting(self, rules: Tree) -> None:
        """Let some state last as long as a rule does."""
        for value in self.world.values:
            if value.state and not value.fixed and self.rng.random() < 0.2:
                kept = rules["kinds"][value.owner]["state"] if value.owner else rules["state"]
                kept[value.name]["lasts"] = self.rng.choice([*rules["procedures"], "turn"])

    def values(self, owner: str, state: bool) -> list[Value]:
        return [value for value in self.world.values if value.owner == owner and value.state is state]

    # -- what there is ----------------------------------------------------------------------------------------------

    def declared(self, value: Value) -> Tree:
        made: Tree = {"type": value.written()}
        if len(value.per) == 1:
            made["per"] = value.per[0]
        elif value.per:
            made["per"] = list(value.per)
        if value.state and value.type.base == "list":
            made["at_most"] = str(value.high)
        if value.type == INT and value.high % 2:
            made["unit"] = "pebbles"
        if value.derived:
            inside = Scope((("it", Type("ref", value.owner)),), fixed=value.derived)
            whole = f"abs({self.number(inside, 2)}) % {value.high + 1}"
            return made | {"is": whole if value.type == INT else self.of(value.type, inside, 3)}
        if not value.state:
            return made | {"default": self.constant(value)} if self.rng.random() < 0.4 else made
        if value.name in ("coins", "purse"):
            made["spendable"] = "true"
            if value.name == "coins" and self.world.banked:
                made["bank"] = "vault"
            if value.name == "purse" and self.world.stand_ins:
                made["instead"] = self.rng.choice([["coins"], {"coins": "2"}])
            if self.rng.random() < 0.1:
                made["first"] = self.amount(Scope((("it", Type("ref", "player")),)))
        if value.type.base == "list" or (not value.fixed and value.type.base != "set" and self.rng.random() < 0.6):
            made["start"] = self.constant(value)
        if value.name == "vault" or (self.world.banked and value.name == "coins"):
            made["start"] = str(value.high // 2)
        if self.rng.random() < 0.4:
            made["title"] = value.name.replace("_", " ")
        if value.state and not value.fixed and self.rng.random() < 0.15:
            ways = [f"viewer == {self.rng.choice(self.world.members['player'])}"]
            made["seen_by"] = self.rng.choice([*ways, "viewer == it"] if value.owner == "player" else ways)
            if value.type.base == "list" and self.rng.random() < 0.3:
                made["size_seen_by"] = self.rng.choice(ways)
        return made

    def constant(self, value: Value) -> Any:
        """A plain value of a type."""
        rng, kind = self.rng, value.type
        if kind == INT:
            return str(rng.choice([value.low, value.high, rng.randint(value.low, value.high)]))
        if kind == FLAG:
            return rng.choice(["true", "false"])
        members = self.world.members[kind.kind]
        if kind.base == "set":
            return rng.sample(members, rng.randint(0, len(members)))
        if kind.base == "list":
            return rng.choices(members, k=rng.choice([0, 2, 3, 4, 5]))
        return rng.choice([*members, "none"] if kind.maybe else members)

    def kinds(self) -> Tree:
        made: Tree = {}
        for kind in self.world.members:
            facts = self.values(kind, False)
            attributes = {each.name: self.declared(each) for each in facts if each.derived or kind not in TABLELESS}
            for word in self.world.words:
                if word.owner == kind:
                    attributes[word.name] = {
                        "type": "formula" if word.result == INT else "condition", **self.of_params(word),
                    }  # fmt: skip
            if kind == "card":
                attributes["now"] = attributes["own"] = "effects"
                attributes["own"] = {"type": "effects", "per": "player"}
                attributes["given"] = {"type": "effects", "of": {"at": "spot", "many": "number"}}
                attributes["changes"] = {"type": "changes", "default": {}}
            if kind == "pair":
                made[kind] = {"for_each": ["good", "card"]}
            if kind == "plot":
                made[kind] = {"for_each": ["rank", "good"]}
            if kind == "rank":
                ends = (self.world.members[kind][end].rpartition("_")[2] for end in (0, -1))
                made[kind] = {"numbers": "..".join(ends)}
            made[kind] = made.get(kind, {}) | {
                "attributes": attributes,
                "state": {value.name: self.declared(value) for value in self.values(kind, True)},
            }
        inside = Scope((("it", Type("ref", "card")),))
        made["card"]["in_force"] = self.flag(inside, 1)
        return {kind: {part: what for part, what in spec.items() if what} for kind, spec in made.items()}

    def of_params(self, word: Word) -> Tree:
        return {"of": {name: str(kind) for name, kind in word.params}} if word.params else {}

    def scope(self, word: Word) -> Scope:
        """What the expression of a word may use."""
        return Scope(word.params, words=self.world.words.index(word))

    def tables(self) -> Tree:
        made: Tree = {}
        effects = Room(depth=1)
        for kind, members in self.world.members.items():
            if kind in TABLELESS:
                continue
            made[kind] = {}
            for member in members:
                row: Tree = {}
                for value in (each for each in self.values(kind, False) if not each.derived):
                    row[value.name] = self.row_value(value, value.per)
                for word in self.world.words:
                    if word.owner == kind:
                        made_of = self.number if word.result == INT else self.flag
                        row[word.name] = made_of(self.scope(word).having("it", Type("ref", kind)), 2)
                if kind == "card":
                    params = YOU.having("at", Type("ref", "spot")).having("many", INT)
                    row["now"] = self.steps(self.all_words(YOU), effects)
                    row["own"] = {self.world.members["player"][0]: self.steps(self.all_words(YOU), effects, 2)}
                    row["given"] = self.steps(self.all_words(params), effects, 2)
                    row["changes"] = self.changes()
                made[kind][member] = row
        return made

    def all_words(self, scope: Scope) -> Scope:
        return Scope(scope.names, len(self.world.words))

    def row_value(self, value: Value, per: tuple[str, ...]) -> Any:
        if not per:
            return self.constant(value)
        return {member: self.row_value(value, per[1:]) for member in self.world.members[per[0]]}

    def changes(self) -> Tree:
        """Modifiers of some terms."""
        # what perhaps gives none may turn out never to, and then no change may either
        terms = [word for word in self.world.words if word.sort == "term" and not word.result.maybe]
        return {
            word.name: self.of(word.result, Scope((*word.params, ("base", word.result))), 2)
            for word in terms
            if self.rng.random() < 0.3
        }

    def graphs(self) -> Tree:
        made: Tree = {}
        nodes = [*self.world.members["spot"], *self.world.members["good"]]
        for graph in ("land", "air"):
            edges: Tree = {}
            for _ in range(self.rng.randint(1, 7)):
                ends = self.rng.sample(nodes, 2)
                if "-".join(ends) not in edges and "-".join(reversed(ends)) not in edges:
                    edges["-".join(ends)] = {"one_way": "true"} if self.rng.random() < 0.3 else {}
            made[graph] = {"edges": edges}
        made["all"] = {"edges": {f"{one}-{two}": {} for one, two in pairwise(nodes)}}
        stated = [each for each in self.world.values if each.derived and each.type.base in ("ref", "set")]
        if stated:
            made["stated"] = {"from": [f"{value.owner}.{value.name}" for value in stated]}
        return made

    def written(self, word: Word) -> Tree:
        scope = self.scope(word)
        if word.sort == "term":
            return {**self.of_params(word), "is": self.of(word.result, scope, 3)}
        overs = [["land"], ["land", "air"], ["all"], ["air"], *[["all", "stated"]] * ("plot" in self.world.members)]
        made: Tree = {**self.of_params(word), "over": self.rng.choice(overs)}
        for part in ("through", "costs"):
            tests = {}
            for kind in ("spot", "good", *[kind for kind in ("plot",) if kind in self.world.members]):
                inner = scope.having("space", Type("ref", kind))
                if part == "through" and self.rng.random() < 0.8:
                    tests[kind] = self.flag(inner, 2)
                elif part == "costs" and kind in made.get("through", {}) and self.rng.random() < 0.6:
                    tests[kind] = self.amount(inner)
            if tests:
                made[part] = tests
        if made["over"] == ["land"] and self.rng.random() < 0.5:
            made["also"] = {"air": self.flag(scope, 2)}
        return made

    # -- what is done -----------------------------------------------------------------------------------------------

    def rules(self) -> Tree:
        rng, made = self.rng, self.world
        calls: list[Procedure] = []
        procedures: Tree = {}
        for number in range(rng.randint(1, 4)):
            quiet = rng.random() < 0.5
            params = tuple(
                (f"{letter}_param", rng.choice([INT, FLAG, Type("ref", "spot"), Type("ref", "player", True)]))
                for letter in "xy"[: rng.randint(0, 2)]
            )
            scope = self.all_words(YOU)
            for name, kind in params:
                scope = scope.having(name, kind)
            gives = rng.choice([None, INT, FLAG, Type("ref", "spot"), Type("ref", "player", True), Type("set", "spot")])
            room = Room(waits=not quiet, calls=tuple(calls), gives=gives)
            spec: Tree = {"of": {name: str(kind) for name, kind in params}} if params else {}
            if gives is not None:
                spec["gives"] = "0..9" if gives == INT else str(gives)
            do, after = self.following(scope, room)
            if gives is not None:
                do.append(self.give(after, room)[0])
            procedures[f"rule_{number}"] = spec | {"do": do}
            calls.append(Procedure(f"rule_{number}", params, quiet, gives))
        actions = {name: self.action(tuple(calls)) for name in made.actions}
        return {
            "procedures": procedures,
            "actions": actions,
            "phases": self.phases(tuple(calls)),
            "endings": {"over": {"title": "All is over"}},
            "score": {
                "shared": rng.choice(["true", "false"]),
                "terms": {f"part_{n}": self.number(self.seen_by_who(), 2) for n in range(rng.randint(1, 3))},
                "tie_break": {"tie": self.number(self.seen_by_who(), 2)},
            },
        }

    def seen_by_who(self) -> Scope:
        return self.all_words(Scope((("who", Type("ref", "player")),)))

    def action(self, calls: tuple[Procedure, ...]) -> Tree:
        scope, made = self.all_words(YOU), {}
        if self.rng.random() < 0.4:
            made["cost"] = self.cost(scope)
        if requires := self.where(scope, 1):
            made["requires"] = requires
        choices: Tree = {}
        for _ in range(self.rng.choice([0, 1, 1, 2])):
            choice, scope = self.choice(scope, several=False)
            choices[choice.pop("choose")] = choice
        if choices:
            made["choose"] = choices
        if len(choices) > 1 and self.rng.random() < 0.3:
            first, second = choices
            choices[first]["leads_to"] = second
        return made | {"do": self.steps(scope, Room(calls=calls, effects=True))}

    def phases(self, calls: tuple[Procedure, ...]) -> Tree:
        rng = self.rng
        scope = Scope(YOU.names, len(self.world.words), possible=True)
        deed = scope.having("deed", Type("ref", "action", True))
        turn = [
            {"set": {"fuel": str(rng.randint(3, 9))}},
            *([{"gain": {"coins": "1"}}] if self.world.banked else []),
            {"choose": "deed", "from": "action", "where": "possible(deed)", "if_possible": "true"},
            {"if": "deed is not none", "then": [{"perform": "deed"}]},
            *self.steps(deed, Room(calls=calls, effects=True, ends=True), 5),
        ]
        around = {"each": "you", "in": "player", "do": ["turn"]}
        if rng.random() < 0.3:
            around["starting"] = self.member("player", Scope(words=len(self.world.words)), 1)
        end = {"end": "over"} | (self.winner(Scope()) if rng.random() < 0.3 else {})
        return {
            "game": {"do": [{"repeat": {"times": str(rng.randint(1, 3)), "do": [around]}}, end]},
            "turn": {"title": "Turn", "do": turn},
        }


def lay(folder: Path, rules: Tree) -> Path:
    """Write a ruleset's sections, and what its scenario holds, into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "scenarios").mkdir(exist_ok=True)
    manifest = {"format": "2", "ruleset": folder.name, "title": "Random", "files": ["all.yaml"], "scenario": "only"}
    sections = {name: section for name, section in rules.items() if name != "scenario"}
    scenario = {"scenario": "only", "title": "O", **rules.get("scenario", {})}
    for name, tree in {"ruleset": manifest, "all": sections, "scenarios/only": scenario}.items():
        (folder / f"{name}.yaml").write_text(yaml(tree), encoding="utf-8")
    return folder


def yaml(tree: Tree, indent: str = "") -> str:
    """A tree of mappings, lists and texts in block style."""
    lines = []
    for key, value in tree.items():
        lines += _entry(f"{indent}{_text(key)}:", value, indent)
    return "\n".join(lines) + "\n"


def _entry(head: str, value: Any, indent: str) -> list[str]:
    if isinstance(value, str):
        return [f"{head} {_text(value)}"]
    if not value:
        return [f"{head} {'{}' if isinstance(value, dict) else '[]'}"]
    if isinstance(value, dict):
        return [head, yaml(value, indent + "  ").rstrip("\n")]
    lines = [head]
    for item in value:
        if isinstance(item, str):
            lines.append(f"{indent}  - {_text(item)}")
        else:
            inner = yaml(item, indent + "    ").rstrip("\n")
            lines.append(f"{indent}  - {inner[len(indent) + 4 :]}")
    return lines


def _text(text: str) -> str:
    return text if PLAIN.fullmatch(text) else json.dumps(text)
