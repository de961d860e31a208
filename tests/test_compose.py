"""Joining the files of a ruleset and laying editions, scenarios and variants over them."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from support.composing import GAME, at, failure, failures, lay, variant

from polis_rules.composition import catalog, variants_beside
from polis_rules.composition.composed import _entries, compose, rules_hash
from polis_rules.composition.content_hash import take_snapshot
from polis_rules.composition.operations import OPERATIONS, read_operations
from polis_rules.composition.overlay import apply, inline, plain
from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.diagnostics.errors import RulesetError
from polis_rules.source.reader import read_text
from polis_rules.source.tree import Mapping


@pytest.fixture
def game(tmp_path: Path) -> Path:
    return lay(tmp_path / "game", GAME)


# -- joining the files of one ruleset


def test_all_files_become_one_tree(game: Path) -> None:
    composed = compose(game)
    assert list(plain(composed.tree)) == [
        *("kinds", "tables", "actions", "terms", "graphs"),
        *("scenario", "manifest"),
    ]
    assert at(composed, "tables/card") == {"fox": {"points": "1"}, "owl": {"points": "2"}}
    assert at(composed, "scenario/start/lap") == "2"
    assert at(composed, "manifest/rounds") == "lap"
    assert (composed.scenario, composed.scenarios) == ("short", ("long", "short"))
    assert composed.layers == ("game", "scenario short")
    assert composed.origins == {}


def test_files_are_shown_from_the_rulesets_parent_folder_on(game: Path) -> None:
    assert set(compose(game).sources) == {
        *("game/ruleset.yaml", "game/things.yaml", "game/play.yaml"),
        "game/scenarios/short.yaml",
    }


def test_a_section_and_a_table_may_be_spread_over_files(game: Path) -> None:
    lay(game, {"play.yaml": GAME["play.yaml"] + "kinds: {coin: {}}\ntables: {card: {elk: {points: 3}}}\n"})
    composed = compose(game)
    assert list(at(composed, "kinds")) == ["player", "card", "coin"]
    assert list(at(composed, "tables/card")) == ["fox", "owl", "elk"]


@pytest.mark.parametrize(
    ("more", "place", "first"),
    [
        ("kinds: {card: {}}\n", "13:9", "3:3"),
        ("tables: {card: {owl: {}}}\n", "13:17", "8:5"),
    ],
)
def test_an_id_written_twice_is_an_error_with_both_places(game: Path, more: str, place: str, first: str) -> None:
    lay(game, {"play.yaml": GAME["play.yaml"] + more})
    finding = failure(game)
    assert (finding.code, str(finding.span)) == ("duplicate-id", f"game/play.yaml:{place}")
    assert str(finding.related[0][1]) == f"game/things.yaml:{first}"


@pytest.mark.parametrize(
    "name",
    ["../other.yaml", "/etc/passwd.yaml", "a/../../b.yaml", "notes.txt", "c:\\x.yaml", "''", "link.yaml"],
)
def test_a_list_of_files_cannot_leave_the_folder(game: Path, name: str) -> None:
    lay(game.parent, {"secret.yaml": "kinds: {}\n"})
    (game / "link.yaml").symlink_to(game.parent / "secret.yaml")
    lay(game, {"ruleset.yaml": f"format: 2\nruleset: game\nfiles: [{name}]\nscenario: short\n"})
    assert failure(game).code == "file-outside"


def test_a_scenario_cannot_be_read_from_outside_the_folder(game: Path) -> None:
    lay(game.parent, {"secret.yaml": "scenario: leak\n"})
    (game / "scenarios/leak.yaml").symlink_to(game.parent / "secret.yaml")
    assert failure(game, "leak").code == "file-outside"
    assert failure(game, "../../secret").code == "unknown-scenario"


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("ruleset.yaml", "ruleset: game\nfiles: []\nscenario: short\n", "missing-key"),
        ("ruleset.yaml", "format: 3\nruleset: game\nscenario: short\n", "unsupported-format"),
        ("ruleset.yaml", "format: 2\nruleset: Game\nscenario: short\n", "invalid-id"),
        ("ruleset.yaml", "format: 2\nruleset: game\nscenario: short\nfile: [a.yaml]\n", "unknown-key"),
        ("ruleset.yaml", "format: 2\nruleset: game\nscenario: short\nchange: {}\n", "unknown-key"),
        ("ruleset.yaml", "format: 2\nruleset: game\nscenario: short\nfiles: {a: b}\n", "not-a-list"),
        ("ruleset.yaml", "format: 2\nruleset: game\nscenario: [short]\n", "not-text"),
        ("ruleset.yaml", "format: 2\nruleset: game\nscenario: shrt\n", "unknown-scenario"),
        ("ruleset.yaml", "format: 2\nruleset: game\n", "missing-key"),
        ("ruleset.yaml", "format: [\n", "malformed-yaml"),
        ("ruleset.yaml", "format: 2\nruleset: game\nscenario: short\nfiles: [play.yaml, play.yaml]\n",
         "duplicate-id"),
        ("things.yaml", "kind: {}\n", "unknown-section"),
        ("things.yaml", "change: {}\n", "unknown-section"),
        ("things.yaml", "kinds: [a]\n", "not-a-mapping"),
        ("things.yaml", "kinds:\n", "not-a-mapping"),
        ("scenarios/short.yaml", "scenario: long\n", "wrong-id"),
        ("scenarios/short.yaml", "title: Short\n", "missing-key"),
        ("scenarios/short.yaml", "scenario: short\nstrat: {}\n", "unknown-key"),
    ],
)  # fmt: skip
def test_mistakes_in_files_are_reported(game: Path, name: str, text: str, code: str) -> None:
    lay(game, {name: text})
    assert failure(game).code == code


def test_every_mistake_of_every_file_is_reported_at_once(game: Path) -> None:
    lay(game, {"things.yaml": "kind: {}\n", "play.yaml": "actions: {a: &x 1}\n", "scenarios/short.yaml": "a"})
    assert {each.code for each in failures(game)} == {"unknown-section", "anchor", "not-a-mapping"}


def test_an_unknown_scenario_names_the_known_ones(game: Path) -> None:
    assert failure(game, "shrot").advice == "did you mean 'short'?"
    assert failure(game, "zzz").advice == "known: long, short"


# -- finding


def test_a_ruleset_is_found_by_its_folder_or_its_manifest(game: Path) -> None:
    assert compose(game).hash == compose(str(game)).hash == compose(game / "ruleset.yaml").hash


@pytest.mark.parametrize("name", ["", "nothing", "a\0b", "x" * 5000, "/nowhere/at/all", "."])
def test_what_is_no_ruleset_is_an_error(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for call in (compose, take_snapshot):
        with pytest.raises(RulesetError) as raised:
            call(name)
        assert raised.value.diagnostics[0].code == "unknown-ruleset"


def test_shipped_rulesets_are_found_by_name_with_their_scenarios() -> None:
    rulesets = catalog.shipped()
    assert rulesets
    for each in rulesets:
        assert catalog.find(each.name) == each.path
        assert each.scenarios
        assert each.title


def test_a_misspelt_shipped_name_gets_the_nearest_one() -> None:
    name = catalog.shipped()[0].name
    assert failure(name + "x").advice == f"did you mean '{name}'?"


def test_shipped_rulesets_tell_titles_and_skip_what_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path / "game", {**GAME, "scenarios/broken.yaml": "title: [\n"})
    lay(tmp_path / "second", {"ruleset.yaml": "extends: game\ntitle: Second\n"})
    lay(tmp_path / "broken", {"ruleset.yaml": "{{{"})
    variant(tmp_path / "variants", "quick", "title: Quick\nextends: game")
    variant(tmp_path / "variants", "other", "title: Other\nextends: second")
    monkeypatch.setattr(catalog, "_home", lambda: tmp_path)
    broken, game, second = catalog.shipped()
    assert (broken.name, broken.title, broken.variants) == ("broken", "broken", ())
    assert game.scenarios == (("broken", "broken"), ("long", "long"), ("short", "Short"))
    assert game.variants == (("quick", "Quick"),)
    assert second.scenarios == game.scenarios
    assert second.variants == (("other", "Other"),)
    assert compose("game", variants=["quick"]).sources.keys() >= {"shipped:variants/quick.yaml"}


# -- overlays


def test_a_scenario_changes_rules_and_the_change_is_remembered(game: Path) -> None:
    composed = compose(game, "long")
    assert at(composed, "terms/limit/is") == "9"
    (origin,) = composed.origins["terms.limit.is"]
    assert (origin.layer, origin.kind, origin.old, origin.why) == (
        "scenario long",
        "change",
        "8",
        "it is long",
    )
    assert str(origin.span) == "game/scenarios/long.yaml:3:3"


def test_all_operations_work_in_one_variant(game: Path, tmp_path: Path) -> None:
    quick = variant(
        tmp_path,
        "quick",
        "why: It took too long.\n"
        "change:\n  actions.dig:\n    cost.coin: {was: 1, to: 2, why: cheap}\n"
        "    title: {was: Dig, to: Dig deep}\n"
        "add:\n  terms.more: {is: 3}\n  graphs.road.edges.b-c: {}\n  scenario.start.card: {fox: {open: true}}\n"
        "remove:\n  graphs.road.edges.a-b: closed\n  tables.card.owl:\n"
        "replace:\n  actions.rest.do: [{gain: {coin: 1}}]\n",
    )
    composed = compose(game, variants=[quick])
    assert at(composed, "actions/dig") == {
        "title": "Dig deep", "cost": {"coin": "2"}, "do": [{"gain": {"coin": "2"}}],
    }  # fmt: skip
    assert at(composed, "graphs/road/edges") == {"b-c": {}}
    assert at(composed, "actions/rest/do") == [{"gain": {"coin": "1"}}]
    assert at(composed, "terms") == {"limit": {"is": "8"}, "more": {"is": "3"}}
    assert list(at(composed, "tables/card")) == ["fox"]
    assert at(composed, "scenario/start/card") == {"fox": {"open": "true"}}
    told = {path: (each.kind, each.old and inline(each.old), each.why) for path, (each,) in composed.origins.items()}
    assert told == {
        "actions.dig.cost.coin": ("change", "1", "cheap"),
        "actions.dig.title": ("change", "Dig", "It took too long."),
        "actions.rest.do": ("replace", "[stop]", "It took too long."),
        "graphs.road.edges.a-b": ("remove", "{}", "closed"),
        "graphs.road.edges.b-c": ("add", None, "It took too long."),
        "scenario.start.card.fox.open": ("add", None, "It took too long."),
        "tables.card.owl.points": ("remove", "2", "It took too long."),
        "terms.more.is": ("add", None, "It took too long."),
    }


def test_a_changed_entry_keeps_its_place_in_the_order(game: Path, tmp_path: Path) -> None:
    swap = variant(tmp_path, "swap", "replace: {tables.card.fox: {points: 5}}")
    assert list(at(compose(game, variants=[swap]), "tables/card")) == ["fox", "owl"]


def test_a_value_in_a_scenarios_start_is_reached_through_kind_and_member(game: Path, tmp_path: Path) -> None:
    rich = variant(tmp_path, "rich", "change: {scenario.start.player.red.coin: {was: 3, to: 9}}")
    assert at(compose(game, variants=[rich]), "scenario/start/player") == {"red": {"coin": "9"}, "blue": {"coin": "4"}}


def test_a_value_may_be_altered_once_more_by_a_later_layer(game: Path, tmp_path: Path) -> None:
    more = variant(tmp_path, "more", "change: {terms.limit.is: {was: 9, to: 10}}")
    composed = compose(game, "long", [more])
    assert [each.layer for each in composed.origins["terms.limit.is"]] == ["scenario long", "variant more"]


@pytest.mark.parametrize(
    ("text", "code", "place", "hint"),
    [
        ("change: {terms.limt.is: {was: 8, to: 9}}", "path-not-found", "2:10", "did you mean 'terms.limit.is'?"),
        ("change: {term.limit.is: {was: 8, to: 9}}", "path-not-found", "2:10", "did you mean 'terms.limit.is'?"),
        ("change: {terms.limit.is.x: {was: 8, to: 9}}", "path-not-found", "2:10", "that is a single value"),
        ("change: {terms.limit.is: {was: 7, to: 9}}", "was-differs", "2:32", None),
        ("change: {terms.limit: {was: 8, to: 9}}", "was-differs", "2:29", "did you mean 'terms.limit.is'?"),
        ("change: {terms.limit.is: {was: 8, too: 9}}", "unknown-key", "2:35", "did you mean 'to'?"),
        ("change: {terms.limit.is: {was 8, to: 9}}", "not-a-change", "2:27", None),
        ("change: {terms.limit.is: {from: 8, to: 9}}", "unknown-key", "2:27", "did you mean 'was'?"),
        ("change: {terms.limit.is: {to: 9}}", "not-a-change", "2:10", None),
        ("change: {terms.limit.is: {was: 8}}", "not-a-change", "2:10", None),
        ("change: {terms.limit.is: 9}", "not-a-change", "2:10",
         "write {was: the value now, to: the new one}"),
        ("change: {terms.limit.is: {was: 8, to: 9, wyh: x}}", "unknown-key", "2:42", "did you mean 'why'?"),
        ("change: {terms.limit.is: {was: 8, to: 9, ruling: x}}", "unknown-key", "2:42",
         "a change holds was, to and why"),
        ("change: {terms.limit.is {was: 8, to: 9}}", "malformed-yaml", "2:10", "write 'terms.limit.is: {...}'"),
        ("change:\n  terms.limit.is {was: 8, to: 9}", "malformed-yaml", "3:3", "write 'terms.limit.is: {...}'"),
        ("change: [a]", "not-a-mapping", "2:9", "write `section.id.key: value`"),
        ("remove: {terms.limt: }", "path-not-found", "2:10", "did you mean 'terms.limit'?"),
        ("remove: {terms.limit: [a]}", "not-text", "2:23", None),
        ("replace: {terms.limt: {}}", "path-not-found", "2:11", "did you mean 'terms.limit'?"),
        ("replace: {manifest.title: x}", "path-not-found", "2:11", None),
        ("add: {terms.limit: {is: 9}}", "path-taken", "2:7", "use `change` or `replace`"),
        ("add: {term.more: {is: 9}}", "path-not-found", "2:7", "did you mean 'terms.more'?"),
        ("add: {terms.a.b: {is: 9}}", "path-not-found", "2:7", None),
        ("add: {invariants.poor: 'true'}", "path-not-found", "2:7", "with its first one: `invariants: {poor: ...}`"),
        ("add: {routes.a.b.c: x}", "path-not-found", "2:7", "`routes: {a: {b: {c: ...}}}`"),
        ("add: {ending: {a: {}}}", "unknown-section", "2:7", "did you mean 'endings'?"),
        ("add: {terms.: {is: 9}}", "path-not-found", "2:7", None),
        ("change: {actions.dig.do.0.gain: {was: 1, to: 2}}", "path-not-found", "2:10",
         "known: gain"),
        ("chnage: {}", "unknown-key", "2:1", "did you mean 'change'?"),
        ("extends: other", "variant-elsewhere", "2:10", "lay it over that: polis validate other --variant"),
        ("requires: {a: b}", "not-a-list", "2:11", None),
    ],
)  # fmt: skip
def test_an_operation_that_does_not_fit_is_an_error_at_its_place(
    game: Path, tmp_path: Path, text: str, code: str, place: str, hint: str | None
) -> None:
    path = variant(tmp_path, "bad", text)
    finding = failure(game, variants=[path])
    assert (finding.code, str(finding.span)) == (code, f"{path.as_posix()}:{place}")
    if hint:
        assert hint in (finding.advice or "")


def test_a_change_of_another_value_shows_the_value_and_its_place(game: Path, tmp_path: Path) -> None:
    finding = failure(game, variants=[variant(tmp_path, "bad", "change: {terms.limit.is: {was: 7, to: 9}}")])
    assert finding.message == "'terms.limit.is' is '8', not '7'"
    assert str(finding.related[0][1]) == "game/play.yaml:8:15"


def test_no_overlay_makes_the_tree_deeper_than_a_file_may_be(game: Path, tmp_path: Path) -> None:
    deep = variant(tmp_path, "deep", "add: {terms.more: " + "{a: " * 60 + "1" + "}" * 60 + "}")
    path = ".".join(["terms.more", *"a" * 59, "b"])
    over = variant(tmp_path, "over", f"after: deep\nadd: {{{path}: {'[' * 9}{']' * 9}}}")
    assert failure(game, variants=[deep, over]).code == "too-deep"
    long = variant(tmp_path, "long", f"remove: {{{'.'.join('a' * 400)}: }}")
    assert failure(game, variants=[long]).code == "too-deep"


# -- variants together


TOUCHES = {
    "change": "change: {actions.dig.cost.coin: {was: 1, to: 2}}",
    "replace": "replace: {actions.dig: {cost: {coin: 3}}}",
    "remove": "remove: {actions.dig.cost.coin: }",
}


@pytest.mark.parametrize(("one", "other"), list(itertools.product(TOUCHES, repeat=2)))
def test_two_variants_that_touch_one_value_are_an_error_with_both_places(
    game: Path, tmp_path: Path, one: str, other: str
) -> None:
    first = variant(tmp_path, "first", TOUCHES[one])
    second = variant(tmp_path, "second", TOUCHES[other])
    finding = failure(game, variants=[first, second])
    assert finding.code == "variant-conflict"
    assert str(finding.span).startswith(f"{second.as_posix()}:2:")
    assert str(finding.related[0][1]).startswith(f"{first.as_posix()}:2:")


def test_after_settles_which_of_two_variants_goes_on_top(game: Path, tmp_path: Path) -> None:
    a = variant(tmp_path, "a", "after: [b]\nchange: {terms.limit.is: {was: 9, to: 10}}")
    b = variant(tmp_path, "b", "change: {terms.limit.is: {was: 8, to: 9}}")
    composed = compose(game, variants=[a, b])
    assert at(composed, "terms/limit/is") == "10"
    assert composed.variants == ("b", "a")
    assert composed.layers[-2:] == ("variant b", "variant a")


def test_the_order_in_which_variants_are_given_does_not_matter(game: Path, tmp_path: Path) -> None:
    paths = [
        variant(tmp_path, "a", "requires: c\nadd: {terms.a: {is: 1}}"),
        variant(tmp_path, "b", "add: {terms.b: {is: 1}}"),
        variant(tmp_path, "c", "after: b\nadd: {terms.c: {is: 1}}"),
    ]
    results = [compose(game, variants=given) for given in itertools.permutations(paths)]
    assert {each.variants for each in results} == {("b", "c", "a")}
    assert len({each.hash for each in results}) == 1


@pytest.mark.parametrize(
    ("one", "other", "code"),
    [
        ("requires: third", "", "variant-requires"),
        ("conflicts: [second]", "", "variant-conflict"),
        ("", "conflicts: first", "variant-conflict"),
        ("after: second", "after: first", "variant-order"),
    ],
)
def test_variants_say_what_they_need_and_exclude(game: Path, tmp_path: Path, one: str, other: str, code: str) -> None:
    paths = [variant(tmp_path, "first", one), variant(tmp_path, "second", other)]
    assert failure(game, variants=paths).code == code


def test_a_variant_is_chosen_once(game: Path, tmp_path: Path) -> None:
    one = variant(tmp_path, "one", "")
    assert failure(game, variants=[one, one]).code == "variant-conflict"


def test_an_unknown_variant_is_an_error(game: Path) -> None:
    assert failure(game, variants=["nothing_of_that_name"]).code == "unknown-variant"


def test_a_variants_sources_are_added_to_the_manifest(game: Path, tmp_path: Path) -> None:
    cited = variant(tmp_path, "cited", "sources: {club: {title: Our club}}")
    assert set(at(compose(game, variants=[cited]), "manifest/sources")) == {"own", "club"}


@pytest.mark.parametrize(
    ("operation", "path", "has"),
    [
        ("add: {actions.doze: {do: [stop]}}", "actions/doze", "cgr"),
        ("add: {actions.doze: {do: [stop], grade: quoted}}", "actions/doze", "cG"),
        ("add: {actions.doze: {do: [stop], grade: house}}", "actions/doze", "Gr"),
        ("add: {actions.doze: {do: [stop], ruling: So.}}", "actions/doze", "cgR"),
        ("add: {procedures: {doze: [stop]}}", "procedures/doze", "cgr"),
        ("add: {tables.card.elk: {points: 3}}", "tables/card/elk", "cgr"),
        ("add: {graphs.road.edges.b-c: {}}", "graphs/road/edges/b-c", "cgr"),
        ("replace: {terms: {limit: {is: 9}}}", "terms/limit", "cgr"),
        ("replace: {actions.dig.cost: {coin: 2}}", "actions/dig", ""),
        ("replace: {actions.dig.cost: {coin: 2}}", "actions/dig/cost", ""),
    ],
)
def test_what_a_variant_says_of_itself_holds_for_the_rules_it_adds(
    operation: str, path: str, has: str, game: Path, tmp_path: Path
) -> None:
    """Each rule or row that is added or replaced whole gets the head's cite, grade and ruling; small: these, else its
    own. A change of a part gets none."""
    head = {"cite": "club, 1", "grade": "inferred", "ruling": "Because."}
    text = "\n".join([*(f"{key}: {value}" for key, value in head.items()), operation])
    found = at(compose(game, variants=[variant(tmp_path, "cited", text)]), path)
    letters = [key[0] if found[key] == head[key] else key[0].upper() for key in head if key in found]
    assert "".join(letters) == has


# -- whatever is written


IDS = st.sampled_from(["terms", "limit", "actions", "dig", "cost", "coin", "do", "scenario", "start", "x", "a.b", "."])
PATHS = st.lists(IDS, min_size=1, max_size=5).map(".".join)
VALUES = st.recursive(
    st.sampled_from(
        [
            *("1", "8", "''", "{}", "[]", "{was: 8, to: 9}", "{was: 1}", "why", "base + 1", "base or (", "[base]"),
            *(
                "{after: x, do: [y]}",
                "{before: y, do: [x, {do: x}]}",
                "{at: end, do: [x]}",
                "{at: start, do: x}",
                "[{do: []}]",
            ),
        ]
    ),
    lambda inner: st.tuples(PATHS, inner).map(lambda pair: f"{{'{pair[0]}': {pair[1]}}}"),
    max_leaves=3,
)
OVERLAYS = st.dictionaries(
    st.sampled_from([*OPERATIONS, "why", "start"]),
    st.dictionaries(PATHS, VALUES, max_size=3),
)


@given(OVERLAYS)
def test_any_overlay_gives_a_tree_or_errors(overlay: dict[str, dict[str, str]]) -> None:
    text = "\n".join(
        f"{name}: {{" + ", ".join(f"'{path}': {value}" for path, value in body.items()) + "}"
        for name, body in overlay.items()
    )
    diagnostics = Diagnostics()
    tree = read_text("terms: {limit: {is: 8}}\nactions: {dig: {cost: {coin: 1}, do: [x]}}\n", "a", diagnostics)
    written = read_text(text or "why: ''", "b", diagnostics)
    assert tree is not None
    assert written is not None
    assert not diagnostics.items
    before = plain(tree)
    after = apply(tree, read_operations(written, diagnostics), "b", ["terms", "actions"], {}, diagnostics)
    assert isinstance(after, Mapping)
    assert plain(tree) == before


@given(files=st.fixed_dictionaries({name: st.binary(max_size=40) | st.just(GAME[name].encode()) for name in GAME}))
def test_any_files_give_a_ruleset_or_errors(files: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> None:
    game = lay(tmp_path_factory.mktemp("any") / "game", GAME)
    for name, content in files.items():
        (game / name).write_bytes(content)
    try:
        assert compose(game).hash
    except RulesetError as error:
        assert error.diagnostics
        assert str(error)
    assert take_snapshot(game).key


@pytest.mark.slow
def test_the_hash_is_the_same_whatever_was_hashed_before() -> None:
    """Entries that other variants have in common are hashed once, and the hash is that of the whole tree by itself."""
    others = [compose("yucata", None, files) for files in variants_beside("yucata")]
    hashes = [rules_hash(each.tree) for each in others]
    assert len({*hashes}) == len(hashes) > 1
    _entries.cache_clear()
    assert rules_hash(others[-1].tree) == hashes[-1]
    assert rules_hash(compose("yucata").tree) not in hashes
