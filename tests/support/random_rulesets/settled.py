"""A ruleset with settings that, as they are chosen, make another one: numbers are settings, and more could be there."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from random import Random
from typing import Any

from support.random_rulesets.changes import Tree
from support.random_rulesets.rulesets import lay, yaml

RANGE = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)")
DICE = re.compile(r"([0-9]+)d([0-9]+)")


def lay_settled(folder: Path, rules: Tree, random: Random) -> tuple[Path, list[Path | str]]:
    """Write a ruleset with settings in place of numbers and with things that are left out, and what is to be chosen.

    Some settings are settled by the scenario, some by a variant, which has one of its own.
    """
    maker = Settling(random)
    tree = maker.unsettled(rules)
    by: dict[str, Tree] = {"scenario": {}, "variant": {"extra": {"type": "0..3", "start": "1"}}, "choice": {}}
    for name, value in maker.chosen.items():
        by["choice" if name == "seats" else random.choice([*by])][name] = value
    if by["scenario"]:
        tree["scenario"] = {**tree.get("scenario", {}), "settings": by["scenario"]}
    lay(folder, tree)
    variant = folder / "settling.yaml"
    told = {"variant": "settling", "settings": by["variant"], "add": {"invariants.extra_is_one": "extra == 1"}}
    variant.write_text(yaml(told), encoding="utf-8")
    return folder, [variant, *(f"{name}={value}" for name, value in by["choice"].items())]


class Settling:
    """Puts settings into a ruleset."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.settings: Tree = {}
        self.chosen: dict[str, str] = {}

    def unsettled(self, rules: Tree) -> Tree:
        """The sections, and `settings` and `players` before them."""
        tree = copy.deepcopy(rules)
        on, off = self.conditions()
        players = list(tree["tables"]["player"])
        self.chosen["seats"] = str(len(players))
        who = {str(len(players)): players, "1": [players[0]], "9": [f"nobody_{n}" for n in range(9)]}
        for kind, rows in tree["tables"].items():
            self.with_guests(tree, kind, rows, on, off, [*who["9"]] if kind == "player" else ["nowhere"])
        for edges in (graph["edges"] for graph in tree["graphs"].values() if "edges" in graph):
            first = next(iter(tree["tables"]["spot"]))
            edges[f"{first}-nowhere"] = {}
            edges[next(iter(edges))] = {"when": on} | edges[next(iter(edges))]
        for action in tree["actions"].values():
            action["when"] = on if self.random.random() < 0.5 else f"{on} and seats == {len(players)}"
        tree["actions"]["unheard_of"] = {"when": off, "do": [{"set": {"nothing": "nobody_0.coins"}}]}
        tree["procedures"]["not_there"] = {"when": off, "do": ["not_there"]}
        for section in ("actions", "procedures", "phases", "tables"):
            self.with_ways(tree[section], on)
        tree = self.numbers(tree)
        return {"settings": self.settings, "players": who, **tree}

    def conditions(self) -> tuple[str, str]:
        """What holds, and what does not, as settings are chosen."""
        self.settings["expanded"] = {"type": "flag"}
        self.settings["size"] = {"one_of": ["tiny", "vast"]}
        self.chosen |= {"expanded": "true", "size": "vast"}
        ways = [("expanded", "not expanded"), ("size == vast", "size == tiny"), ("expanded and size != tiny", "false")]
        return self.random.choice(ways)

    def with_guests(self, tree: Tree, kind: str, rows: Tree, on: str, off: str, guests: list[str]) -> None:
        """Let rows be there on a condition, and add some that are not, which maps and sets of others name."""
        per = {
            name: declared
            for each in tree["kinds"].values()
            for name, declared in each.get("attributes", {}).items()
            if isinstance(declared, dict) and declared.get("per") == kind and declared["type"] != "effects"
        }
        for others in tree["tables"].values():
            for row in others.values():
                for name in per:
                    if isinstance(row.get(name), dict) and row[name]:
                        row[name] |= dict.fromkeys(guests, next(iter(row[name].values())))
        for row in list(rows.values()):
            if kind != "player":
                row["when"] = on
        for guest in guests:
            rows[guest] = {"title": "Not there"} | ({} if kind == "player" else {"when": off})

    def with_ways(self, node: Any, on: str) -> None:
        """Let ways be there on a condition, and add ways and steps that are not."""
        for each in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
            self.with_ways(each, on)
        for key, value in node.items() if isinstance(node, dict) else ():
            if key in ("do", "then", "else") and isinstance(value, list) and self.random.random() < 0.2:
                value.append({"when": "not expanded", "set": {"nothing": "nobody_0.coins"}})
            if key in ("either", "or") and isinstance(value, dict) and self.random.random() < 0.5:
                for way in value.values():
                    way["when"] = on
                value["unheard_of"] = {"when": "size == tiny", "cost": {"coins": "nobody_0.coins"}, "do": ["not_there"]}

    def numbers(self, node: Any, key: str = "") -> Any:
        """A tree in which some ends of ranges, dice and limits are settings."""
        if isinstance(node, dict):
            return {name: self.numbers(value, name) for name, value in node.items()}
        if isinstance(node, list):
            return [self.numbers(each) for each in node]
        if self.random.random() < 0.5:
            return node
        if key == "type" and (match := RANGE.fullmatch(node)):
            return f"{self.setting(match[1])}..{self.setting(match[2])}"
        if key == "dice" and (match := DICE.fullmatch(node)):
            return f"{match[1]}d({self.setting(match[2])})"
        return self.setting(node) if key == "at_most" and node.isdecimal() else node

    def setting(self, number: str) -> str:
        """A setting that is this number, or an expression of one."""
        value = int(number)
        name = f"n_{'m' if value < 0 else ''}{abs(value)}"
        self.settings[name] = {"type": f"{value - 3}..{value + 2}", "start": str(value - 1)}
        if value % 2:
            self.settings[name]["unit"] = "pebbles"
        self.chosen[name] = number
        return self.random.choice([name, f"{name} + 0", f"({name} - 1) + 1", f"max({name}, {value - 2})"])
