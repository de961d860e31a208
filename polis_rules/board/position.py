"""What stands on a board in one position, as far as somebody may see it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from polis_rules.board.model import NOTHING, Key, Plan, Shown

Does = Callable[[str, str], str]
"""What a member of a kind does, in words; nothing where it does nothing."""

IN_LISTS = ("list", "count", "mark", "colour")
"""How state is shown that a list tells where it has no place on the board."""
MOST_STEPS = 16
"""How many steps a track has at most; what goes further is told as a number."""


@dataclass(frozen=True, slots=True)
class Token:
    """Pieces at a place, a number of it, or a mark."""

    title: str
    """What it is, e.g. `units`."""
    player: str | None
    """Whose it is, if it is somebody's."""
    number: int
    how: str
    """`count`, `mark` or `piece`."""
    colour: str = ""
    """The colour of what is nobody's, if the ruleset gives it one."""

    def name(self, letters: int) -> str:
        """What is written on a piece that is nobody's."""
        return self.title[:letters]


@dataclass(slots=True)
class Place:
    """What stands at one spot."""

    owner: str | None = None
    """The player in whose colour it is."""
    tokens: list[Token] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a list: what it says, and of whom there are how many pieces at it."""

    title: str
    text: str = ""
    """Its value"""
    about: str = ""
    """What is fixed about it."""
    is_inner: bool = False
    """Whether it belongs to the row above."""
    tokens: tuple[Token, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """State beside the board, with what stands over it."""

    title: str
    rows: tuple[Row, ...]
    player: str | None = None
    """Whose it is, if it is a player's own."""


@dataclass(frozen=True, slots=True)
class Track:
    """Steps in a row with markers on them."""

    title: str
    steps: tuple[str, ...]
    markers: tuple[tuple[str, int], ...]
    """What each marker is called, and on which step it stands, from 0."""
    notes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """What holds at each step: what it is called, and its value there."""

    @property
    def short(self) -> list[str]:
        """What sets the steps apart, where there is little room: without brackets or only what stands in them, and
        without the words that all begin with.

        >>> Track("", ("Column 1", "Column 2"), ()).short, Track("", ("Spring", "Summer"), ()).short
        (['1', '2'], ['Spring', 'Summer'])
        >>> Track("", ("4/5 (row 1)", "4/5 (row 2)"), ()).short, Track("", ("Low (row 1)", "High (row 1)"), ()).short
        (['1', '2'], ['Low', 'High'])
        """
        steps = list(self.steps)
        if all(parts := [re.fullmatch(r"(.+) \((.+)\)", step) for step in steps]):
            outer, inner = ([each[group] for each in parts if each] for group in (1, 2))
            steps = next((each for each in (outer, inner) if len(set(each)) == len(steps)), steps)
        words = [re.fullmatch(r"(.* )(\S+)", step) for step in steps]
        if len(steps) > 1 and all(words) and len({each[1] for each in words if each}) == 1:
            return [each[2] for each in words if each]
        return steps


@dataclass(slots=True)
class Position:
    """A position as somebody may see it."""

    places: dict[Key, Place] = field(default_factory=dict)
    """What stands at each spot where something does."""
    players: list[Listing] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)
    lists: list[Listing] = field(default_factory=list)


def position(board: Plan, view: Mapping[str, object], does: Does | None = None) -> Position:
    """Where everything stands that a view (of `Game.view` or `seen`) shows, and what the cards that lie open do.

    >>> from polis_rules import load
    >>> from polis_rules.board import Board, seen
    >>> rules = load("yucata")
    >>> len(position(Board.of(rules), seen(rules.start(seed=1))).players)
    2
    """
    return _Reader(board, view, does).run()


def places(board: Plan, view: Mapping[str, object]) -> dict[Key, Place]:
    """Of a position only what stands on the board."""
    reader = _Reader(board, view, None)
    reader.on_board()
    return reader.found.places


class _Reader:
    def __init__(self, board: Plan, view: Mapping[str, object], does: Does | None) -> None:
        self.board, self.view, self.does = board, view, does
        self.found = Position()

    def run(self) -> Position:
        self.on_board()
        for shown in self.board.shown:
            if shown.how == "track":
                self.track(shown)
        self.panels()
        self.lists()
        return self.found

    def on_board(self) -> None:
        for shown in self.board.shown:
            if shown.how in ("colour", "count", "mark", "piece"):
                self.placed(shown)

    # -- on the board -----------------------------------------------------------------------------------------------

    def values(self, shown: Shown) -> Iterator[tuple[str, object]]:
        """What a view has of some state, by member; that of the game itself under an empty id."""
        if not shown.kind:
            game = _mapping(self.view.get("game"))
            if shown.name in game:
                yield "", game[shown.name]
            return
        for member, state in _mapping(self.view.get(shown.kind)).items():
            if shown.name in _mapping(state) and member not in shown.but:
                yield member, _mapping(state)[shown.name]

    def at(self, key: Key) -> Place:
        return self.found.places.setdefault(key, Place())

    def placed(self, shown: Shown) -> None:
        for member, value in self.values(shown):
            if shown.how == "piece":
                if shown.per:  # of the game, for each player
                    for player, place in _mapping(value).items():
                        self.piece(shown, "player", player, place)
                else:
                    self.pieces(shown, member, value)
            elif (shown.kind, member) in self.board.spots:
                if shown.how == "colour":
                    self.at((shown.kind, member)).owner = None if value is None else str(value)
                else:
                    self.at((shown.kind, member)).tokens += self.tokens(shown, value)

    def pieces(self, shown: Shown, member: str, value: object) -> None:
        """A member as a piece, at the place that its state names; or at its own place all that its state holds."""
        if not isinstance(value, list):
            self.piece(shown, shown.kind, member, value)
        elif (shown.kind, member) in self.board.spots:
            for each in filter(None, map(str, value)):
                token = Token(
                    self.board.title_of(shown.of, each), None, 1, "piece", self.board.colour_of(shown.of, each)
                )
                self.at((shown.kind, member)).tokens.append(token)

    def piece(self, shown: Shown, kind: str, member: str, place: object) -> None:
        """A piece of a member, at the place that its state names."""
        if (shown.of, str(place)) in self.board.spots:
            owner = member if kind == "player" else None
            named = shown.title if owner else self.board.title_of(kind, member)
            colour = "" if owner else self.board.colour_of(kind, member)
            self.at((shown.of, str(place))).tokens.append(Token(named, owner, 1, "piece", colour))

    def tokens(self, shown: Shown, value: object) -> list[Token]:
        """The pieces that a number, or a number for each player, stands for; none for 0."""
        if not isinstance(value, dict):
            number = int(value) if isinstance(value, int) else 0
            return [Token(shown.title, None, number, shown.how)] if number else []
        found = []
        for name, number in value.items():
            if isinstance(number, int) and number:
                player = name if shown.per[:1] == ("player",) else None
                title = shown.title if player else f"{self.board.title_of(shown.per[0], name)}: {shown.title}"
                found.append(Token(title, player, int(number), shown.how))
        return found

    # -- beside it --------------------------------------------------------------------------------------------------

    def panels(self) -> None:
        """What each player has: all that is listed of players."""
        listed = [each for each in self.board.shown if each.kind == "player" and each.how in ("list", "count", "mark")]
        for player in self.board.players:
            rows: list[Row] = []
            for shown in listed:
                for member, value in self.values(shown):
                    if member == player.id:
                        rows += self.rows(shown, value)
            for shown in self.of_players():
                rows += [
                    Row(shown.title, self.text(shown, _mapping(value).get(player.id)))
                    for _, value in self.values(shown)
                ]
            self.found.players.append(Listing(player.title, tuple(rows), player.id))

    def of_players(self) -> list[Shown]:
        """State of the game that is kept for each player."""
        return [each for each in self.board.shown if not each.kind and each.per == ("player",) and each.how in IN_LISTS]

    def rows(self, shown: Shown, value: object) -> list[Row]:
        """State in lines: one for each member of an index."""
        if isinstance(value, dict) and shown.per:
            inner = (
                Row(self.board.title_of(shown.per[0], key), self.text(shown, each), is_inner=True)
                for key, each in value.items()
            )
            return [Row(shown.title), *inner] if shown.per[0] != "player" else [*inner]
        about = self.does(shown.of, value) if self.does and shown.of and isinstance(value, str) else ""
        return [Row(shown.title, self.text(shown, value), about)]

    def text(self, shown: Shown, value: object) -> str:
        """A value in words."""
        if isinstance(value, bool):
            return "yes" if value else "no"
        if isinstance(value, list):
            hidden = sum(each is None for each in value)
            named = [self.board.title_of(shown.of, each) for each in value if each is not None]
            apart = "; " if any(", " in each for each in named) else ", "
            return apart.join([*named, *([f"{hidden} face down"] if hidden else [])]) or NOTHING
        if isinstance(value, dict):
            return ", ".join(f"{key} {self.text(shown, each)}" for key, each in value.items())
        return self.board.title_of(shown.of, value) if shown.of else str(value)

    def track(self, shown: Shown) -> None:
        """A marker for each member that has the state, on steps that are the members of a kind, or numbers."""
        if shown.of:
            steps = [member for kind, member in self.board.titles if kind == shown.of]
            titles = [self.board.title_of(shown.of, step) for step in steps]
        else:
            highest = max((each for _, each in self.values(shown) if isinstance(each, int)), default=0)
            steps = [
                str(number) for number in range(shown.low, max(min(shown.high, shown.low + MOST_STEPS), highest) + 1)
            ]
            titles = steps
        markers = tuple(
            (self.board.title_of(shown.kind, member) if member else shown.title, steps.index(str(value)))
            for member, value in self.values(shown)
            if str(value) in steps
        )
        title = shown.title if not shown.kind else f"{self.board.kinds[shown.kind]}: {shown.title}"
        notes = tuple((name, values) for name, values in self.board.notes.get(shown.of, ()))
        self.found.tracks.append(Track(title, tuple(titles), markers, notes))

    def lists(self) -> None:
        """State of the game, and of members that are nowhere on the board and of which something can be told."""
        apart = self.of_players()
        game = [each for each in self.board.shown if not each.kind and each.how in IN_LISTS and each not in apart]
        rows = [row for shown in game for _, value in self.values(shown) for row in self.rows(shown, value)]
        if rows:
            self.found.lists.append(Listing("", tuple(rows)))
        spots = {kind for kind, _ in self.board.spots}
        kinds = dict.fromkeys(each.kind for each in self.board.shown)
        for kind in kinds:
            if kind and kind != "player":
                ways = ("list",) if kind in spots else IN_LISTS
                listed = [each for each in self.board.shown if each.kind == kind and each.how in ways]
                if rows := self.members(kind, listed):
                    told = f", {listed[0].title}" if len(listed) == 1 else ""
                    self.found.lists.append(Listing(f"{self.board.kinds[kind]}{told}", tuple(rows)))

    def members(self, kind: str, listed: list[Shown]) -> list[Row]:
        """The members of a kind that have something to tell: a flag that is set, a number above 0, and so on."""
        found: dict[str, tuple[list[str], list[Token]]] = {}
        told = {each.name: each.title for each in listed} if len(listed) > 1 else {}
        for shown in listed:
            for member, value in self.values(shown):
                words, tokens = found.setdefault(member, ([], []))
                if value is True:
                    words.append(shown.title)
                elif shown.per[:1] == ("player",) and isinstance(value, dict):
                    tokens += self.tokens(shown, value)
                elif value not in (None, False, 0, []):
                    words.append(" ".join(part for part in (told.get(shown.name, ""), self.text(shown, value)) if part))
        asked = any(each.is_asked and each.per for each in listed)
        alone = len(listed) == 1  # then each that is named has what the list is called after
        return [
            Row(
                self.board.title_of(kind, member),
                "" if alone and words == [listed[0].title] else ", ".join(words),
                self.board.about.get((kind, member), ""),
                tokens=tuple(tokens),
            )
            for member, (words, tokens) in found.items()
            if words or tokens or asked
        ]


def _mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
