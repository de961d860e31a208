"""Shrink a failing game: the fewest decisions and the fewest lines of overlays that still fail, saved as a case.

>>> from polis_rules import load
>>> ruleset = load("yucata")
>>> game = ruleset.start(seed=7)
>>> for number in range(8):
...     game.apply(game.decision.options[0])
>>> shrunk = shrink(ruleset, game.log, lambda game: "too much has happened" if len(game.report) > 5 else None)
>>> print(shrunk.failure)
too much has happened
>>> shrunk.decisions < 8
True
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from polis_rules.cases import CaseFileError, case_of, failing_case
from polis_rules.diagnostics import PolisError, RuleError, some
from polis_rules.interpreter.game import Game, LogEntry, decisions
from polis_rules.play import transcript
from polis_rules.ruleset import Ruleset, load
from polis_rules.source import write_whole
from polis_rules.verification.shrink.log_replayer import Check, Failure, play_log
from polis_rules.verification.shrink.overlay_files import OverlayFiles
from polis_rules.verification.shrink.search import Search

Progress = Callable[[str], None]


class NoFailureError(PolisError):
    """A game that is to be shrunk does not fail at all."""


@dataclass(frozen=True, slots=True)
class Shrunk:
    """A small failing game, and what of the overlays it needs."""

    failure: Failure
    """What happens: the same rule fails in the same way as in the game given, or the check says the same."""
    log: tuple[LogEntry, ...]
    """Every decision and chance outcome, up to the one at which it fails."""
    lines: tuple[str, ...]
    """The lines of overlays that are needed, as they were numbered: `variants/costly.yaml:7: change terms.price.is`."""
    files: dict[str, str]
    """The variants with those lines only, by their files."""
    root: str | Path
    """The ruleset."""
    scenario: str
    complete: bool
    """False when shrinking was stopped before its end."""

    @property
    def decisions(self) -> int:
        """How many decisions are left."""
        return decisions(self.log)

    def save(self, folder: Path, name: str) -> list[Path]:
        """Write into a folder: the reduced overlays, `NAME.jsonl` for `polis replay`, and the case `NAME` in
        `NAME.yaml` for `polis test --file`. The paths written; what is there already is replaced.

        The case of a failing rule fails as long as the rule does. What only a check of the caller finds cannot be
        expected by a case, so such a case tells what came of the last decision, and passes.
        Raises CaseFileError when `name` is no id or the game cannot be a case, OSError when files cannot be written.
        """
        folder.mkdir(parents=True, exist_ok=True)
        written = []
        for path, text in self.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            write_whole(folder / path, text)
            written.append(folder / path)
        rules = load(self.root, self.scenario, [folder / each for each in self.files])
        game = rules.start(chance="manual")
        with suppress(RuleError):  # the game before the entry at which a rule fails
            game.replay(self.log)
        kept = replace(transcript.record(rules, game, {}), entries=self.log)
        transcript.write(folder / f"{name}.jsonl", kept)
        write_whole(folder / f"{name}.yaml", self.case(rules, game, name, folder))
        return [*written, folder / f"{name}.jsonl", folder / f"{name}.yaml"]

    def case(self, rules: Ruleset, game: Game, name: str, folder: Path) -> str:
        """The text of the file of the case, which begins with what fails."""
        if len(game.log) < len(self.log) or self.failure.place is not None:
            text = failing_case(rules, self.log, name, folder).text
        elif game.chance is not None:
            raise CaseFileError("the game fails while it waits for chance, so it cannot be a case")
        else:
            text = case_of(rules, game, name, 1 if self.decisions else 0, folder).text
        now = play_log(rules.program(checks=True, trace=True), self.log).failure or self.failure
        return f"# {' '.join(str(now.seen_from(folder)).split())}\n{text}"


def shrink(
    ruleset: Ruleset,
    log: Iterable[LogEntry],
    fails: Check | None = None,
    progress: Progress = lambda text: None,
    seed: int = 0,
) -> Shrunk:
    """Shrink a failing game.

    `log` is what was played (`Game.log`), with the decision that fails at its end. A game fails when a rule or an
    invariant does, or when `fails`, asked after every entry, says what is wrong. `seed` is the game's, for chance that
    the log does not tell, as that after the decision that fails. The decisions are shrunk first, then the lines of
    the variants. `progress` hears how far it is. Ctrl-C gives the best so far.

    Raises NoFailureError when the game does not fail.
    """
    first = play_log(ruleset.program(checks=True, trace=True), log, fails, seed, by_seed=True)
    if first.failure is None:
        raise NoFailureError(f"the game does not fail in {some(first.decisions, 'decision')}")
    with tempfile.TemporaryDirectory() as folder:
        overlays = OverlayFiles(ruleset, Path(folder))
        search = Search(first.failure, first, fails, overlays, list(overlays.lines), progress)
        complete = True
        try:
            search.run(ruleset)
        except KeyboardInterrupt:
            progress("stopped; this is the smallest so far")
            complete = False
        assert search.best.failure is not None
        return Shrunk(
            failure=search.best.failure.seen_from(overlays.folder),
            log=search.best.log,
            lines=tuple(map(str, search.kept)),
            files=overlays.results(search.kept),
            root=overlays.root,
            scenario=ruleset.scenario,
            complete=complete,
        )
