"""Bots play legal games to the end, see no more than their players, and play well."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from random import Random
from time import sleep

import pytest
from support.sampling import sampled

from polis_rules import load
from polis_rules.interpreter.machine import PC
from polis_rules.interpreter.runtime import Program
from polis_rules.interpreter.runtime.native import PythonSearch
from polis_rules.play import Session, bots
from polis_rules.play.bots import thinking
from polis_rules.play.bots.dealing import Dealer
from polis_rules.play.bots.thinking import WHOLE_GAME
from polis_rules.verification.soak.soak_checks import Checks

SHELF = sorted(path.parent for path in (Path(__file__).parent / "rulesets").glob("*/ruleset.yaml"))
SECRETIVE = [each for each in SHELF if each.name in ("dice_race", "hearts", "leduc", "masks", "passing", "tricks")]


def named(folder: Path) -> str:
    return folder.name


def shelf(name: str) -> Path:
    return next(each for each in SHELF if each.name == name)


def players(program: Program) -> int:
    return len(program.rules.symbols.kinds["player"].members)


def share(program: Program, names: list[str], place: int, seed: int) -> float:
    """What of a game's win the seat at a place gets."""
    state = program.new_state(seed)
    for _ in program.steps(state, bots.chooser(program, names, seed)):
        pass
    won = program.winners(state)
    return (place in won) / len(won) if won else 1 / players(program)


def won(program: Program, one: str, other: str, games: int) -> float:
    """The share of games that one bot wins, in every seat in turn, where another one sits in all others."""
    count = players(program)
    seats = [[one if place == game % count else other for place in range(count)] for game in range(games)]
    return sum(share(program, each, game % count, game // count) for game, each in enumerate(seats)) / games


@pytest.mark.parametrize("folder", sampled(SHELF, every=5, name=named, slow=2))
def test_bots_play_every_game_to_its_end(folder: Path) -> None:
    """With all that must hold asked at every point, in all kinds of seats."""
    program = load(folder).program(checks=True)
    count = players(program)
    for seed, names in enumerate((["mcts:12", "greedy"], ["greedy", "random"])):
        state = program.new_state(seed)
        seats = [names[place % 2] for place in range(count)]
        for _ in program.steps(state, bots.chooser(program, seats, seed)):
            program.check(state)
        assert state[PC] == program.finished


@pytest.mark.parametrize("name", ["leduc", "connect_four"])
def test_the_same_seed_and_tries_are_the_same_game(name: str) -> None:
    program = load(shelf(name)).program()
    games = []
    for _ in range(2):
        state = program.new_state(3)
        games.append([option for _, option in program.steps(state, bots.chooser(program, ["mcts:40", "greedy"], 3))])
    assert games[0] == games[1]


def test_a_bot_that_goes_on_in_native_code_plays_the_same_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where native code is opened in the middle of a game; games after that begin in it."""
    games = []
    for patience in (1e9, 0, 0):
        monkeypatch.setattr(thinking, "PATIENCE", patience)
        program = load(shelf("dice_race")).program()
        state = program.new_state(3)
        games.append([option for _, option in program.steps(state, bots.chooser(program, ["mcts:40", "greedy"], 3))])
    assert games[0] == games[1] == games[2]


def test_a_search_that_takes_long_in_python_begins_again_in_native_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """So the first decision of a game does not take minutes; what was tried how often is the same."""
    tried = list[int]()
    go_on = PythonSearch.go_on

    def counted(search: PythonSearch, tries: int) -> None:
        tried.append(tries)
        go_on(search, tries)

    monkeypatch.setattr(PythonSearch, "go_on", counted)
    found = []
    for patience in (1e9, 0):
        monkeypatch.setattr(thinking, "PATIENCE", patience)
        tried.clear()
        program = load(shelf("connect_four")).program()
        thinker = thinking.Thinker(program, bots.Budget(tries=400))
        state = program.new_state(3)
        found.append([thinker.visits(state, WHOLE_GAME, Random(seed)) for seed in (1, 2)])
    assert found[0] == found[1] and sum(tried) < 400


@pytest.mark.parametrize("ruleset", ["yucata", shelf("hearts")], ids=["yucata", "hearts"])
def test_a_bot_plays_the_same_with_people_as_among_many_games(
    ruleset: str | Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games that people watch are told, so their code is other code than that which bots search in."""
    monkeypatch.setattr(thinking, "PATIENCE", 0)
    rules, seed = load(ruleset), 3
    program, names = rules.program(), ["mcts:6"] * len(rules.players)
    chosen = bots.chooser(program, names, seed)
    expected = [taken for options, taken in program.steps(program.new_state(seed), chosen) if options]
    game, seated, found = rules.start(seed=seed), dict(zip(rules.players, bots.seated(names, seed), strict=True)), []
    while game.decision is not None:
        option = seated[game.decision.player].choose(game)
        found.append(option.value)
        game.apply(option)
    assert found == expected


@pytest.mark.parametrize("folder", sampled(SECRETIVE, every=2, name=named, slow=2))
def test_a_bot_sees_no_more_than_its_player(folder: Path) -> None:
    """Where something hidden is exchanged under it, it makes the same choice, and thinks of the same positions."""
    told, asked = told_to_bots(folder, points=90, every=2)
    assert not told
    assert asked > 5


@pytest.mark.slow
@pytest.mark.parametrize("name", ["colonnades", "hellenes_training"])
def test_a_bot_sees_no_more_than_its_player_in_a_shipped_game(name: str) -> None:
    """The same with coin cards laid down as a bid, and with blocks whose labels the other side cannot read."""
    told, asked = told_to_bots(name, points=200, every=9)
    assert not told
    assert asked > 5


def test_a_bot_that_looks_at_hidden_cards_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that try their options with the true cards of the other player choose by them."""
    monkeypatch.setattr(Dealer, "worlds", lambda _, state, *rest: [state[:]])
    told, _ = told_to_bots(shelf("leduc"), points=90, every=1)
    assert told == {"deal", *CURIOUS}


CURIOUS = ("greedy", "mcts:24")
"""Bots that look ahead, which hidden cards would help."""


def told_to_bots(ruleset: str | Path, points: int, every: int) -> tuple[set[str], int]:
    """Which bots, or the deal, take heed of what their player cannot see, and in how many positions that was exchanged.

    Two games are played at random; what is hidden is exchanged at each decision, and one time in so many bots choose.
    """
    program = load(ruleset).program(checks=True)
    checks, dealer, asked = Checks(program), Dealer(program), 0
    told = set[str]()
    for seed in range(2):
        state, rng = program.new_state(seed), Random(seed)
        for options, _ in islice(program.steps(state, lambda _, options, rng=rng: rng.choice(options)), points):
            if not options or len(options) < 2:
                continue
            viewer = program.decider(state)
            hidden = checks.hidden(state, viewer)
            for world in islice(checks.other_worlds(state, hidden, asked), 2):
                if checks.hidden(world, viewer) != hidden or sizes(checks, world) != sizes(checks, state):
                    continue
                asked += 1
                worlds = [dealer.worlds(each, viewer, Random(1), 3) for each in (state, world)]
                if worlds[0] != worlds[1]:
                    told.add("deal")
                if asked % every == 0:
                    for name in CURIOUS:
                        picks = [bots.make(name, 1).pick(program, each, options) for each in (state, world)]
                        if picks[0] != picks[1]:
                            told.add(name)
    return told, asked


def test_a_bot_that_has_little_time_deals_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one deal takes a tenth of a second, a bot that has half a second does not deal 32 times."""
    program = load(shelf("leduc")).program()
    program.opening = None
    state = program.new_state(1)
    while program.is_chance[state[PC]]:
        program.apply(state, program.outcome(state))
    dealt, deal = [], Dealer._world

    def slow(*args: object) -> list[int]:
        sleep(0.1)
        dealt.append(deal(*args))  # type: ignore[arg-type]
        return dealt[-1]

    monkeypatch.setattr(Dealer, "_world", slow)
    monkeypatch.setattr(thinking, "SAID", [""])  # that it thinks in Python
    assert bots.make("mcts:500ms", 1).pick(program, state, program.options(state)) in program.options(state)
    assert 1 <= len(dealt) <= 2


def test_a_bot_does_not_know_what_was_laid_at_the_same_time() -> None:
    """Whatever card the other one has laid, it chooses the same."""
    program = load(shelf("goofspiel")).program()
    for seed in range(3):
        picks, begun = set(), program.new_state(seed)
        while program.is_chance[begun[PC]]:
            program.apply(begun, program.outcome(begun))
        for card in program.options(begun):
            state = begun[:]
            program.apply(state, card)
            picks.add(bots.make("mcts:100", seed).pick(program, state, program.options(state)))
        assert len(picks) == 1


def sizes(checks: Checks, state: list[int]) -> list[int]:
    """How many members each hidden set and place has, which whoever follows a game can count."""
    sets = [slot for each in checks.secret if each.type.base == "set" for slot in checks.slots(each)]
    places = [slot for each in checks.secret if each.type.base == "ref" for slot in checks.slots(each)]
    return [*(state[slot].bit_count() for slot in sets), *(state[slot] >= 0 for slot in places)]


@pytest.mark.parametrize("folder", sampled(SECRETIVE, every=2, name=named, slow=2))
def test_what_is_dealt_anew_could_be(folder: Path) -> None:
    """It offers the same options, and what must hold does hold."""
    program = load(folder).program(checks=True)
    dealer, asked = Dealer(program), 0
    state, rng = program.new_state(1), Random(1)
    for options, _ in islice(program.steps(state, lambda _, options: rng.choice(options)), 90):
        if options:
            for world in dealer.worlds(state, program.decider(state), Random(asked), 3):
                assert program.options(world) == options
                program.check(world)
                asked += world != state
    assert asked > 5


LOST = """\
format: 2
ruleset: lost
title: A game that Ann has lost
sources:
  own: {title: Written for these tests, grade: quoted}
cite: own, rules
scenario: {scenario: standard, title: One choice}
kinds:
  way: {title: Way}
  player:
    title: Player
    attributes:
      first: {type: number, default: 0}
    state:
      points: {type: 0..10, start: it.first, title: points}
tables:
  way:
    give_up: {title: Give up}
    take_little: {title: Take little}
    take_much: {title: Take much}
  player:
    ann: {title: Ann}
    bob: {title: Bob, first: 10}
phases:
  game:
    - choose: way
      title: Which way?
      who: ann
      from: way
    - roll: luck
      dice: 1d6
      title: Luck
    - when: way == give_up
      end: given_up
      winner: bob
    - set: {ann.points: order(way) * 2}
    - end: counted
endings:
  given_up: {title: One has given up}
  counted: {title: Points are counted}
score:
  terms:
    points: who.points
"""


def test_who_can_hardly_win_plays_for_points(tmp_path: Path) -> None:
    """Lost with many points is better than with few, and than to have lost without a count."""
    (tmp_path / "ruleset.yaml").write_text(LOST, encoding="utf-8")
    program = load(tmp_path).program()
    state = program.new_state(1)
    options = program.options(state)
    assert {bots.make("mcts:60", seed).pick(program, state, options) for seed in range(8)} == {options[2]}


@pytest.mark.parametrize("is_stopped", [True, False])
def test_who_is_stopped_looks_for_points_no_more(
    is_stopped: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes what it likes best so far."""
    (tmp_path / "ruleset.yaml").write_text(LOST, encoding="utf-8")
    program = load(tmp_path).program()
    state = program.new_state(1)
    options, bot = program.options(state), bots.MctsBot(1, bots.Budget(tries=60))
    bot.stopped = lambda: is_stopped and bot.thinker is not None and bool(bot.thinker.worth)
    monkeypatch.setattr(bot.without_hope, "pick", lambda *_: options[2])
    assert (bot.pick(program, state, options) != options[2]) == is_stopped


@pytest.mark.parametrize(("name", "is_short"), [("harbours", False), ("politeia", True)])
def test_tries_are_short_only_where_advice_says_what_a_position_is_worth(name: str, is_short: bool) -> None:
    ruleset = load(name if is_short else shelf(name))
    assert bool(ruleset.rules().advice) == is_short
    assert (thinking.whole_game(ruleset.program()).soon < WHOLE_GAME.soon) == is_short


def test_a_search_without_hope_leaves_the_rest_of_its_tries(tmp_path: Path) -> None:
    """It ends after three quarters, and one that has some hope does not."""
    (tmp_path / "ruleset.yaml").write_text(LOST, encoding="utf-8")
    program = load(tmp_path).program()
    state = program.new_state(1)
    for hope, tries in ((0.02, 300), (0.0, 400)):
        thinker = thinking.Thinker(program, bots.Budget(tries=400))
        assert thinker.visits(state, WHOLE_GAME, Random(1), hope=hope).total() == tries


def test_a_bot_finds_a_win_in_one_move() -> None:
    """Three in a row get their fourth, by either bot."""
    program = load(shelf("connect_four")).program()
    state = program.new_state(1)
    for column in (0, 6, 1, 6, 2, 5):
        program.apply(state, program.options(state)[column])
    options = program.options(state)
    assert {bots.make(name, 1).pick(program, state, options) for name in ("mcts:200", "greedy")} == {options[3]}


@pytest.mark.parametrize(("name", "games"), [("connect_four", 20), ("othello", 6)])
def test_a_search_wins_against_chance(name: str, games: int) -> None:
    program = load(shelf(name)).program()
    assert won(program, "mcts:60", "random", games) >= 0.9


@pytest.mark.parametrize("name", ["skirmish", "leduc", "agora"])
def test_a_search_that_ends_when_it_is_settled_finds_what_it_would_have_found(name: str) -> None:
    """The option that was tried most is the same, with fewer tries."""
    game = load(shelf(name)).start(seed=1)
    whole, ended = 0, 0
    for seed in range(12):
        if game.decision is None:
            break
        searches = []
        for until_settled in (False, True):
            thinker = thinking.Thinker(game.program, bots.Budget(tries=200))
            searches.append(thinker.visits(game.state, WHOLE_GAME, Random(seed), until_settled=until_settled))
        assert len({max(visits, key=lambda option: visits[option]) for visits in searches}) == 1
        whole, ended = whole + searches[0].total(), ended + searches[1].total()
        game.apply(Random(seed).choice(game.decision.options))
    assert 0 < ended < whole


@pytest.mark.slow
def test_more_tries_are_stronger() -> None:
    program = load(shelf("connect_four")).program()
    assert won(program, "mcts:150", "mcts:10", 16) > 0.7


PENNIES = """\
format: 2
ruleset: pennies
title: Matching pennies
sources:
  own: {title: Written for these tests, grade: quoted}
cite: own, rules
scenario: {scenario: standard, title: One toss}
kinds:
  side: {title: Side}
  player:
    title: Player
    state:
      shows: {type: side, title: side}
tables:
  side:
    heads: {title: Heads}
    tails: {title: Tails}
  player:
    ann: {title: Ann}
    bob: {title: Bob}
phases:
  game:
    - together: you
      in: player
      do:
        - choose: shown
          title: Which side?
          from: side
        - set: {you.shows: shown}
    - when: ann.shows == bob.shows
      end: matched
      winner: ann
    - end: missed
      winner: bob
endings:
  matched: {title: The sides are the same}
  missed: {title: The sides are not the same}
score:
  terms:
    shown: order(who.shows)
"""


def test_players_who_act_together_do_not_know_what_others_choose(tmp_path: Path) -> None:
    """Whoever is asked first tries either side about as often, and who is asked second does not know the other's."""
    (tmp_path / "ruleset.yaml").write_text(PENNIES, encoding="utf-8")
    program = load(tmp_path).program()
    answers = set()
    for seed in range(8):
        state = program.new_state(seed)
        visits = bots.MctsBot(seed, bots.Budget(tries=300)).thinks(program).visits(state, WHOLE_GAME, Random(seed))
        assert min(visits.values()) > 75
        program.apply(state, 0)
        answers.add(bots.make("mcts:100", seed).pick(program, state, [0, 1]))
    assert answers == {0, 1}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("gredy", "did you mean 'greedy'"),
        ("mtcs:300", "did you mean 'mcts'"),
        ("mcts:fast", "takes tries, a time or threads"),
        ("mcts:0", "no time at all"),
        ("mcts:2s:jobs=0", "cannot read"),
        ("greedy:3", "takes no options"),
    ],
)
def test_a_bot_that_is_not_known_is_told(name: str, message: str) -> None:
    with pytest.raises(bots.UnknownBotError, match=message):
        bots.make(name, 1)


def test_a_search_stops_at_ctrl_c(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long it would have taken: tries are asked for in small groups."""
    program = load(shelf("connect_four")).program()
    state, groups = program.new_state(1), []
    go_on = PythonSearch.go_on

    def stop(trees: PythonSearch, tries: int) -> None:
        groups.append(tries)
        if len(groups) == 3:
            raise KeyboardInterrupt
        go_on(trees, tries)

    monkeypatch.setattr(PythonSearch, "go_on", stop)
    with pytest.raises(KeyboardInterrupt):
        bots.make("mcts:1000000", 1).pick(program, state, program.options(state))
    assert len(groups) == 3
    assert max(groups) < 10_000


def test_a_search_that_is_stopped_takes_what_it_likes_best_so_far() -> None:
    rules = load(shelf("othello"))
    session = Session(rules, dict.fromkeys(rules.players, "mcts:60s"), 1, keep=False)
    asked = iter([False, False, True])
    assert session.bot_choice(lambda: next(asked)) in session.decision.options  # type: ignore[union-attr]
    assert next(asked, None) is None
