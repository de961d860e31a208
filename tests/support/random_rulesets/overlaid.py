"""A ruleset taken apart: another one that lacks some of it, and a variant that puts it back."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from polis_rules.source.parsing import python_tree
from support.random_rulesets.changes import Tree
from support.random_rulesets.rulesets import lay, yaml

RULES = ("actions", "procedures", "phases")


def lay_apart(folder: Path, rules: Tree, random: Random) -> tuple[Path, list[Path]]:
    """Write a ruleset without some of its steps, dice and parts of expressions, and a variant that puts them back."""
    below, operations = apart(rules, random)
    if not operations:
        return lay(folder, rules), []
    lay(folder, below)
    path = folder / "back.yaml"
    path.write_text(yaml({"variant": "back", **operations}), encoding="utf-8")
    return folder, [path]


def apart(rules: Tree, random: Random) -> tuple[Tree, Tree]:
    """The ruleset that lacks something, and the operations of the variant."""
    below, operations = copy.deepcopy(rules), dict[str, Any]()
    for section in RULES:
        for id, rule in below.get(section, {}).items():
            path = f"{section}.{id}"
            if random.random() < 0.5 and (change := _without_dice(path, rule)):
                operations.setdefault("change", {}).update(change)
            if random.random() < 0.7 and (insertion := _without_steps(path, rule, random)):
                operations.setdefault("insert", {}).update(insertion)
    for id, term in below.get("terms", {}).items():
        if random.random() < 0.8 and (extension := _without_part(term["is"], random)):
            term["is"], text = extension
            operations.setdefault("extend", {})[f"terms.{id}.is"] = text
    for operation, some in (("replace", _replaced), ("add", _lacking), ("remove", _too_many)):
        if entries := some(below, operations, random):
            operations[operation] = entries
    return below, operations


def _replaced(below: Tree, operations: Tree, random: Random) -> Tree:
    """Puts something else in place of what some actions require, and of some lists of steps; what stood there."""
    found = {}
    for id, action in below["actions"].items():
        if "requires" in action and random.random() < 0.7:
            found[f"actions.{id}.requires"] = action["requires"]
            action["requires"] = {"something_else": "1 > 2"}
    for id, rule in below["procedures"].items():
        if f"procedures.{id}" not in _touched(operations) and random.random() < 0.4:
            found[f"procedures.{id}"] = copy.deepcopy(rule)
            rule["do"] = [{"set": {"fuel": "0"}}]
    return found


def _lacking(below: Tree, operations: Tree, random: Random) -> Tree:
    """Takes some terms and what must hold out; what they were."""
    taken: Tree = {}
    for section in ("terms", "invariants"):
        ids = [id for id in below.get(section, {}) if f"{section}.{id}" not in _touched(operations)]
        lacking = {id: below[section].pop(id) for id in ids if random.random() < 0.4}
        if section in below and not below[section]:
            del below[section]
            taken[section] = lacking
        else:
            taken |= {f"{section}.{id}": rule for id, rule in lacking.items()}
    return taken


def _too_many(below: Tree, operations: Tree, random: Random) -> Tree:
    """Puts rules there that nobody has asked for, and parts of rules; why they go, or nothing."""
    gone: Tree = {"procedures.surplus": "Nobody does this", "endings.surplus": ""}
    below["procedures"]["surplus"] = {"do": [{"set": {"fuel": "fuel + 1"}}]}
    below["endings"]["surplus"] = {"title": "Nothing ends so"}
    for id, action in below["actions"].items():
        if "cost" not in action and random.random() < 0.3:
            action["cost"] = {"coins": "2"}
            gone[f"actions.{id}.cost"] = "It costs nothing"
    return gone


def _touched(operations: Tree) -> set[str]:
    """The rules that some operation names."""
    return {".".join(path.split(".")[:2]) for entries in operations.values() for path in entries}


def _lists(node: Any) -> Iterator[list[Any]]:
    """Every list of steps in a rule."""
    inner = node.items() if isinstance(node, dict) else [("", each) for each in node] if isinstance(node, list) else ()
    for key, value in inner:
        if key in ("do", "then", "else") and isinstance(value, list):
            yield value
        yield from _lists(value)


def _names(step: Any) -> list[str]:
    """The names by which a step can be found."""
    if isinstance(step, str):
        return [step]
    found = [step[verb] for verb in ("choose", "roll", "draw", "each", "result") if isinstance(step.get(verb), str)]
    found += [name for key in ("let", "either", "or") if isinstance(step.get(key), dict) for name in step[key]]
    called = step.get("do")
    return [*found, _called(called)] if isinstance(called, str) else found


def _called(text: str) -> str:
    """The name of what is called: the last word outside of the brackets at the end."""
    while text.endswith((")", "]")):
        closing = (each for each in range(len(text) - 1, -1, -1) if text[each] in "([")
        text = text[: next(each for each in closing if _balanced(text[each:]))]
    return text.rpartition(".")[2]


def _balanced(text: str) -> bool:
    return text.count("(") == text.count(")") and text.count("[") == text.count("]")


def _often(rule: Any) -> Counter[str]:
    lists = [rule] if isinstance(rule, list) else []
    return Counter(name for steps in (*lists, *_lists(rule)) for step in steps for name in _names(step))


def _without_dice(path: str, rule: Any) -> Tree:
    often = _often(rule)
    for steps in _lists(rule):
        for step in steps:
            name = step.get("roll") if isinstance(step, dict) else None
            if name is not None and often[name] == 1:
                dice, step["dice"] = step["dice"], "9d9"
                return {f"{path}.do.{name}.dice": {"was": "9d9", "to": dice}}
    return {}


def _without_steps(path: str, rule: Any, random: Random) -> Tree:
    """Takes some steps out of one list of a rule; the insertion that puts them back."""
    lists = [steps for steps in ([rule] if isinstance(rule, list) else list(_lists(rule))) if len(steps) > 1]
    if not lists:
        return {}
    steps = random.choice(lists)
    begin = random.randrange(len(steps))
    taken = steps[begin : begin + random.choice((1, 1, 2))]
    if len(taken) == len(steps) or "9d9" in str(taken):  # dice are changed before steps are inserted
        return {}
    del steps[begin : begin + len(taken)]
    often = _often(rule)
    places: list[tuple[str, str]] = []
    if begin > 0:
        places += [("after", name) for name in _names(steps[begin - 1]) if often[name] == 1]
    if begin < len(steps):
        places += [("before", name) for name in _names(steps[begin]) if often[name] == 1]
    if steps is rule or (isinstance(rule, dict) and steps is rule.get("do")):
        places += [("at", "start")] * (begin == 0) + [("at", "end")] * (begin == len(steps))
    if not places:
        steps[begin:begin] = taken
        return {}
    side, anchor = random.choice(places)
    return {path: {side: anchor, "do": taken}}


def _without_part(text: str, random: Random) -> tuple[str, str] | None:
    """A part of an expression, and the expression with `base` in its place."""
    tree = python_tree(text)
    if not text.isascii() or "base" in text:
        return None
    same = next((kinds for kinds in (_FLAGS, _NUMBERS) if _is_one(tree, kinds)), ())
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, _LOOPS) for part in ast.walk(node)}
    parts = [node for node in ast.walk(tree) if isinstance(node, ast.expr) and id(node) not in inside]
    parts = [node for node in parts if _is_one(node, same)]
    if not parts:
        return None
    part = random.choice(parts)
    return text[part.col_offset : part.end_col_offset], text[: part.col_offset] + "base" + text[part.end_col_offset :]


_LOOPS = (ast.GeneratorExp, ast.SetComp, ast.ListComp)
_FLAGS = (ast.And, ast.Or, ast.Not, ast.Compare)
_NUMBERS = (ast.Mult, ast.FloorDiv, ast.Mod)


def _is_one(node: ast.expr, kinds: tuple[type[ast.AST], ...]) -> bool:
    """Whether a part of an expression is surely of the type that these make."""
    return isinstance(getattr(node, "op", node), kinds)


def meaning(node: Any) -> Any:
    """A tree of rules in which expressions that mean the same are the same."""
    if isinstance(node, dict):
        return {key: meaning(value) for key, value in node.items()}
    if isinstance(node, list):
        return [meaning(value) for value in node]
    try:
        return ast.dump(_Flat().visit(python_tree(node)))
    except SyntaxError:
        return node


class _Flat(ast.NodeTransformer):
    """Makes `(a and b) and c` the same as `a and b and c`."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        self.generic_visit(node)
        lists = (
            each.values if isinstance(each, ast.BoolOp) and type(each.op) is type(node.op) else [each]
            for each in node.values
        )
        return ast.BoolOp(node.op, [value for values in lists for value in values])
