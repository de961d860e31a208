"""What stands beside the board: what players have, tracks with markers, and lists."""

from __future__ import annotations

from math import ceil

from polis_rules.board.canvas import Canvas, cut, width_of
from polis_rules.board.glyphs import SIZE, Glyphs
from polis_rules.board.model import Facts, Plan
from polis_rules.board.palette import Theme
from polis_rules.board.position import Listing, Position, Row, Track

LINE = 18.0
GAP = 16.0
STEP_LINE = 22.0
FEW_STEPS = 6
"""How many steps a track has that needs only half the width."""
BOLD = 1.12
"""How much wider bold letters are."""
MOST_LINES = 20
"""How many lines of one text are told."""
MOST_COLUMNS = 5
"""How many players stand side by side."""


class Panels:
    """Draws the parts of a position that have no place on the board, in columns under each other."""

    def __init__(self, canvas: Canvas, board: Plan, found: Position, theme: Theme, glyphs: Glyphs) -> None:
        self.canvas, self.board, self.found, self.theme, self.glyphs = canvas, board, found, theme, glyphs

    def draw(self, left: float, top: float, width: float) -> float:
        """Draw everything from a height on; how high the picture becomes."""
        half = (width - GAP) / 2
        tracks = sorted(self.found.tracks, key=lambda track: len(track.steps))
        small = [each for each in tracks if len(each.steps) <= FEW_STEPS]
        for pair in (small[at : at + 2] for at in range(0, len(small), 2)):
            ends = [self.track(each, left + at * (half + GAP), top, half) for at, each in enumerate(pair)]
            top = max(ends) + GAP
        for track in tracks[len(small) :]:
            top = self.track(track, left, top, width) + GAP
        ends = [top, top]
        together = self.is_table()
        if together:
            is_narrow = all(self.title_of(each, half) == each.title for each in self.found.players)
            bottom = self.table(left, top, half if is_narrow else width) + GAP
            ends = [bottom, top if is_narrow else bottom]
        for listing in (*(() if together else self.found.players), *self.found.lists):
            if listing.rows:
                column = min(range(2), key=lambda at: ends[at])
                ends[column] = self.listing(listing, left + column * (half + GAP), ends[column], half) + GAP
        return self.facts(left, ends, width)

    # -- what is fixed ----------------------------------------------------------------------------------------------

    def facts(self, left: float, ends: list[float], width: float) -> float:
        """Tables of what never changes: narrow ones go on where a column ends, wide ones below both."""
        half = (width - GAP) / 2
        wide = [facts for facts in self.board.facts if sum(natural(facts)) > half]
        for facts in self.board.facts:
            if facts not in wide:
                column = min(range(2), key=lambda at: ends[at])
                ends[column] = self.fact_table(facts, left + column * (half + GAP), ends[column], half) + GAP
        bottom = max(ends)
        for facts in wide:
            bottom = self.fact_table(facts, left, bottom, width) + GAP
        return bottom

    def fact_table(self, facts: Facts, x: float, y: float, width: float) -> float:
        """A line for each member; words in the wider columns go on below each other."""
        y = self.heading(capitalised(facts.title), x, y, width)
        wide = fitted(natural(facts), width)
        begins = [x + sum(wide[:at]) for at in range(len(wide))]
        for row in (("", *facts.columns), *facts.rows):
            ink = self.theme.ink if row[0] else self.theme.faint
            cells = [wrapped(text, room - GAP / 2) for text, room in zip(row, wide, strict=True)]
            for begin, lines in zip(begins, cells, strict=True):
                for at, text in enumerate(lines, 1):
                    self.canvas.text(text, begin, y + at * LINE - 4, SIZE, ink)
            y += LINE * max(map(len, cells))
            self.rule(x, y + 1, width)
        return y

    # -- players ----------------------------------------------------------------------------------------------------

    def is_table(self) -> bool:
        """Whether what players have goes side by side: there are few, and what they have is told in a word or two."""
        rows = [row for listing in self.found.players for row in listing.rows]
        many = len(self.found.players)
        return bool(rows) and many <= MOST_COLUMNS and all(width_of(row.text, SIZE) < 270 / many for row in rows)

    def share(self, width: float) -> float:
        """How wide the column of a player is in a table."""
        return min(110.0, width * 0.62 / len(self.found.players))

    def title_of(self, listing: Listing, width: float) -> str:
        """What stands over a player's column in a table, as far as it has room."""
        return cut(listing.title, SIZE + 1, self.share(width) / 1.2 - 20)

    def table(self, x: float, y: float, width: float) -> float:
        """A line for each thing that somebody has, a column for each player."""
        listings = self.found.players
        wide = self.share(width)
        begin = x + width - wide * len(listings)
        for at, listing in enumerate(listings):
            player = listing.player or ""
            right = begin + (at + 1) * wide
            title = self.title_of(listing, width)
            self.canvas.text(title, right, y + 14, SIZE + 1, self.theme.ink, anchor="end", font_weight="bold")
            before = right - width_of(title, SIZE + 1) * 1.2 - 12
            self.glyphs.piece(player, before, y + 9, 6.5)
            self.canvas.add(
                "line",
                x1=right - wide + 8,
                y1=y + 21,
                x2=right,
                y2=y + 21,
                stroke=self.glyphs.colours[player],
                stroke_width=2,
            )
        y += 24
        names = dict.fromkeys((row.title, row.is_inner, not row.text) for each in listings for row in each.rows)
        for title, is_inner, is_heading in names:
            ink = self.theme.faint if is_heading else self.theme.ink
            inset = 12.0 if is_inner else 0.0
            for line in wrapped(title, begin - x - inset - GAP / 2):
                y += LINE
                self.canvas.text(line, x + inset, y - 4, SIZE, ink)
            for at, listing in enumerate(listings):
                text = next((row.text for row in listing.rows if row.title == title and row.is_inner == is_inner), "")
                right = begin + (at + 1) * wide
                self.canvas.text(text, right, y - 4, SIZE, self.theme.ink, anchor="end", font_weight="bold")
            self.rule(x, y + 1, width)
        return y

    def rule(self, x: float, y: float, width: float) -> None:
        self.canvas.add("line", x1=x, y1=y, x2=x + width, y2=y, stroke=self.theme.faint, stroke_width=0.3)

    def heading(self, text: str, x: float, y: float, width: float, player: str | None = None) -> float:
        shift = 0.0
        if player is not None:
            self.glyphs.piece(player, x + 8, y + 9, 7)
            shift = 22.0
        self.canvas.text(cut(text, 15.5, width - shift), x + shift, y + 14, 14.5, self.theme.ink, font_weight="bold")
        colour = self.glyphs.colours[player] if player is not None else self.theme.faint
        self.canvas.add("line", x1=x, y1=y + 21, x2=x + width, y2=y + 21, stroke=colour, stroke_width=1.6)
        return y + 26

    # -- lists ------------------------------------------------------------------------------------------------------

    def listing(self, listing: Listing, x: float, y: float, width: float) -> float:
        y = self.heading(capitalised(listing.title) or "Game", x, y, width, listing.player)
        for row in listing.rows:
            y = self.row(row, x, y, width)
        return y

    def row(self, row: Row, x: float, y: float, width: float) -> float:
        """A line: what it is to the left, its value or its pieces to the right, below it where there is no room."""
        is_heading = not row.text and not row.tokens and not row.about
        inset = 12.0 if row.is_inner else 0.0
        pieces = 20.0 * len(row.tokens)
        title = wrapped(row.title, width - inset - pieces)
        for part in title:
            y += LINE
            self.canvas.text(part, x + inset, y - 4, SIZE, self.theme.faint if is_heading else self.theme.ink)
        left = width_of(title[-1], SIZE) + inset + 14 if title else 0.0
        for text, weight in ((row.text, "bold"), (row.about, None)):
            room = BOLD if weight else 1.0
            lines = wrapped(text, (width - 12) / room)
            if len(lines) == 1 and width_of(text, SIZE) * room < width - left - pieces:
                self.canvas.text(
                    text, x + width - pieces, y - 4, SIZE, self.theme.ink, anchor="end", font_weight=weight
                )
                left = width  # what comes next goes below
                continue
            for part in lines:
                y += LINE
                self.canvas.text(part, x + 12, y - 4, SIZE, self.theme.ink, font_weight=weight)
        at = x + width - pieces + 4
        for token in row.tokens:
            whose = self.glyphs.titles.get(token.player or "", "")
            self.canvas.begin(" ".join(part for part in (whose, token.title, str(token.number)) if part))
            self.glyphs.piece(token.player, at + 8, y - 8, 7.5, str(token.number))
            self.canvas.end()
            at += 20
        self.rule(x, y + 1, width)
        return y

    # -- tracks -----------------------------------------------------------------------------------------------------

    def track(self, track: Track, x: float, y: float, width: float) -> float:
        """Steps from left to right, a line for each marker, and what holds at each step."""
        y = self.heading(capitalised(track.title), x, y, width)
        names = self.names_of(track, width)
        wide = (width - names) / max(len(track.steps), 1)
        begin = x + names
        for place, name in enumerate(track.short):
            self.canvas.text(
                cut(name, 11, wide), begin + (place + 0.5) * wide, y + 13, 11, self.theme.faint, anchor="middle"
            )
        y += 18
        for title, marked in track.markers:
            if len(track.markers) > 1:
                self.canvas.text(cut(title, SIZE, names), x, y + 15, SIZE, self.theme.ink)
            for step in range(len(track.steps)):
                fill = self.theme.ink if step == marked else self.theme.fill("paper")
                self.canvas.add(
                    "rect", x=begin + step * wide + 1, y=y + 1, width=wide - 2, height=STEP_LINE - 3, rx=3, fill=fill,
                    stroke=self.theme.faint, stroke_width=0.6,
                )  # fmt: skip
            y += STEP_LINE
        for title, values in track.notes:
            self.canvas.text(cut(title, 11, names), x, y + 13, 11, self.theme.faint)
            for place, value in enumerate(values):
                self.canvas.text(value, begin + (place + 0.5) * wide, y + 13, 11.5, self.theme.ink, anchor="middle")
            y += LINE
        return y

    @staticmethod
    def names_of(track: Track, width: float) -> float:
        """How wide what stands before the lines of a track is: as its titles need, but for long ones."""
        several = track.markers if len(track.markers) > 1 else ()
        titles = [*(width_of(title, SIZE) for title, _ in several), *(width_of(title, 11) for title, _ in track.notes)]
        return min(max([90.0, *(each + GAP / 2 for each in titles)]), width / 3) if titles else 0.0


def natural(facts: Facts) -> list[float]:
    """How wide each column is where nothing has to go on below."""
    rows = [("", *facts.columns), *facts.rows]
    return [max(width_of(row[at], SIZE) for row in rows) + GAP / 2 for at in range(len(rows[0]))]


def fitted(columns: list[float], width: float) -> list[float]:
    """Columns that fill a width: the widest give, or all gain, until they do.

    >>> fitted([50.0, 300.0, 200.0], 250.0), fitted([50.0, 50.0], 200.0)
    ([50.0, 100.0, 100.0], [100.0, 100.0])
    """
    if sum(columns) <= width:
        return [each + (width - sum(columns)) / len(columns) for each in columns]
    narrow: list[float] = []
    for each in sorted(columns):
        share = (width - sum(narrow)) / (len(columns) - len(narrow))
        if each > share:
            return [min(other, share) for other in columns]
        narrow.append(each)
    return columns


def capitalised(text: str) -> str:
    """A text that begins with a large letter."""
    return text[:1].upper() + text[1:]


def wrapped(text: str, width: float) -> list[str]:
    """A text in lines that are no wider; words are cut where they are too long."""
    most = max(8, int(width / (SIZE * 0.6)))
    lines: list[str] = []
    for word in text.split():
        pieces = [word[at * most : (at + 1) * most] for at in range(ceil(len(word) / most))]
        for piece in pieces:
            if lines and width_of(f"{lines[-1]} {piece}", SIZE) <= width:
                lines[-1] += f" {piece}"
            else:
                lines.append(piece)
            if len(lines) > MOST_LINES:
                return [*lines[:MOST_LINES], "…"]
    return lines
