"""Small drawings as SVG, coloured by the style sheet of the page, so that they are light or dark as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

WIDTH = 720
NARROW = 420
ROW = 24
LEFT = 230
"""where bars begin"""
RIGHT = 70
"""beside bars for their figures"""
HEIGHT = 260
"""of drawings with two axes"""
FOOT, HEAD, SIDE = 38, 26, 52
SHAPES = 6
"""How many series differ by colour and stroke."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A value with its interval; `series` is a number that gives it a colour."""

    label: str
    value: float
    low: float | None = None
    high: float | None = None
    series: int = 0
    says: str = ""


@dataclass(frozen=True, slots=True)
class Curve:
    """Values over numbers, each with its interval: x, value, low, high."""

    label: str
    points: Sequence[tuple[float, float, float, float]]
    series: int = 0


def number(value: float) -> str:
    """A figure as one reads it.

    >>> number(0.12345), number(12.0), number(1234.5)
    ('0.123', '12', '1,234')
    """
    if value and abs(value) < 0.0005:
        return "0"
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def bars(rows: Sequence[Bar], about: str, low: float = 0.0, high: float | None = None) -> str:
    """Bars from left to right, with whiskers where they have intervals; from a line at 0 where `low` is less."""
    top = (
        high if high is not None else max([each.high if each.high is not None else each.value for each in rows] or [1])
    )
    scale = (WIDTH - LEFT - RIGHT) / ((top - low) or 1)

    def at(value: float) -> float:
        return LEFT + (min(max(value, low), top) - low) * scale

    parts = []
    for place, each in enumerate(rows):
        y, begin, end = place * ROW + 4, at(max(low, 0)), at(each.value)
        parts.append(_text(LEFT - 8, y + 13, _cut(each.label, 30), "end"))
        box = f'x="{min(begin, end):.1f}" y="{y}" width="{abs(end - begin):.1f}" height="{ROW - 8}"'
        parts.append(
            f'<rect class="s{each.series % SHAPES}" {box}><title>{escape(each.says or each.label)}</title></rect>'
        )
        if each.low is not None and each.high is not None:
            a, b, middle = at(each.low), at(each.high), y + (ROW - 8) / 2
            line = f"M{a:.1f} {middle}H{b:.1f}M{a:.1f} {middle - 4}v8M{b:.1f} {middle - 4}v8"
            parts.append(f'<path class="whisker" d="{line}"/>')
        parts.append(_text(WIDTH - RIGHT + 6, y + 13, each.says.partition(" (")[0] or number(each.value)))
    if low < 0 < top:
        parts.append(f'<path class="axis" d="M{at(0):.1f} 0v{len(rows) * ROW}"/>')
    return _svg(len(rows) * ROW + 4, about, parts)


def histogram(series: Mapping[str, Mapping[float, int]], about: str, unit: str) -> str:
    """How often values come, as steps; one outline for each of the series, on one scale of shares."""
    values = sorted({value for counts in series.values() for value in counts})
    if not values:
        return ""
    low, high = values[0], values[-1]
    width = max(1.0, (high - low + 1) / 40)
    width = float(int(width)) if width == int(width) else float(int(width) + 1)
    cells = int((high - low) // width) + 1
    heights = {}
    for name, counts in series.items():
        column, total = [0.0] * cells, sum(counts.values()) or 1
        for value, times in counts.items():
            column[int((value - low) // width)] += times / total
        heights[name] = column
    most = _round_up(max(max(column) for column in heights.values()))
    wide = (WIDTH - SIDE - 10) / cells
    ground = HEIGHT - FOOT
    parts = _grid(0, most, most / 4, WIDTH, percent=True)
    for place, column in enumerate(heights.values()):
        path = f"M{SIDE} {ground}"
        for cell, share in enumerate(column):
            path += f"V{ground - share / most * (ground - HEAD):.1f}H{SIDE + (cell + 1) * wide:.1f}"
        parts.append(f'<path class="area s{place % SHAPES}" d="{path}V{ground}Z"/>')
    every = max(1, cells // 10)
    for cell in range(0, cells, every):
        parts.append(_text(SIDE + (cell + 0.5) * wide, ground + 16, number(low + cell * width), "middle"))
    parts.append(_text((WIDTH + SIDE) / 2, HEIGHT - 4, unit, "middle", "faint"))
    return _svg(HEIGHT, about, parts + _legend(list(heights)))


def curves(series: Sequence[Curve], about: str, unit: str, most: float | None = None) -> str:
    """Lines with bands, as high as the largest value needs, or from 0 to `most`."""
    xs = sorted({point[0] for each in series for point in each.points})
    ends = [end for each in series for point in each.points for end in point[2:]]
    if not xs or not ends:
        return ""
    step = _round_up((max(*ends, 0.0) - min(*ends, 0.0)) / 4) or 0.25
    low, high = floor(min(*ends, 0.0) / step) * step, ceil(max(*ends, 0.0) / step) * step or 1.0
    if most is not None:
        low, high, step = 0.0, most, most / 4
    ground = HEIGHT - FOOT

    def x_of(x: float) -> float:
        return SIDE + 12 + (x - xs[0]) / ((xs[-1] - xs[0]) or 1) * (NARROW - SIDE - 40)

    def y_of(y: float) -> float:
        return ground - (y - low) / ((high - low) or 1) * (ground - HEAD)

    parts = _grid(low, high, step, NARROW)
    for each in series:
        band = [(x_of(x), y_of(top)) for x, _, _, top in each.points]
        band += [(x_of(x), y_of(bottom)) for x, _, bottom, _ in reversed(each.points)]
        look = f"s{each.series % SHAPES}"
        parts.append(f'<path class="band {look}" d="{_path(band)}Z"/>')
        parts.append(f'<path class="line {look}" d="{_path([(x_of(x), y_of(y)) for x, y, _, _ in each.points])}"/>')
        parts += [f'<circle class="{look}" cx="{x_of(x):.1f}" cy="{y_of(y):.1f}" r="3"/>' for x, y, _, _ in each.points]
    for x in xs[:: max(1, len(xs) // 8)]:
        parts.append(_text(x_of(x), ground + 16, number(x), "middle"))
    parts.append(_text((NARROW + SIDE) / 2, HEIGHT - 4, unit, "middle", "faint"))
    labels = [each.label for each in series]
    legend = _legend(labels, [each.series for each in series], NARROW) if any(labels) else []
    return _svg(HEIGHT, about, parts + legend, NARROW)


Outline = Sequence[Sequence[tuple[float, float]]]


@dataclass(frozen=True, slots=True)
class HeatSpot:
    """A place of a map and how hot it is, from 0 to 1."""

    title: str
    x: float
    y: float
    outline: Outline
    heat: float
    says: str


def heat_map(spots: Sequence[HeatSpot], ground: Sequence[Outline], ratio: float, about: str) -> str:
    """A map whose places have the fuller a colour the hotter they are; `ratio` is its height by its width.

    What else lies on it (`ground`) is drawn by its outlines.
    """
    height = WIDTH * ratio

    def rims(outline: Outline) -> str:
        return "".join(f"{_path([(x * WIDTH, y * height) for x, y in ring])}Z" for ring in outline)

    parts, names = [f'<path class="ground" d="{rims(each)}"/>' for each in ground], []
    for each in sorted(spots, key=lambda spot: not spot.outline):
        look = f'class="heat" style="fill-opacity:{0.06 + 0.94 * each.heat:.2f}"'
        title = f"<title>{escape(f'{each.title}: {each.says}')}</title>"
        x, y = each.x * WIDTH, each.y * height
        if each.outline:
            parts.append(f'<path {look} d="{rims(each.outline)}">{title}</path>')
        else:
            parts.append(f'<circle {look} cx="{x:.1f}" cy="{y:.1f}" r="{7 + 7 * each.heat:.1f}">{title}</circle>')
        names.append(_text(x, y + (4 if each.outline else 24), _cut(each.title, 16), "middle", "name"))
    return _svg(round(height) + 14, about, parts + names)


def _grid(low: float, high: float, step: float, width: int, percent: bool = False) -> list[str]:
    parts, ground, lines = [], HEIGHT - FOOT, round((high - low) / step)
    for line in range(lines + 1):
        y = ground - line / lines * (ground - HEAD)
        value = low + line * step
        parts.append(f'<path class="grid" d="M{SIDE} {y:.1f}H{width - 10}"/>')
        parts.append(_text(SIDE - 6, y + 4, f"{number(100 * value)} %" if percent else number(value), "end"))
    return parts


def _legend(labels: Sequence[str], series: Sequence[int] | None = None, width: int = WIDTH) -> list[str]:
    """Strokes with their labels, in one row if they fit, and in two if not."""
    parts, x, y = [], float(SIDE), 10
    wide = [52 + 7.2 * len(label) for label in labels]
    if SIDE + sum(wide) - 22 > width:
        y = 6
    for place, label in enumerate(labels):
        if y == 6 and x + wide[place] - 22 > width:
            x, y = float(SIDE), 19
        look = (series[place] if series else place) % SHAPES
        parts.append(f'<path class="line s{look}" d="M{x:.0f} {y}h24"/>')
        parts.append(_text(x + 30, y + 4, label))
        x += wide[place]
    return parts


def _path(points: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


def _text(x: float, y: float, text: str, anchor: str = "start", look: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" class="{look}">{escape(text)}</text>'


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _round_up(value: float) -> float:
    """The next greater number that is read easily.

    >>> _round_up(5.54), _round_up(0.17)
    (6.0, 0.2)
    """
    if value <= 0:
        return 0.0
    unit: float = 10.0 ** floor(log10(value))
    return next(round(each * unit, 9) for each in (1, 2, 4, 6, 8, 10) if each * unit >= value)


def _svg(height: float, about: str, parts: Sequence[str], width: int = WIDTH) -> str:
    inner = "".join(parts)
    drawn = f'<svg viewBox="0 0 {width} {height:.0f}" role="img" aria-label="{escape(about)}">{inner}</svg>'
    if width == NARROW:
        return drawn
    return f'<div class="wide" tabindex="0" role="region" aria-label="{escape(about)}, drawn">{drawn}</div>'
