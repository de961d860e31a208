"""Turns a drawing into a PNG image, with the optional package resvg-py."""

from __future__ import annotations

from polis_rules.board.canvas import SANS
from polis_rules.diagnostics import PolisError

INSTALL = 'pip install "polis-rules[map]"'
PROBE = '<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20"><text y="15" font-family="{}">{}</text></svg>'


def as_png(svg: str, width: int = 2000) -> bytes:
    """A drawing as PNG, so many pixels wide.

    Raises PolisError where the package for it is missing, or where the system has no font for its texts.
    """
    try:
        from resvg_py import svg_to_bytes
    except ImportError as error:
        raise PolisError(f"PNG needs one more package: {INSTALL}; SVG needs none") from error
    if svg_to_bytes(svg_string=PROBE.format(SANS, "M")) == svg_to_bytes(svg_string=PROBE.format(SANS, "")):
        raise PolisError("no font is installed, so that PNG would lack all texts; install one, or write SVG")
    return bytes(svg_to_bytes(svg_string=svg, width=width))
