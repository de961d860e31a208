"""Which option of a decision a typed line means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polis_rules.diagnostics import nearest, quote

if TYPE_CHECKING:
    from polis_rules import Option

ROLL, ROLL_ALL = "roll", "roll all"
"""What is typed to let the computer roll or draw: once, or as often as the same rule asks for it."""


def labels(options: tuple[Option, ...]) -> dict[str, Option]:
    """The options by what stands before each: its place in the list, or for options that are numbers that number.

    So a typed 3 always means the line that shows a 3 in front. Among numbers, other options go by their id.
    """
    if not any(is_number(option.title) for option in options):
        return {str(place): option for place, option in enumerate(options, 1)}
    return {option.title if is_number(option.title) else option.id: option for option in options}


def is_number(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def meant(line: str, labelled: dict[str, Option]) -> list[Option]:
    """The options that a line may mean, by label, id, title or a part of it; an empty line means the only one."""
    options = list(labelled.values())
    if not line:
        return options if len(options) == 1 else []
    if line in (by_name := {option.id: option for option in options} | labelled):
        return [by_name[line]]
    wanted = line.casefold()
    same = [option for option in options if wanted in (option.id.casefold(), option.title.casefold())]
    if same or is_number(line):
        return same
    begun = [option for option in options if option.title.casefold().startswith(wanted)]
    return begun or [option for option in options if wanted in option.title.casefold()]


def listed(labels: list[str]) -> str:
    """What may be typed, with runs of numbers told by their ends.

    >>> listed(["1", "2", "3", "5", "8", "9", "pass"])
    '1 to 3, 5, 8, 9 or pass'
    """
    runs: list[list[str]] = []
    for each in labels:
        follows = runs and is_number(each) and is_number(runs[-1][-1]) and int(each) == int(runs[-1][-1]) + 1
        if follows:
            runs[-1].append(each)
        else:
            runs.append([each])
    if len(labels) == 1:
        return labels[0]
    parts = [part for run in runs for part in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else run)]
    return " or ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


def _to_type(labelled: dict[str, Option]) -> str:
    return f"Type {'one of ' if len(labelled) > 1 else ''}{listed(list(labelled))}, or help."


def not_understood(line: str, labelled: dict[str, Option], found: list[Option]) -> str:
    if not line:
        return _to_type(labelled)
    if found:
        called = [f"{label} {option.title}" for label, option in labelled.items() if option in found]
        return f"Several are called so: type one of {', '.join(called)}."
    names = [option.title for option in labelled.values()] + [option.id for option in labelled.values()]
    if is_number(line):
        return f"{quote(line)} is not an option here. {_to_type(labelled)}"
    near = nearest(line, names)
    more = ", or why and a name to hear what keeps something from being offered"
    hint = f"Did you mean {quote(near)}?" if near else f"Type help to see what you can type{more}."
    return f"{quote(line)} is not an option here. {hint}"
