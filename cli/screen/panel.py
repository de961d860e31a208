"""What stands beside the board: score, possessions, tracks, cards with their texts, and all that is on the table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from polis_rules.board import Plan, Position, Track
from polis_rules.diagnostics import printable
from polis_rules.play import Session, Sheet, Situation

from ..plain.details import Details
from .colours import colour, shape
from .columns import Columns
from .drawing import is_grid
from .picture import cut_to

ON_SPOTS = {"colour", "count", "mark", "piece"}
"""How things are shown that stand on the board."""
LONGEST = 60
"""The head of a column is cut to so much."""
LONGEST_WORD = 14
"""Words of rows that are no longer stand in one piece."""
WIDEST = 42
"""A table that needs more cells than these is told line by line."""


class Panel:
    """Puts one position into tables."""

    def __init__(self, session: Session, position: Position, board: Plan, details: Details, is_dark: bool):
        self.session, self.position, self.details, self.is_dark = session, position, details, is_dark
        self.players = {player.title: player for player in board.players}
        self.board = board
        self.now = Situation(session.shown, session.eyes)

    @property
    def unread(self) -> list[tuple[str, int]]:
        """The open cards whose texts have not been looked up yet."""
        return [each for each in self.now.named if not self.details.is_known(*each)]

    def all(self, page: int = 0) -> RenderableType:
        """Everything, what is looked at most first, on pages of so many lines if a number is given."""
        tracks = self.position.tracks
        on_track = {track.title for track in tracks} | {title for each in tracks for title, _ in each.markers}
        read = {self.titled(*each): " ".join(self.effects(*each)) for each in self.now.named}
        parts: list[RenderableType] = [self.players_sheet()]
        common = [(label, read.get(text) or text) for label, text in self.now.common if label not in on_track]
        if common:
            parts.append(Group(*(_line(label, text) for label, text in common)))
        parts += [self.track(each) for each in tracks]
        covered = {*self._covered(), *self._drawn()}
        on_board = self._on_board()
        parts += [
            self.sheet(sheet)
            for sheet in sorted(self.now.things, key=lambda each: each.title in on_board)
            if sheet.title not in covered and f"{sheet.title}: {sheet.head[-1]}" not in covered
        ]
        if self.now.warning and not page:  # where there are pages it stands above the question, and room is scarce
            parts.insert(1, Text(printable(self.now.warning)))
        return Columns(parts, page)

    def players_sheet(self) -> RenderableType:
        """The score so far, and under it what the players have that is no part of the score."""
        scores, owned = self.now.scores, self.now.players
        if scores is None or scores.head != owned.head:
            sheets = [owned] if scores is None else [scores, owned]
            return Group(*(self.sheet(sheet) for sheet in sheets if sheet.rows))
        counted = {tuple("-" if cell == "0" else cell for cell in row) for row in scores.rows}
        rows = (*scores.rows, *(row for row in owned.rows if row not in counted))
        return self.sheet(Sheet(scores.title, scores.head, rows))

    def titled(self, kind: str, member: int) -> str:
        return self.session.game.program.rules.symbols.kinds[kind].titles[member]

    def _covered(self) -> set[str]:
        """The sheets that tracks tell already, which call a kind by one and not by many."""
        titles = {}
        for kind in self.session.game.program.rules.symbols.kinds.values():
            titles[kind.title] = kind.plural or kind.title
        found = (track.title.partition(": ") for track in self.position.tracks)
        return {f"{titles.get(kind, kind)}: {label}" for kind, _, label in found}

    def _on_board(self) -> set[str]:
        """The sheets of kinds whose members lie on the board, which shows much of it."""
        kinds = self.session.game.program.rules.symbols.kinds
        return {kinds[name].plural or kinds[name].title for name, _ in self.board.spots}

    def _drawn(self) -> Iterator[str]:
        """The sheets that repeat what the cells of a grid show."""
        if not is_grid(self.board):
            return
        for name in {spot.kind for spot in self.board.spots.values()}:
            kind = self.session.game.program.rules.symbols.kinds[name]
            hows = {shown.how for shown in self.board.shown if shown.kind == name}
            if hows and hows <= ON_SPOTS:
                yield kind.plural or kind.title

    def effects(self, kind: str, member: int) -> list[str]:
        """What a card does that lies open; nothing as long as it has not been looked up."""
        if not self.details.is_known(kind, member):
            return []
        return [line.strip() for line in self.details.effects(self.session.shown, kind, member)]

    def sheet(self, sheet: Sheet) -> RenderableType:
        """A table; with the players above their columns."""
        if len(sheet.head) == 2 and not any(title in self.players for title in sheet.head):
            return Group(_title(sheet.title, sheet.head[1]), *self._alike(sheet))
        if _width(sheet) > WIDEST and not any(title in self.players for title in sheet.head):
            return Group(_title(sheet.title), *self._lines(sheet))
        return _Rows(sheet, [self._player(title) for title in sheet.head[1:]])

    def _alike(self, sheet: Sheet) -> Iterator[Text]:
        """What has the same value together."""
        for titles, value in sheet.alike():
            yield Text(printable(titles if value == "yes" else f"{titles}: {value}"))

    def _lines(self, sheet: Sheet) -> Iterator[Text]:
        for title, *cells in sheet.rows:
            told = (
                head if cell == "yes" else f"{head} {cell}"
                for head, cell in zip(sheet.head[1:], cells, strict=True)
                if cell not in ("-", ".", "?")
            )
            yield Text.assemble((printable(title), "bold"), f": {printable(', '.join(told))}")

    def _player(self, title: str) -> Text:
        player, said = self.players.get(title), cut_to(printable(title), LONGEST)
        if player is None:
            return Text(said, "dim")
        return Text(f"{shape(player)} {said}", f"bold {colour(player.colour, self.is_dark)}")

    def track(self, track: Track) -> RenderableType:
        """Steps as bars with a number, one for each marker."""
        table = Table(box=None, padding=(0, 1, 0, 0), show_header=False)
        alone = len(track.markers) == 1 and track.markers[0][0] == track.title
        for title, step in track.markers:
            bar = "▰" * (step + 1) + "▱" * (len(track.steps) - step - 1)
            numbers = (f"{printable(label)} {values[step]}" if alone else values[step] for label, values in track.notes)
            on, told = printable(track.steps[step]), ("; " if alone else "/").join(numbers)
            is_repeated = len(track.notes) > 1 and told in on.split()  # as in the title `3/4/5 (column 1)`
            table.add_row(Text(printable(title)), Text(bar), Text(on, "bold"), Text("" if is_repeated else told))
        if alone:
            return table
        notes = "/".join(printable(label) for label, _ in track.notes)
        return Group(_title(track.title, notes), table)


class _Rows:
    """A table in rows and columns; where there is too little room, the titles of its rows are folded first."""

    def __init__(self, sheet: Sheet, heads: list[Text]) -> None:
        self.sheet, self.heads = sheet, heads

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        sheet, columns = self.sheet, [[head.plain] for head in self.heads]
        for row in sheet.rows:
            for column, cell in zip(columns, row[1:], strict=True):
                column.append(printable(cell))
        longest = [max(map(cell_len, column)) for column in columns]
        titles = [sheet.title, *(row[0] for row in sheet.rows)]
        least = min(LONGEST_WORD, max(cell_len(word) for title in titles for word in title.split()))
        left = options.max_width - sum(longest) - len(columns) - 1
        table = Table(box=None, padding=(0, 1, 0, 0), pad_edge=False)
        wide = max(least, min(left, max(map(cell_len, titles))))
        table.add_column(_title(sheet.title), overflow="fold", width=wide)
        words = [max(cell_len(word) for cell in column for word in cell.split()) for column in columns]
        for head, most in zip(
            self.heads, shared(options.max_width - wide - len(columns) - 1, longest, words), strict=True
        ):
            table.add_column(head, overflow="fold", width=most)
        for row in sheet.rows:
            style = "bold" if row[0] == "total" else ""
            table.add_row(*(Text(printable(cell), style) for cell in row))
        yield table


def shared(room: int, longest: Sequence[int], words: Sequence[int]) -> list[int]:
    """How wide columns are, of which all have so much room: the widest give way, those first whose words stay whole.

    >>> shared(20, [18, 8, 8], [7, 6, 6]), shared(12, [18, 8], [7, 6])
    ([7, 6, 7], [6, 6])
    """
    wide = list(longest)
    while sum(wide) > room and max(wide) > 1:
        loose = [place for place, most in enumerate(wide) if most > words[place]]
        wide[max(loose or range(len(wide)), key=lambda place: wide[place])] -= 1
    return wide


def _width(sheet: Sheet) -> int:
    """How many cells a table needs: words of its head may stand below each other, its own title and cells may not."""
    heads = [cell_len(sheet.title), *(max(map(cell_len, head.split()), default=0) for head in sheet.head[1:])]
    columns = zip(*([cell_len(cell) for cell in row] for row in sheet.rows), strict=True)
    return sum(max(head, *cells) + 1 for head, cells in zip(heads, columns, strict=True))


def _title(title: str, more: str = "") -> Text:
    return Text.assemble((printable(title).upper(), "bold underline"), f" {printable(more)}" if more else "")


def _line(label: str, text: str) -> Text:
    return Text.assemble((f"{printable(label)}: ", "dim"), printable(text))
