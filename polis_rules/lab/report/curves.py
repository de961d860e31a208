"""Curves over the values of settings, as a page or as one picture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from polis_rules.lab.report.page import figure, page, style, two
from polis_rules.lab.report.svg import HEIGHT, NARROW, Curve, curves, number
from polis_rules.lab.sequential import Interval
from polis_rules.lab.sweep import Swept

Drawn = tuple[str, str, list[list[str]]]
"""What a drawing is of, the drawing, and the rows of its table."""


def curves_page(title: str, told: str, swept: Sequence[Swept], titles: Mapping[str, str]) -> str:
    """A page of curves with their tables; `titles` are those of the players."""
    heads = [*swept[0].values, "value", "within"] if swept else []
    drawn = [figure(about, drawing, about, heads, rows) for about, drawing, rows in _drawn(swept, titles)]
    return page(title, f"<p>{escape(told)}</p>", two(drawn))


def curves_picture(title: str, swept: Sequence[Swept], titles: Mapping[str, str]) -> str:
    """The same curves as one picture."""
    drawn, tall = list(_drawn(swept, titles)), HEIGHT + 30
    size = f'width="{NARROW}" height="{tall * len(drawn)}"'
    parts = ""
    for at, (about, drawing, _) in enumerate(drawn):
        heading = f'<text x="10" y="{at * tall + 20}">{escape(about)}</text>'
        inner = drawing.replace("<svg ", f'<svg y="{at * tall + 28}" width="{NARROW}" height="{HEIGHT}" ', 1)
        parts += heading + inner
    look = f"{style()} svg {{ background: var(--page); font-family: sans-serif; width: auto }}"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {NARROW} {tall * len(drawn)}" {size} role="img"'
    return f'{head} aria-label="{escape(title)}"><style>{look}</style>{parts}</svg>\n'


def _drawn(swept: Sequence[Swept], titles: Mapping[str, str]) -> Iterator[Drawn]:
    """A drawing of each player's wins, and of each length."""
    if not swept:
        return
    for player in swept[0].rates:
        points = {id(each): _percent(*each.rates[player]) for each in swept}
        yield _over(f"{titles[player]} wins, in %", swept, points, 100)
    for name in swept[0].lengths:
        told = {id(each): each.lengths[name] for each in swept if name in each.lengths}
        points = {at: (mean, *(within or (mean, mean))) for at, (mean, within) in told.items()}
        yield _over(f"{name} a game", swept, points)


def _percent(share: float, within: Interval) -> tuple[float, float, float]:
    return 100 * share, 100 * within[0], 100 * within[1]


def _over(
    about: str, swept: Sequence[Swept], points: Mapping[int, tuple[float, float, float]], most: float | None = None
) -> Drawn:
    """A curve over the first setting for each combination of the others; values that are no numbers by their order."""
    first, *others = swept[0].values
    order = list(dict.fromkeys(each.values[first] for each in swept))
    numbers = all(text.lstrip("-").isdigit() for text in order)
    lines: dict[str, list[tuple[float, float, float, float]]] = {}
    rows = []
    for each in swept:
        if (at := points.get(id(each))) is None:
            continue
        x = float(each.values[first]) if numbers else float(order.index(each.values[first]))
        label = ", ".join(f"{name} {each.values[name]}" for name in others)
        lines.setdefault(label, []).append((x, *at))
        rows.append([*each.values.values(), number(at[0]), f"{number(at[1])} to {number(at[2])}"])
    series = [Curve(label, sorted(of), place) for place, (label, of) in enumerate(lines.items())]
    unit = first if numbers else f"{first}: {', '.join(order)}"
    return about, curves(series, about, unit, most), rows
