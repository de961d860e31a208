"""What may be done again and again before the game waits is counted, so that it comes to an end."""

from __future__ import annotations

from functools import cache

from polis_rules.interpreter.compiler import blocks as cut
from polis_rules.interpreter.compiler.blocks import Blocks
from polis_rules.semantics import TypedRules

LONG = 300
"""Loops that may go round so often are counted, and procedures that may go through so many blocks."""


def count_rounds(blocks: Blocks, rules: TypedRules) -> None:
    """Take the counting out of loops in which the game waits in every round, and put it into long procedures.

    The count of what is done at one go does not depend on which blocks are written together, so all code that is made
    of these rules gives up at the same place.
    """
    heads = [
        number for number, block in enumerate(blocks.blocks) if block.steps and isinstance(block.steps[0], cut.Tick)
    ]
    following = _following(blocks)
    for head in heads:
        if head not in _reached(head, following):
            del blocks.blocks[head].steps[0]

    @cache
    def length(path: str) -> int:
        """How many blocks a procedure may go through that are not counted otherwise."""
        own = [block for block in blocks.blocks if block.procedure == path]
        inside = ((block.times, length(each)) for block in own if (each := _called(blocks, block)))
        return sum(block.times for block in own) + sum(times * many for times, many in inside if many < LONG)

    for path, entry in blocks.entries.items():
        if length(path) >= LONG:
            blocks.blocks[entry].steps.insert(0, cut.Tick(rules.procedures[path].span))


def _called(blocks: Blocks, block: cut.Block) -> str:
    """The waiting procedure that a block ends in calling."""
    if not isinstance(block.end, cut.Goto) or not any(isinstance(step, cut.SaveReturn) for step in block.steps):
        return ""
    return blocks.blocks[block.end.target].procedure


def _following(blocks: Blocks) -> list[set[int]]:
    """By block, those to which it may lead before the game waits."""
    saved: dict[int, set[int]] = {}
    for block in blocks.blocks:
        for step in block.steps:
            if isinstance(step, cut.SaveReturn):
                saved.setdefault(step.slot, set()).add(step.block)
    return [_next(block, saved) for block in blocks.blocks]


def _next(block: cut.Block, saved: dict[int, set[int]]) -> set[int]:
    match block.end:
        case cut.Goto(target):
            return {target}
        case cut.Branch(_, yes, no):
            return {yes, no}
        case cut.Switch(_, targets):
            return {*targets}
        case cut.Return(slot):
            return saved.get(slot, set())
    return set()


def _reached(start: int, following: list[set[int]]) -> set[int]:
    """All blocks to which one may lead before the game waits; itself only if it leads back there."""
    reached: set[int] = set()
    left = [start]
    while left:
        for each in following[left.pop()] - reached:
            reached.add(each)
            left.append(each)
    return reached
