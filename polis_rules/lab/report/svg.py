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
SLIM, LABEL = 340, 18
"""how wide bars and steps are drawn for narrow pages, and how high a label above a bar is"""
NAME = 22
"""how large the names on a map of a narrow page are; those of a broad one are in the style sheet, as all text is"""
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
    """Bars from left to right, with whiskers where they have intervals; from a line at 0 where `low` is less.

    Labels stand beside them, or on a narrow page above them, where they have all of its width.
    """
    top = (
        high if high is not None else max([each.high if each.high is not None else each.value for each in rows] or [1])
    )
    return _bars(rows, about, low, top, SLIM) + _bars(rows, about, low, top, WIDTH)


def _bars(rows: Sequence[Bar], about: str, low: float, top: float, width: int) -> str:
    left = 0 if width == SLIM else LEFT
    scale = (width - left - RIGHT) / ((top - low) or 1)

    def at(value: float) -> float:
        return left + (min(max(value, low), top) - low) * scale

    parts, zero, y = [], "", 4.0
    for each in rows:
        begin, end = at(max(low, 0)), at(each.value)
        if each.label and left:
            parts.append(_text(left - 8, y + 13, _cut(each.label, 30), "end"))
        elif each.label:
            parts.append(_text(0, y + 13, _cut(each.label, 44)))
            y += LABEL
        box = f'x="{min(begin, end):.1f}" y="{y:.0f}" width="{abs(end - begin):.1f}" height="{ROW - 8}"'
        parts.append(
            f'<rect class="s{each.series % SHAPES}" {box}><title>{escape(each.says or each.label)}</title></rect>'
        )
        if each.low is not None and each.high is not None:
            a, b, middle = at(each.low), at(each.high), y + (ROW - 8) / 2
            line = f"M{a:.1f} {middle:.0f}H{b:.1f}M{a:.1f} {middle - 4:.0f}v8M{b:.1f} {middle - 4:.0f}v8"
            parts.append(f'<path class="whisker" d="{line}"/>')
        parts.append(_text(width - RIGHT + 6, y + 13, each.says.partition(" (")[0] or number(each.value)))
        zero += f"M{at(0):.1f} {y - 4:.0f}v{ROW}"  # not through labels above bars
        y += ROW
    if low < 0 < top:
        parts.append(f'<path class="axis" d="{zero}"/>')
    return _svg(y, about, parts, width)


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
    labels = [number(low + cell * width) for cell in range(cells)]
    return "".join(_steps(heights, most, labels, about, unit, of) for of in (SLIM, WIDTH))


def _steps(
    heights: Mapping[str, Sequence[float]], most: float, labels: Sequence[str], about: str, unit: str, width: int
) -> str:
    cells, ground = len(labels), HEIGHT - FOOT
    wide = (width - SIDE - 10) / cells
    parts = _grid(0, most, most / 4, width, percent=True)
    for place, column in enumerate(heights.values()):
        path = f"M{SIDE} {ground}"
        for cell, share in enumerate(column):
            path += f"V{ground - share / most * (ground - HEAD):.1f}H{SIDE + (cell + 1) * wide:.1f}"
        parts.append(f'<path class="area s{place % SHAPES}" d="{path}V{ground}Z"/>')
    every = max(1, ceil(cells * 32 / (width - SIDE)))
    for cell in range(0, cells, every):
        parts.append(_text(SIDE + (cell + 0.5) * wide, ground + 16, labels[cell], "middle"))
    parts.append(_text((width + SIDE) / 2, HEIGHT - 4, unit, "middle", "faint"))
    return _svg(HEIGHT, about, parts + _legend(list(heights), width=width), width)


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

    What else lies on it (`ground`) is drawn by its outlines. On a narrow page the hottest places have names, and of the
    others those whose names find room.
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
        names.append(_text(x, y + (4 if each.outline else 24), _cut(each.title, 16), "middle", "broad name"))
    drawn = "".join([*parts, *names, *_names_apart(spots, height)])
    return f'<svg viewBox="0 0 {WIDTH} {height + 14:.0f}" role="img" aria-label="{escape(about)}">{drawn}</svg>'


def _names_apart(spots: Sequence[HeatSpot], height: float) -> list[str]:
    """Names large enough for a narrow page, the hottest place's first; none is laid over another one."""
    parts, taken = [], list[tuple[float, float, float]]()
    for each in sorted(spots, key=lambda spot: -spot.heat):
        title = _cut(each.title, 16)
        half = len(title) * NAME * 0.3
        x = min(max(each.x * WIDTH, half), WIDTH - half)
        y = min(each.y * height + (NAME / 3 if each.outline else 14 + NAME), height + 8)
        if all(abs(x - other) > half + wide or abs(y - below) > NAME for other, below, wide in taken):
            taken.append((x, y, half))
            parts.append(_text(x, y, title, "middle", "slim name"))
    return parts


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
    wide = [52 + 8.2 * len(label) for label in labels]
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
    """A drawing; of those for broad and for narrow pages a page shows one."""
    look = {WIDTH: ' class="broad"', SLIM: ' class="slim"'}.get(width, "")
    view = f'viewBox="0 0 {width} {height:.0f}"'
    return f'<svg {view}{look} role="img" aria-label="{escape(about)}">{"".join(parts)}</svg>'
