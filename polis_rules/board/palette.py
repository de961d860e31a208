"""The colours of drawings, in a light and a dark theme.

Pieces have the colours of Okabe and Ito, which people who do not see red or green tell apart; players also differ by
the shape of their pieces.
"""

from __future__ import annotations

from dataclasses import dataclass

PIECES = {
    "blue": "#0072b2", "orange": "#d55e00", "green": "#009e73", "red": "#b3123c", "yellow": "#e6c619",
    "purple": "#a3508a", "sky": "#56b4e9", "black": "#1c1c1c", "white": "#fdfdfb", "grey": "#8a8a86",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Theme:
    """What a drawing is coloured with."""

    page: str
    ink: str
    """text"""
    faint: str
    """rules, connecting lines, what is said beside"""
    halo: str
    """what keeps text apart from what lies under it"""
    edge: str
    """rims of areas"""
    shore: str
    """rims of water"""
    water_ink: str
    """names of water"""
    area_ink: str
    """names of areas"""
    tints: dict[str, str]

    def fill(self, colour: str, usual: str = "paper") -> str:
        """A colour by its word; any other is one already."""
        return self.tints.get(colour or usual) or PIECES.get(colour) or colour


LIGHT = Theme(
    page="#fbf9f3", ink="#26231d", faint="#6a6455", halo="#fffdf6", edge="#7d6a45", shore="#567f92",
    water_ink="#2f5f78", area_ink="#5a4518",
    tints={
        "earth": "#e3ddcd", "water": "#cfe1e8", "sand": "#f1e3bd", "grass": "#d5e3bd", "stone": "#d9d6cf",
        "paper": "#fffdf6",
    },
)  # fmt: skip
DARK = Theme(
    page="#15181b", ink="#ece7da", faint="#aaa698", halo="#101214", edge="#a08d63", shore="#6a90a2",
    water_ink="#9cc6da", area_ink="#e6d3a0",
    tints={
        "earth": "#2c2c29", "water": "#16303c", "sand": "#4a4230", "grass": "#35452f", "stone": "#3a3a38",
        "paper": "#1f2326",
    },
)  # fmt: skip


def on(colour: str) -> str:
    """Black or white, whichever has more contrast with a colour.

    >>> on("#0072b2"), on("#e6c619")
    ('#ffffff', '#111111')
    """
    return max("#ffffff", "#111111", key=lambda ink: contrast(ink, colour))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21, as the Web Content Accessibility Guidelines (WCAG) have it.

    >>> round(contrast("#000000", "#ffffff"))
    21
    """
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    shares = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (each / 12.92 if each <= 0.03928 else ((each + 0.055) / 1.055) ** 2.4 for each in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
