"""Makes the board of typed rules: places that the ruleset gives, the others worked out."""

from __future__ import annotations

from itertools import cycle
from typing import TYPE_CHECKING

from polis_rules.board.facts import about, facts
from polis_rules.board.layouts import Layout, lay_out
from polis_rules.board.model import Inset, Key, Line, Plan, Player, Points, Shown, Spot
from polis_rules.semantics import KindSymbol, Symbols, TypedBoard, TypedRules, Variable
from polis_rules.semantics.expressions import INT

if TYPE_CHECKING:
    from polis_rules.ruleset import Ruleset

PIECES = ("blue", "orange", "green", "purple", "red", "yellow", "sky", "black")
"""The colours of players to whom the ruleset gives none."""


class Board(Plan):
    """The board of a ruleset with a scenario and variants."""

    __slots__ = ()

    @staticmethod
    def of(ruleset: Ruleset) -> Board:
        """The board of a ruleset: as it says, or else made of its graphs and grids.

        >>> from polis_rules import load
        >>> board = Board.of(load("yucata"))
        >>> len(board.players)
        2
        """
        return made(ruleset.rules(), ruleset.title)


def made(rules: TypedRules, title: str) -> Board:
    """The board of a ruleset."""
    symbols, said = rules.symbols, rules.board
    laid = _given(symbols, said) if said is not None and said.places else lay_out(symbols)
    colours = said.colours if said is not None else {}
    printed = said.printed if said is not None else {}
    width, height = laid.size
    order = [*(said.symbols if said is not None else ())]
    kinds = sorted({kind for kind, _ in laid.places}, key=lambda kind: order.index(kind) if kind in order else -1)
    spots: dict[Key, Spot] = {}
    for kind in kinds:
        symbol = _symbol(symbols, said, laid, kind)
        if symbol == "none":
            continue
        known = symbols.kinds[kind]
        for member, name in zip(known.members, known.titles, strict=True):
            if (kind, member) in laid.places:
                x, y = laid.places[kind, member]
                colour = colours.get((kind, member)) or colours.get((kind, "*"), "")
                outline = tuple(_shares(points, width, height) for points in laid.outlines.get((kind, member), ()))
                labelled = not laid.is_grid
                number = _printed(known, printed.get(kind), member)
                spot = Spot(kind, member, name, x / width, y / height, symbol, colour, outline, labelled, number)
                spots[kind, member] = spot
    return Board(
        title=title,
        width=width,
        height=height,
        spots=spots,
        lines=tuple(_lines(symbols, said, spots, laid)),
        players=_players(symbols, colours),
        shown=_shown(symbols, said, {kind for kind, _ in spots}),
        colours=dict(colours),
        titles={
            (kind.name, member): name
            for kind in symbols.kinds.values()
            for member, name in zip(kind.members, kind.titles, strict=True)
        },
        notes={kind.name: _notes(kind) for kind in symbols.kinds.values()},
        kinds={kind.name: kind.title for kind in symbols.kinds.values()},
        about={
            key: text for kind in symbols.kinds.values() if kind.name not in kinds for key, text in about(kind, symbols)
        },
        facts=facts(symbols, said.facts if said is not None else ()),
        caption=said.title if said is not None else "",
        labels=laid.labels,
        insets=tuple(
            Inset(left / width, top / height, (left + wide) / width, (top + high) / height)
            for left, top, wide, high in (said.insets if said is not None else ())
        ),
        backdrop=tuple(
            (colour, tuple(_shares(points, width, height) for points in outlines))
            for colour, outlines in (said.backdrop if said is not None else ())
        ),
        joined=frozenset(frozenset((one, other)) for one, other, _ in edges(symbols)),
        printed={kind: symbols.kinds[kind].attributes[name].label for kind, name in printed.items()},
        is_drawn=said is not None and bool(said.places),
    )


def _printed(kind: KindSymbol, attribute: str | None, member: str) -> str:
    """The number of a member that is printed beside its title."""
    return "" if attribute is None else str(kind.attributes[attribute].values[kind.index[member]])


def _notes(kind: KindSymbol) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The numbers that its members have."""
    numbers = (each for each in kind.attributes.values() if each.type == INT and not each.per and not each.is_formula)
    return tuple((each.label, tuple(map(str, each.values))) for each in numbers if len(set(each.values)) > 1)


def _given(symbols: Symbols, said: TypedBoard) -> Layout:
    """The places that a ruleset gives. A member that it has forgotten lies amid those that it is joined to."""
    places: dict[Key, tuple[float, float]] = {key: place.at for key, place in said.places.items()}
    joined = _neighbours(symbols)
    for kind in {kind for kind, _ in said.places}:
        for member in symbols.kinds[kind].members:
            if (kind, member) not in places:
                near = [said.places[other].at for other in joined.get((kind, member), ()) if other in said.places]
                near = near or [(said.size[0] // 2, said.size[1] // 2)]
                x, y = (sum(each[axis] for each in near) / len(near) for axis in (0, 1))
                places[kind, member] = min(x + 20, said.size[0]), min(y + 20, said.size[1])
    outlines = {key: place.outline for key, place in said.places.items()}
    return Layout(said.size, places, {key: [*each] for key, each in outlines.items()})


def _neighbours(symbols: Symbols) -> dict[Key, list[Key]]:
    found: dict[Key, list[Key]] = {}
    for one, other, _ in edges(symbols):
        found.setdefault(one, []).append(other)
        found.setdefault(other, []).append(one)
    return found


def edges(symbols: Symbols, only: str = "") -> list[tuple[Key, Key, str]]:
    """The connections of all graphs, or of one: the members at the ends, and the graph."""
    keys = [(kind, member) for kind in symbols.first_node for member in symbols.kinds[kind].members]
    found = []
    for graph, ends in symbols.graphs.items():
        if only in ("", graph):
            found += [(keys[one], keys[other], graph) for one, other, _, _ in ends]
    return found


def _symbol(symbols: Symbols, said: TypedBoard | None, laid: Layout, kind: str) -> str:
    if said is not None and kind in said.symbols:
        return said.symbols[kind]
    if any(key[0] == kind for key, outline in laid.outlines.items() if outline):
        return "area"
    return (
        ("circle", "square", "diamond", "hexagon")[list(symbols.kinds).index(kind) % 4] if not laid.is_grid else "area"
    )


def _shares(points: tuple[tuple[float, float], ...], width: float, height: float) -> Points:
    return tuple((x / width, y / height) for x, y in points)


def _lines(symbols: Symbols, said: TypedBoard | None, spots: dict[Key, Spot], laid: Layout) -> list[Line]:
    """What is drawn: the graphs that the board names; without one all, once for each pair; none in a grid."""
    if laid.is_grid:
        return []
    found: dict[tuple[Key, Key], Line] = {}
    for one, other, graph in edges(symbols):
        style = said.lines.get(graph, "none") if said is not None and said.places else "solid"
        pair = (one, other) if one < other else (other, one)
        if style != "none" and one in spots and other in spots and pair not in found:
            found[pair] = Line(graph, one, other, style)
    return list(found.values())


def _players(symbols: Symbols, colours: dict[Key, str]) -> tuple[Player, ...]:
    """Who plays, in the colours that the board gives them, or else that they are called by, or else that are left."""
    seats = symbols.kinds["player"]
    known = {each: each for each in seats.members if each in (*PIECES, "white")}
    known |= {each: colours[seats.name, each] for each in seats.members if (seats.name, each) in colours}
    free = cycle([colour for colour in PIECES if colour not in known.values()] or PIECES)
    found = []
    for number, (member, title) in enumerate(zip(seats.members, seats.titles, strict=True)):
        colour = known.get(member) or next(free)
        found.append(Player(member, title, colour, number))
    return tuple(found)


def _shown(symbols: Symbols, said: TypedBoard | None, drawn: set[str]) -> tuple[Shown, ...]:
    """All state that is shown: what the board names comes first."""
    asked = said.show if said is not None else {}
    every = {("", name): each for name, each in symbols.state.items()}
    for kind in symbols.kinds.values():
        every |= {(kind.name, name): each for name, each in kind.state.items()}
    found = []
    for key in (*asked, *(key for key in every if key not in asked)):
        variable = every[key]
        how = asked.get(key) or _usual(variable, drawn)
        how = "list" if how == "supply" else how
        if how != "none":
            per = tuple(kind for _, kind in variable.per)
            named = variable.type.kind if variable.type.base in ("ref", "set", "list") else ""
            ends = (variable.low, variable.high) if variable.type.base == "int" else (0, 0)
            without = frozenset(said.hidden.get(key, ())) if said is not None else frozenset()
            found.append(Shown(*key, variable.label, how, named, per, *ends, without, key in asked))
    return tuple(found)


def _usual(variable: Variable, drawn: set[str]) -> str:
    """How state is shown of which the ruleset does not say it."""
    base, kind = variable.type.base, variable.type.kind
    if variable.owner in drawn and variable.owner != "player":
        if base == "ref" and kind == "player" and not variable.per:
            return "colour" if variable.title or variable.name == "owner" else "none"
        if base == "int" and variable.title:
            return "count"
        if base == "bool" and variable.title:
            return "mark"
    if variable.owner == "player" and base == "ref" and kind in drawn and not variable.per:
        return "piece"
    return "list" if variable.title else "none"
