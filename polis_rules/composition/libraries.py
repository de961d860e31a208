"""Libraries: rules for several games, in which each game fills in what they need."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from pathlib import Path

from polis_rules.composition.catalog import LIBRARY, find_library, library_names, shown_folder
from polis_rules.composition.choices import SEATS
from polis_rules.composition.citing import with_heads
from polis_rules.composition.headers import check_format, check_id, check_keys, text_at
from polis_rules.composition.library_findings import Used
from polis_rules.composition.renaming import Renaming, local_names, uses_of
from polis_rules.diagnostics import Diagnostics, first_of, quote
from polis_rules.schema import HEAD_KEYS, LIBRARY_SECTIONS, LibraryFile, Need, Needs, parse_type, read_as
from polis_rules.source import (
    ID_RULE,
    Mapping,
    Node,
    Renamed,
    Sequence,
    Text,
    as_id,
    entries_at,
    entry,
    is_id,
    node_at,
    read_file,
)

MOST_USES = 64
"""How many uses of libraries there may be in a ruleset, those of libraries in libraries too."""

_NAMED = ("settings", "kinds", "state", "terms", "routes", "actions", "procedures", "phases")
"""The sections whose ids expressions and steps name."""

GAME = "game"
"""What `state` says in a need for state of the game itself."""


@dataclass(frozen=True, slots=True)
class User:
    """Who uses libraries: a ruleset, or a library."""

    manifest: Mapping
    folder: Path
    shown: str
    tree: Mapping
    """What it consists of, but for libraries."""
    around: tuple[Path, ...] = ()
    """The libraries that it is used in, and its own folder if it is one."""
    needs: dict[Text, Need] = field(default_factory=dict)
    prefix: str = ""
    """What its names begin with in the ruleset."""
    uses: list[Used] = field(default_factory=list)
    """Every use that is met on the way."""

    def kinds(self) -> list[str]:
        needed = (str(name) for name, need in self.needs.items() if need.sort == "kind")
        return ["player", *map(str, entries_at(self.tree, "kinds")), "action", *needed]

    def states(self, owner: str) -> dict[str, Node | Need]:
        """The state of a kind, or of the game, with how it is declared."""
        path = ("state",) if owner == GAME else ("kinds", owner, "state")
        needed = {str(name): need for name, need in self.needs.items() if need.state == owner}
        return {**{str(name): node for name, node in entries_at(self.tree, *path).items()}, **needed}

    def numbers(self) -> list[str]:
        """What stands for plain numbers: settings, and numbers that it needs itself."""
        needed = (str(name) for name, need in self.needs.items() if need.sort == "number")
        return [*map(str, entries_at(self.tree, "settings")), *needed, SEATS]

    def is_settled(self, text: Text) -> bool:
        """Whether a text makes a number before play."""
        return bool(text) and {*re.findall(r"[^\W\d]\w*", text)} <= {*self.numbers(), "min", "max"}

    def takes(self, term: str) -> int:
        """How many parameters a term has."""
        need = entry(self.needs, term)
        return len(need.of if need is not None else entries_at(self.tree, "terms", term, "of"))


def used_by(user: User, diagnostics: Diagnostics) -> Iterator[Mapping]:
    """The sections of each library that is used, in the user's words, named after the use: `bidding_auction`.

    Errors: `unknown-library`, `library-loop`, `unmet-need`, `unknown-need`, and whatever is wrong with its file.
    """
    uses = user.manifest.get("uses")
    if len(user.uses) + len(entries_at(uses)) > MOST_USES and uses is not None:
        message = f"with these, libraries are used more than {MOST_USES} times"
        diagnostics.error("too-many-files", message, uses.span)
        return
    if uses is not None and not isinstance(uses, Mapping):
        diagnostics.error("not-a-mapping", "'uses' is a mapping from names to libraries", uses.span)
    for name, node in entries_at(user.manifest, "uses").items():
        use = node if isinstance(node, Mapping) else Mapping({Text("library", node.span): node}, node.span)
        id = text_at(use, "library", diagnostics, needed=True)
        if not is_id(name):
            diagnostics.error("invalid-id", f"{quote(name)} is not an id", name.span, ID_RULE, suggestion=as_id(name))
            continue
        library = _library(id, f"{user.prefix}{name}_", user, diagnostics) if id is not None else None
        if library is not None and id is not None:
            work = _Use(name, use, library, user, diagnostics)
            sections = work.sections()
            user.uses.append(work.used(id))
            user = replace(user, tree=_joined(user.tree, sections))
            yield sections


def _library(name: Text, prefix: str, user: User, diagnostics: Diagnostics) -> User | None:
    """A library with those that it uses itself; None after saying why there is none."""
    folder = find_library(name, user.folder)
    if folder is None:
        message = f"there is no library {quote(name)} beside this ruleset, and none is shipped"
        diagnostics.unknown("unknown-library", message, name.span, name, library_names(user.folder))
        return None
    if folder in user.around:
        names = " -> ".join([*(each.name for each in user.around[user.around.index(folder) :]), folder.name])
        diagnostics.error("library-loop", f"these libraries use each other in a circle: {names}", name.span)
        return None
    inside = folder.is_relative_to(user.folder)
    place = f"{user.shown}/{folder.relative_to(user.folder).as_posix()}" if inside else shown_folder(folder)
    manifest = read_file(folder / LIBRARY, f"{place}/{LIBRARY}", diagnostics)
    if manifest is None:
        return None
    check_format(manifest, folder, diagnostics)
    check_id(manifest, "library", folder.name, diagnostics)
    text_at(manifest, "title", diagnostics, needed=True)
    check_keys(manifest, tuple(LibraryFile.written_keys()), diagnostics)
    needs = _needs(manifest, diagnostics)
    if needs is None:
        return None
    tree = with_heads(manifest).only(LIBRARY_SECTIONS)
    library = User(manifest, folder, place, tree, (*user.around, folder), needs.needs, prefix, user.uses)
    own = {*needs.needs, *(name for section in tree.entries for name in entries_at(tree, section))}
    for name in local_names(tree):
        if name in own:
            message = f"{quote(name)} is a name of the library already"
            diagnostics.error("shadowing", message, name.span, "choose another name")
    return replace(library, tree=reduce(_joined, used_by(library, diagnostics), tree))


def _needs(manifest: Mapping, diagnostics: Diagnostics) -> Needs | None:
    """What a library asks of those who use it; None after saying what is wrong with that."""
    return read_as(Needs, manifest.only(("needs",)), diagnostics)


def needs_of(library: str, folder: Path) -> dict[str, str]:
    """What a library that the ruleset in a folder may use needs, in words; nothing where there is no such library."""
    place = find_library(library, folder)
    manifest = read_file(place / LIBRARY, LIBRARY, Diagnostics()) if place is not None else None
    needs = _needs(manifest, Diagnostics()) if manifest is not None else None
    return {str(name): asked(need) for name, need in needs.needs.items()} if needs is not None else {}


def _joined(tree: Mapping, more: Mapping) -> Mapping:
    """A tree with more entries in its sections."""
    sections = {
        key: Mapping({**entries_at(tree, key), **entries_at(node)}, node.span) for key, node in more.entries.items()
    }
    return Mapping({**tree.entries, **sections}, tree.span)


def asked(need: Need, renaming: Renaming | None = None) -> str:
    """What a need asks for, in words."""
    words = renaming.words if renaming is not None else str
    if need.sort:
        return "a kind" if need.sort == "kind" else "a plain number"
    kind = words(str(need.type or need.is_))
    if need.state:
        owner = "the game" if need.state == GAME else words(need.state)
        each = f" for each {' and '.join(map(words, need.per.values()))}" if need.per else ""
        return f"{'spendable ' * need.spendable}state of {owner}{each} of the type {kind}"
    params = ", ".join(f"{name} ({words(of)})" for name, of in need.of.items())
    return f"an expression of the type {kind}" + (f", which may ask {params}" if params else "")


class _Use:
    """One use of a library."""

    def __init__(self, name: Text, use: Mapping, library: User, user: User, diagnostics: Diagnostics) -> None:
        self.name, self.use, self.library, self.user, self.diagnostics = name, use, library, user, diagnostics
        own = [key for section in library.tree.entries for key in entries_at(library.tree, section)]
        self.names: dict[str, str] = {str(key): f"{name}_{key}" for key in own}
        self.states: dict[str, str] = {}
        self.terms: dict[Text, Node] = {}
        self.heads = use.only([key for key in HEAD_KEYS if key not in library.needs]).entries
        """what is said of where its expressions come from"""
        self.renaming = Renaming(self.names, self.states)

    def sections(self) -> Mapping:
        """The library's sections in the user's words."""
        needs = self.library.needs
        about = {"library", *HEAD_KEYS} - {*map(str, needs)}
        given = {str(key): (key, node) for key, node in self.use.entries.items() if key not in about}
        for key, _ in given.values():
            if key not in needs:
                message = f"the library {quote(self.library.folder.name)} does not need {quote(key)}"
                open = [str(name) for name in needs if name not in given] or [str(name) for name in needs]
                self.diagnostics.unknown("unknown-need", message, key.span, key, open)
        for name in sorted(needs, key=lambda name: needs[name].sort not in ("kind", "number")):
            if name in given:
                self.fill(name, needs[name], *given[name])
        missing = {str(name): need for name, need in needs.items() if name not in given}
        if missing and not any(key not in needs for key in given):
            wanted = "; ".join(f"`{name}`, {asked(need, self.renaming)}" for name, need in missing.items())
            message = f"the library {quote(self.library.folder.name)} needs {wanted}"
            self.diagnostics.error("unmet-need", message, self.name.span, f"add `{next(iter(missing))}: ...`")
        tree = self.library.tree
        known = {*needs, *(f".{name}" for name in needs), *local_names(tree), "player", "action"}
        for text in uses_of(_names(self.user.tree) - _names(tree) - known, tree):
            message = f"{quote(text)} is a name of the ruleset, of which a library knows only what it needs"
            self.diagnostics.error("unknown-name", message, text.span, "ask for it in `needs`")
        sections: dict[Text, Node] = {
            section: Mapping(
                {
                    Text(self.names[key], key.span): self.renaming.of(node, (section, key))
                    for key, node in entries_at(tree, section).items()
                },
                tree.span,
            )
            for section in tree.entries
        }
        for text in self.renaming.too_long:
            message = f"with what the use {quote(self.name)} says, this expression is too long"
            self.diagnostics.error("expression-size", message, text.span)
        terms = Mapping({**entries_at(Mapping(sections, tree.span), "terms"), **self.terms}, self.use.span)
        return Mapping(sections, tree.span).having("terms", terms)

    def used(self, id: Text) -> Used:
        """What there is to tell of this use, where the library's id stands."""
        manifest, folder = self.library.manifest, self.library.folder
        declared, title = (text_at(manifest, key, Diagnostics()) for key in ("library", "title"))
        return Used(
            library=folder.name,
            file=f"{self.library.shown}/{LIBRARY}",
            prefix=self.library.prefix,
            names={new: old for old, new in (*self.names.items(), *self.states.items())},
            place=id.span,
            declared=declared.span if declared is not None else manifest.span,
            title=str(title or folder.name),
            needs=tuple(f"`{name}`: {asked(need)}" for name, need in self.library.needs.items()),
            own=folder.is_relative_to(self.user.folder) or self.user.folder.parent == folder,
        )

    def fill(self, name: Text, need: Need, key: Text, node: Node) -> None:
        """Note what stands in place of a name that the library needs."""
        unmet = partial(self.diagnostics.unknown, "unmet-need")
        if not isinstance(node, Text) or not node:
            message = f"{quote(key)} is {asked(need, self.renaming)}"
            self.diagnostics.error("unmet-need", message, node.span if node.span else key.span)
        elif need.sort == "number":
            self.names[name] = node
            if not self.user.is_settled(node):
                unmet(f"{quote(key)} is a plain number, not {quote(node)}", node.span, node, self.user.numbers())
        elif need.sort == "kind":
            self.names[name] = node
            if node not in self.user.kinds():
                unmet(f"{quote(key)} is a kind, and there is no kind {quote(node)}", node.span, node, self.user.kinds())
        elif need.state:
            owner = self.renaming.words(need.state)
            (self.names if owner == GAME else self.states)[name] = node
            known = self.user.states(owner)
            if node not in known:
                unmet(
                    f"{quote(key)} is {asked(need, self.renaming)}, and there is no {quote(node)}",
                    node.span,
                    node,
                    known,
                )
            elif not self.fits(known[node], need):
                fitting = [each for each, declared in known.items() if self.fits(declared, need)]
                message = f"{quote(key)} is {asked(need, self.renaming)}, which {quote(node)} is not"
                kept = f", per: [{', '.join(map(self.renaming.words, need.per.values()))}]" if need.per else ""
                wanted = self.renaming.words(need.type or "")
                declare = f"declare it with `type: {wanted}{kept}{', spendable: true' * need.spendable}`"
                hint = f"that would be {first_of(fitting)}" if fitting else declare
                self.diagnostics.error("unmet-need", message, node.span, hint)
        else:
            self.term(name, need, key, node)

    def fits(self, declared: Node | Need, need: Need) -> bool:
        """Whether state is what the library needs."""
        if isinstance(declared, Need):
            kind, per, spendable = str(declared.type), [*map(str, declared.per.values())], declared.spendable
        else:
            kind = str(declared if isinstance(declared, Text) else node_at(declared, "type"))
            per, spendable = _kinds_of(node_at(declared, "per")), node_at(declared, "spendable") == "true"
        return (
            per == [self.renaming.words(kind) for kind in need.per.values()]
            and (spendable or not need.spendable)
            and _shape(kind) == _shape(self.renaming.words(need.type or ""))
        )

    def term(self, name: Text, need: Need, key: Text, node: Text) -> None:
        """What the library asks is a term, of what the user says."""
        self.names[name] = f"{self.name}_{name}"
        if need.of and is_id(node) and self.user.takes(node):
            node = Text(f"{node}({', '.join(need.of)})", node.span)
        wanted = self.renaming.words(need.is_ or "")
        term: dict[Text, Node] = {**self.heads, Text("is", node.span): Renamed(node, (), wanted)}
        if need.of:
            of: dict[Text, Node] = {param: self.renaming.text(kind) for param, kind in need.of.items()}
            term[Text("of", name.span)] = Mapping(of, name.span)
        self.terms[Text(self.names[name], key.span)] = Mapping(term, node.span)


def _names(tree: Mapping) -> set[str]:
    """What expressions may name that a tree declares; names that stand after a dot with the dot."""
    names = {str(name) for section in _NAMED for name in entries_at(tree, section)}
    rows = {str(row) for kind in entries_at(tree, "tables") for row in entries_at(tree, "tables", kind)}
    kinds, groups = entries_at(tree, "kinds"), ("state", "attributes")
    return {
        *names,
        *rows,
        *(f".{name}" for kind in kinds for group in groups for name in entries_at(tree, "kinds", kind, group)),
    }


def _kinds_of(per: Node | None) -> list[str]:
    """The kinds that some state is kept for, as `per` is written."""
    if isinstance(per, Mapping):
        return [str(kind) for kind in per.entries.values()]
    return [str(kind) for kind in per.items] if isinstance(per, Sequence) else [str(per)] if per else []


def _shape(kind: str) -> object:
    """What matters of a type: all whole numbers are alike."""
    try:
        spec = parse_type(kind)
    except ValueError:
        return "number" if ".." in kind else kind
    return "number" if spec.kind in ("number", "range") else spec
