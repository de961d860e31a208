"""What is secret is told to nobody in games that are checked in full, and rules or an engine that tell it are found."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest
from polis_cli.main import app
from support.small_ruleset import lay
from typer.testing import CliRunner

import polis_rules
from polis_rules.interpreter.game.game import Game
from polis_rules.interpreter.game.secrecy import Secrecy
from polis_rules.verification.soak.cross_process import Replays
from polis_rules.verification.soak.soak import Plan, soak
from polis_rules.verification.soak.soak_checks import Checks

DICE = Path(__file__).parent / "rulesets" / "dice_race"


@pytest.fixture(autouse=True)
def here_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """No other process replays anything."""
    soaking = import_module("polis_rules.verification.soak.soak")
    monkeypatch.setattr(soaking, "replay_in_other_process", lambda *_: Replays("3.11.0", "1", 0, ()))


SECRET_DIE = """
kinds:
  player: {state: {die: {type: 1..6, seen_by: viewer == it, title: die}}}
tables: {player: {ann: {}, ben: {}}}
phases:
  game:
    - each: you
      in: player
      do:
        - roll: thrown
          dice: 1d6
        - set: {you.die: thrown}
    - each: you
      in: player
      do:
        - either: {go: {title: Go}, stay: {title: Stay}}
        - roll: thrown
          dice: 1d6
        - set: {you.die: thrown}
    - end: over
endings: {over: {title: Over}}
score: {terms: {die: who.die}}
"""

SEEN_BY_ITSELF = """
kinds:
  player: {}
  card: {attributes: {worth: 1..9}, state: {holder: {type: player or none, seen_by: viewer == it.holder}}}
tables: {player: {ann: {}, bea: {}}, card: {x: {worth: 1}, y: {worth: 2}, z: {worth: 3}, v: {worth: 4}}}
phases:
  game:
    - each: p
      in: player
      do:
        - draw: dealt
          from: card
          where: dealt.holder is none
          stream: cards
        - set: {dealt.holder: p}
    - each: you
      in: player
      do:
        - either: {go: {title: Go}, stay: {title: Stay}}
    - end: done
endings: {done: {title: Done}}
score: {terms: {worth: sum(c.worth for c in card if c.holder == who)}}
"""


def tiny(folder: Path, rules: str) -> Path:
    """A ruleset with one file of rules."""
    manifest = "format: 2\nruleset: tiny\ntitle: Tiny\nfiles: [all.yaml]\nscenario: standard\n"
    scenario = "scenario: standard\ntitle: Standard\n"
    return lay(folder / "tiny", {"ruleset.yaml": manifest, "all.yaml": rules, "scenarios/standard.yaml": scenario})


@pytest.mark.parametrize("rules", [SECRET_DIE, SEEN_BY_ITSELF])
def test_secret_dice_and_sight_by_the_value_itself_pass(rules: str, tmp_path: Path) -> None:
    """What is rolled, dealt or seen in secret is told to nobody else, and the full checks say so."""
    result = soak(Plan(tiny(tmp_path, rules), ("standard",), games=10, check_every=1))
    assert result.ok, result.failure


TOLD_IN_A_TITLE = """
kinds: {player: {state: {n: {type: 0..9, spendable: true}}}}
tables: {player: {ann: {}, ben: {}}}
phases:
  game:
    - each: you
      in: player
      do:
        - SECRET
        - let: {doubled: result * 2}
        - do: ask(doubled)
    - end: over
procedures:
  ask:
    of: {what: number}
    do:
      - either:
          keep: {title: "Keep {what + 1}", do: [{gain: {n: 1}}]}
          drop: {title: "Drop it"}
endings: {over: {title: Over}}
score: {terms: {n: who.n}}
"""


SECRETLY = ["{roll: result, dice: 1d6, seen_by: viewer == you}", "{choose: result, from: 1..6, secret: true}"]


@pytest.mark.parametrize("secret", SECRETLY)
def test_a_name_made_of_a_secret_is_told_in_a_title_to_those_alone_who_know_it(
    secret: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through a `let` and a call; the others read that it is hidden, and full checks notice where they do not."""
    rules = tiny(tmp_path, TOLD_IN_A_TITLE.replace("SECRET", secret))
    game = polis_rules.load(rules).start(seed=4)
    if game.decision is not None and game.decision.secret:
        game.apply("3")
    (keep, _), ann = game.decision.options, game.decision.player_title  # type: ignore[union-attr]
    assert int(keep.title.removeprefix("Keep ")) % 2
    game.apply("keep")
    assert any(line.endswith(keep.title) for line in game.report_for("ann"))
    assert not any(keep.title in line for line in game.report_for("ben"))
    assert any(line.startswith(ann) and line.endswith("Keep hidden") for line in game.report_for("ben"))
    plan = Plan(rules, ("standard",), games=3, check_every=1)
    assert soak(plan).ok
    monkeypatch.setattr(Secrecy, "named", lambda self, point: {})
    result = soak(plan)
    assert result.failure is not None and "the report for" in result.failure.message


DEALT = """
kinds:
  suit: {}
  player:
    state:
      card: {type: 1..6, seen_by: viewer == it, title: card}
      hand: {type: list of suit, at_most: 2, seen_by: viewer == it, title: hand}
      n: {type: 0..99, title: n}
tables: {player: {ann: {}, ben: {}}, suit: {red: {}, blue: {}, green: {}}}
phases:
  game:
    - each: p
      in: player
      do:
        - roll: rolled
          dice: 1d6
        - set: {p.card: rolled}
        - draw: drawn
          from: suit
        - set: {p.hand: "[drawn]"}
    - each: you
      in: player
      do:
        STEPS
    - end: over
procedures:
  ask:
    of: {what: number}
    do: [{either: {go: {title: "Go {what}"}, stay: {title: Stay}}}]
  tell:
    of: {who: player}
    gives: number
    do: [{give: who.card}]
  thrown:
    gives: number
    do: [{roll: result, dice: 1d6, seen_by: viewer == you}, {give: result}]
endings: {over: {title: Over}}
score: {terms: {n: who.n}}
"""

ASKED = """- either: {go: {title: "Go {NAME}"}, stay: {title: Stay}}"""


@pytest.mark.parametrize(
    ("steps", "told"),
    [
        ("- let: {mine: you.card}\n" + ASKED.replace("NAME", "mine"), (True, False)),
        ("- let: {theirs: next(you).card}\n" + ASKED.replace("NAME", "theirs"), (False, True)),
        ("- let: {theirs: next(you).card}\n- let: {more: theirs + 1}\n" + ASKED.replace("NAME", "more"), (False, True)),
        ("- do: ask(you.card)", (True, False)),
        ("- do: ask(next(you).card)", (False, True)),
        ("- do: tell(you)\n  result: got\n" + ASKED.replace("NAME", "got"), (True, False)),
        ("- do: tell(next(you))\n  result: got\n" + ASKED.replace("NAME", "got"), (False, True)),
        (
            "- do: tell(next(you))\n  result: got\n- do: tell(you)\n  result: mine\n" + ASKED.replace("NAME", "got"),
            (False, True),
        ),
        ("- do: thrown\n  result: got\n" + ASKED.replace("NAME", "got"), (True, False)),
        ("- each: held\n  in: you.hand\n  do:\n    " + ASKED.replace("NAME", "held"), (True, False)),
        ("- let: {mine: you.card}\n- as: next(you)\n  do:\n    " + ASKED.replace("NAME", "mine"), (False, False)),
    ],
)
def test_a_name_made_of_hidden_state_is_told_to_those_alone_who_see_it(
    steps: str, told: tuple[bool, bool], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through values named, calls, answers and loops; where another one was `you`, to nobody."""
    rules = tiny(tmp_path, DEALT.replace("STEPS", steps.replace("\n", "\n        ")))
    game = polis_rules.load(rules).start(seed=4)
    assert game.decision is not None
    title = game.decision.options[0].title
    assert (title != "Go hidden") is told[game.decision.player == "ben"]
    game.apply("go")
    lines = [next(line for line in game.report_for(who) if " - Go " in line) for who in ("ann", "ben")]
    assert tuple(not line.endswith("Go hidden") for line in lines) == told
    plan = Plan(rules, ("standard",), games=3, check_every=1)
    assert soak(plan).ok
    monkeypatch.setattr(Secrecy, "named", lambda self, point: {})
    result = soak(plan)
    assert "thrown" in steps or (result.failure is not None and "may not see" in result.failure.message)


def test_how_many_dice_are_rolled_is_told_to_those_alone_who_see_it(tmp_path: Path) -> None:
    """Where hidden state says how many, what came out is read without them."""
    rules = DEALT.replace("STEPS", "- roll: hitting\n          dice: (you.card)d6\n        - set: {you.n: hitting}")
    game = polis_rules.load(tiny(tmp_path, rules)).start(seed=4)
    lines = [next(line for line in game.report_for(who) if "hitting" in line) for who in ("ann", "ben")]
    assert lines[0].endswith("d6") and lines[1] == lines[0].rpartition(" ")[0] + " hidden dice"


def test_why_something_is_refused_does_not_tell_what_a_name_is_made_of(tmp_path: Path) -> None:
    """Neither its value nor the sentence of the condition."""
    choice = "choose: bid\n          from: 1..20\n          where: {high: {if: bid > theirs, says: 'above {theirs}'}}"
    rules = DEALT.replace("STEPS", f"- let: {{theirs: next(you).card}}\n        - {choice}")
    (refusal,) = polis_rules.load(tiny(tmp_path, rules)).start(seed=4).why_not("1")
    assert refusal.label == "above hidden" and refusal.values == {"bid": "1", "theirs": "hidden"}


def test_what_cannot_be_chosen_is_not_asked_about_what_is_hidden_of_it(tmp_path: Path) -> None:
    """A condition may speak of what the player sees of all that can be chosen, but not of the rest."""
    choice = "choose: mine\n          from: '{you}'\n          where: {high: mine.card >= 1, higher: mine.card > 9}"
    rules = DEALT.replace("STEPS", f"- {choice}\n          if_possible: true")
    game = polis_rules.load(tiny(tmp_path, rules.replace("mine.card > 9", "true"))).start(seed=4)
    (refusal,) = game.why_not("ben")
    assert refusal.label == "it is not among what can be chosen here"


OPEN_FOR_A_WHILE = """
kinds:
  player:
    state:
      hand: {type: list of card, at_most: 4, seen_by: viewer == it, title: hand}
      used: {type: list of card, at_most: 8, title: used}
      pile: {type: list of card, at_most: 8, seen_by: false, start: "[c for c in card]", title: pile}
  card: {numbers: 1..8}
tables: {player: {ann: {}, bea: {}}}
phases:
  game:
    - each: you
      in: player
      do:
        - shuffle: you.pile
        - move: 4
          from: you.pile
          to: you.hand
    - each: you
      in: player
      do:
        - either: {go: {title: Go}, stay: {title: Stay}}
        - move: all
          from: you.hand
          to: you.used
        - move: all
          from: you.used
          to: you.pile
        - shuffle: you.pile
    - end: done
endings: {done: {title: Done}}
score: {terms: {cards: len(who.pile)}}
"""


def test_what_lies_open_for_a_while_is_no_secret(tmp_path: Path) -> None:
    """A hand that is laid open and shuffled into a hidden pile, all after one decision, was seen by everybody."""
    result = soak(Plan(tiny(tmp_path, OPEN_FOR_A_WHILE), ("standard",), games=2, check_every=1))
    assert result.ok, result.failure
    assert result.worlds > 0


SECRET_CHOICE = """
kinds: {player: {state: {die: {type: 1..6, seen_by: viewer == it}, guess: 1..6}}}
state: {trump: {type: 0..6, seen_by: viewer == player.ben}}
tables: {player: {ann: {}, ben: {}}}
phases:
  game:
    - choose: n
      who: player.ben
      secret: true
      from: 1..6
    - set: {ben.die: n, trump: n}
    - choose: g
      who: player.ann
      from: 1..6
    - set: {ann.guess: g}
    - choose: later
      who: player.ann
      from: 1..6
      where: {enough: later >= ANYTHING}
    - set: {ann.guess: later}
    - end: over
endings: {over: {title: Over}}
score: {terms: {guess: who.guess}}
"""

CHOSEN = "choose: n\n      who: player.ben\n      secret: true\n      from: 1..6\n"
assert CHOSEN in SECRET_CHOICE
SECRET_ROLL = SECRET_CHOICE.replace(CHOSEN, "roll: n\n      dice: 1d6\n")


@pytest.mark.parametrize("rules", [SECRET_CHOICE, SECRET_ROLL], ids=["choice", "roll"])
@pytest.mark.parametrize("read", ["player.ben.die", "trump"])
def test_options_that_hang_on_a_secret_are_found_later(rules: str, read: str, tmp_path: Path) -> None:
    """A player's own hidden value and a hidden global one, written long before they decide what another may do."""
    result = soak(Plan(tiny(tmp_path, rules.replace("ANYTHING", read)), ("standard",), games=3, check_every=1))
    assert result.failure is not None and "the options of ann tell what ann may not see" in result.failure.message


@pytest.mark.parametrize("rules", [SECRET_CHOICE, SECRET_ROLL], ids=["choice", "roll"])
def test_a_secret_that_is_kept_or_shown_to_all_passes(rules: str, tmp_path: Path) -> None:
    """What the rules reveal may decide afterwards what others may do."""
    kept = rules.replace("ANYTHING", "1")
    shown = rules.replace("ANYTHING", "ann.guess").replace("{ann.guess: g}", "{ann.guess: trump}", 1)
    for name, each in (("kept", kept), ("shown", shown)):
        result = soak(Plan(tiny(tmp_path / name, each), ("standard",), games=3, check_every=1))
        assert result.ok, result.failure
        assert result.worlds > 0


@pytest.mark.slow
def test_secrets_that_could_not_be_exchanged_are_told(tmp_path: Path) -> None:
    """Where the only secret never changes, the command does not claim that it was checked."""
    fixed = SECRET_CHOICE.replace("{ben.die: n, trump: n}", "{ben.guess: n}").replace("ANYTHING", "trump")
    few = ["--games", "2", "--check-every", "1"]
    done = CliRunner().invoke(app, ["soak", str(tiny(tmp_path, fixed)), *few])
    assert done.exit_code == 0 and "NOT CHECKED: whether what is hidden can be told" in done.output
    assert "NOT CHECKED" not in CliRunner().invoke(app, ["soak", str(DICE), *few]).output


@pytest.mark.parametrize(
    ("broken", "message"),
    [("concerns", "the report for ben tells"), ("report", "the log for ben tells"), ("reasons", "the refusals for")],
)
def test_dice_that_tell_a_secret_are_found(
    broken: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reports, logs and refusals that hang on a hidden value fail the full checks."""
    if broken == "concerns":
        monkeypatch.setattr(Secrecy, "concerns", lambda self, point: False)
    elif broken == "report":
        monkeypatch.setattr(Game, "log_for", lambda self, player: self.log)
    else:
        monkeypatch.setattr(Checks, "not_offered", lambda self, game: ["go"])
        monkeypatch.setattr(Game, "why_not", lambda self, name: self.state[:])
    result = soak(Plan(tiny(tmp_path, SECRET_DIE), ("standard",), games=10, check_every=1))
    assert result.failure is not None
    assert message in result.failure.message.replace("ann", "ben")
