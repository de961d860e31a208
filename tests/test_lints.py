"""Checks beyond types find what they are for, at its very place, and say nothing about what is sound."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from textwrap import dedent

import pytest
from ruamel.yaml import YAML
from support import shipping
from support.sampling import sampled
from support.small_market import ALSO, AND, REQUIRES, WHERE, findings, market
from support.small_ruleset import lay

from polis_rules.composition.catalog import find, find_variant, scenario_files
from polis_rules.diagnostics.codes import explanations
from polis_rules.validation.checks import checks
from polis_rules.validation.validate import validate

HERE = Path(__file__).parent
SMALL_GAMES = sorted(path.parent for path in (HERE / "rulesets").glob("*/ruleset.yaml"))


@dataclass(frozen=True, slots=True)
class Case:
    """An edit of the sound market; `code` is that of the finding it must bring, at the text `mark`, or none."""

    code: str = ""
    mark: str = ""
    edit: list[dict[str, str]] = field(default_factory=list)
    more: str = ""
    variant: str = ""

    def found(self, folder: Path) -> list[tuple[str, str]]:
        return market(folder, self.more, {each["find"]: each["put"] for each in self.edit}, self.variant)


CASES = {
    f"{file.stem}/{name}": Case(**entry)
    for file in sorted((HERE / "lints").glob("*.yaml"))
    for name, entry in YAML(typ="safe", pure=True).load(file.read_text("utf-8")).items()
}


@pytest.mark.parametrize("name", sampled([name for name, case in CASES.items() if case.code], every=3, slow=2))
def test_what_is_wrong_is_found_at_its_place(tmp_path: Path, name: str) -> None:
    """One thing wrong with the market gives a finding of its code, which points at the very words."""
    assert (CASES[name].code, CASES[name].mark) in CASES[name].found(tmp_path)


@pytest.mark.parametrize("name", sampled([name for name, case in CASES.items() if not case.code], every=3, slow=2))
def test_what_is_sound_is_left_alone(tmp_path: Path, name: str) -> None:
    """What resembles a mistake and is none gives no finding."""
    assert CASES[name].found(tmp_path) == []


def test_every_code_of_a_check_has_a_case() -> None:
    """Whatever a check can report is tried, here or below."""
    folder = HERE.parent / "polis_rules" / "validation" / "lints"
    text = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    reported = {code for code in explanations() if f'"{code}"' in text}
    below = {"changes-nothing", "unknown-variant"}
    assert reported == {case.code for case in CASES.values() if case.code} | below


def test_every_check_says_what_why_and_gives_an_example() -> None:
    """Each file of a check opens with one line, then says why and shows an example."""
    names = [name for name, _ in checks()]
    assert len(names) > 12
    for name in names:
        text = import_module(f"polis_rules.validation.lints.{name}").__doc__ or ""
        assert "\nWhy: " in text and "\nExample: " in text, name


# -- what is sound --------------------------------------------------------------------------------------------------


def test_the_sound_market_has_no_findings(tmp_path: Path) -> None:
    assert market(tmp_path) == []


def shipped() -> list[tuple[str, str | None, tuple[str, ...]]]:
    """Every shipped ruleset with each of its scenarios, and with each variant that is written for it."""
    found: list[tuple[str, str | None, tuple[str, ...]]] = []
    for name in sorted(path.parent.name for path in find("yucata").parent.glob("*/ruleset.yaml")):
        found += [(name, scenario, ()) for scenario in scenario_files(find(name))]
        variants = [id for each in shipping.shipped() if each.name == name for id, _ in each.variants]
        found += [(name, None, (variant,)) for variant in variants if _is_for(variant, name)]
    return found


def _is_for(variant: str, name: str) -> bool:
    text = find_variant(variant, find(name))[0].read_text(encoding="utf-8")
    return f"extends: {name}\n" in text


@pytest.mark.slow
@pytest.mark.parametrize(("name", "scenario", "variants"), shipped())
def test_shipped_rulesets_have_no_findings(name: str, scenario: str | None, variants: tuple[str, ...]) -> None:
    assert validate(name, scenario, variants).findings == []


@pytest.mark.parametrize("folder", SMALL_GAMES, ids=lambda path: str(path.name))
def test_the_small_games_have_no_findings(folder: Path) -> None:
    assert validate(folder).findings == []


# -- details --------------------------------------------------------------------------------------------------------


def test_one_contradiction_gives_one_finding(tmp_path: Path) -> None:
    edit = {WHERE: WHERE + AND + '"target in {north, south} and target == west"'}
    assert market(tmp_path, "", edit) == [("contradiction", "target == west")]


def test_a_contradiction_shows_the_other_half(tmp_path: Path) -> None:
    ((error, mark),) = findings(tmp_path, "", {REQUIRES: "a: you.coins > 3" + ALSO + "you.coins < 2"})
    ((what, there),) = error.related
    assert (mark, what, there.line) == ("you.coins < 2", "what holds here", error.span.line - 1 if error.span else 0)
    assert error.message == "this condition and `a` cannot both hold"


@pytest.mark.parametrize(
    ("more", "code"), [("", "stale-ruling"), ("\n  terms.rent.ruling: {was: Three., to: Four.}", "")]
)
def test_a_ruling_must_be_as_new_as_the_last_change_of_its_rule(tmp_path: Path, more: str, code: str) -> None:
    """An edition that changed rule and ruling together vouches for nothing that a variant makes of the rule."""
    market(tmp_path, edit={"rent: {is: 2, ": "rent: {is: 2, ruling: Two., "})
    edition = "format: 2\nruleset: second\ntitle: Second\nextends: market\nscenario: standard\nchange:\n"
    edition += "  terms.rent.is: {was: 2, to: 3}\n  terms.rent.ruling: {was: Two., to: Three.}\n"
    variant = "variant: other\nextends: second\nwhy: To try.\nchange:\n  terms.rent.is: {was: 3, to: 4}" + more
    lay(tmp_path, {"second/ruleset.yaml": edition, "other.yaml": variant})
    reported = validate(tmp_path / "second", None, (tmp_path / "other.yaml",)).findings
    assert [each.code for each in reported] == ([code] if code else [])


def test_an_overlay_that_changes_nothing_is_found(tmp_path: Path) -> None:
    variant = "change:\n  terms.rent.is: {was: 2, to: 2}\n"
    assert market(tmp_path, variant=variant) == [("changes-nothing", "terms.rent.is")]


def test_a_replacement_of_which_a_part_is_new_is_sound(tmp_path: Path) -> None:
    variant = "replace:\n  terms.rent: {is: 2, cite: 'book, page 9', grade: quoted}\n"
    assert market(tmp_path, variant=variant) == []


def test_what_a_variant_leaves_unused_is_no_finding(tmp_path: Path) -> None:
    variant = "change:\n  terms.held.is: {was: count(s for s in spot if s.owner == who), to: 1 + 0 * order(who)}\n"
    assert market(tmp_path, variant=variant) == []


def test_what_a_variant_adds_and_does_not_use_is_one(tmp_path: Path) -> None:
    variant = "add:\n  terms.price: {is: 3, cite: 'book, page 9', grade: quoted}\n"
    assert market(tmp_path, variant=variant) == [("unused-term", "terms.price")]


def test_a_variant_named_wrongly_is_found(tmp_path: Path) -> None:
    (tmp_path / "long_game.yaml").write_text("variant: long_game\n")
    change = "change:\n  terms.rent.is: {was: 2, to: 3}\n"
    assert market(tmp_path, variant=f"conflicts: [long_gamme]\n{change}") == [("unknown-variant", "long_gamme")]
    assert market(tmp_path, variant=f"conflicts: [long_game, quite_another]\n{change}") == []


def test_a_new_rule_without_source_is_one_finding(tmp_path: Path) -> None:
    """A rule that has neither a cite nor a grade is reported once."""
    variant = "add:\n  actions.doze: {title: Doze, do: [{gain: {coins: 1}}]}\n"
    assert market(tmp_path, variant=variant) == [("missing-cite", "actions.doze")]


def test_a_variants_own_source_holds_for_what_it_adds(tmp_path: Path) -> None:
    """Under a variant with a cite and a grade, nothing that it adds or replaces lacks one."""
    variant = """
        grade: house
        cite: book, page 9
        add:
          actions.doze: {title: Doze, do: [{gain: {coins: 1}}]}
        replace:
          terms.rent: {is: 3}
    """
    assert market(tmp_path, variant=variant) == []


def test_a_variants_own_source_must_be_declared(tmp_path: Path) -> None:
    """What a variant's head cites is reported once, however many rules it holds for, or none."""
    add = "add:\n  actions.doze: {cost: {coins: 1}}\n  actions.nap: {cost: {coins: 2}}\n"
    for more in ("change:\n  terms.rent.is: {was: 2, to: 3}\n", add):
        reported = market(tmp_path, variant=f"grade: quoted\ncite: boook, page 9\n{more}")
        assert [each for each in reported if each[0] == "unknown-source"] == [("unknown-source", "boook")]


def test_a_replaced_rule_is_reported_where_it_is_replaced(tmp_path: Path) -> None:
    """A rule that loses its cite in a variant is reported in the file of the variant."""
    ((finding, _),) = findings(tmp_path, variant="replace:\n  terms.rent: {is: 3}\n")
    assert finding.code == "missing-cite" and str(finding.span).endswith("other.yaml:6:15")


def small_game(folder: Path, rules: str, scenarios: dict[str, str] | None = None) -> list[tuple[str, str]]:
    """What is found in a ruleset of one file: codes and messages."""
    files = {f"scenarios/{id}.yaml": f"scenario: {id}\ntitle: {id}\n{text}" for id, text in (scenarios or {}).items()}
    manifest = "format: 2\nruleset: tiny\ntitle: Tiny\nfiles: [all.yaml]\nscenario: standard\n"
    standard = {"scenarios/standard.yaml": "scenario: standard\ntitle: Standard\n"}
    lay(folder / "tiny", {"ruleset.yaml": manifest, "all.yaml": dedent(rules), **standard, **files})
    return [(finding.code, finding.message) for finding in validate(folder / "tiny").findings]


def test_what_a_line_before_asks_is_known_to_whoever_chooses(tmp_path: Path) -> None:
    """State that only its owner sees may be asked about once a condition before it has asked for the owner."""
    rules = """
        kinds:
          player: {}
          unit: {attributes: {side: player}, state: {at: {type: place or none, seen_by: viewer == it.side}}}
          place: {}
        tables: {player: {ann: {}, bea: {}}, place: {p1: {}, p2: {}}, unit: {u1: {side: ann}, u2: {side: bea}}}
        phases:
          game:
            - each: you
              in: player
              do:
                - choose: mover
                  title: Which unit?
                  from: unit
                  where: CONDITIONS
                  if_possible: true
                - choose: goal
                  title: Where to?
                  from: place
                - if: mover is not none
                  then: [{set: {mover.at: goal}}]
            - end: done
        endings: {done: {title: Done}}
        score: {terms: {units: count(u for u in unit if u.side == who and u.at is not none)}}
    """
    yours, free = "yours: mover.side == you", "free: mover.at is none"
    assert small_game(tmp_path, rules.replace("CONDITIONS", f"{{{yours}, {free}}}")) == []
    (finding,) = small_game(tmp_path, rules.replace("CONDITIONS", f"{{{free}}}"))
    assert finding[0] == "hidden-state"


def test_a_member_of_a_set_meets_what_gathers_the_set(tmp_path: Path) -> None:
    """What is hidden of one's own units may be asked of each of them, without a condition that says so again."""
    rules = """
        kinds:
          player: {}
          unit:
            attributes: {side: player}
            state: {strength: {type: 0..4, start: 2, seen_by: viewer == it.side}}
        tables: {player: {ann: {}, bea: {}}, unit: {u1: {side: ann}, u2: {side: bea}}}
        terms: {units_of: {of: {who: player}, is: "{u for u in unit if u.side == WHO}"}}
        phases:
          game:
            - each: you
              in: player
              do:
                - choose: weaker
                  title: Which unit?
                  from: units_of(you)
                  where: weaker.strength > 0
                  if_possible: true
                - if: weaker is not none
                  then: [{set: {weaker.strength: 0}}]
            - end: done
        endings: {done: {title: Done}}
        score: {terms: {strength: sum(u.strength for u in unit if u.side == who)}}
    """
    assert small_game(tmp_path, rules.replace("WHO", "who")) == []
    (finding,) = small_game(tmp_path, rules.replace("WHO", "next(who)"))
    assert finding[0] == "hidden-state"


def test_what_one_sees_by_having_it_may_be_asked_for(tmp_path: Path) -> None:
    """Whether one is the holder of a card is no secret, though only the holder sees who holds it."""
    rules = """
        kinds:
          player: {}
          card: {state: {holder: {type: player or none, seen_by: viewer == it.holder}}}
        tables: {player: {ann: {}, bea: {}}, card: {x: {}, y: {}}}
        phases:
          game:
            - set: {x.holder: ann, y.holder: bea}
            - each: you
              in: player
              do:
                - choose: played
                  title: Which card?
                  from: card
                  where: played.holder == you
                  if_possible: true
                - if: played is not none
                  then: [{set: {played.holder: none}}]
            - end: done
        endings: {done: {title: Done}}
        score: {terms: {cards: count(c for c in card if c.holder == who)}}
    """
    assert small_game(tmp_path, rules) == []


def test_state_that_another_scenario_gives_is_used(tmp_path: Path) -> None:
    """What no rule changes may be there for a scenario that was not chosen."""
    rules = """
        kinds:
          player: {}
          treaty: {in_force: it.holds, attributes: {changes: changes}, state: {holds: flag}}
        tables: {player: {ann: {}, bea: {}}, treaty: {peace: {changes: {points: 2}}}}
        terms: {points: {is: 1}}
        phases: {game: [{end: done}]}
        endings: {done: {title: Done}}
        score: {terms: {all: points}}
    """
    assert [code for code, _ in small_game(tmp_path, rules)] == ["never-written"]
    assert small_game(tmp_path, rules, {"peaceful": "start:\n  treaty: {peace: {holds: true}}\n"}) == []


def test_a_board_of_combinations_has_neither_odd_edges_nor_unused_parts(tmp_path: Path) -> None:
    """Lakes on a board of hexes lie among other spaces, and what a kind is combined of needs no further use."""
    columns, edges = "abcdefgh", list[str]()
    for number, column in enumerate(columns):
        for row in range(1, 9):
            edges += [f"{column}_{row}-{column}_{row + 1}: {{}}"] if row < 8 else []
            edges += [f"{column}_{row}-{columns[number + 1]}_{row}: {{}}"] if number < 7 else []
    spaces = [f"{column}_{row}" for column in columns for row in range(1, 9)]
    rows = ", ".join(f"{space}: {{is_lake: {str(space in ('c_3', 'f_6')).lower()}}}" for space in spaces)
    rules = f"""
        kinds:
          player: {{state: {{at: space}}}}
          space: {{attributes: {{is_lake: {{type: flag, default: false}}}}}}
          suit: {{}}
          rank: {{}}
          card: {{for_each: [suit, rank], state: {{taken: flag}}}}
        tables:
          player: {{ann: {{}}, bea: {{}}}}
          space: {{{rows}}}
          suit: {{red: {{}}, black: {{}}}}
          rank: {{low: {{}}, high: {{}}}}
        graphs: {{board: {{edges: {{{", ".join(edges)}}}}}}}
        routes: {{walk: {{over: [board], through: {{space: not space.is_lake}}}}}}
        phases:
          game:
            - each: you
              in: player
              do:
                - choose: goal
                  title: Where to?
                  from: space
                  where: route_exists(walk, you.at, goal)
                  if_possible: true
                - if: goal is not none
                  then: [{{set: {{you.at: goal}}}}]
                - draw: found
                  from: card
                  where: not found.taken
                - set: {{found.taken: true}}
            - end: done
        endings: {{done: {{title: Done}}}}
        score: {{terms: {{far: order(who.at)}}}}
    """
    assert [code for code, _ in small_game(tmp_path, rules) if code in ("odd-edge", "unused-attribute")] == []
