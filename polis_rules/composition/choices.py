"""Chosen values of settings: they are laid over a ruleset along with variants, each as a text `name=value`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

Chosen = dict[str, str]
"""Values of settings as people write them, by name."""


def with_choices(variants: Iterable[str | Path], settings: Mapping[str, object]) -> tuple[str | Path, ...]:
    """Variants, and values of settings among them; of several values of a setting the last one.

    >>> with_choices(["costly", "seats=3"], {"seats": 4, "long": True})
    ('costly', 'seats=4', 'long=true')
    """
    files, before = split_choices(variants)
    chosen = before | {name: str(value).lower() for name, value in settings.items()}
    return (*files, *(f"{name}={value}" for name, value in chosen.items()))


def split_choices(laid_over: Iterable[str | Path]) -> tuple[list[str | Path], Chosen]:
    """What is laid over a ruleset: the variants, by name or path, and the values of settings.

    >>> split_choices(["costly", "seats=4"])
    (['costly'], {'seats': '4'})
    """
    files: list[str | Path] = []
    chosen: Chosen = {}
    for each in laid_over:
        name, equals, value = each.partition("=") if isinstance(each, str) else ("", "", "")
        if equals and name.strip().isidentifier():
            chosen[name.strip()] = value.strip()
        else:
            files.append(each)
    return files, chosen


def told_choices(laid_over: Sequence[str | Path]) -> list[str]:
    """The options of a command that lay the same over a ruleset.

    >>> told_choices(["costly", "seats=4", "long=true"])
    ['--variant', 'costly', '--seats', '4', '--set', 'long=true']
    """
    files, chosen = split_choices(laid_over)
    options = [part for each in files for part in ("--variant", str(each))]
    for name, value in chosen.items():
        options += ["--seats", value] if name == SEATS else ["--set", f"{name}={value}"]
    return options


SEATS = "seats"
"""The setting that says how many play."""
