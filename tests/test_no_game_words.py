"""The engine knows no game: no word of a shipped ruleset stands in the engine's or the commands' Python."""

from __future__ import annotations

import io
import keyword
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parent.parent
SOURCES = sorted(path for folder in ("polis_rules", "cli") for path in (ROOT / folder).rglob("*.py"))
RULESETS = sorted(
    path
    for path in (ROOT / "rulesets").rglob("*.yaml")
    if path.parent.name != "cases"
    and "libraries" not in path.relative_to(ROOT).parts  # what several games have is no game
)

RULESET_IDS = "|".join(rf"\b{path.parent.name}\b" for path in RULESETS if path.name == "ruleset.yaml")

# Sections whose keys are ids. Keys below them are ids only where `declared` says so.
SECTIONS = [
    "kinds",
    "state",
    "graphs",
    "routes",
    "terms",
    "supplies",
    "actions",
    "procedures",
    "phases",
    "endings",
]

ENGLISH = """
about above after again against all along already also and another any anybody anything are away back because been
before behind beneath beside both but can cannot does done down each either else elsewhere every everybody everything
few fewer first for forever four from had has have her here himself his how instead into its itself last least less
many may more most much must never next nobody none nor not nothing now off once one only onto other out over own per
same second several she some than that the their them then there they this those three through times too towards
twice two under until upon what whatever when where which whichever while who whoever whole whom whose will with
without would you your
"""
FUNCTION_WORDS = frozenset(ENGLISH.split())
"""Words of English grammar: pronouns, prepositions, conjunctions, auxiliary verbs, adverbs, small numbers."""

# The reasons, each with the words that it excuses: only words that an engine for quite other games needs too.
REASONS = {
    "a word of the language itself (docs/language.md)": """
        action area base board change condition cost count decided draw drawn effect end event final free gain hit
        kind label lose move moved offered open order own owner paid pay phase place play played player possible
        range reserve round rule score see set shuffle sky sort start step stone stop supply symbol type value water
        way
    """,
    "a word of any program": """
        accept active aid alone block box break built call calm carried catch check class close closed collection
        column compare complete completed control copy counted create crossed current cut deep different edition enter
        fail failed force forced group grow heavy import inside late left length level light load look lost
        lower make map middle movable named narrow near new note offer old outside part pass passed pending plain
        point pool power prepare press print put raise raised reach read remove removed rest resumed return room row
        send shift shown site size slot space spread stack standard track turned unit upper use wait within
    """,
    "a word of any game": "bid bidding card coin dealt die discard game hand marker piece pile price turn win won",
    "a colour": "blue green red white yellow",
    "a plain verb or noun of English prose": """
        answer ask bear become begin bring build came carry collect come cover covered crossing double enough face
        find gather give go gone good guess half help high hold home keep laid lead leave long man meet people
        rise short side smaller sold spare stand standing stay take taken travel try want was well
    """,
    "a word of the examples in docstrings, which tell of games that nobody shipped": """
        deal island region road routed season spring strength subject summer town winter
    """,
    "the name of the project, its package and its command": "polis",
    "a word of browsers and networks (polis studio)": "host port receive sent",
    "the name of a library": "gymnasium",
}
ALLOWED: dict[str, str] = {word: reason for reason, text in REASONS.items() for word in text.split()}


def words(text: str) -> Iterator[str]:
    """The words of a text, an id or a CamelCase name: lower case, singular, three letters or more."""
    for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", text):
        lower = word.lower()
        if len(lower) > 2 and lower not in FUNCTION_WORDS:
            yield singular(lower)


def singular(word: str) -> str:
    """The word without the ending of a plural or of a verb's third person."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "oes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


ABOUT = ("cite", "grade", "ruling")
"""What may stand beside ids in a section or a table, and is said of all of them."""


def declared(document: dict[str, Any]) -> Iterator[str]:
    """Every id that a file of a ruleset declares, and every title in it."""
    for section in SECTIONS:
        yield from (id for id in document.get(section) or {} if id not in ABOUT)
    for kind in (document.get("kinds") or {}).values():
        yield from kind.get("attributes") or {}
        yield from kind.get("state") or {}
    for rows in (document.get("tables") or {}).values():
        yield from (id for id in rows if id not in ABOUT)
    for part in (document.get("score") or {}).values():
        yield from part if isinstance(part, dict) else ()
    for key in ("ruleset", "scenario", "variant"):
        yield document.get(key, "")
    yield from titles(document)


LONGEST_NAME = 4
"""A title of more words is a sentence of plain English, such as a question to a player, not the name of something."""


def titles(node: object) -> Iterator[str]:
    """Every title that names something, but for those of the books that the rules were taken from."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "title" and isinstance(value, str):
                if len(value.split()) <= LONGEST_NAME:
                    yield value
            elif key not in ("sources", "grade"):
                yield from titles(value)
    elif isinstance(node, list):
        for item in node:
            yield from titles(item)


@cache
def game_words() -> dict[str, str]:
    """Each word of the rulesets, with an id or a title that it comes from."""
    found: dict[str, str] = {}
    for path in RULESETS:
        document = YAML(typ="safe").load(path)
        for text in declared(document):
            for word in words(text):
                found.setdefault(word, f"{text!r} in {path.relative_to(ROOT)}")
    return found


@cache
def words_of(path: Path) -> list[tuple[str, int]]:
    """What `source_words` finds in a file."""
    return list(source_words(path))


def source_words(path: Path) -> Iterator[tuple[str, int]]:
    """Each word in the names, strings, docstrings and comments of a Python file, with its line."""
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type == tokenize.NAME and keyword.iskeyword(token.string):
            continue
        example = False
        for offset, line in enumerate(token.string.split("\n")):
            # Examples in docstrings run, so they load a shipped ruleset by its id; no other line may name one.
            example = line.strip().startswith(">>>") or (example and line.strip() not in ("", '"""'))
            if example:
                line = re.sub(RULESET_IDS, " ", line)
            # An escape such as \n must not grow onto the word behind it.
            for word in words(re.sub(r"\\.", " ", line)):
                yield word, token.start[0] + offset


def strangers(path: Path) -> list[str]:
    """One line for each game word in a Python file that is not allowed."""
    game, allowed = game_words(), {singular(word) for word in ALLOWED}
    return [
        f"{path.relative_to(ROOT)}:{line}: {word!r}, as in {game[word]}"
        for word, line in words_of(path)
        if word in game and word not in allowed
    ]


def test_the_source_has_no_word_of_a_game() -> None:
    """Names, strings, docstrings and comments of engine and commands hold no word of a shipped ruleset."""
    if found := [each for path in SOURCES for each in strangers(path)]:
        pytest.fail("\n".join(found), pytrace=False)


def test_every_allowed_word_is_needed() -> None:
    """The allow-list holds no word that no ruleset has, or that no source file uses."""
    used = {word for path in SOURCES for word, _ in words_of(path)}
    idle = [word for word in ALLOWED if singular(word) not in game_words() or singular(word) not in used]
    if idle:
        pytest.fail(f"take out of ALLOWED: {', '.join(idle)}", pytrace=False)


def test_a_game_word_is_found_wherever_it_hides(tmp_path: Path) -> None:
    """A word counts inside snake_case, CamelCase, plurals, strings with escapes, docstrings and comments."""
    source = tmp_path / "engine.py"
    source.write_text(
        "def pay_drachma(): ...\n"
        "class DrachmaPurse: ...\n"
        "drachmas = 1\n"
        'text = "\\ndrachma"\n'
        '"""Counts each\ndrachma."""\n'
        "# a drachma more\n"
        'f"{pay} drachma"\n'
        "DRACHMA_LIMIT = 3\n"
        "drachmatic = 0\n"
    )
    lines = [line for word, line in source_words(source) if word == "drachma"]
    assert lines == [1, 2, 3, 4, 6, 7, 8, 9]
