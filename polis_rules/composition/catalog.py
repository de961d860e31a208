"""Where rulesets, scenarios and variants are found: shipped with the package, or in any folder."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from polis_rules.diagnostics import RulesetError, one_of, quote
from polis_rules.source import LARGEST, files_in, is_file, is_id, unsaved_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from polis_rules.source import Mapping, Text

_is_dir = os.path.isdir
"""Unlike the method of a path, false where the name is too long or one may not look."""

MANIFEST = "ruleset.yaml"
"""The file that makes a folder a ruleset."""

VARIANT = "variant.yaml"
"""The file that makes a folder a variant."""

LIBRARY = "library.yaml"
"""The file that makes a folder a library."""

EXAMPLE = "example"
"""The folder, in that of a library, of a small ruleset that uses it."""

MOST_EDITIONS = 16
"""How many rulesets may extend one another."""

MOST_VARIANTS = 64
"""How many variants may be laid over a ruleset together."""


class ShippedRuleset(NamedTuple):
    """A ruleset that comes with the package."""

    name: str
    """What it is called in commands: the name of its folder."""
    title: str
    path: Path
    scenarios: tuple[tuple[str, str], ...]
    """Id and title of each scenario, by id."""
    variants: tuple[tuple[str, str], ...]
    """Id and title of each variant of its own and of each shipped one that says it is for this ruleset, by id."""


def shipped_folders() -> list[Path]:
    """The folders of the rulesets that come with the package, by name; nothing is read in them.

    >>> [each.name for each in shipped_folders()] == [each.name for each in shipped()]
    True
    """
    return [path for path in _children(_home()) if is_file(path / MANIFEST)]


def shipped() -> list[ShippedRuleset]:
    """The rulesets that come with the package, by name. A file that cannot be read costs its title only.

    >>> "yucata" in [each.name for each in shipped()]
    True
    """
    files = variant_files(_home() / "variants")
    variants = [(id, _glance(path).get("title", id), _texts(path, "extends")) for id, path in files.items()]
    rulesets = []
    for folder in shipped_folders():
        scenarios = {id: path for each in reversed(family(folder)) for id, path in scenario_files(each).items()}
        title = _glance(folder / MANIFEST).get("title", folder.name)
        titled = tuple((id, _glance(path).get("title", id)) for id, path in sorted(scenarios.items()))
        own = [(id, _glance(path).get("title", id)) for id, path in variant_files(folder / "variants").items()]
        fitting = [(id, title) for id, title, others in variants if not others or folder.name in others]
        rulesets.append(ShippedRuleset(folder.name, title, folder, titled, (*own, *fitting)))
    return rulesets


def find(name_or_path: str | Path) -> Path:
    """The folder of a ruleset: a path to a folder with a manifest (or to the manifest), or else a shipped name.

    Of a library it is that of its example.

    A folder wins over a shipped ruleset of the same name. What a name stands for is logged.

    Raises RulesetError (`unknown-ruleset`), with the nearest shipped name as a hint.
    """
    if not isinstance(name_or_path, str | Path):
        raise _unknown("unknown-ruleset", f"a ruleset is a name or a folder, not {quote(repr(name_or_path))}", None)
    name = str(name_or_path)
    in_package = isinstance(name_or_path, str) and is_id(name) and is_file(_home() / name / MANIFEST)
    path = Path(name_or_path)
    if path.name == MANIFEST and is_file(path):
        path = path.parent
    if is_file(path / MANIFEST):
        if isinstance(name_or_path, str):
            _log("Using the folder %s%s", path, ", not the shipped ruleset of that name" if in_package else "")
        return path
    if in_package:
        _log("Using %s (shipped)", name)
        return _home() / name
    if (library := library_folder(name_or_path)) is not None:
        if is_file(library / EXAMPLE / MANIFEST):
            _log("Using the example of the library %s", library.name)
            return library / EXAMPLE
        hint = f"lay a small ruleset that uses it into its folder {quote(EXAMPLE)}"
        raise _unknown("unknown-ruleset", f"{quote(name)} is a library, not a ruleset", hint)
    if _is_dir(path):
        raise _unknown("unknown-ruleset", f"the folder {quote(name)} holds no {MANIFEST}, so it is not a ruleset", None)
    if path.suffix == ".yaml" and is_file(path) and "variant" in _glance(path):
        rules = next(filter(is_id, _texts(path, "extends")), "RULESET")
        hint = f"lay it over a ruleset: polis validate {rules} --variant {_quoted(name)}"
        raise _unknown("unknown-ruleset", f"{quote(name)} is the file of a variant, not a ruleset", hint)
    if path.suffix == ".yaml" and is_file(path) and is_file(path.parent / MANIFEST):
        hint = f"name the folder instead: {_quoted(path.parent.as_posix())}"
        raise _unknown("unknown-ruleset", f"{quote(name)} is a file of the ruleset {path.parent.resolve().name}", hint)
    names = [each.name for each in _children(_home()) if is_file(each / MANIFEST)]
    raise _unknown("unknown-ruleset", f"there is no ruleset {quote(name)}, shipped or as a folder", one_of(name, names))


def extended_by(variant: str) -> str | None:
    """The ruleset that a variant's file says it is for, beside it or as a name; None for anything else."""
    path = Path(variant)
    if path.suffix != ".yaml" or not is_file(path) or "variant" not in _glance(path):
        return None
    name = next(filter(is_id, _texts(path, "extends")), None)
    near = (place / (name or "") for place in (path.parent, path.parent.parent))
    return next((place.as_posix() for place in near if name and is_file(place / MANIFEST)), name)


def find_base(name: str, folder: Path) -> Path | None:
    """The folder of the ruleset that the one in `folder` extends: one beside it, or else a shipped one.

    Which one a ruleset extends that is not shipped itself is logged.
    """
    beside, home = folder.resolve().parent, _home().resolve()
    base = next((each / name for each in (beside, home) if is_id(name) and is_file(each / name / MANIFEST)), None)
    if base is not None and beside != home:
        used = f"{name} (shipped)" if base.parent == home else f"the folder {folder.parent / name}"
        _log("Using %s, which %s extends", used, folder.name)
    return base


def find_variant(name_or_path: str | Path, folder: Path) -> tuple[Path, str]:
    """The file of a variant for the ruleset in a folder, given a path or a name, and how messages call that file.

    A name is looked for in the folder `variants` of the ruleset, then in one beside it, then among the shipped ones.

    Raises RulesetError (`unknown-variant`), with the nearest name that fits the ruleset as a hint.
    """
    if not isinstance(name_or_path, str | Path):
        raise _unknown("unknown-variant", f"a variant is a name or a file, not {quote(repr(name_or_path))}", None)
    name = str(name_or_path)
    path = Path(name_or_path)
    path = path / VARIANT if is_file(path / VARIANT) else path
    if is_file(path):
        return path, path.as_posix()
    home = _home() / "variants"
    named = isinstance(name_or_path, str) and is_id(name)
    files = [found for place in _variant_places(folder) if named and (found := _variant_at(place, name)) is not None]
    if files and files[0].is_relative_to(home.resolve()):
        return files[0], f"{shown_folder(home)}/{files[0].relative_to(home.resolve()).as_posix()}"
    if files:
        here = Path.cwd()
        shown = (files[0].relative_to(here) if files[0].is_relative_to(here) else files[0]).as_posix()
        if len(files) > 1:
            _log("Using %s, not another variant of that name", shown)
        return files[0], shown
    if is_file(path / MANIFEST) or (is_id(name) and is_file(home.parent / name / MANIFEST)):
        hint = f"use it alone, without --variant: polis run {_quoted(name)}"
        raise _unknown("unknown-variant", f"{quote(name)} is a ruleset of its own, not a variant", hint)
    ids = [_id(each) for each in family(folder)]
    known = [variant_name(path) for place in _variant_places(folder) for path in _variants_for(ids, place)]
    message = f"there is no variant {quote(name)} of {quote(ids[0])}"
    raise _unknown("unknown-variant", message, one_of(name, known))


def variants_beside(ruleset: str | Path) -> list[tuple[str | Path, ...]]:
    """The variants of a ruleset in the folder `variants` inside it or beside it, each after those that it requires.

    Of those beside it the ones that are written for another ruleset are left out; inside it that is a mistake, which
    composing reports. Raises RulesetError when the ruleset is not found.
    """
    folder = find(ruleset).resolve()
    home = (_home() / "variants").resolve()
    inside, beside = folder / "variants", folder.parent / "variants"
    variants: list[tuple[str | Path, ...]] = []
    for path in (*variant_files(inside).values(), *_variants_for([_id(folder)], beside)):
        files = _with_required(path, {})
        variants.append(tuple(variant_name(each) if variant_folder(path) == home else each for each in files))
    return variants


def variant_title(variant: str | Path, ruleset: str | Path) -> str:
    """The title of a variant of a ruleset, given its name or file; its name where the file has none.

    Raises RulesetError when one of them is not found.

    >>> variant_title("print_and_play_map", "yucata")
    'The map of the print-and-play game'
    """
    path, _ = find_variant(variant, find(ruleset))
    return _glance(path).get("title", variant_name(path))


def variant_reason(variant: str | Path, ruleset: str | Path) -> str:
    """Why there is a variant of a ruleset, given its name or file; empty where the file does not say it.

    Raises RulesetError when one of them is not found.

    >>> variant_reason("print_and_play_map", "yucata")[-1]
    '.'
    """
    path, _ = find_variant(variant, find(ruleset))
    return _glance(path).get("why", "")


def _variant_places(folder: Path) -> list[Path]:
    """The folders in which a variant of the ruleset in a folder is looked for by its name, nearest first."""
    inside = folder.resolve()
    places = (inside / "variants", inside.parent / "variants", (_home() / "variants").resolve())
    return list(dict.fromkeys(places))


def leads_away(path: Path, folder: Path) -> bool:
    """Whether what lies among the variants of the ruleset in a folder is a link to somewhere else."""
    place = (Path.cwd() / path).parent
    return place in _variant_places(folder) and not Path(os.path.realpath(path)).is_relative_to(place.parent)


def _variants_for(ids: list[str], place: Path) -> list[Path]:
    """The files in a folder of variants that are for one of these rulesets, or say nothing of a ruleset."""
    files = variant_files(place).values()
    return [path for path in files if any(each in ids for each in _texts(path, "extends") or ids)]


def _id(folder: Path) -> str:
    """The id of the ruleset in a folder."""
    return _glance(folder / MANIFEST).get("ruleset", folder.name)


def _with_required(path: Path, met: dict[Path, None]) -> tuple[Path, ...]:
    """A variant's file after those beside it that it requires, and that these require, without those `met` before.

    Of more than can be laid over a ruleset only so many, which composing refuses.
    """
    met[path] = None
    place = variant_folder(path)
    needed = [_variant_at(place, name) for name in _texts(path, "requires") if is_id(name)]
    inner = [_with_required(each, met) for each in needed if each and each not in met and len(met) <= MOST_VARIANTS]
    return (*(each for some in inner for each in some), path)


def required_variants(names: Iterable[str], path: Path, folder: Path) -> tuple[Path, ...]:
    """The files of the variants that a file for the ruleset in a folder names as required, and of what these require.

    One is looked for beside the file, and then where variants of the ruleset are.
    """
    met: dict[Path, None] = {path: None}
    places = [variant_folder(path), *_variant_places(folder)]
    found = (next(filter(None, (_variant_at(place, name) for place in places)), None) for name in names if is_id(name))
    return tuple(other for each in found if each and each not in met for other in _with_required(each, met))


def variants_in(place: Path, ruleset: str | Path) -> list[tuple[str | Path, ...]]:
    """The variants in a folder that say that they extend a ruleset, those written last first; of those that cannot be
    read, which seem to say so.

    Each comes after those that it requires, which are named where they lie elsewhere. Raises RulesetError when the
    ruleset is not found.
    """
    folder, place = find(ruleset), place.resolve()
    files = [path for path in variant_files(place).values() if b"variant" in (file_bytes(path) or b"")]
    files = [path for path in files if _words(path, "variant") and _id(folder) in _words(path, "extends")]
    found: list[tuple[str | Path, ...]] = []
    for path in sorted(files, key=lambda each: -each.stat().st_mtime):
        needed = required_variants(_words(path, "requires"), path, folder)
        found.append((*(each if variant_folder(each) == place else variant_name(each) for each in needed), path))
    return found


def find_scenario(name: str) -> Path | None:
    """The file of a scenario that is given by a path instead of an id."""
    path = Path(name)
    return path if path.suffix == ".yaml" and is_file(path) else None


def library_folder(name_or_path: str | Path) -> Path | None:
    """The folder of a library, given it or its file, or the name of a shipped one; None for anything else."""
    path = Path(name_or_path)
    places = [path.parent] if path.name == LIBRARY else [path]
    places += [_home() / "libraries" / path] if isinstance(name_or_path, str) and is_id(name_or_path) else []
    return next((each for each in places if is_file(each / LIBRARY)), None)


def check_is_game(name_or_path: str | Path) -> None:
    """Raise RulesetError (`unknown-ruleset`) where that is a library, which nobody can play."""
    folder = library_folder(name_or_path)
    others = (Path(name_or_path) / MANIFEST, _home() / name_or_path / MANIFEST)
    if folder is not None and not any(map(is_file, others)):
        hint = f"its example can be played: polis run {_quoted((folder / EXAMPLE).as_posix())}"
        raise _unknown("unknown-ruleset", f"{quote(str(name_or_path))} is a library, not a game", hint)


def shipped_libraries() -> list[tuple[str, str]]:
    """Id and title of each library that comes with the package, by id."""
    files = [path / LIBRARY for path in _children(_home() / "libraries") if is_file(path / LIBRARY)]
    return [(path.parent.name, _glance(path).get("title", path.parent.name)) for path in files]


def find_library(name: str, folder: Path) -> Path | None:
    """The folder of a library that the rules in a folder use: in a folder `libraries` there, beside it, or shipped."""
    places = _library_places(folder) if is_id(name) else []
    near = (place / name for place in places if is_file(place / name / LIBRARY))
    inside = (each for each in near if Path(os.path.realpath(each / LIBRARY)).is_relative_to(os.path.realpath(each)))
    return next(inside, None)


def library_names(folder: Path) -> list[str]:
    """The libraries that the rules in a folder may use."""
    return [each.name for place in _library_places(folder) for each in _children(place) if is_file(each / LIBRARY)]


def libraries_of(folder: Path) -> list[Path]:
    """The files of the libraries that the ruleset in a folder uses, and of those that these use, if they are found."""
    found: list[Path] = []
    waiting = [folder / MANIFEST]
    while waiting:
        file = waiting.pop()
        raw = file_bytes(file) or b""
        for name in _used(file) if b"uses" in raw or b"\\" in raw else ():
            library = find_library(name, file.parent)
            if library is not None and library / LIBRARY not in found:
                found.append(library / LIBRARY)
                waiting.append(library / LIBRARY)
    return found


def _used(file: Path) -> list[Text]:
    """The libraries that the uses at the top of a file name."""
    from polis_rules.source import Text, entries_at, node_at

    uses = entries_at(_tree(file), "uses").values()
    names = (use if isinstance(use, Text) else node_at(use, "library") for use in uses)
    return [name for name in names if isinstance(name, Text)]


def _library_places(folder: Path) -> list[Path]:
    """The folders in which a library is looked for, nearest first."""
    inside = folder.resolve()
    among = [each.parent for each in (inside, inside.parent) if is_file(each / LIBRARY)]  # of it, or of its example
    return list(dict.fromkeys([inside / "libraries", inside.parent / "libraries", *among, _home() / "libraries"]))


def shown_folder(folder: Path) -> str:
    """What messages call a folder of rules: its name, marked where it was shipped and is no file to edit here."""
    home = _home()
    elsewhere = folder.is_relative_to(home) and not home.is_relative_to(Path.cwd())
    return f"shipped:{folder.name}" if elsewhere else folder.name


def variant_ids(folder: Path | None = None) -> list[str]:
    """The ids of the variants in a folder, or of the shipped ones.

    >>> "no_such_variant" in variant_ids()
    False
    """
    return list(variant_files(folder or _home() / "variants"))


def variant_files(place: Path) -> dict[str, Path]:
    """The variants in a folder by their names: files, and folders that hold a file `variant.yaml`."""
    files = {path.stem: path for path in files_in(place) if path.name != VARIANT}
    folders = {path.name: path / VARIANT for path in _children(place) if is_file(path / VARIANT)}
    return dict(sorted((files | folders).items()))


def _variant_at(place: Path, name: str) -> Path | None:
    """The file of a variant in a folder of variants."""
    return next((path for path in (place / f"{name}.yaml", place / name / VARIANT) if is_file(path)), None)


def variant_name(path: Path) -> str:
    """The name of a variant, given its file."""
    return path.parent.name if path.name == VARIANT else path.stem


def variant_folder(path: Path) -> Path:
    """The folder in which a variant lies among others, given its file."""
    return path.parent.parent if path.name == VARIANT else path.parent


def scenario_files(folder: Path) -> dict[str, Path]:
    """The scenarios of the ruleset in a folder, by id."""
    return {path.stem: path for path in files_in(folder / "scenarios") if is_id(path.stem)}


def _home() -> Path:
    """The folder of the shipped rulesets: inside the installed package, or beside it in a source checkout."""
    package = Path(__file__).resolve().parents[1]
    return package / "rulesets" if _is_dir(package / "rulesets") else package.parent / "rulesets"


def family(folder: Path) -> list[Path]:
    """A ruleset's folder and those of the rulesets it extends, as far as they can be found."""
    editions: list[Path] = []
    step: Path | None = folder
    while step is not None and step not in editions and len(editions) <= MOST_EDITIONS:
        editions.append(step)
        raw = file_bytes(step / MANIFEST) or b""
        extends = b"extends" in raw or b"\\" in raw  # else not worth parsing; an escape could spell it otherwise
        step = find_base(_glance(step / MANIFEST).get("extends", ""), step) if extends else None
    return editions


def file_bytes(path: Path) -> bytes | None:
    """What a file holds, as far as it is read; None where there is no plain file that can be read."""
    if (unsaved := unsaved_text(path)) is not None:
        return unsaved.encode("utf-8", "backslashreplace")
    try:
        if not path.is_file():
            return None
        with path.open("rb") as stream:
            return stream.read(LARGEST + 1)
    except OSError:
        return None


def _tree(path: Path) -> Mapping | None:
    """What a file holds, without complaint about anything."""
    from polis_rules.diagnostics import Diagnostics
    from polis_rules.source import read_file

    return read_file(path, path.name, Diagnostics())


def _glance(path: Path) -> dict[str, str]:
    """The plain values at the top of a file, without complaint about anything."""
    from polis_rules.source import Text, entries_at

    entries = entries_at(_tree(path))
    return {str(key): str(value) for key, value in entries.items() if isinstance(value, Text)}


def _texts(path: Path, key: str) -> list[Text]:
    """The text, or the texts of a list, under a key at the top of a file, without complaint about anything."""
    from polis_rules.composition.headers import texts_at
    from polis_rules.diagnostics import Diagnostics

    tree = _tree(path)
    return texts_at(tree, key, Diagnostics()) if tree is not None else []


def _words(path: Path, key: str) -> Sequence[str]:
    """The same; of a file that cannot be read, the words that seem to stand there."""
    from polis_rules.composition.broken_heads import words_under

    if _tree(path) is not None:
        return _texts(path, key)
    return words_under((file_bytes(path) or b"").decode("utf-8", "replace"), key)


def _log(message: str, *args: object) -> None:
    """Say what is used to whoever listens: nobody does where `logging` was never imported, which takes a while."""
    if "logging" in sys.modules:
        import logging

        logging.getLogger("polis_rules").info(message, *args)


def _quoted(text: str) -> str:
    """A text as one word of a command."""
    from shlex import quote

    return quote(text)


def _unknown(code: str, message: str, hint: str | None) -> RulesetError:
    from polis_rules.diagnostics import Diagnostic

    return RulesetError([Diagnostic(code, message, None, hint)])


def _children(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except (OSError, ValueError):
        return []
