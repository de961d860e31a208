"""What differs between two rulesets, in play terms: every value that the hash knows of, said in sentences."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from polis_rules.composition import SEATS
from polis_rules.documentation.rulebook.book import Book
from polis_rules.documentation.rulebook.english import end, listed, upper_first
from polis_rules.documentation.rulebook.headlines import headlines
from polis_rules.documentation.rulebook.items import in_list, plain
from polis_rules.documentation.rulebook.route_diff import changed_connections
from polis_rules.documentation.rulebook.rules import Rules
from polis_rules.documentation.rulebook.sentences import Sentences, subject
from polis_rules.documentation.rulebook.values import CARRIED
from polis_rules.documentation.tree_diff import (
    NAMES,
    SECTIONS,
    SETTLED,
    Cell,
    Change,
    Difference,
    Mismatch,
    differing,
    shown,
)
from polis_rules.schema import RULE_KEYS
from polis_rules.source import Mapping, Sequence, entries_at, found_at, spoken


def diff(first: Book, second: Book) -> Difference:
    """Compare two rulesets that `rulebook.read` has opened.

    Nothing that gives them different hashes is missing: whatever is written differently is in exactly one change.

    >>> from polis_rules.documentation.rulebook import read
    >>> book = read("yucata")
    >>> diff(book, book).changes
    ()
    """
    words = Comparing(first, second)
    changes = [words.change(each) for each in differing(first.composed.tree, second.composed.tree)]
    changes += changed_connections(first, second)
    changes.sort(key=lambda change: list(SECTIONS).index(change.section))
    same = first.composed.hash == second.composed.hash
    return Difference(_name(first), _name(second), same, tuple(changes), headlines(first, second, changes))


def _name(book: Book) -> str:
    manifest = book.document.manifest
    parts = [str(manifest.ruleset), *(f"+{each}" for each in book.composed.variants)]
    parts += [f"+{name}={value}" for name, value in book.composed.chosen.items()]
    usual = manifest.scenario is not None and str(manifest.scenario) == book.composed.scenario
    return "".join(parts) + ("" if usual else f" ({book.composed.scenario})")


@dataclass(frozen=True)
class Comparing:
    """Says the differences between two books."""

    first: Book
    second: Book

    def change(self, place: Mismatch) -> Change:
        """One difference, with its sentence."""
        keys = list(place.keys)
        sentence, lines = self._said(place, keys)
        book = self._book(place)
        cell = None if place.is_about or place.kind == "moved" else self._cell(keys)
        is_setting = keys[0] == "terms" and keys[1] in book.composed.settings and not place.is_about
        return Change(
            path=".".join(keys),
            kind=place.kind,
            section=NAMES if self._names_seats(keys) else SETTLED if is_setting else place.section(bool(sentence)),
            group=upper_first(book.kinds(keys[1])) if keys[0] == "tables" and len(keys) > 1 else "",
            subject=subject(book, keys),
            before=shown(place.before),
            after=shown(place.after),
            sentence=sentence or self._unsaid(place, keys),
            lines=lines,
            cell=cell,
        )

    def _names_seats(self, keys: list[str]) -> bool:
        """Whether the number of players only has a name now, or no longer: it has one wherever anything is settled."""
        seats = [book.composed.settings.get(SEATS) for book in (self.first, self.second)]
        players = [len(entries_at(book.composed.tree, "tables", "player")) for book in (self.first, self.second)]
        others = any(each is not None and each.others for each in seats)
        return keys[:2] == ["terms", SEATS] and None in seats and not others and players[0] == players[1]

    def _book(self, place: Mismatch) -> Book:
        """The ruleset that knows what the path is about, the second if both do."""
        keys = list(place.keys[: 3 if place.keys[0] == "tables" else 2])
        known = place.after is not None or found_at(self.second.composed.tree, ".".join(keys))
        return self.second if known else self.first

    # -- sentences --------------------------------------------------------------------------------------------------

    def _said(self, place: Mismatch, keys: list[str]) -> tuple[str, tuple[str, ...]]:
        """The sentence, empty where both rulesets say the same in words; and the lines that go with it."""
        if place.is_about:
            return self._renamed(place, keys), ()
        if place.kind == "moved":
            return self._moved(place, keys), ()
        if (cell := self._cell(keys)) is not None:
            return self._value(place, keys, cell), ()
        if isinstance(place.before, Sequence) or isinstance(place.after, Sequence):
            lines = self._steps(place, keys)
            if lines is not None:
                about = subject(self._book(place), keys)
                where = "" if keys[-1] == "do" else f", {', '.join(map(spoken, keys[3:]))}" if len(keys) > 3 else ""
                return (f"{about}{where}: what happens is different." if lines else ""), lines
        return self._sentences(place, keys), ()

    def _sentences(self, place: Mismatch, keys: list[str]) -> str:
        before = Sentences(self.first).sentence(keys) if place.before is not None else ""
        after = Sentences(self.second).sentence(keys) if place.after is not None else ""
        if place.kind == "added":
            return f"New: {after}"
        if place.kind == "removed":
            return f"Gone: {before}"
        if before == after:
            return ""
        if keys[0] == "scenario":
            return end(f"{after.removesuffix('.')}, was {_different_end(before, after)}")
        return f"{after} Before: {before}"

    def _unsaid(self, place: Mismatch, keys: list[str]) -> str:
        before, after = shown(place.before), shown(place.after)
        path = ".".join(keys)
        return end(f"{path} is written {after or 'nowhere'}, was {before or 'nowhere'}; in words it is the same")

    def _renamed(self, place: Mismatch, keys: list[str]) -> str:
        before, after = shown(place.before), shown(place.after)
        book, what = self._book(place), {"cite": "citation"}.get(keys[-1], keys[-1])
        about = subject(book, keys)
        inner = [spoken(key) for key in keys[3 if keys[0] in ("tables", "kinds") else 2 : -1]]
        if keys[0] == "graphs" and len(keys) > 3:
            inner = [Rules(book).edge_name(keys[3])]
        name = ", ".join([about, *inner])
        if what == "title" and not inner and before and after:
            return end(f"{before} is now called {after}")
        if before is None or after is None:
            return end(f"{name}: {'new' if before is None else 'no longer a'} {what}: {after or before}")
        if what == "ruling":
            return f"{name}: another ruling. {end(after)} Before: {end(before)}"
        return end(f"{name}: {what} now {after}, was {before}")

    def _moved(self, place: Mismatch, keys: list[str]) -> str:
        assert isinstance(place.before, Mapping) and isinstance(place.after, Mapping)
        shared = [spoken(name) for name in place.after.entries if name in place.before.entries]
        if len(keys) > 1 and (set(shared) <= {*RULE_KEYS, "cost", "requires", "choose", "do", "of", "is"}):
            return ""
        about = self.second.kinds(keys[1]) if keys[0] == "tables" and len(keys) == 2 else subject(self.second, keys)
        return end(f"{upper_first(about)}: another order, now {listed(shared)}")

    # -- rows -------------------------------------------------------------------------------------------------------

    def _cell(self, keys: list[str]) -> Cell | None:
        """Both values at a path, in words; None for what is no plain value of a row."""
        told = [_worded(book, keys) for book in (self.first, self.second)] if keys[0] == "tables" else []
        known = [each for each in told if each is not None]
        before, after = (each and each[1] for each in told) if known else (None, None)
        return Cell(known[-1][0], before, after) if known else None

    def _value(self, place: Mismatch, keys: list[str], cell: Cell) -> str:
        """`North: size 3, was 4`."""
        about = f"{subject(self._book(place), keys)}: {cell.called}"
        if cell.before is None:
            return end(f"{about} {cell.after}, new")
        if cell.after is None:
            return end(f"{about} gone, was {cell.before}")
        return end(f"{about} {cell.after}, was {cell.before}") if cell.before != cell.after else ""

    # -- steps ------------------------------------------------------------------------------------------------------

    def _steps(self, place: Mismatch, keys: list[str]) -> tuple[str, ...] | None:
        """The sentences that only one of two lists of steps has; None for other lists."""
        lists = [Rules(book).steps_at(keys) for book in (self.first, self.second)]
        if all(each is None for each in lists):
            return None
        before, after = ([_unmarked(plain(line)) for line in in_list(each or (), numbered=False)] for each in lists)
        lines: list[str] = []
        for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if tag != "equal":
                lines += [f"- {line}" for line in before[a:b]] + [f"+ {line}" for line in after[c:d]]
        return tuple(lines)


def _worded(book: Book, keys: list[str]) -> tuple[str, str] | None:
    """What a plain value of a row is called, with the members that it is for, and the value, if the book knows it."""
    if len(keys) < 4:
        return None
    _, kind, member, name, *path = keys
    symbols = book.rules.symbols
    known = symbols.kinds.get(kind)
    attribute = known.attributes.get(name) if known is not None and member in known.index else None
    if attribute is None or attribute.spec.kind in CARRIED:
        return None
    kinds = attribute.kinds[1:]
    if not all(key in symbols.kinds[each].index for each, key in zip(kinds, path, strict=False)):
        return None
    of_what = listed(map(book.member, kinds, path))
    called = f"{attribute.label} of {of_what}" if of_what else attribute.label
    return called, attribute.counted(Rules(book).value(kind, member, name, tuple(path)))


def _different_end(text: str, other: str) -> str:
    """The last words of a text, from the first one on in which it differs from the other."""
    words, others = text.split(" "), other.split(" ")
    same = next((at for at, pair in enumerate(zip(words, others, strict=False)) if pair[0] != pair[1]), len(others))
    return " ".join(words[same:])


def _unmarked(line: str) -> str:
    """A line of a list without its dash, still set in."""
    depth = len(line) - len(line.lstrip())
    return " " * depth + line.lstrip().removeprefix("- ")
