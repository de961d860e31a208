"""The colours of boards on a terminal; none alone tells anything, as shapes and words say the same."""

from __future__ import annotations

from polis_rules.board import Player

SHAPES = "●▲■◆★▼"
"""The pieces of the first player, the second, and so on."""

DARK = {
    "earth": "#2c2c29", "water": "#12242e", "sand": "#39321f", "grass": "#26351f", "stone": "#333333",
    "paper": "#22262a", "blue": "#62b0e8", "orange": "#f0915a", "green": "#3fc79a", "red": "#f0708c",
    "yellow": "#e6c619", "purple": "#d08cbc", "sky": "#8fd0f5", "black": "#a8a8a8", "white": "#ffffff",
    "grey": "#b0b0ac",
}  # fmt: skip
LIGHT = {
    "earth": "#e3ddcd", "water": "#dbeaf0", "sand": "#f3e8cb", "grass": "#dfeacb", "stone": "#e3e0da",
    "paper": "#f6f3ea", "blue": "#005a8f", "orange": "#a84500", "green": "#00704f", "red": "#a00f33",
    "yellow": "#7a6600", "purple": "#80336c", "sky": "#1f6f9e", "black": "#000000", "white": "#6a6a6a",
    "grey": "#5c5c58",
}  # fmt: skip


def colour(word: str, is_dark: bool, usual: str = "paper") -> str:
    """A colour of a board as the terminal shows it."""
    return (DARK if is_dark else LIGHT).get(word or usual, word)


def shape(player: Player) -> str:
    """What stands for a player where there is no room for a name."""
    return SHAPES[player.number % len(SHAPES)]
