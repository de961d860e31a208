"""Words for people that end at a `#`, which YAML takes for a comment.

Why: the rest of the title or citation is lost without a word.
Example: `title: Joker #3 of the stack`, which says `Joker`; `cite: book, page 4 (see # 5)`.
A comment that begins with a space, after a text with all its brackets closed, is left alone.
"""

from __future__ import annotations

import re

from polis_rules.diagnostics import Span
from polis_rules.schema import holds_words
from polis_rules.source import Text, walk
from polis_rules.validation.analysis import Subject

COMMENT = re.compile(r"\s+#(?=(\S)?)")


def check(subject: Subject) -> None:
    """Report `cut-text`."""
    sources = {name: text.split("\n") for name, text in subject.composed.sources.items() if " #" in text}
    for path, text in walk(subject.composed.tree) if sources else ():
        if not isinstance(text, Text) or not holds_words(path):
            continue
        line, column = text.span.end_line, text.span.end_column
        lines = sources.get(text.span.file, [])
        rest = COMMENT.match(lines[line - 1], column - 1) if line <= len(lines) and not text.quoted else None
        if rest is not None and (rest[1] or text.count("(") > text.count(")")):
            at = Span(text.span.file, line, rest.end(), line, rest.end() + 1)
            hint = "quote the text if this belongs to it, or put a space after the #"
            subject.found.warning("cut-text", f"the text ends here: `{text}`", at, hint, confidence="likely")
