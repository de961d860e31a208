"""Findings as SARIF 2.1.0, the format that forges and editors read (OASIS standard, 2020)."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from polis_rules.diagnostics.codes import explanations
from polis_rules.diagnostics.diagnostic import Diagnostic
from polis_rules.diagnostics.span import Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
RANKS = {"certain": 100.0, "likely": 70.0, "possible": 40.0}


def sarif(findings: list[Diagnostic], version: str) -> dict[str, Any]:
    """One run with these findings; rules are the codes that occur, each explained."""
    codes = sorted({each.code for each in findings})
    known = explanations()
    rules = [
        {"id": code, "shortDescription": {"text": known[code].meaning if code in known else code}} for code in codes
    ]
    driver = {"name": "polis", "version": version, "rules": rules}
    results = [_result(each, codes.index(each.code)) for each in findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(finding: Diagnostic, rule: int) -> dict[str, Any]:
    text = finding.message + (f" ({finding.advice})" if finding.advice else "")
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity,
        "rank": RANKS[finding.confidence],
        "message": {"text": text},
    }
    if finding.span is not None:
        result["locations"] = [_location(finding.span)]
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": what}, **_location(span)}
            for number, (what, span) in enumerate(finding.related)
        ]
    return result


def _location(span: Span) -> dict[str, Any]:
    region = {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(span.file)}, "region": region}}


def _uri(file: str) -> str:
    """A file's name in messages as a URI: relative ones stay so, and spaces and the like are escaped."""
    return quote(file) if not file.startswith("/") else f"file://{quote(file)}"
