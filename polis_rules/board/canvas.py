"""Writes SVG: shapes and text with nothing in it that runs, loads or was not escaped."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import cos, pi, sin
from xml.sax.saxutils import escape, quoteattr

Point = tuple[float, float]

SANS = "DejaVu Sans, Verdana, Noto Sans, Liberation Sans, Segoe UI, Roboto, Helvetica, Arial, sans-serif"
SERIF = "DejaVu Serif, Georgia, Noto Serif, Liberation Serif, Times New Roman, Times, serif"
SHAPES = ("circle", "square", "diamond", "hexagon", "triangle", "star")
"""The shape of each player's pieces, in the order of seats."""

MOST_LETTERS = 400
"""No line of a picture has room for more."""

UNPRINTABLE = re.compile("[^ -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot hold."""

_NARROW = set("iljIftr.,:;'|!()[] ")
_WIDE = set("mwMW@%—")


def width_of(text: str, size: float, spacing: float = 0.0) -> float:
    """About how wide a text is; rather too wide.

    >>> width_of("mill", 10) < width_of("MOON", 10)
    True
    """
    ems = sum(0.38 if each in _NARROW else 0.97 if each in _WIDE else 0.72 if each.isupper() else 0.62 for each in text)
    return ems * size + spacing * len(text)


def cut(text: str, size: float, width: float) -> str:
    """As much of a text as fits; a sign tells that there is more.

    >>> cut("moon", 10, 100), cut("moonlight", 10, 40)
    ('moon', 'moo…')
    """
    if width_of(text[:MOST_LETTERS], size) <= width and len(text) <= MOST_LETTERS:
        return text
    kept = text[:MOST_LETTERS]
    while kept and width_of(kept, size) + size > width:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def number(value: float) -> str:
    """A coordinate in few digits."""
    return f"{value:.1f}".removesuffix(".0").replace("-0.0", "0")


def path_of(outlines: Iterable[Iterable[Point]]) -> str:
    """Closed lines as the path of an SVG.

    >>> path_of([[(0, 0), (4, 0.5), (4, 4)]])
    'M0 0L4 0.5L4 4Z'
    """
    return "".join(f"M{'L'.join(f'{number(x)} {number(y)}' for x, y in points)}Z" for points in outlines)


class Canvas:
    """Collects the elements of one picture."""

    def __init__(self) -> None:
        self.parts: list[str] = []

    def add(self, tag: str, text: str | None = None, /, **attributes: object) -> None:
        """An element; `_` in the name of an attribute stands for a hyphen, None for one that is not there."""
        texts = {name: number(value) if isinstance(value, float) else value for name, value in attributes.items()}
        written = "".join(
            f" {name.replace('_', '-')}={quoteattr(_printable(str(value)))}"
            for name, value in texts.items()
            if value is not None
        )
        inner = "/>" if text is None else f">{escape(_printable(text))}</{tag}>"
        self.parts.append(f"<{tag}{written}{inner}")

    def begin(self, label: str = "", **attributes: str) -> None:
        """Begin a group, with what is told of it to those who point at it or listen."""
        written = "".join(
            f" {name.replace('_', '-')}={quoteattr(_printable(each))}" for name, each in attributes.items()
        )
        self.parts.append(f"<g{written}>")
        if label:
            self.add("title", label)

    def end(self) -> None:
        self.parts.append("</g>")

    def outline(self, path: str, **attributes: object) -> None:
        """Closed lines, as `path_of` writes them; what lies within an even number of them is a hole."""
        if path:
            self.add("path", d=path, fill_rule="evenodd", **attributes)

    def text(
        self, text: str, x: float, y: float, size: float, fill: str, halo: str | None = None, anchor: str | None = None,
        **more: object,
    ) -> None:  # fmt: skip
        """A line of text; `anchor` is start, middle or end, `halo` the colour around the letters."""
        if halo:
            more |= {"stroke": halo, "stroke_width": size * 0.22, "stroke_linejoin": "round", "paint_order": "stroke"}
        more |= {"x": float(x), "y": float(y), "font_size": float(size), "fill": fill, "text_anchor": anchor}
        self.add("text", text, **more)

    def shape(self, shape: str, x: float, y: float, far: float, **attributes: object) -> None:
        """A symbol about as large as a circle with the radius `far`."""
        if shape == "circle":
            more = {"cx": float(x), "cy": float(y), "r": float(far), **attributes}
            self.add("circle", **more)
        elif shape in ("square", "card"):
            wide, high = (0.9, 0.9) if shape == "square" else (0.72, 1.0)
            more = {"x": x - wide * far, "y": y - high * far, "rx": 0.2 * far, **attributes}
            more |= {"width": 2.0 * wide * far, "height": 2.0 * high * far}
            self.add("rect", **more)
        else:
            self.outline(path_of([corners(shape, x, y, far)]), stroke_linejoin="round", **attributes)

    def picture(self, width: float, height: float, title: str, background: str) -> str:
        """The whole as SVG."""
        begin = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}"'
            f' width="{number(width)}" height="{number(height)}" role="img" font-family="{SANS}">'
            f"<title>{escape(_printable(title))}</title>"
            f'<rect width="{number(width)}" height="{number(height)}" fill="{background}"/>'
        )
        return "\n".join([begin, *self.parts, "</svg>\n"])


def corners(shape: str, x: float, y: float, far: float) -> list[Point]:
    """The corners of a shape that is no circle and no rectangle."""
    many, reach, turn = {"diamond": (4, 1.2, 0.0), "hexagon": (6, 1.08, 0.5), "triangle": (3, 1.35, 0.0)}.get(
        shape, (10, 1.3, 0.0)
    )
    found = []
    for at in range(many):
        long = far * reach * (0.5 if shape == "star" and at % 2 else 1)
        angle = 2 * pi * (at + turn) / many
        found.append((x + long * sin(angle), y - long * cos(angle) + (0.2 * far if shape == "triangle" else 0)))
    return found


def _printable(text: str) -> str:
    """A text without the characters that XML cannot hold."""
    return text if text.isprintable() else UNPRINTABLE.sub(" ", text)
