"""What is wrong with a ruleset, where, and how to say it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

__all__ = [
    "MESSAGES",
    "Diagnostic",
    "Diagnostics",
    "IllegalMove",
    "InvalidMove",
    "PolisError",
    "Related",
    "RuleError",
    "RulesetError",
    "Severity",
    "Span",
    "nearest",
    "quote",
    "render",
]

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of source text; lines and columns count from 1, the end is exclusive.

    >>> str(Span("rules/kinds.yaml", 3, 5, 3, 9))
    'rules/kinds.yaml:3:5'
    """

    file: str
    """The file as shown to people."""
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


Confidence = Literal["certain", "likely", "possible"]

Related = tuple[tuple[str, Span], ...]
"""Other places that matter, each with what is there."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about a ruleset.

    >>> found = Diagnostic("unknown-name", "there is no name `coinn`", Span("mine/play.yaml", 4, 9, 4, 14), "coin?")
    >>> print(render(found))
    mine/play.yaml:4:9: error[unknown-name]: there is no name `coinn`
      hint: coin?
      page: https://github.com/polis-rules/polis-rules/blob/main/docs/errors.md#unknown-name
    """

    code: str
    """The kind of finding, a key of MESSAGES."""
    message: str
    """What is wrong here, in one line."""
    span: Span | None
    """Where; None when it concerns no place in a file."""
    hint: str | None = None
    """What to do about it."""
    related: Related = ()
    """Other places that matter, each with what is there."""
    severity: Severity = "error"
    confidence: Confidence = "certain"
    """How sure it is that this is a mistake."""


PAGE = "https://github.com/polis-rules/polis-rules/blob/main/docs/errors.md"
"""The page that explains every code."""


def page_of(code: str) -> str:
    """Where a code is explained.

    >>> page_of("unknown-name").partition("#")[2]
    'unknown-name'
    """
    return f"{PAGE}#{code}"


class PolisError(Exception):
    """Whatever this package raises on purpose.

    >>> issubclass(RulesetError, PolisError) and issubclass(IllegalMove, PolisError)
    True
    """


class RulesetError(PolisError):
    """A ruleset that cannot be used; `diagnostics` holds every finding, `str()` renders them all.

    >>> from polis_rules import load
    >>> try:
    ...     load("no_such_ruleset")
    ... except RulesetError as error:
    ...     print(error.diagnostics[0].code)
    unknown-ruleset
    """

    def __init__(self, diagnostics: Iterable[Diagnostic], sources: Mapping[str, str] | None = None) -> None:
        self.diagnostics = tuple(diagnostics)
        self.sources = dict(sources or {})
        super().__init__(self.diagnostics, self.sources)

    def __str__(self) -> str:
        return "\n\n".join(render(each, self.sources) for each in self.diagnostics)


class IllegalMove(PolisError):  # noqa: N818  (a refusal, not a fault)
    """A move that is understood but not allowed now. Its text gives the reasons; the game is as it was before.

    >>> from polis_rules import load
    >>> game = load("yucata").start(seed=7)
    >>> while game.decision is not None:
    ...     game.apply(game.decision.options[0])
    >>> try:
    ...     game.apply("anything")
    ... except IllegalMove as error:
    ...     print(error)
    the game is over
    """


class InvalidMove(PolisError):  # noqa: N818
    """A move that is not understood: nothing that could be chosen here has that name.

    >>> from polis_rules import load
    >>> game = load("yucata").start(seed=7)
    >>> try:
    ...     game.apply("no_such_option")
    ... except InvalidMove as error:
    ...     print(error)
    nothing here is called no_such_option
    """


class RuleError(PolisError):
    """A rule failed while a game was running: the ruleset has a mistake that no check could find before.

    >>> print(RuleError("this payment is more than there is", Span("mine/play.yaml", 4, 9, 4, 12), "90ab"))
    mine/play.yaml:4:9: this payment is more than there is (position 90ab)
    """

    def __init__(self, message: str, span: Span | None = None, position: str = "") -> None:
        self.message = message
        self.span = span
        self.position = position
        super().__init__(message, span, position)

    def __str__(self) -> str:
        place = f"{self.span}: " if self.span else ""
        at = f" (position {self.position})" if self.position else ""
        return f"{place}{self.message}{at}"


MOST_ERRORS = 500
"""After so many errors a ruleset is not looked at any more."""

MOST_NAMES = 1000
"""Among more names than this, only those that begin alike are held against a wrong one."""


@dataclass(slots=True)
class Diagnostics:
    """Collects findings, so that one run reports all of them.

    >>> found = Diagnostics()
    >>> found.error("unknown-name", "nothing is called 'coinn'", Span("a.yaml", 1, 3, 1, 8), hint="coin?")
    >>> found.has_errors
    True
    """

    items: list[Diagnostic] = field(default_factory=list)
    """What was found, in the order found."""
    sources: dict[str, str] = field(default_factory=dict)
    """The text of each file read, by the name shown to people; findings quote from it."""
    errors: int = 0
    """How many errors have been counted."""

    def error(self, code: str, message: str, span: Span | None, hint: str | None = None, related: Related = ()) -> None:
        """Record what makes the ruleset unusable. Raises RulesetError with everything after MOST_ERRORS of them."""
        self.extend([Diagnostic(code, message, span, hint, tuple(related), "error")])

    def extend(self, findings: Iterable[Diagnostic]) -> None:
        """Record what was found elsewhere, as `error` does it."""
        for finding in findings:
            self.items.append(finding)
            self.errors += finding.severity == "error"
            if self.errors > MOST_ERRORS:
                message = f"there are more than {MOST_ERRORS} errors; nothing more is looked at"
                self.items.append(Diagnostic("too-many-errors", message, None))
                raise RulesetError(self.items, self.sources)

    def warning(
        self,
        code: str,
        message: str,
        span: Span | None,
        hint: str | None = None,
        related: Related = (),
        confidence: Confidence = "certain",
    ) -> None:
        """Record what is probably a mistake, though the ruleset can be used."""
        self.items.append(Diagnostic(code, message, span, hint, tuple(related), "warning", confidence))

    def note(
        self,
        code: str,
        message: str,
        span: Span | None,
        hint: str | None = None,
        related: Related = (),
        confidence: Confidence = "certain",
    ) -> None:
        """Record what is good to know."""
        self.items.append(Diagnostic(code, message, span, hint, tuple(related), "note", confidence))

    @property
    def has_errors(self) -> bool:
        return any(each.severity == "error" for each in self.items)

    def raise_if_errors(self) -> None:
        """Raise RulesetError with everything found so far if any of it is an error."""
        if self.has_errors:
            raise RulesetError(self.items, self.sources)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` was most likely meant to be, or None.

    >>> nearest("tokn", ["coin", "token"])
    'token'
    """
    name, names = name[:100], {str(each) for each in known}
    if len(names) > MOST_NAMES:
        alike = (each for each in names if each[:1] == name[:1] and abs(len(each) - len(name)) < 3)
        names = set(sorted(alike)[:MOST_NAMES])
    found = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    return found[0] if found else None


def quote(text: str, limit: int = 60) -> str:
    """A user's text between quotes for use in a message: one printable line, cut when long."""
    line = _printable(" ".join(text[: 4 * limit].split()))
    return f"'{line[: limit - 3]}...'" if len(line) > limit or len(text) > 4 * limit else f"'{line}'"


def render(diagnostic: Diagnostic, sources: Mapping[str, str] | None = None) -> str:
    """The finding as text: where, what, its line between the two beside it with a mark under it, hint and page.

    `sources` maps a file's shown name to its text; a file that is not in it is not quoted.
    """
    place = f"{diagnostic.span}: " if diagnostic.span else ""
    lines = [f"{place}{diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}"]
    lines += _excerpt(diagnostic.span, sources, beside=1)
    for what, span in diagnostic.related:
        lines.append(f"  {span}: {what}")
        lines += _excerpt(span, sources)
    if diagnostic.hint:
        lines.append(f"  hint: {diagnostic.hint}")
    lines.append(f"  page: {page_of(diagnostic.code)}")
    return "\n".join(lines)


_WIDTH = 110


def _excerpt(span: Span | None, sources: Mapping[str, str] | None, beside: int = 0) -> list[str]:
    """The line that a span begins in, carets under it, and so many lines before and after it that are not blank.

    All are cut to one window around the span when its line is long.
    """
    if span is None or not sources or span.file not in sources:
        return []
    lines = _lines(sources[span.file])
    if span.line > len(lines):
        return []
    text = lines[span.line - 1].removesuffix("\r")
    begin = min(span.column - 1, len(text))
    end = span.end_column - 1 if span.end_line == span.line else len(text)
    first = max(0, begin - _WIDTH // 2) if len(text) > _WIDTH else 0
    numbers = range(max(1, span.line - beside), min(len(lines), span.line + beside) + 1)
    gutter = len(str(numbers[-1]))
    found = []
    for number in numbers:
        shown = _printable(lines[number - 1].removesuffix("\r")[first : first + _WIDTH])
        if number == span.line:
            marks = max(1, min(end, first + len(shown)) - begin)
            found.append(f"  {number:>{gutter}} | {shown}")
            found.append(f"  {' ' * gutter} | {' ' * (begin - first)}{'^' * marks}")
        elif shown.strip():
            found.append(f"  {number:>{gutter}} | {shown.rstrip()}")
    return found


@lru_cache(maxsize=8)
def _lines(text: str) -> list[str]:
    return text.split("\n")


def _printable(text: str) -> str:
    """One column for each character, and nothing that a terminal would obey."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "\N{REPLACEMENT CHARACTER}" for c in text)


MESSAGES: dict[str, str] = {
    # reading a file
    "unreadable-file": "A file is missing or cannot be read.",
    "not-utf8": "A file holds bytes that are not UTF-8 text.",
    "file-too-large": "A file is larger than 192 KiB.",
    "too-many-files": "A ruleset is spread over too many files, editions or variants, or holds too much text.",
    "too-many-errors": "There are so many errors that nothing more is looked at.",
    "forbidden-character": "A file holds a tab, a NUL or another character that has no place in a ruleset.",
    "malformed-yaml": "The text is not YAML.",
    "too-deep": "Mappings and lists are nested more than 64 deep.",
    "duplicate-key": "A key stands twice in one mapping.",
    "key-not-text": "A key is a mapping or a list; keys are plain words.",
    "anchor": "Anchors (&name) are not part of the language.",
    "alias": "Aliases (*name) are not part of the language.",
    "merge-key": "Merge keys (<<) are not part of the language.",
    "tag": "Tags (!name) are not part of the language.",
    "directive": "Directives (%NAME) are not part of the language.",
    "several-documents": "A file holds more than one document.",
    "not-a-mapping": "A mapping of names is needed here.",
    "not-a-list": "A list is needed here.",
    "not-text": "A single value is needed here.",
    # finding and joining the files of a ruleset
    "unknown-ruleset": "There is no ruleset of that name or in that folder.",
    "unknown-scenario": "The ruleset has no scenario of that name.",
    "unknown-variant": "There is no variant of that name or in that file.",
    "unsupported-format": "The ruleset is written for another version of the language.",
    "smallest-combination": "Of several variants that fail together, these are the fewest that do.",
    "ignored-error": "A comment tries to silence an error; only warnings and notes can be silenced.",
    "unused-ignore": "A comment that silences findings silences none.",
    "ignore-without-reason": "A comment that silences a finding does not say why.",
    "ending-not-seen": "No game that the validation played came to an ending.",
    "broken-check": "A check of this package failed on the ruleset; the other checks went on.",
    "rule-failed": "A rule failed in a game that the validation played.",
    "not-formatted": "The formatter could not keep what a file means, so it left the file alone.",
    "migrate-by-hand": "A part of an older ruleset has to be brought forward by a person.",
    "already-there": "A new ruleset is not written over something that exists.",
    "invalid-id": "An id is lower case letters, digits and underscores, and begins with a letter.",
    "wrong-id": "A file states another id than the one it is found under.",
    "file-outside": "A file list may only name files inside the ruleset's own folder.",
    "unknown-section": "The language has no section of that name.",
    "unknown-key": "That key means nothing here.",
    "missing-key": "A required key is not there.",
    "duplicate-id": "One id is written in two places.",
    "extends-loop": "Rulesets extend each other in a circle.",
    # overlays
    "path-not-found": "An overlay names a path that does not exist.",
    "path-taken": "An overlay adds a path that exists already.",
    "was-differs": "The value that an overlay expects to change is another one.",
    "not-a-change": "An entry of change needs the keys was and to.",
    "variant-conflict": "Two variants touch one value, or one of them excludes the other.",
    "variant-requires": "A variant needs another one that is not chosen.",
    "variant-order": "Variants ask to come after each other in a circle.",
    "variant-elsewhere": "A variant is written for another ruleset.",
    # the shape of a document
    "missing-section": "A section that every ruleset needs is not there.",
    "unfit-keys": "These keys do not go together.",
    "unfit-value": "The value is not one that can stand here.",
    "not-a-step": "A step is a mapping with one verb, or a bare word.",
    "several-verbs": "A step has more than one verb.",
    "unknown-verb": "A step has no verb that the language knows.",
    "unknown-type": "A type is a range, number, flag, a kind, or one of the words of the language.",
    "wrong-dice": "Dice are written like 2d6.",
    # names
    "unknown-name": "A name stands for nothing here.",
    "nobody-acts": "`you` stands where nobody acts: outside of actions, `as` and `each: you`.",
    "unclear-member": "A bare name is a member of more than one kind.",
    "shadowing": "A name already means something else.",
    "unknown-edge": "An edge joins two different members that exist, a-b.",
    "unknown-resource": "What is paid or gained is no spendable state of player.",
    "not-state": "Only state can be changed.",
    "endless-term": "A term is explained by itself.",
    "no-beginning": "There is no phase `game`, with which play begins.",
    "negative-amount": "An amount that is paid, gained, lost or moved is below 0.",
    "not-moved": "Pieces that a supply counts come and go by `move` only.",
    "endless-rule": "A rule calls itself, directly or through others.",
    "endless-loop": "A repeat goes round too often.",
    "nested-loops": "Too many loops stand inside one another.",
    "too-many-numbers": "A choice goes over no numbers, or over too many.",
    "waits-in-choice": "The steps done at once with a choice wait for somebody or end the game.",
    "too-much-work": "An expression would take too long to work out.",
    "unfit-start": "A first value depends on state, is outside of its range, or uses more of a supply than there is.",
    "empty-kind": "A kind that needs members has none.",
    "never-in-force": "A row changes terms, and its kind does not say when its members are in force.",
    "nothing-to-stop": "`stop` stands outside every repeat and each.",
    "too-large": "A state or an attribute would have more values, or a kind have more members, than a game may hold.",
    # expressions
    "expression-size": "An expression is too long or nested too deeply.",
    "expression-syntax": "An expression cannot be read.",
    "expression-word": "An expression holds something that is not part of the language.",
    "maybe-none": "A value is read that may be none.",
    "missing-index": "State that is kept per kind is read without saying whose.",
    "out-of-range": "A value is outside the range of its type.",
    "wrong-arguments": "A call has too many, too few or the wrong arguments.",
    "wrong-type": "A value has another type than is needed here.",
    # beyond types
    "never-true": "A condition can never hold.",
    "always-true": "A condition always holds.",
    "contradiction": "A condition cannot hold where another one holds that must hold too.",
    "said-twice": "One list holds the same condition twice.",
    "never-gained": "Something is paid, or counts among what is paid, that starts at none and that no rule gives.",
    "unpayable": "More is paid than anybody can ever have.",
    "never-fits": "State is set to a value that is never within its range.",
    "no-option": "A choice may have nothing to choose from, which stops the game.",
    "unguarded-choice": "Nothing before a choice makes sure that it has an option.",
    "unguarded-action": "An action is performed that may not be possible.",
    "short-draw": "More is drawn in one go than there is.",
    "broken-invariant": "An invariant does not hold in the set-up.",
    "from-nowhere": "Pieces of a supply are taken or given, and the rule puts them nowhere.",
    "hidden-state": "State that a player may not see decides which options the player has.",
    "order-matters": "Effects for all players depend on the order of the table.",
    "unreachable-step": "A step stands after one that ends the rule or the game.",
    "endless-repeat": "A repeat goes on while something holds that nothing inside it changes.",
    "no-effect": "A step changes nothing.",
    "overwritten": "A value is set again before anything can have asked for it.",
    "same-branches": "An if has the same steps on both sides.",
    "unused-term": "Nothing uses a term.",
    "unused-route": "Nothing uses a route.",
    "unused-graph": "No route leads over a graph.",
    "unused-rule": "Play never comes to a procedure, a phase, an action or the effects of a row.",
    "unused-ending": "The game never ends with an ending.",
    "unused-supply": "No step takes from or adds to the reserve of a supply.",
    "unused-name": "A rule never uses a value, a result or a choice that it names.",
    "unused-parameter": "A rule never uses a parameter.",
    "unused-kind": "Nothing uses a kind.",
    "unused-attribute": "No rule reads an attribute.",
    "always-default": "No row of a table gives an attribute anything but its default.",
    "unused-member": "No rule, row or scenario names a member of a kind of names.",
    "unused-state": "No rule reads or changes state.",
    "never-read": "State is changed and never read.",
    "never-written": "State is read and never changed, and no scenario gives it a value.",
    "isolated-member": "No edge of any graph leads to a member whose like stand in graphs.",
    "cut-off": "No edge leads from some members of a kind to the others.",
    "unreachable": "No route leads to or from a member, as to or from nearly all like it.",
    "odd-edge": "An edge joins another sort of members than all the others of its graph.",
    "same-edge": "A graph has an edge twice.",
    "idle-entry": "An entry of a route changes nothing.",
    "changes-nothing": "A line of an overlay changes nothing.",
    "unknown-source": "A cite begins with a source that is not declared.",
    "missing-cite": "A rule has no cite, as nearly all of its section have.",
    "missing-grade": "A rule has no grade, as nearly all of its section have.",
    "same-title": "Players read two options alike.",
    "missing-title": "Something has no title for players, as nearly all of its section have.",
}
