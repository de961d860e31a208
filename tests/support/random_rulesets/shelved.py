"""A ruleset of which some rules lie in a library: what they name of the others it needs, by other names."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from random import Random
from typing import Any

from support.random_rulesets.changes import Tree
from support.random_rulesets.rulesets import lay, yaml

USE, GAME = "shelf", "game"
MOVED = {"procedures": 0.9, "terms": 0.8, "state": 0.5}
"""How likely a rule or some state lies in the library."""

DEEPER: Tree = {
    "format": "2", "library": "deeper", "title": "Deeper", "grade": "house",
    "needs": {
        "base": {"is": "number"}, "sides": "number",
        "bounded": {"of": {"many": "number", "at_most": "number"}, "is": "number"},
    },
    "state": {"depth": {"type": "0..sides", "start": "sides - 1"}},
    "terms": {"doubled": {"of": {"many": "number"}, "is": "bounded(many * base + 2 * many, 99)"}},
    "invariants": {"it_is_deep": "depth < sides"},
}  # fmt: skip
"""What the library uses itself."""

OTHERS = ("terms", "procedures", "phases", "actions", "routes")
"""What stands there no library can need."""


def lay_shelved(folder: Path, rules: Tree, random: Random) -> tuple[Path, list[Path]]:
    """Write a ruleset and the library that it uses."""
    below, library, _ = shelved(rules, random)
    uses = {"uses": below.pop("uses")}
    with (lay(folder, below) / "ruleset.yaml").open("a", encoding="utf-8") as manifest:
        manifest.write(yaml(uses))
    place = folder / "libraries" / "kept"
    place.mkdir(parents=True)
    (place / "library.yaml").write_text(yaml(library), encoding="utf-8")
    within = folder / "libraries" / "deeper"
    within.mkdir()
    (within / "library.yaml").write_text(yaml(DEEPER), encoding="utf-8")
    return folder, []


def shelved(rules: Tree, random: Random) -> tuple[Tree, Tree, list[str]]:
    """The ruleset without what the library has, the library, and the ids of what it has."""
    tree, library = copy.deepcopy(rules), dict[str, Any]()
    for section, often in MOVED.items():
        moved = [id for id in tree.get(section, {}) if random.random() < often]
        if moved:
            library[section] = {id: tree[section].pop(id) for id in moved}
    taken_back(tree, library)
    ids = [id for section in library.values() for id in section]
    needs: Tree = {"one": {"is": "number"}}
    given: Tree = {"library": "kept", "one": "3 - 2"}
    for name, need in needed(tree, library).items():
        needs[name], given[name] = need, name
    library["invariants"] = {"one_is_one": "one == 1"}
    for kind in tree["kinds"]:
        if random.random() < 0.5 and kind != "player":
            needs.pop(kind, None), given.pop(kind, None)
            needs[f"some_{kind}"], given[f"some_{kind}"] = "kind", kind
            library = renamed(library, {kind: f"some_{kind}"})
            needs = renamed(needs, {kind: f"some_{kind}"})
    if random.random() < 0.7:
        needs["money"] = {"state": "player", "type": "number", "spendable": "true"}
        given["money"] = "coins"
        library = with_money(library)
    needs["sides"], given["sides"] = "number", "4"
    library = numbered(library)
    needs["bounded"] = {"of": {"many": "number", "at_most": "number"}, "is": "number"}
    given["bounded"] = random.choice(["min(many, at_most)", "many if many < at_most else at_most"])
    library["invariants"]["it_is_bounded"] = "bounded(7, 3) == 3 and bounded(one, sides) == one"
    library["uses"] = {"inner": {"library": "deeper", "base": "one + 1", "sides": "sides", "bounded": "bounded"}}
    library["invariants"]["it_is_deeper"] = "inner_doubled(one) == 4 * one"
    head = {"format": "2", "library": "kept", "title": "Kept", "grade": "house", "needs": needs}
    return {"uses": {USE: given}, **as_used(tree, ids)}, head | library, ids


def taken_back(tree: Tree, library: Tree) -> None:
    """Move what names anything of the ruleset that a library cannot need out of the library again."""
    while True:
        no_needs = {id for section in OTHERS for id in tree.get(section, ())}
        no_needs |= {name for rows in tree.get("tables", {}).values() for name in rows}
        no_needs |= {f".{name}" for kind in tree["kinds"].values() for name in (kind or {}).get("attributes", ())}
        back = [
            (section, id) for section, rules in library.items() for id, rule in rules.items() if no_needs & words(rule)
        ]
        for section, id in back:
            tree.setdefault(section, {})[id] = library[section].pop(id)
        if not back:
            break
    for section in [section for section, rules in library.items() if not rules]:
        del library[section]


def needed(tree: Tree, library: Tree) -> Tree:
    """The kinds and the state of the ruleset that the rules of a library name, as needs."""
    used, needs = words(library), dict[str, Any]()
    states = {(GAME, name): of for name, of in tree.get("state", {}).items() if name in used}
    for owner, kind in tree["kinds"].items():
        states |= {(owner, name): of for name, of in (kind or {}).get("state", {}).items() if {name, f".{name}"} & used}
    for (owner, name), declared in states.items():
        of = declared if isinstance(declared, dict) else {"type": declared}
        need = {"state": owner, "type": "number" if ".." in of["type"] else of["type"]}
        needs[name] = need | {key: of[key] for key in ("per", "spendable") if key in of}
    used |= words(needs)
    return {kind: "kind" for kind in tree["kinds"] if kind in used and kind != "player"} | needs


def words(node: Any) -> set[str]:
    """The names in a part of a ruleset; those that stand after a dot with the dot."""
    if isinstance(node, dict):
        return set().union(*(words(each) for each in (*node, *node.values())))
    if isinstance(node, list):
        return set().union(*map(words, node))
    return {*re.findall(r"(?:(?<!\.)\.)?\b[a-z]\w*", node)} if isinstance(node, str) else set()


def as_used(tree: Tree, ids: list[str]) -> Tree:
    """A ruleset in which some names are those of the library's rules."""
    return renamed(tree, {id: f"{USE}_{id}" for id in ids}, keys=True)


def renamed(node: Any, names: dict[str, str], keys: bool = False) -> Any:
    """A part of a ruleset with other names in its texts, and in its keys too."""
    if isinstance(node, dict):
        new = {renamed(key, names) if keys else key: value for key, value in node.items()}
        plain = {key for key, value in new.items() if key == "title" and "{" not in value}
        return {key: value if key in plain else renamed(value, names, keys) for key, value in new.items()}
    if isinstance(node, list):
        return [renamed(each, names, keys) for each in node]
    if not isinstance(node, str):
        return node
    return re.sub(r"(?<![\w.])[a-z]\w*|(?<=\.\.)[a-z]\w*", lambda match: names.get(match[0], match[0]), node)


def with_money(node: Any, paid: bool = False) -> Any:
    """The same in which `coins` of players are called `money`."""
    if isinstance(node, dict):
        new = {"money" if paid and key == "coins" else key: value for key, value in node.items()}
        return {key: with_money(value, key in ("pay", "gain", "lose", "cost")) for key, value in new.items()}
    if isinstance(node, list):
        return [with_money(each) for each in node]
    return re.sub(r"(?<=[\w\])]\.)coins\b", "money", node) if isinstance(node, str) else node


def numbered(node: Any) -> Any:
    """The same in which dice with four sides have as many as the library is told."""
    if isinstance(node, dict):
        return {
            key: re.sub(r"d4$", "d(sides)", value) if key == "dice" else numbered(value) for key, value in node.items()
        }
    return [numbered(each) for each in node] if isinstance(node, list) else node
