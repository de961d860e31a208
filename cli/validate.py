"""`polis validate`: check a ruleset without playing it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from .output import Format, print_json

if TYPE_CHECKING:
    from polis_rules.diagnostics import Diagnostic, RulesetError, Span

__all__ = ["validate"]


def validate(
    ruleset: Annotated[
        str,
        typer.Argument(metavar="RULESET", help="A shipped ruleset's name or a folder. Example: mygame or rules/mine"),
    ],
    scenario: Annotated[
        str | None,
        typer.Option(metavar="SCENARIO", help="Another scenario than the usual one. Example: --scenario short"),
    ] = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            metavar="VARIANT",
            help="A variant to check with it, a name or a file; may be repeated. Example: --variant costly",
        ),
    ] = None,
    format: Annotated[
        Format, typer.Option(help="Text for people or JSON for programs. Example: --format json")
    ] = Format.text,
) -> None:
    """Check a ruleset and print every finding.

    A finding has its file, line and column. What passes here can be played. The exit status is 0 without
    errors and 1 with any.

    \b
    Example:
      polis validate mygame
      polis validate rules/mine --scenario short --format json
    """
    import polis_rules
    from polis_rules.diagnostics import RulesetError

    try:
        rules = polis_rules.load(ruleset, scenario=scenario, variants=tuple(variant or ()))
    except RulesetError as error:
        _print_findings(ruleset, error, format)
        raise typer.Exit(1) from None
    if format is Format.json:
        print_json(
            {"ruleset": ruleset, "ok": True, "ruleset_hash": rules.hash, "layers": list(rules.layers)}
            | {"checked": rules.counts, "findings": []}
        )
    else:
        counts = ", ".join(f"{count} {what}" for what, count in rules.counts.items())
        typer.echo(f"{ruleset}: no findings")
        typer.echo(f"Checked {', '.join(rules.layers)}: {counts}.")


def _print_findings(ruleset: str, error: RulesetError, format: Format) -> None:
    findings = error.diagnostics
    if format is Format.json:
        print_json({"ruleset": ruleset, "ok": False, "findings": [_as_data(each) for each in findings]})
        return
    typer.echo(str(error))
    typer.echo("")
    typer.echo(f"{ruleset}: {len(findings)} finding{'' if len(findings) == 1 else 's'}")


def _as_data(finding: Diagnostic) -> dict[str, Any]:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "hint": finding.hint,
        **_place(finding.span),
        "related": [{"message": message, **_place(span)} for message, span in finding.related],
    }


def _place(span: Span | None) -> dict[str, Any]:
    names = ("file", "line", "column", "end_line", "end_column")
    return {name: None if span is None else getattr(span, name) for name in names}
