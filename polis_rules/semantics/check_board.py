"""Check the board: every kind, member, graph and state that it names is there, and can be shown as it says."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from polis_rules.diagnostics import Diagnostics
from polis_rules.schema import Board
from polis_rules.semantics.expressions import Expr
from polis_rules.semantics.outlines import fault
from polis_rules.semantics.references import References, member
from polis_rules.semantics.symbols import KindSymbol, Symbols, Variable
from polis_rules.semantics.typed_board import Node, TypedBoard, TypedPlace
from polis_rules.source import Text

Fits = Callable[[Variable], bool]
TellReader = Callable[[str, Text], Expr | None]
"""Reads an expression by the kind of which it is told, and its text."""


def _of_each_player(each: Variable) -> bool:
    """Whether it is state of the game that is kept for each player."""
    return not each.owner and each.kinds == ("player",)


FITTING: dict[str, tuple[Fits, str]] = {
    "colour": (lambda each: each.type.base == "ref" and each.type.kind == "player" and not each.per, "a player"),
    "count": (lambda each: each.type.base == "int", "a number"),
    "mark": (lambda each: each.type.base in ("bool", "int"), "a flag or a number"),
    "piece": (
        lambda each: (
            (each.type.base in ("ref", "list", "set") and not each.per)
            or (each.type.base == "ref" and _of_each_player(each))
        ),
        "a member of a kind, or several",
    ),
    "supply": (lambda each: each.type.base == "int", "a number"),
    "print": (lambda _: False, "an attribute"),
    "track": (lambda each: each.type.base in ("ref", "int") and not each.per, "a number or a member of a kind"),
}
"""What state must be that is shown in some way; whatever else there is shows all state."""


def typed_board(
    board: Board, symbols: Symbols, diagnostics: Diagnostics, references: References, told: TellReader
) -> TypedBoard:
    """The board of a document; what is wrong with it is reported and left out.

    `told` reads a number that is told of the members of a kind.
    """
    return _Checker(board, symbols, diagnostics, references, told).run()


class _Checker:
    def __init__(
        self, board: Board, symbols: Symbols, diagnostics: Diagnostics, references: References, told: TellReader
    ) -> None:
        self.board, self.symbols, self.diagnostics, self.references = board, symbols, diagnostics, references
        self.told = told
        self.hidden: dict[tuple[str, str], list[str]] = {}
        self.facts: list[Node] = []
        self.printed: dict[str, str] = {}

    def run(self) -> TypedBoard:
        board = self.board
        return TypedBoard(
            title=str(board.title or ""),
            size=self.size(),
            symbols={str(name): str(word) for name, word in board.symbols.items() if self.kind(name) is not None},
            colours=self.colours(),
            lines={str(name): str(word) for name, word in board.lines.items() if self.graph(name)},
            show=(show := self.show()),
            supply=frozenset(key for key, word in show.items() if word == "supply"),
            hidden=self.hidden,
            facts=tuple(self.facts),
            printed=self.printed,
            tell=self.tell(),
            places=self.places(),
            insets=tuple((*inset.at, *inset.size) for inset in board.insets),
            backdrop=tuple((str(colour), tuple(outlines)) for colour, outlines in board.backdrop.items()),
        )

    def size(self) -> tuple[int, int]:
        if 0 in self.board.size:
            self.diagnostics.error("unfit-value", "a board has a width and a height above 0", self.board.span)
        return self.board.size

    def unknown(self, what: str, name: str, at: Text, known: Iterable[str]) -> None:
        self.diagnostics.unknown("unknown-name", f"there is no {what} `{name}`", at.span, name, known)

    def kind(self, name: Text) -> KindSymbol | None:
        """A kind by its name."""
        kind = self.symbols.kinds.get(str(name))
        if kind is None:
            self.unknown("kind", name, name, self.symbols.kinds)
        else:
            self.references.note(f"kinds.{name}", name.span)
        return kind

    def graph(self, name: Text) -> bool:
        if name not in self.symbols.graphs:
            self.unknown("graph", name, name, self.symbols.graphs)
            return False
        self.references.note(f"graphs.{name}", name.span)
        return True

    def tell(self) -> dict[str, dict[str, Expr]]:
        found: dict[str, dict[str, Expr]] = {}
        for name, told in self.board.tell.items():
            if (kind := self.kind(name)) is not None:
                read = {str(label): self.told(kind.name, text) for label, text in told.items()}
                found[kind.name] = {label: tree for label, tree in read.items() if tree is not None}
        return found

    def places(self) -> dict[Node, TypedPlace]:
        places: dict[Node, TypedPlace] = {}
        for name, members in self.board.places.items():
            kind = self.kind(name)
            for one, place in members.items() if kind is not None else ():
                if kind is None or one not in kind.index:
                    self.unknown(str(name), one, one, kind.members if kind is not None else ())
                    continue
                self.references.note(member(kind.name, str(one)), one.span)
                points = [place.at, *(point for outline in place.outline for point in outline)]
                if any(x > self.board.size[0] or y > self.board.size[1] for x, y in points):
                    wide, high = self.board.size
                    message = f"`{one}` lies beyond the board, which is {wide} wide and {high} high"
                    self.diagnostics.error("unfit-value", message, one.span)
                for wrong in filter(None, map(fault, place.outline)):
                    self.diagnostics.error("unfit-value", f"the outline of `{one}` {wrong}", one.span)
                places[kind.name, str(one)] = TypedPlace(place.at, tuple(place.outline))
        return places

    def colours(self) -> dict[Node, str]:
        """Colours of kinds first, then of members with a flag, then of members that are named."""
        found: dict[Node, str] = {}
        for key, colour in sorted(self.board.colours.items(), key=lambda item: self.rank(item[0])):
            owner, dot, name = key.partition(".")
            kind = self.symbols.kinds.get(owner)
            if not dot and kind is not None:
                found[kind.name, "*"] = str(colour)
                self.references.note(f"kinds.{key}", key.span)
            elif kind is not None and name in kind.attributes and kind.attributes[name].spec.kind == "flag":
                values = kind.attributes[name].values
                self.references.words(key, {owner: f"kinds.{owner}", name: f"kinds.{owner}.attributes.{name}"})
                with_flag = (one for one, flag in zip(kind.members, values, strict=False) if flag)
                found.update({(owner, one): str(colour) for one in with_flag})
            elif len(members := self.symbols.members_called(key)) == 1:
                found[members[0]] = str(colour)
                self.references.words(key, {members[0][1]: member(*members[0])})
            else:
                if members:
                    hint = "write " + " or ".join(".".join(each) for each in members)
                    self.diagnostics.error("unclear-member", f"`{key}` is more than one thing", key.span, hint)
                    continue
                known = [*self.symbols.kinds, *self.symbols.owners]
                if kind is not None:
                    flags = (each.name for each in kind.attributes.values() if each.spec.kind == "flag")
                    known = [f"{owner}.{each}" for each in (*flags, *kind.members)]
                self.unknown("kind, member or flag of a kind", key, key, known)
        return found

    def rank(self, key: Text) -> int:
        owner, _, name = key.partition(".")
        kind = self.symbols.kinds.get(owner)
        return 2 if kind is None else 1 if name in kind.attributes else 0 if not name else 2

    def show(self) -> dict[tuple[str, str], str]:
        found: dict[tuple[str, str], str] = {}
        for key, word in self.board.show.items():
            owner, dot, name = key.rpartition(".")
            kind, but = self.symbols.kinds.get(owner), ""
            if dot and kind is None and len(members := self.symbols.members_called(owner)) == 1:
                kind, but = self.symbols.kinds[members[0][0]], members[0][1]
            if kind is not None and not but and name in kind.attributes:
                self.fact(kind, name, key, word)
                continue
            state = self.symbols.state if not dot else kind.state if kind is not None else {}
            if name not in state:
                known = [*self.symbols.state]
                kinds = self.symbols.kinds.values()
                known += [f"{each.name}.{one}" for each in kinds for one in (*each.state, *each.attributes)]
                self.unknown("state or attribute", key, key, known)
                continue
            where = kind.name if kind is not None else ""
            known_as = {name: f"kinds.{where}.state.{name}" if dot else f"state.{name}"}
            known_as |= {owner: f"kinds.{where}"} if dot and not but else {}
            self.references.words(key, known_as)
            if but:
                if word != "none":
                    hint = f"write `{where}.{name}: {word}`"
                    self.diagnostics.error("unfit-value", "state of one member can only be `none`", word.span, hint)
                self.hidden.setdefault((where, name), []).append(but)
                continue
            fits, wanted = FITTING.get(word, (lambda _: True, ""))
            if not fits(state[name]):
                message = f"only state that is {wanted} is shown as `{word}`, and `{key}` is not"
                self.diagnostics.error("wrong-type", message, word.span)
            found[where, name] = str(word)
        return found

    def fact(self, kind: KindSymbol, name: str, key: Text, word: Text) -> None:
        """An attribute, which may be listed, if it is no rule."""
        self.references.words(key, {kind.name: f"kinds.{kind.name}", name: f"kinds.{kind.name}.attributes.{name}"})
        attribute = kind.attributes[name]
        if word not in ("list", "print", "none"):
            message = f"`{key}` never changes, and can only be shown as `list`, `print` or `none`"
            self.diagnostics.error("wrong-type", message, word.span)
        elif word == "print" and (attribute.type is None or attribute.type.base != "int" or attribute.per):
            self.diagnostics.error(
                "wrong-type", f"only a number is printed on the board, and `{key}` is not", word.span
            )
        elif attribute.type is None and attribute.spec.kind != "text":
            self.diagnostics.error("wrong-type", f"`{key}` is a rule, which no list shows", key.span)
        elif word != "none":
            self.facts.append((kind.name, name))
            if word == "print":
                self.printed[kind.name] = name
