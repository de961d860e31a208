"""`polis replay`: play a transcript again and prove that it comes out the same."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .output import Format, print_json

if TYPE_CHECKING:
    from polis_rules import transcript as transcripts

__all__ = ["replay"]


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that --transcript wrote. Example: game.jsonl")],
    ruleset: Annotated[
        str | None,
        typer.Option(
            help="The folder of the ruleset when it is not a shipped one. Example: --ruleset rules/mine",
            metavar="RULESET",
        ),
    ] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VARIANT",
            help="The file of a variant when it is not a shipped one; may be repeated. Example: "
            "--variant rules/costly.yaml",
        ),
    ] = None,
    format: Annotated[
        Format, typer.Option(help="Text for people or JSON for programs. Example: --format json")
    ] = Format.text,
) -> None:
    """Play a transcript again and compare the end.

    Every decision and every chance outcome is taken from the file. The exit status is 0 when the final
    position is the one in the file, and 1 when the two part: then the first entry that does not fit is shown.
    A transcript of other rules is refused.

    \b
    Example:
      polis run mygame --seed 7 --transcript game.jsonl
      polis replay game.jsonl
    """
    import polis_rules
    from polis_rules import transcript as transcripts
    from polis_rules.diagnostics import RulesetError

    transcript = transcripts.read(file)
    try:
        rules = polis_rules.load(
            ruleset or transcript.ruleset,
            scenario=transcript.scenario,
            variants=tuple(variant or transcript.variants),
        )
    except RulesetError:
        if ruleset is None:
            played_with = f"{file} was played with the ruleset {transcript.ruleset}"
            typer.echo(f"{played_with}; give its folder with --ruleset.", err=True)
        raise
    outcome = transcripts.replay(transcript, rules)
    if format is Format.json:
        _print_as_json(file, transcript, outcome)
    else:
        _print_as_text(file, transcript, outcome)
    if not outcome.ok:
        raise typer.Exit(1)


def _print_as_text(file: Path, transcript: transcripts.Transcript, outcome: transcripts.Replay) -> None:
    if outcome.divergence is None:
        state = "finished" if transcript.finished else "not finished"
        typer.echo(f"{file}: ok, {outcome.entries} entries, {state}, position {outcome.hash}")
        return
    entry = outcome.divergence.entry
    where = "after the last entry" if entry is None else f"entry {entry} (line {entry + 1})"
    typer.echo(f"{file}: differs at {where}: {outcome.divergence.message}")


def _print_as_json(file: Path, transcript: transcripts.Transcript, outcome: transcripts.Replay) -> None:
    divergence = outcome.divergence
    print_json(
        {
            "file": str(file),
            "ok": outcome.ok,
            "ruleset": transcript.ruleset,
            "ruleset_hash": transcript.hash,
            "finished": transcript.finished,
            "entries": outcome.entries,
            "final_hash": outcome.hash,
            "divergence": divergence and {"entry": divergence.entry, "message": divergence.message},
        }
    )
