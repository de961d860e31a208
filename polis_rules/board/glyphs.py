"""Pieces, figures and marks of players, and the line that says what they mean."""

from __future__ import annotations

from collections.abc import Sequence

from polis_rules.board.canvas import SHAPES, Canvas, cut, path_of, width_of
from polis_rules.board.model import Plan
from polis_rules.board.palette import Theme, on
from polis_rules.board.position import Token

PIECE = 12.0
"""The radius of a counter."""
SMALL = 6.5
"""The radius of a mark."""
SIZE = 12.5
CHIP = 8.5
"""Half of how high a piece is that is nobody's."""
STROKES = (
    ((-5, -5, 5, 5), (-5, 5, 5, -5)),
    ((-6, 0, 6, 0), (0, -6, 0, 6)),
    ((-6, -3, 6, -3), (-6, 3, 6, 3)),
    ((-5, -5, 0, 5), (0, 5, 5, -5)),
    ((-3, -6, -3, 6), (3, -6, 3, 6)),
    ((-5, 5, 0, -5), (0, -5, 5, 5)),
)
"""The lines of the marks that are nobody's, from which to which point: a cross, a plus, bars, a V, pillars, a roof."""
LETTERS, FEW_LETTERS = 11, 3
"""So many letters of its name stand on a piece that is alone at its place, and on one of several."""


class Glyphs:
    """Draws what stands for something; players differ by colour and by shape."""

    def __init__(self, canvas: Canvas, board: Plan, theme: Theme) -> None:
        self.canvas, self.board, self.theme = canvas, board, theme
        self.titles = {player.id: player.title for player in board.players}
        self.colours = {player.id: theme.fill(player.colour) for player in board.players}
        counts = (each.title for each in board.shown if each.how == "count" and each.per[:1] == ("player",))
        self.counted = next(counts, "")
        """of what players have so many of at places, what is drawn filled; anything else is hollow"""
        marks = [each.title for each in board.shown if each.how == "mark" and each.per[:1] != ("player",)]
        self.strokes = {title: STROKES[at % len(STROKES)] for at, title in enumerate(dict.fromkeys(marks))}
        self.shapes = {player.id: SHAPES[player.number % len(SHAPES)] for player in board.players}

    def fill(self, player: str | None) -> str:
        return self.colours.get(player or "", self.theme.fill("paper"))

    def is_hollow(self, token: Token) -> bool:
        """Whether a counter is not of the sort that players have most to do with."""
        return token.player is not None and token.title not in ("", self.counted)

    def piece(
        self, player: str | None, x: float, y: float, far: float, text: str = "", is_hollow: bool = False
    ) -> None:
        """A counter in the shape and the colour of a player, perhaps with a number on it."""
        fill, shape = self.fill(player), self.shapes.get(player or "", "card")
        if is_hollow:
            self.canvas.shape(shape, x, y, far, fill=self.theme.halo, stroke=fill, stroke_width=3.0)
            player, fill = None, self.theme.halo
        else:
            self.canvas.shape(shape, x, y, far, fill=fill, stroke=self.theme.halo, stroke_width=1.6)
        self.canvas.shape(shape, x, y, far + 0.9, fill="none", stroke=self.theme.ink, stroke_width=0.8)
        if text:
            size = far * (1.2 if len(text) < 2 else 1.0 if len(text) < 3 else 0.75)
            ink = on(fill) if player in self.colours else self.theme.ink
            self.canvas.text(text, x, y + size * 0.36, size, ink, anchor="middle", font_weight="bold")

    def figure(self, player: str | None, x: float, y: float, far: float) -> None:
        """A small person."""
        fill = self.fill(player)
        body = [(x - far * 0.8, y + far), (x - far * 0.25, y - far * 0.1)]
        body += [(2 * x - left, top) for left, top in reversed(body)]
        for colour, line in ((self.theme.halo, 4.0), (self.theme.ink, 1.4)):
            self.canvas.outline(path_of([body]), fill=fill, stroke=colour, stroke_width=line, stroke_linejoin="round")
            self.canvas.add("circle", cx=x, cy=y - far * 0.5, r=far * 0.48, fill=fill, stroke=colour, stroke_width=line)

    def mark(self, token: Token, x: float, y: float, far: float) -> None:
        """A ring in a player's colour and shape, or where nobody's, lines of which each sort of mark has its own."""
        if token.player is not None and token.player in self.shapes:
            colour, shape = self.colours[token.player], self.shapes[token.player]
            self.canvas.shape(shape, x, y, far - 1, fill=self.theme.halo, stroke=colour, stroke_width=3.0)
            return
        for left, top, right, bottom in self.strokes.get(token.title, STROKES[0]):
            ends = {"x1": x + left, "y1": y + top, "x2": x + right, "y2": y + bottom}
            self.canvas.add("line", stroke=self.theme.ink, stroke_width=2.4, **ends)

    def chip(self, token: Token, x: float, y: float, letters: int) -> None:
        """A piece that is nobody's, with its name."""
        fill, wide = self.theme.fill(token.colour), wide_of(token, letters)
        self.canvas.add(
            "rect", x=x - wide, y=y - CHIP, width=2 * wide, height=2 * CHIP, rx=4, fill=fill,
            stroke=self.theme.ink, stroke_width=0.8,
        )  # fmt: skip
        ink = on(fill) if token.colour else self.theme.ink
        self.canvas.text(token.name(letters), x, y + 4.5, SIZE, ink, anchor="middle")

    def token(self, token: Token, x: float, y: float, letters: int = LETTERS) -> None:
        """Whatever a token is, told to those who point at it."""
        whose = self.titles.get(token.player or "", "")
        self.canvas.begin(" ".join(part for part in (whose, token.title, str(token.number)) if part))
        far = size_of(token)
        if token.how == "count":
            self.piece(token.player, x, y, far, str(token.number), self.is_hollow(token))
        elif token.how == "piece" and token.player is None:
            self.chip(token, x, y, letters)
        elif token.how == "piece":
            self.figure(token.player, x, y, far)
        else:
            self.mark(token, x, y, far)
        self.canvas.end()

    def legend(self, left: float, top: float, width: float) -> float:
        """Who plays with which pieces, and what pieces, figures and marks mean; where the next thing may begin."""
        x, y = left, top + 10
        items = [(player.title, Token("", player.id, 0, "")) for player in self.board.players]
        first = self.board.players[0].id if self.board.players else None
        placed = {kind for kind, _ in self.board.spots}
        for shown in self.board.shown:
            if shown.how == "piece" and shown.kind != "player" and not shown.per:
                continue  # what it is stands on it
            if shown.how in ("count", "mark", "piece") and (shown.of if shown.how == "piece" else shown.kind) in placed:
                own = shown.per[:1] == ("player",) or (shown.how == "piece" and shown.kind == "player")
                items.append((shown.title, Token(shown.title, first if own else None, 1, shown.how)))
        items += [(label, Token(label, None, 0, "print")) for label in self.board.printed.values()]
        for said, token in items:
            text = cut(said, SIZE, 300)
            wide = 34 + width_of(text, SIZE)
            if x + wide > left + width and x > left:
                x, y = left, y + 26
            if token.how == "count" and token.player is None:
                self.canvas.shape("circle", x + 9, y, 9, fill=self.fill(None), stroke=self.theme.ink, stroke_width=1.3)
                self.canvas.text("n", x + 9, y + 4, 11, self.theme.ink, anchor="middle", font_weight="bold")
            elif token.how == "print":
                self.canvas.shape("circle", x + 9, y, 9, fill=self.fill(None), stroke=self.theme.ink, stroke_width=1.3)
                self.canvas.text("n", x + 9, y + 4, SIZE, self.theme.ink, anchor="middle", font_style="italic")
            elif token.how == "count":
                self.piece(token.player, x + 9, y, 9, "n", self.is_hollow(token))
            elif token.how:
                self.token(token, x + 9, y)
            else:
                self.piece(token.player, x + 9, y, 8)
            weight = None if token.how else "bold"
            self.canvas.text(text, x + 26, y + 4.5, SIZE, self.theme.ink, font_weight=weight)
            x += wide + 12
        return y + 20


def letters_of(tokens: Sequence[Token]) -> int:
    """How much of a name each of several pieces at a place has room for."""
    return LETTERS if len(tokens) < 2 else FEW_LETTERS


def wide_of(token: Token, letters: int) -> float:
    """Half of how wide a token is."""
    if token.how == "piece" and token.player is None:
        return width_of(token.name(letters), SIZE) / 2 + 4
    return size_of(token)


def size_of(token: Token) -> float:
    """The radius of a token."""
    if token.how == "piece" and token.player is None:
        return CHIP
    return PIECE if token.how == "count" else SMALL + 1.5 if token.how == "piece" else SMALL
