"""Draws a board, with a position on it, as SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from itertools import product
from math import ceil, hypot
from typing import cast

from polis_rules.board.barriers import barriers
from polis_rules.board.canvas import SERIF, Canvas, Point, cut, path_of, width_of
from polis_rules.board.glyphs import PIECE, Glyphs, letters_of, size_of, wide_of
from polis_rules.board.model import Inset, Key, Plan, Spot
from polis_rules.board.palette import DARK, LIGHT
from polis_rules.board.panels import Panels
from polis_rules.board.placing import Box, Room, beside, contains, near
from polis_rules.board.position import Does, Place, Position, Token, position

WIDTH = 1000
"""How wide a picture is; texts are made to be read where it is shown 800 pixels wide."""
HIGHEST = 3000
"""How high a board may become; a higher one is drawn smaller."""
MARGIN = 16
LONGEST = 320
"""How wide a name may become; whoever points at it is told all of it."""
FAR = 10.5
"""The radius of a symbol."""
MOST_ASKED = 2000
"""Of so many points it is remembered whether they lie within an area, as names look for a place again and again."""


def draw(
    board: Plan,
    view: Mapping[str, object] | None = None,
    dark: bool = False,
    does: Does | None = None,
    alone: bool = False,
    named: bool = False,
) -> str:
    """The board as SVG; with a `view` (of `Game.view` or `seen`) what stands on it and beside it.

    `does` tells of a member what it does, for cards that lie open. A board `alone` has no tables and lists below it.
    Where it is `named`, the group of each spot says by `data-spot` which one it is, as `kind member`.

    >>> from polis_rules import load
    >>> from polis_rules.board import Board, seen
    >>> rules = load("yucata")
    >>> draw(Board.of(rules), seen(rules.start(seed=1)))[:4]
    '<svg'
    """
    found = position(board, view, does) if view is not None else Position()
    return _Drawing(board, found, dark, named).run(view is not None, alone)


def unit_of(board: Plan) -> float:
    """How many units of the board are one of its picture."""
    return board.width / _wide(board) if board.spots else 1.0


def margin_of(board: Plan) -> float:
    """How much of the picture is left free on each side of a board that is not as wide, in units of the board."""
    return max(0.0, WIDTH - _wide(board)) / 2 * unit_of(board)


def _wide(board: Plan) -> float:
    shape = board.height / board.width
    return min(WIDTH if board.is_drawn else min(WIDTH, board.width), HIGHEST / shape)


class _Drawing:
    def __init__(self, board: Plan, found: Position, dark: bool, named: bool) -> None:
        self.board, self.found, self.named = board, found, named
        self.theme = DARK if dark else LIGHT
        self.canvas = Canvas()
        self.wide = _wide(board) if board.spots else 0.0
        self.high = self.wide * board.height / board.width
        self.left = (WIDTH - self.wide) / 2
        self.room = Room(WIDTH, self.high)
        self.glyphs = Glyphs(self.canvas, board, self.theme)
        self.pieces: dict[Key, list[Token]] = {}

    def run(self, with_position: bool, alone: bool) -> str:
        areas = [spot for spot in self.board.spots.values() if spot.outline and spot.symbol == "area"]
        points = [spot for spot in self.board.spots.values() if not (spot.outline and spot.symbol == "area")]
        water = [spot for spot in areas if spot.colour == "water"]
        self.ground()
        for spot in water:
            self.area(spot)
        self.shores()
        for spot in areas:
            if spot.colour != "water":
                self.area(spot)
        self.barriers(areas)
        self.lines()
        self.frames()
        for spot in points:
            self.room.take(Box.around(*self.at(spot), 2 * FAR + 2, 2 * FAR + 2))
        for spot in points:
            self.symbol(spot)
        for spot in areas:
            self.counters(spot)
        for spot in points:
            self.beside(spot)
            self.label(spot)
        self.caption()
        for spot in sorted(areas, key=lambda spot: spot.colour == "water"):
            self.name(spot)
        for label in self.board.labels:
            x, y = self.on(label.x, label.y)
            self.canvas.text(label.text, x, y + 5, 14, self.theme.faint, anchor="middle")
        height = self.high
        if with_position and self.board.spots:
            height = self.glyphs.legend(MARGIN, height + MARGIN / 2, WIDTH - 2 * MARGIN)
        if (with_position or self.board.facts) and not alone:
            panels = Panels(self.canvas, self.board, self.found, self.theme, self.glyphs)
            height = panels.draw(MARGIN, height + MARGIN / 2, WIDTH - 2 * MARGIN)
        return self.canvas.picture(WIDTH, ceil(max(height, 60)), self.board.title, self.theme.page)

    # -- measures ---------------------------------------------------------------------------------------------------

    def on(self, x: float, y: float) -> Point:
        """A place on the board in the units of the picture."""
        return self.left + x * self.wide, y * self.high

    def at(self, spot: Spot) -> Point:
        return self.on(spot.x, spot.y)

    def outline(self, spot: Spot) -> list[list[Point]]:
        """The outline of a spot on the picture, which is the same in every position."""
        outlines = self.board.kept.setdefault("outlines", {})
        if spot.key not in outlines:
            outlines[spot.key] = [[self.on(*point) for point in points] for points in spot.outline]
        return cast(list[list[Point]], outlines[spot.key])

    def path(self, spot: Spot) -> str:
        """The same as a path."""
        paths = self.board.kept.setdefault("paths", {})
        if spot.key not in paths:
            paths[spot.key] = path_of(self.outline(spot))
        return cast(str, paths[spot.key])

    def within(self, spot: Spot) -> Callable[[Point], bool] | None:
        """What says whether a point lies within the outline of a spot; None for one that has none."""
        asked = self.board.kept.setdefault("within", {})
        if spot.outline and spot.key not in asked:
            asked[spot.key] = lru_cache(MOST_ASKED)(partial(contains, self.outline(spot)))
        return cast("Callable[[Point], bool] | None", asked.get(spot.key))

    def name_of(self, spot: Spot) -> dict[str, str]:
        """What the group of a spot says of itself to a page."""
        return {"data_spot": " ".join(spot.key)} if self.named else {}

    def place(self, spot: Spot) -> Place:
        return self.found.places.get(spot.key) or Place()

    # -- what lies under everything ---------------------------------------------------------------------------------

    @property
    def backdrop(self) -> list[tuple[str, str]]:
        """What lies under everything: colours and paths, the same in every position."""
        if "backdrop" not in self.board.kept:
            self.board.kept["backdrop"] = [
                (colour, path_of([self.on(*point) for point in points] for points in outlines))
                for colour, outlines in self.board.backdrop
            ]
        return cast(list[tuple[str, str]], self.board.kept["backdrop"])

    def ground(self) -> None:
        if not self.board.has_ground:
            return
        canvas, theme = self.canvas, self.theme
        canvas.add("rect", x=self.left, y=0.0, width=float(self.wide), height=self.high, fill=theme.fill("water"))
        for colour, path in self.backdrop:
            canvas.outline(path, fill=theme.fill(colour))

    def shores(self) -> None:
        """The rims of what lies under everything once more, above those of water."""
        for _, path in self.backdrop:
            self.canvas.outline(path, fill="none", stroke=self.theme.shore, stroke_width=1.1, stroke_linejoin="round")

    def frames(self) -> None:
        """The rim of a map and of its insets, and what it is called."""
        if not self.board.has_ground:
            return
        canvas, theme = self.canvas, self.theme
        for inset in (Inset(0, 0, 1, 1), *self.board.insets):
            (left, top), (right, bottom) = self.on(inset.left, inset.top), self.on(inset.right, inset.bottom)
            canvas.add(
                "rect", x=left, y=top, width=right - left, height=bottom - top, fill="none", stroke=theme.edge,
                stroke_width=1.2,
            )  # fmt: skip

    def area(self, spot: Spot) -> None:
        canvas, theme = self.canvas, self.theme
        is_water = spot.colour == "water"
        canvas.begin(spot.title, **self.name_of(spot))
        canvas.outline(
            self.path(spot),
            fill=theme.fill(spot.colour, "sand" if self.board.is_drawn else "paper"),
            stroke=theme.shore if is_water else theme.edge,
            stroke_width=1.1,
            stroke_dasharray="1.5 4" if is_water else None,
            stroke_linejoin="round",
        )
        canvas.end()
        owner = self.place(spot).owner
        if owner in self.glyphs.shapes:
            self.glyphs.piece(
                owner, *self.at(spot), self.wide / self.board.width * 34 if not spot.is_labelled else PIECE
            )

    def barriers(self, areas: list[Spot]) -> None:
        """A heavy line where areas touch that are no neighbours in the game."""
        if not self.board.is_drawn:
            return
        kept = self.board.kept
        if "barriers" not in kept:
            kept["barriers"] = barriers({spot.key: self.outline(spot) for spot in areas}, self.board.joined)
        for run in kept["barriers"]:
            path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in run)
            for colour, width in ((self.theme.edge, 5.0), (self.theme.halo, 1.4)):
                self.canvas.add(
                    "path", d=path, fill="none", stroke=colour, stroke_width=width, stroke_linejoin="round",
                    stroke_linecap="round",
                )  # fmt: skip

    def lines(self) -> None:
        dashes = {"dashed": "7 5", "dotted": "1.5 5"}
        for line in self.board.lines:
            ends = self.board.kept.setdefault("ends", {})
            if (line.one, line.other) not in ends:
                ends[line.one, line.other] = self.ends(self.board.spots[line.one], self.board.spots[line.other])
            (x, y), (to_x, to_y) = ends[line.one, line.other]
            self.canvas.add(
                "line", x1=x, y1=y, x2=to_x, y2=to_y, stroke=self.theme.faint, stroke_width=1.6,
                stroke_dasharray=dashes.get(line.style), stroke_linecap="round",
            )  # fmt: skip
            long = hypot(to_x - x, to_y - y)
            for step in range(1, int(long // 30)):  # labels keep off a line where they can
                share = step * 30 / long
                self.room.take(Box.around(x + share * (to_x - x), y + share * (to_y - y), 5, 5))

    def ends(self, one: Spot, other: Spot) -> tuple[Point, Point]:
        """Where a line begins and ends: at the rim of an area, as near to the other end as may be."""
        if not (one.outline or other.outline):
            return self.at(one), self.at(other)
        begins, ends = self.rim(one), self.rim(other)
        for here, there in ((one, other), (other, one)):
            if here.outline and not there.outline and contains(self.outline(here), self.at(there)):
                return self.at(there), self.at(there)
        return min(product(begins, ends), key=lambda pair: hypot(pair[0][0] - pair[1][0], pair[0][1] - pair[1][1]))

    def rim(self, spot: Spot) -> list[Point]:
        """The corners of an area; of a symbol its place."""
        return [point for outline in self.outline(spot) for point in outline] or [self.at(spot)]

    # -- symbols and pieces -----------------------------------------------------------------------------------------

    def symbol(self, spot: Spot) -> None:
        """A member as a point: in the shape of whoever has it, with the first of its numbers."""
        x, y = self.at(spot)
        place = self.place(spot)
        inside = next((each for each in place.tokens if each.how == "count" and each.player is None), None)
        self.pieces[spot.key] = [each for each in place.tokens if each is not inside]
        text = str(inside.number) if inside is not None else ""
        said = f"{inside.title} {inside.number}" if inside is not None else ""
        owner = next((player.title for player in self.board.players if player.id == place.owner), "")
        self.canvas.begin(", ".join(part for part in (spot.title, owner, said) if part), **self.name_of(spot))
        if place.owner in self.glyphs.shapes:
            self.glyphs.piece(place.owner, x, y, FAR, text)
        else:
            shape = spot.symbol if spot.symbol != "area" else "circle"
            fill = self.theme.fill(spot.colour, "paper")
            self.canvas.shape(shape, x, y, FAR * 0.8, fill=fill, stroke=self.theme.ink, stroke_width=1.5)
            if text:
                self.canvas.text(text, x, y + 4, 11, self.theme.ink, anchor="middle", font_weight="bold")
            elif spot.printed:
                self.canvas.text(spot.printed, x, y + 4.5, 12.5, self.theme.ink, anchor="middle", font_style="italic")
            else:
                self.upon(spot)
        self.canvas.end()

    def upon(self, spot: Spot) -> None:
        """What players have at a symbol that shows nothing else stands on it, in a row that begins there."""
        tokens = self.pieces[spot.key]
        if not tokens or tokens[0].player is None or tokens[0].how == "mark":
            return
        self.pieces[spot.key] = []
        x, y = self.at(spot)
        width, height = _sizes(tokens)
        begins = x - wide_of(tokens[0], letters_of(tokens)) - 2
        self.row(tokens, Box(begins, y - height / 2, begins + width, y + height / 2))
        self.room.take(Box(begins + 2, y - height / 2 + 2, begins + width - 2, y + height / 2 - 2))

    def counters(self, spot: Spot) -> None:
        """What stands in an area, in a row near its middle."""
        tokens = self.place(spot).tokens
        if tokens:
            x, y = self.at(spot)
            width, height = _sizes(tokens)
            box = self.room.best(near(x, y, width, height), self.within(spot))
            self.row(tokens, box)

    def beside(self, spot: Spot) -> None:
        """What stands at a symbol besides what is on it."""
        tokens = self.pieces[spot.key]
        if tokens:
            width, height = _sizes(tokens)
            places = (*beside(*self.at(spot), FAR - 3, width, height),)
            self.row(tokens, self.room.best([min(places, key=lambda box: box.top), *places]))

    def row(self, tokens: list[Token], box: Box) -> None:
        x, (_, y) = box.left, box.middle
        letters = letters_of(tokens)
        for token in tokens:
            far = wide_of(token, letters)
            self.glyphs.token(token, x + far + 2, y, letters)
            x += 2 * far + 4

    def caption(self) -> None:
        """What the board is called, in a corner where nothing stands."""
        size = 19.0
        text = cut(self.board.caption, size, WIDTH / 2)
        if not text:
            return
        width = width_of(text, size, 1)
        corners = [(x, y) for y in (self.high - 26, 26) for x in (width / 2 + 22, WIDTH - width / 2 - 22)]
        box = self.room.best(Box.around(x, y, width, size + 6) for x, y in corners)
        self.canvas.text(
            text, box.middle[0], box.bottom - 7, size, self.theme.area_ink, anchor="middle", font_family=SERIF,
            letter_spacing=1, halo=self.theme.halo,
        )  # fmt: skip

    # -- names ------------------------------------------------------------------------------------------------------

    def label(self, spot: Spot) -> None:
        """The name of a symbol, beside it."""
        if not spot.is_labelled:
            return
        size = 14.0
        title = cut(spot.title, size, LONGEST)
        x, y = self.at(spot)
        box = self.room.best(beside(x, y, FAR, width_of(title, size), size + 2))
        anchor, at = (
            ("start", box.left) if box.left > x else ("end", box.right) if box.right < x else ("middle", box.middle[0])
        )
        self.canvas.text(title, at, box.bottom - 4, size, self.theme.ink, anchor=anchor, halo=self.theme.halo)

    def name(self, spot: Spot) -> None:
        """The name of an area, in it."""
        if not spot.is_labelled:
            return
        is_water = spot.colour == "water"
        size, spacing = (15.0, 2.0) if is_water else (15.0, 0.6)
        title = cut(spot.title, size, LONGEST)
        width = width_of(title, size * 0.95, spacing)
        box = self.room.best(near(*self.at(spot), width, size + 2, 110), self.within(spot))
        self.canvas.text(
            title, box.middle[0], box.bottom - 4, size, self.theme.water_ink if is_water else self.theme.area_ink,
            anchor="middle", font_family=SERIF, font_style="italic", letter_spacing=spacing,
            halo=self.theme.fill(spot.colour, "sand") if self.board.is_drawn else self.theme.halo,
        )  # fmt: skip


def _sizes(tokens: list[Token]) -> tuple[float, float]:
    """How wide and how high tokens are in a row."""
    letters = letters_of(tokens)
    return sum(2 * wide_of(each, letters) + 4 for each in tokens), 2 * max(map(size_of, tokens)) + 4
