"""Draws a board and what stands on it with characters."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len
from rich.style import Style

from polis_rules.board import Place, Plan, Position, Spot, Token

from .colours import colour, shape
from .picture import Picture, cut_apart
from .stretching import stretched

Key = tuple[str, str]
Piece = tuple[str, Style]
SYMBOLS = {"circle": "○", "square": "□", "diamond": "◇", "triangle": "△", "hexagon": "◦", "star": "☆", "card": "▭"}
MARKS = "*+=~^%"
"""The signs of the sorts of marks, in the order in which the board shows them."""
LENGTHS = (99, 12, 10, 8, 7, 6, 5)
"""A title that finds no room, or takes the room of another, is shortened to so much, step by step."""
FARTHEST = 2
"""A title stands at most so many rows from its place."""
SHIFTED = 8
"""A title stands at most so many columns beside its place."""
NEAR, FAR = 5, 3 * FARTHEST + SHIFTED
"""What is near a place, and what is still by it, in columns; a row counts as three."""
WIDEST_CELL = 7
LETTERS, FEW_LETTERS = 11, 3
"""So many letters of its name tell a piece that is alone at its place, and one of several."""
RAISED = str.maketrans("n0123456789", "ⁿ⁰¹²³⁴⁵⁶⁷⁸⁹")
"""A number that is printed on the board is written so."""
NUMBER = "n"
"""What stands for a number where signs are explained."""
BAR = 1
"""So many columns of the screen the bar takes that shows where one is in a higher board."""
APART = 1e-3
"""What is nearer to each other lies in one column."""
SCALES = ((1.0, 1.0), (1.0, 1.13), (1.0, 1.25), (1.15, 1.5), (1.3, 1.8), (1.6, 2.4), (2.2, 3.2))
"""A board that does not fit becomes so many times wider and higher than the screen, which then scrolls."""


@dataclass
class Drawing:
    """A picture, and what lies where."""

    picture: Picture
    at: dict[Key, tuple[int, int, int]] = field(default_factory=dict)
    """Column, row and width of what stands for each spot."""
    missing: list[Spot] = field(default_factory=list)
    """The spots that found no room."""

    def hit(self, column: int, row: int) -> Key | None:
        """The spot in a cell."""
        return next((key for key, (x, y, wide) in self.at.items() if y == row and x <= column < x + wide), None)


def is_grid(board: Plan) -> bool:
    """Whether a board is drawn as rows and columns, and not as a map with titles."""
    return bool(board.spots) and not any(spot.is_labelled for spot in board.spots.values())


class Draughtsman:
    """Draws one board; what never changes is drawn once for each size."""

    def __init__(self, board: Plan) -> None:
        self.board = board
        self.players = {player.id: player for player in board.players}
        self.is_grid = is_grid(board)
        self._cut: dict[tuple[int, int], dict[Key, int]] = {}
        self._short: dict[tuple[str, int], str] = {}
        self._boards: dict[tuple[int, int], Plan] = {}
        self._grounds: dict[tuple[int, int, bool], Picture] = {}

    def draw(
        self,
        position: Position,
        width: int,
        height: int,
        is_dark: bool = True,
        offered: Mapping[Key, str] | None = None,
        focus: Collection[Key] = (),
    ) -> Drawing:
        """The position on so many cells, or on more where they are too few.

        `offered` names spots that may be chosen, with what is typed for it; `focus` stand out.
        """
        pen = _Pen(self, position, is_dark, offered or {}, focus)
        if self.is_grid:
            return pen.grid(width, height)
        for wider, higher in SCALES:
            size = max(40, int(width * wider) - (BAR if wider == 1 < higher else 0)), max(8, int(height * higher))
            drawing = pen.map(*size, self._cut.setdefault(size, {}))
            if not drawing.missing:
                return drawing
        return pen.map(*size, self._cut[size], first=focus)

    def short(self, title: str, length: int) -> str:
        """A title on so many cells: with initials in place of words, or else cut so that no other one is cut alike."""
        key = title, length
        if key not in self._short:
            others = {each.title for each in self.board.spots.values()} - {title}
            fitting = [text for text in initials(title, others) if cell_len(text) <= length]
            text = next(
                (text for text in fitting if not any(text in initials(each, {*others, title}) for each in others)), ""
            )
            self._short[key] = text or cut_apart(title, length, others)
        return self._short[key]

    def board_for(self, width: int, height: int) -> Plan:
        """The board for so many cells."""
        if (width, height) not in self._boards:
            self._boards[width, height] = stretched(self.board, width, height)
        return self._boards[width, height]

    def ground(self, width: int, height: int, is_dark: bool) -> Picture:
        """What lies under everything: tints, outlines and lines."""
        known = self._grounds.get((width, height, is_dark))
        if known is None:
            known = self._grounds[width, height, is_dark] = self._ground(width, height, is_dark)
        return known.copy()

    def _ground(self, width: int, height: int, is_dark: bool) -> Picture:
        picture, board = Picture(width, height), self.board_for(width, height)
        for tint, outlines in board.backdrop:
            picture.tint(outlines, Style(bgcolor=colour(tint, is_dark)))
        covering = [spot for spot in board.spots.values() if spot.outline]
        for spot in covering:
            picture.tint(spot.outline, Style(bgcolor=colour(spot.colour, is_dark)))
        faint = Style(color="#4f5b60" if is_dark else "#a9a48f")
        for spot in covering:
            picture.trace(spot.outline, faint)
        for inset in board.insets:
            corners = [(inset.left, inset.top), (inset.right, inset.top), (inset.right, inset.bottom),
                       (inset.left, inset.bottom)]  # fmt: skip
            picture.trace([corners], Style(color="#808080"))
        for line in board.lines:
            ends = [(board.spots[key].x, board.spots[key].y) for key in (line.one, line.other)]
            picture.trace([ends], faint, closed=False)
        return picture

    def legend(self, position: Position) -> list[tuple[str, str]]:
        """What the signs on the board mean, as sign and words."""
        found = {shape(player): player.title for player in self.board.players}
        found |= {f"{SYMBOLS['circle']}{NUMBER.translate(RAISED)}": label for label in self.board.printed.values()}
        for key, place in position.places.items():
            for token in place.tokens if key in self.board.spots else ():
                if token.how == "piece" and token.player is None:
                    continue
                sign = self.sign(key[0], token)
                found.setdefault(f"●{sign}" if token.player is not None and token.how == "count" else sign, token.title)
        return list(found.items())

    def sign(self, kind: str, token: Token) -> str:
        """How a token is told from others, without whose it is and how many."""
        if token.how == "mark":
            marks = list(dict.fromkeys(each.title for each in self.board.shown if each.how == "mark"))
            return MARKS[marks.index(token.title) % len(MARKS)] if token.title in marks else MARKS[0]
        if token.how == "piece":
            return "⚑"
        counts = [each.title for each in self.board.shown if each.kind == kind and each.how == "count"]
        first = not counts or token.title == counts[0]
        return "n" if first else f"{token.title[:1]}n"


def initials(title: str, others: Collection[str]) -> list[str]:
    """A title, then with initials in place of words that other titles have too, then of all its words but one.

    >>> initials("Lake of Mirrors", ["Lake of Clouds"]), initials("Mirror Shop", ["Kitchen"])
    (['Lake of Mirrors', 'L. Mirrors'], ['Mirror Shop', 'Mirror S.'])
    """
    words = [word for word in title.split() if not word.islower()]  # such as `of`
    elsewhere = {word for other in others for word in other.split()}
    own = [place for place, word in enumerate(words) if word not in elsewhere] or [len(words) - 1]
    texts = [title]
    for kept in (own, own[:1]):
        short = [word if place in kept or len(word) < 3 else f"{word[0]}." for place, word in enumerate(words)]
        texts.append(" ".join(short))
    return list(dict.fromkeys(text for text in texts if text == title or cell_len(text) < cell_len(title)))


class _Pen:
    """Draws one position."""

    def __init__(
        self, board: Draughtsman, position: Position, is_dark: bool, offered: Mapping[Key, str], focus: Collection[Key]
    ) -> None:
        self.of, self.position, self.is_dark = board, position, is_dark
        self.offered, self.focus = offered, focus
        self.spots = board.board.spots
        self.ink = Style(color="#e8e4d8" if is_dark else "#26231d")
        self.faint = Style(color="#8f9490" if is_dark else "#6f6a5c")
        self.loud = Style(color="#101010" if is_dark else "#ffffff", bgcolor="#ffd75f" if is_dark else "#3a3a8a")

    # -- maps -------------------------------------------------------------------------------------------------------

    def map(self, width: int, height: int, cut: dict[Key, int], first: Collection[Key] = ()) -> Drawing:
        """The map on so many cells. `cut` tells how short titles are, and is told which had to be cut more.

        `first` find room before all others. What stands out is not among them where all find room: no title shall move
        while one goes through the options.
        """
        self.spots = self.of.board_for(width, height).spots
        while True:
            drawing = Drawing(self.of.ground(width, height, self.is_dark))
            for spot in sorted(self.spots.values(), key=lambda spot: (spot.key not in first, self._rank(spot))):
                if not self._write(drawing, spot, cut.get(spot.key, LENGTHS[0])):
                    drawing.missing.append(spot)
            if not [spot for spot in drawing.missing if self._make_room(drawing, spot, cut)]:
                return drawing

    def _make_room(self, drawing: Drawing, spot: Spot, cut: dict[Key, int]) -> bool:
        """Cut the title of a spot that found no room, or else those in its way; no if nothing is left to cut."""
        if self._shorten(spot, cut):
            return True
        column, row = _cell(spot, drawing.picture)
        near = [
            key
            for key, (x, y, wide) in drawing.at.items()
            if abs(y - row) <= FARTHEST and x - LENGTHS[-1] <= column < x + wide + LENGTHS[-1]
        ]
        return any([self._shorten(self.spots[key], cut) for key in near])  # noqa: C419 - all of them

    def _shorten(self, spot: Spot, cut: dict[Key, int]) -> bool:
        now = min(cell_len(spot.title), cut.get(spot.key, LENGTHS[0]))
        shorter = [length for length in LENGTHS if length < now and length + 1 < cell_len(spot.title)]
        if shorter:
            cut[spot.key] = shorter[0]
        return bool(shorter)

    def _rank(self, spot: Spot) -> tuple[bool, bool]:
        """Who finds room first: points before areas, what has pieces."""
        return spot.symbol == "area", not self._tokens(spot)

    def _write(self, drawing: Drawing, spot: Spot, length: int) -> bool:
        """Write a title near its place; one that would stand far from it is cut first."""
        picture = drawing.picture
        column, row = _cell(spot, picture)
        for far in (NEAR, FAR):
            for most in (length, *(each for each in LENGTHS[1:-1] if each < min(length, cell_len(spot.title)))):
                pieces = self._label(spot, most)
                wide = sum(cell_len(text) for text, _ in pieces)
                for x, y in _near(column, row, wide, spot.symbol == "area", far):
                    if picture.is_free(x, y, wide):
                        drawing.at[spot.key] = x, y, wide
                        for text, style in pieces:
                            x = picture.put(x, y, text, style)
                        return True
        return False

    def _label(self, spot: Spot, length: int) -> list[Piece]:
        place = self.position.places.get(spot.key, Place())
        owner = self.of.players.get(place.owner or "")
        title = self.of.short(spot.title, length)
        style = self.faint + Style(italic=True) if spot.symbol == "area" else self.ink
        if owner is not None:
            style = self._of(owner.id) + Style(bold=True)
        symbol = shape(owner) if owner is not None else SYMBOLS.get(spot.symbol, "")
        if spot.key in self.focus:
            style += self.loud + Style(bold=True)
        elif spot.key in self.offered:
            style += Style(underline=True, bold=True)
        printed = [(spot.printed.translate(RAISED), self.faint)] if spot.printed else []
        return [(symbol, style), *printed, (title, style), *self._tokens(spot)]

    def _tokens(self, spot: Spot) -> list[Piece]:
        pieces: list[Piece] = []
        tokens = self.position.places.get(spot.key, Place()).tokens
        for token in tokens:
            if token.how == "piece" and token.player is None:
                fill = Style(color=colour(token.colour, self.is_dark)) if token.colour else self.ink
                pieces.append((f" {token.name(LETTERS if len(tokens) < 2 else FEW_LETTERS)}", fill + Style(bold=True)))
                continue
            sign = self.of.sign(spot.kind, token)
            owner = self.of.players.get(token.player or "")
            whose = shape(owner) if owner is not None else ""
            number = "" if token.how != "count" else str(token.number)
            text = f"{sign.replace('n', '') if token.how == 'count' else sign}{whose}{number}"
            pieces.append((f" {text}", self._of(token.player) + Style(bold=True)))
        return pieces

    def _of(self, player: str | None) -> Style:
        known = self.of.players.get(player or "")
        return self.ink if known is None else Style(color=colour(known.colour, self.is_dark))

    # -- grids ------------------------------------------------------------------------------------------------------

    def grid(self, width: int, height: int) -> Drawing:
        """Each distinct place from left to right is a column, each from top to bottom a row."""
        across = sorted({round(spot.x, 4) for spot in self.spots.values()})
        down = sorted({round(spot.y, 4) for spot in self.spots.values()})
        rim = 4
        wide = max(2 if len(across) > 12 else 3, min(WIDEST_CELL, (width - rim) // len(across)))
        high = max(1, min(wide // 2, (height - 2) // len(down)))
        drawing = Drawing(Picture(rim + wide * len(across), 2 + high * len(down)))
        columns = {x: rim + place * wide for place, x in enumerate(across)}
        rows = {y: 1 + place * high for place, y in enumerate(down)}
        self._rims(drawing.picture, columns, rows, wide, high)
        for spot in self.spots.values():
            x, y = columns[round(spot.x, 4)], rows[round(spot.y, 4)]
            self._cell(drawing, spot, x, y + high // 2, wide)
        return drawing

    def _rims(
        self, picture: Picture, columns: Mapping[float, int], rows: Mapping[float, int], wide: int, high: int
    ) -> None:
        for label in self.of.board.labels:
            x = columns[min(columns, key=lambda each: abs(each - label.x))]
            y = rows[min(rows, key=lambda each: abs(each - label.y))] + high // 2
            if not min(columns) - APART < label.x < max(columns) + APART:
                picture.put(1 if label.x < min(columns) else picture.width - 3, y, label.text[:3], self.faint)
            else:
                top = 0 if label.y < min(rows) else picture.height - 1
                picture.put(x + (wide - cell_len(label.text)) // 2, top, label.text[-wide:], self.faint)

    def _cell(self, drawing: Drawing, spot: Spot, x: int, y: int, wide: int) -> None:
        place = self.position.places.get(spot.key, Place())
        owner = self.of.players.get(place.owner or "")
        pieces = [(text.strip(), style) for text, style in self._tokens(spot)]
        if owner is not None:
            pieces.insert(0, (shape(owner), self._of(owner.id) + Style(bold=True)))
        if not pieces:
            label = self.offered.get(spot.key, "")
            pieces = [(label, Style(underline=True) + self.ink)] if label else [("·", self.faint)]
        total = sum(cell_len(text) for text, _ in pieces)
        column = x + max(0, (wide - total) // 2)
        drawing.at[spot.key] = x, y, wide
        if spot.key in self.focus:
            drawing.picture.put(x, y, " " * wide, self.loud)
            pieces = [(text, style + self.loud) for text, style in pieces]
        for text, style in pieces:
            column = drawing.picture.put(column, y, text, style)


def _cell(spot: Spot, picture: Picture) -> tuple[int, int]:
    return int(spot.x * (picture.width - 1)), int(spot.y * (picture.height - 1))


def _near(column: int, row: int, wide: int, is_area: bool, far: int) -> list[tuple[int, int]]:
    """Where a label may stand that is at most so far away, in columns: what is nearest first."""
    middle, right, left = column - wide // 2, column, column - wide + 1
    starts: Sequence[int] = (middle, right, left) if is_area else (right, middle, left)
    found: dict[tuple[int, int], int] = {}
    for place, start in enumerate(starts):
        for away in range(-FARTHEST, FARTHEST + 1):
            for shift in range(-SHIFTED, SHIFTED + 1):
                distance = 3 * abs(away) + abs(shift) + place
                if distance <= far:
                    at = start + shift, row + away
                    found[at] = min(distance, found.get(at, distance))
    return sorted(found, key=lambda at: found[at])
