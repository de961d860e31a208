"""`polis replay`: play a transcript again and prove that it comes out the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from polis_rules import Game, Ruleset
from polis_rules.cases import Written
from polis_rules.diagnostics import RulesetError, some
from polis_rules.play import Replay, Transcript, opened, read, replay, rules_of
from polis_rules.publishing import replay_page
from polis_rules.source import write_whole

from .options import Options, OutputFormat, argument, option
from .output import Format, answer, as_data, say, shown
from .written_case import told, write


class Command(Options):
    """Play a transcript again and compare the end.

    Every decision and every chance outcome is taken from the file. The exit status is 0 when the final
    position is the one in the file, and 1 when they differ: then the first entry that does not fit is shown.
    A transcript of other rules is refused. With --case-at a moment of the game becomes a case for `polis test`.

    \b
    Example:
      polis run mygame --seed 7 --transcript game.jsonl
      polis replay game.jsonl
      polis replay game.jsonl --page game.html
      polis replay game.jsonl --case-at 40 --out mygame_cases.yaml
    """

    file: Annotated[Path, argument("FILE")]
    """A file that --transcript wrote. Example: game.jsonl"""
    ruleset: Annotated[str | None, option("RULESET")] = None
    """The folder of the ruleset when it is not a shipped one. Example: --ruleset rules/mine"""
    variant: Annotated[list[str] | None, option("VARIANT")] = None
    """The file of a variant when it is not a shipped one; may be repeated. Example: --variant rules/costly.yaml"""
    case_at: Annotated[int | None, option("NUMBER", min=0)] = None
    """Write the moment after this entry (0: the beginning) as a case: the position, the decision that follows and what
    came of it; without --out it is printed. Example: --case-at 40"""
    case_name: Annotated[str | None, option("NAME")] = None
    """What the case is called; default: after_entry_NUMBER. Example: --case-name a_roll_that_fails"""
    out: Annotated[Path | None, option("FILE")] = None
    """The file of cases that gets the case, below those that it has. Example: --out cases/rolls.yaml"""
    page: Annotated[Path | None, option("FILE")] = None
    """Write the game as one HTML page that plays it back and loads nothing. Example: --page game.html"""
    viewer: Annotated[str | None, typer.Option("--as", metavar="PLAYER")] = None
    """Show on the page what this player may see; without it what all may see. Example: --as red"""
    format: OutputFormat = Format.text

    def run(self) -> None:
        if self.viewer is not None and self.page is None:
            raise typer.BadParameter("it needs --page", param_hint="--as")
        for name, given in (("--case-name", self.case_name), ("--out", self.out)):
            if given is not None and self.case_at is None:
                raise typer.BadParameter("it needs --case-at", param_hint=name)
        transcript = read(self.file)
        if self.case_at is not None and self.case_at > len(transcript.entries):
            entries = some(len(transcript.entries), "entry", "entries")
            raise typer.BadParameter(f"the transcript has {entries}", param_hint="--case-at")
        try:
            rules = rules_of(transcript, self.ruleset, self.variant)
        except RulesetError:
            if self.ruleset is None:
                played = f"{self.file} was played with the ruleset {transcript.ruleset}"
                say(f"{played}; give its folder with --ruleset.", err=True)
            raise
        outcome = replay(transcript, rules)
        written = None
        if self.case_at is not None and outcome.ok:
            game, last = _moment(transcript, rules, self.case_at)
            written = write(rules, game, self.case_name or f"after_entry_{self.case_at}", self.out, last)
        if self.page is not None and outcome.ok:
            write_whole(self.page, replay_page(rules, opened(transcript, rules), self.viewer))
            say(f"wrote {shown(self.page)}", err=self.format is not Format.text)
        data = {
            "file": self.file,
            "ok": outcome.ok,
            "ruleset": transcript.ruleset,
            "ruleset_hash": transcript.hash,
            "finished": transcript.finished,
            "entries": outcome.entries,
            "final_hash": outcome.hash,
            "divergence": outcome.divergence,
        } | ({} if written is None else {"case": as_data(written) | {"file": self.out}})
        answer(self.format, data, self._lines(transcript, outcome, written), int(not outcome.ok))

    def _lines(self, transcript: Transcript, outcome: Replay, written: Written | None) -> Iterator[str]:
        if outcome.divergence is not None:
            entry = outcome.divergence.entry
            where = "after the last entry" if entry is None else f"entry {entry} (line {entry + 1})"
            yield f"{self.file}: differs at {where}: {outcome.divergence.message}"
        elif written is not None and self.out is None:
            yield written.text.removesuffix("\n")
        else:
            state = "finished" if transcript.finished else "not finished"
            yield f"{self.file}: ok, {some(outcome.entries, 'entry', 'entries')}, {state}, position {outcome.hash}"
            if written is not None and self.out is not None:
                yield told(written, self.out, transcript.ruleset)


def _moment(transcript: Transcript, rules: Ruleset, count: int) -> tuple[Game, int]:
    """The game after the decision that follows so many entries, if one does, and whether that is so: 1 or 0."""
    entries = transcript.entries
    decided = [number for number in range(count, len(entries)) if entries[number][0] == "decision"]
    game = rules.start(seed=transcript.seed, chance="manual")
    game.replay(entries[: decided[1] if len(decided) > 1 else len(entries)])
    return game, 1 if decided else 0
