"""Checks beyond types: what a sound ruleset could still have wrong.

One file each in `lints/`, with a function `check`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules

from polis_rules.composition import split_choices
from polis_rules.diagnostics import Diagnostic, silence
from polis_rules.pipeline import Build
from polis_rules.validation import lints
from polis_rules.validation.analysis import Kept, Subject

Check = Callable[[Subject], None]
Progress = Callable[[str], None]


def checks() -> Iterator[tuple[str, Check]]:
    """Every check by the name of its file, in the order of the names."""
    for file in sorted(iter_modules(lints.__path__), key=lambda module: module.name):
        check = getattr(import_module(f"{lints.__name__}.{file.name}"), "check", None)
        if check is not None:
            yield file.name, check


def lint(build: Build, progress: Progress = lambda name: None, kept: Kept | None = None) -> None:
    """Run every check on a ruleset in which the compiler found no error; what they find joins its findings.

    What was found out before is `kept` for the next time that the same ruleset, edited, is checked.
    """
    subject = _subject(build, kept)
    if subject is None or build.diagnostics.has_errors:
        return
    subject.kept.begin()
    for name, check in checks():
        progress(name)
        try:
            check(subject)
        except Exception as error:  # a broken check is a finding about this package, and hides no other one
            message = f"the check {name} failed on this ruleset: {type(error).__name__}: {error}"
            build.diagnostics.warning("broken-check", message, None, "please report this", severity="note")


def judged(build: Build) -> list[Diagnostic]:
    """The findings about a ruleset, without what comments silence: in order, one for each cause."""
    subject = _subject(build)
    if subject is None or build.diagnostics.has_errors:  # no check has run that a comment could silence
        return silence(build.findings, build.diagnostics.sources, lambda span: False)
    return silence(build.findings, build.diagnostics.sources, subject.concerns)


def other_values(build: Build) -> Iterator[str]:
    """The values of settings that nobody has asked for or fixed, as `name=value`: of ranges the ends, else each."""
    if build.composed is None:
        return
    chosen = split_choices(build.variants)[1]
    for name, setting in build.composed.settings.items():
        if name not in chosen and f"terms.{name}.is" not in build.composed.origins:
            yield from (f"{name}={value}" for value in setting.others)


def settled(findings: list[Diagnostic], build: Build, compile: Callable[[Build], Build]) -> list[Diagnostic]:
    """Findings about a ruleset without those warnings that other values of a setting would not have."""
    for choice in other_values(build):
        if all(each.severity != "warning" for each in findings) or build.diagnostics.has_errors:
            break
        other = compile(Build(build.ruleset, build.scenario, (*build.variants, choice)))
        lint(other)
        there = {(each.code, each.span) for each in judged(other)}
        if not other.diagnostics.has_errors:
            findings = [each for each in findings if each.severity != "warning" or (each.code, each.span) in there]
    return findings


def _subject(build: Build, kept: Kept | None = None) -> Subject | None:
    if build.composed is None or build.document is None or build.symbols is None or build.rules is None:
        return None
    return Subject(build.composed, build.document, build.symbols, build.rules, build.diagnostics, kept or Kept())
