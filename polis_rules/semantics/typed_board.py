"""What a ruleset says of its board, with names that are known to be right."""

from __future__ import annotations

from dataclasses import dataclass

from polis_rules.semantics.expressions import Expr

Points = tuple[tuple[int, int], ...]
Node = tuple[str, str]
"""A kind and the id of one of its members."""


@dataclass(frozen=True, slots=True)
class TypedPlace:
    """Where a member lies, in the units of the board."""

    at: tuple[int, int]
    outline: tuple[Points, ...] = ()


@dataclass(frozen=True, slots=True)
class TypedBoard:
    """The section `board`."""

    title: str
    size: tuple[int, int]
    symbols: dict[str, str]
    """by kind, in the order in which they are laid on each other"""
    colours: dict[Node, str]
    """of members; of a whole kind under the id ``"*"``"""
    lines: dict[str, str]
    """by graph"""
    show: dict[tuple[str, str], str]
    """how state is shown, by kind ("" for the game itself) and name, in the order in which it is named"""
    supply: frozenset[tuple[str, str]]
    """state, by kind and name, that only counts pieces nobody uses yet"""
    facts: tuple[Node, ...]
    """attributes that are listed, by kind and name"""
    printed: dict[str, str]
    """the attribute whose number is printed beside the members of a kind, by kind"""
    hidden: dict[tuple[str, str], list[str]]
    """the members of which some state is not shown"""
    tell: dict[str, dict[str, Expr]]
    """what is told of each member of a kind, `it`, by what that is called"""
    places: dict[Node, TypedPlace]
    insets: tuple[tuple[int, int, int, int], ...]
    """left, top, width, height"""
    backdrop: tuple[tuple[str, tuple[Points, ...]], ...]
    """outlines by colour"""
