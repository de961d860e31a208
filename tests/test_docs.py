"""The pages and docstrings are true: what they show runs, what exists is mentioned, and links lead somewhere."""

from __future__ import annotations

import doctest
import inspect
import pydoc
import re
import textwrap
from pathlib import Path

import pytest
from support.small_ruleset import small

import polis_rules
from polis_rules.diagnostics.codes import explanations
from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.diagnostics.errors import RulesetError
from polis_rules.play import bots
from polis_rules.schema.base import RULE_KEYS
from polis_rules.schema.document import (
    SECTIONS,
    Action,
    ActionChoice,
    Attribute,
    Ending,
    Graph,
    Kind,
    Manifest,
    Procedure,
    Route,
    Scenario,
    Score,
    Sections,
    Supply,
    Term,
    Variable,
)
from polis_rules.schema.steps import VERBS, RepeatBody, Way
from polis_rules.semantics.words import BUILT_IN
from polis_rules.source.reader import read_text

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
LANGUAGE = ROOT / "docs" / "language.md"
ERRORS = ROOT / "docs" / "errors.md"
GUIDE = ROOT / "rulesets" / "README.md"
INTRODUCTIONS = sorted(path for path in ROOT.glob("rulesets/*/README.md") if path.with_name("ruleset.yaml").exists())
PAGES = [
    *ROOT.glob("*.md"),
    *(path for folder in ("docs", "rulesets", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.md")),
]

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a page that are marked with a language."""
    return [body for marked, body in FENCE.findall(page.read_text("utf-8")) if marked == language]


def files(page: Path, folder: str) -> dict[str, str]:
    """The YAML blocks of a page that begin with `# folder/path`, by path, without that line."""
    split = [body.partition("\n") for body in blocks(page, "yaml") if body.startswith(f"# {folder}/")]
    return {first.removeprefix(f"# {folder}/"): rest for first, _, rest in split}


def run_examples(text: str, name: str) -> int:
    """Run the Python session in a text; how many examples it has."""
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    output: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=output.append)
    assert not output, "\n".join(output)
    return len(test.examples)


@pytest.fixture
def orchard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The ruleset that the guide writes, in a folder as the guide says; the working directory is around it."""
    folder = tmp_path / "orchard"
    for name, text in files(GUIDE, "orchard").items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    return folder


# -- sessions -----------------------------------------------------------------------------------------------------


def test_the_session_of_the_readme_runs() -> None:
    """What the README types at Python gives what the README shows."""
    assert sum(run_examples(body, "README") for body in blocks(README, "python")) > 5


@pytest.mark.parametrize("page", INTRODUCTIONS, ids=lambda page: page.parent.name)
def test_the_session_of_a_rulesets_readme_runs(page: Path) -> None:
    """What the README beside a ruleset types at Python gives what it shows."""
    assert sum(run_examples(body, str(page)) for body in blocks(page, "python")) > 0


def test_help_of_the_package_fits_on_a_page() -> None:
    """Every public name is on it."""
    text = pydoc.plain(pydoc.render_doc(polis_rules))
    assert len(text.splitlines()) < 50
    assert [name for name in dir(polis_rules) if name not in text] == []


@pytest.mark.parametrize("name", dir(polis_rules))
def test_every_public_name_has_a_docstring_whose_example_runs(name: str) -> None:
    """The docstring of a public name says what it is for and shows it; every example in it and in its methods runs."""
    thing = getattr(polis_rules, name)
    module = inspect.getmodule(thing)
    assert module is not None
    assert ">>>" in (inspect.getdoc(thing) or ""), f"{name} shows no example"
    runner = doctest.DocTestRunner(verbose=False)
    output: list[str] = []
    for test in doctest.DocTestFinder(recurse=True).find(thing, name, module):
        runner.run(test, out=output.append)
    assert not output, "\n".join(output)


@pytest.mark.parametrize("name", [name for name in dir(polis_rules) if inspect.isclass(getattr(polis_rules, name))])
def test_every_public_method_has_a_docstring(name: str) -> None:
    """What a public class offers is explained where `help` looks for it."""
    public = [(key, value) for key, value in vars(getattr(polis_rules, name)).items() if not key.startswith("_")]
    offered = [key for key, value in public if inspect.isfunction(value) or isinstance(value, property)]
    assert [key for key in offered if not inspect.getdoc(getattr(getattr(polis_rules, name), key))] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_looks_like_yaml_is_yaml(page: Path) -> None:
    """Every block marked as YAML can be read as a file of a ruleset is read."""
    diagnostics = Diagnostics()
    for body in blocks(page, "yaml"):
        read_text(body, page.name, diagnostics)
    assert diagnostics.items == []


# -- the language -------------------------------------------------------------------------------------------------


def mentioned(word: str) -> bool:
    """Whether the language page writes a word as code."""
    code = FENCE.findall(LANGUAGE.read_text("utf-8"))
    text = FENCE.sub("", LANGUAGE.read_text("utf-8"))
    spans = [*re.findall(r"`([^`\n]+)`", text), *(body for _, body in code)]
    return any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", span) for span in spans)


def keys_of(*models: type) -> set[str]:
    """The keys that may be written in mappings of these models."""
    fields = [field for model in models for field in model.model_fields.items()]  # type: ignore[attr-defined]
    keys = {str(field.alias or name) for name, field in fields}
    return {key for key in keys if not key.startswith("\n")}


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_is_explained(verb: str) -> None:
    """Each verb has a row of its own in the table of steps."""
    rows = [line for line in LANGUAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    steps = {step for row in rows for step in re.findall(r"`(\w+)[:`]", row.split(" | ")[0])}
    assert verb in steps


@pytest.mark.parametrize("word", sorted(BUILT_IN - {"True", "False", "None"}))
def test_every_word_of_expressions_is_mentioned(word: str) -> None:
    """Each function and built-in word of expressions stands on the page."""
    assert mentioned(word)


@pytest.mark.parametrize("section", sorted({*SECTIONS, *keys_of(Sections)}))
def test_every_section_is_mentioned(section: str) -> None:
    """Each section of a ruleset stands on the page."""
    assert mentioned(section)


@pytest.mark.parametrize(
    "key",
    sorted(
        keys_of(
            Manifest, Kind, Attribute, Variable, Graph, Route, Term, Supply, Action, ActionChoice, Procedure,
            Ending, Score, Scenario, RepeatBody, Way, *VERBS.values(),
        ).union(RULE_KEYS)
    ),
)  # fmt: skip
def test_every_key_is_mentioned(key: str) -> None:
    """Each key that a mapping may have stands on the page."""
    assert mentioned(key)


def test_the_variant_on_the_language_page_can_be_played(tmp_path: Path) -> None:
    """The overlay shown fits the ruleset that it names."""
    (text,) = [body for body in blocks(LANGUAGE, "yaml") if body.startswith("variant:")]
    variant = tmp_path / "costly_sieges.yaml"
    variant.write_text(text, "utf-8")
    ruleset = polis_rules.load("yucata", variants=[variant])
    assert ruleset.variants == ("costly_sieges",)
    assert "move_proxenos" not in ruleset.rules().symbols.kinds["action"].index


def test_dice_on_the_language_page_may_be_rolled_again(tmp_path: Path) -> None:
    """Each further roll is paid, and what is kept is the answer."""
    (text,) = [body for body in blocks(LANGUAGE, "yaml") if "again:" in body]
    steps = "- do: roll_and_keep\n  result: eyes\n- gain: {coins: eyes - 4}"
    game = polis_rules.load(small(tmp_path, steps, text)).start(chance="manual")
    for eyes, way in (("4", "again"), ("9", "again"), ("11", "")):
        game.answer(eyes)
        if way:
            game.apply(way)
    assert [line.strip() for line in game.report if "pays" in line or "gains" in line] == [
        "Red pays 1 coin",
        "Red pays 1 coin",
        "Red gains 7 coins",
    ]


# -- the guide ----------------------------------------------------------------------------------------------------


def test_the_orchard_of_the_guide_runs(orchard: Path) -> None:
    """The ruleset that the guide writes is sound and its games end, in both scenarios and with the variant."""
    plain, wet = polis_rules.load("orchard"), polis_rules.load("orchard", scenario="wet")
    thirsty = polis_rules.load("orchard", variants=["thirsty"])
    for ruleset in (plain, wet, thirsty):
        for seed in range(20):
            game = ruleset.start(seed=seed)
            result = polis_rules.play_game(game, {name: bots.make("random", seed) for name in ruleset.players})
            assert result is not None and result.ended_by == "evening"
            assert set(result.scores) == {"ann", "ben"}


def test_a_variant_may_do_all_that_the_guide_shows(orchard: Path) -> None:
    """The operations that reach into rules fit the rules of the guide."""
    (operations,) = [body for body in blocks(GUIDE, "yaml") if body.startswith("change:")]
    (orchard / "variants" / "reaching.yaml").write_text(f"variant: reaching\n{operations}", "utf-8")
    ruleset = polis_rules.load("orchard", variants=["reaching"])
    game = ruleset.start(seed=3)
    result = polis_rules.play_game(game, {name: bots.make("random", 3) for name in ruleset.players})
    assert result is not None and result.ended_by == "evening"


def test_the_orchard_is_small() -> None:
    """The ruleset without its second scenario and its variant fits on a page."""
    extra = ("scenarios/wet.yaml", "variants/thirsty.yaml")
    lines = [text.splitlines() for name, text in files(GUIDE, "orchard").items() if name not in extra]
    assert sum(map(len, lines)) < 75


@pytest.mark.usefixtures("orchard")
def test_the_session_of_the_guide_runs() -> None:
    """What the guide types at Python beside the orchard gives what the guide shows."""
    assert sum(run_examples(body, "guide") for body in blocks(GUIDE, "python")) > 5


@pytest.mark.parametrize("page", [GUIDE, ERRORS])
def test_the_error_shown_is_the_error_made(orchard: Path, page: Path) -> None:
    """The finding that a page shows is what a misspelt word in the orchard gives."""
    actions = orchard / "actions.yaml"
    text = actions.read_text("utf-8")
    (shown,) = blocks(page, "text")
    actions.write_text(text.replace("ripe.fruit > 0", "ripe.friut > 0"), "utf-8")
    with pytest.raises(RulesetError) as raised:
        polis_rules.load("orchard")
    assert str(raised.value) == shown.rstrip("\n")


def test_what_the_guide_reads_is_what_the_ruleset_says() -> None:
    """Every piece of the shipped ruleset that the guide quotes stands in that file, line for line."""
    quoted = [body for body in blocks(GUIDE, "yaml") if body.startswith("# yucata/")]
    assert quoted
    for body in quoted:
        first, _, rest = body.partition("\n")
        path = ROOT / "rulesets" / first.removeprefix("# ")
        assert rest in path.read_text("utf-8"), f"{first} says otherwise:\n{textwrap.indent(rest, '    ')}"


def test_the_guide_names_every_file_of_the_ruleset_that_it_reads() -> None:
    """No file of the shipped ruleset is left out of the table of files."""
    folder = ROOT / "rulesets" / "yucata"
    text = GUIDE.read_text("utf-8")
    paths = [path.relative_to(folder) for path in folder.rglob("*.yaml")]
    names = {path.name if path.parent == Path() else f"{path.parent.as_posix()}/*.yaml" for path in paths}
    assert {name for name in names if f"`{name}`" not in text} == set()


# -- findings -----------------------------------------------------------------------------------------------------

ROW = re.compile(r"^\| <a id=\"[a-z0-9-]+\"></a>`([a-z0-9-]+)` \| (.+?) \|(?: `(.+)`)? \|$", re.MULTILINE)


def test_every_finding_is_explained() -> None:
    """The program reads every row of the page of findings, each code once."""
    rows = [(code, meaning, example) for code, meaning, example in ROW.findall(ERRORS.read_text("utf-8"))]
    assert rows == [(each.code, each.meaning, each.example) for each in explanations().values()]


@pytest.mark.parametrize(
    ("code", "example"), [(code, example) for code, _, example in ROW.findall(ERRORS.read_text("utf-8")) if example]
)
def test_every_example_of_a_finding_gives_it(orchard: Path, code: str, example: str) -> None:
    """A file that holds the example, or a variant where it is about overlays, breaks the orchard in just that way."""
    if ERRORS.read_text("utf-8").partition("## Overlays")[2].partition("\n## ")[0].count(f"`{code}`"):
        variant = orchard / "variants" / "trial.yaml"
        variant.write_text(f"variant: trial\n{example}\n", "utf-8")
        with pytest.raises(RulesetError) as raised:
            polis_rules.load("orchard", variants=[variant])
        assert [each.code for each in raised.value.diagnostics] == [code]
        return
    manifest = orchard / "ruleset.yaml"
    manifest.write_text(manifest.read_text("utf-8").replace("course.yaml]", "course.yaml, more.yaml]"), "utf-8")
    (orchard / "more.yaml").write_text(f"{example}\n", "utf-8")
    with pytest.raises(RulesetError) as raised:
        polis_rules.load("orchard")
    assert code in {each.code for each in raised.value.diagnostics}


# -- commands and links -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    """Links from page to page, and to headings in them, lead to what exists."""
    text = FENCE.sub("", page.read_text("utf-8"))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in link:
            continue
        path, _, heading = link.partition("#")
        target = page if not path else (page.parent / path)
        assert target.exists(), f"{link} leads nowhere"
        if heading:
            titles = re.findall(r"^#+ (.+)$", target.read_text("utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}
