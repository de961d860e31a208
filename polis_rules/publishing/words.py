"""The words of a rulebook in parts: plain text, and names of sections between stars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from polis_rules.documentation.rulebook.structure import MARKED, Sentence, Source


class Run(NamedTuple):
    """A part of a sentence."""

    text: str
    is_name: bool
    anchor: str
    """Where the section of this name is; empty where there is none."""


def runs(words: str, anchors: Mapping[str, str]) -> Iterator[Run]:
    """The parts of a sentence.

    >>> [run.text for run in runs("Then *Count* begins.", {"Count": "count"})]
    ['Then ', 'Count', ' begins.']
    """
    at = 0
    for match in MARKED.finditer(words):
        if match.start() > at:
            yield Run(words[at : match.start()], False, "")
        yield Run(match[1], True, anchors.get(match[1], ""))
        at = match.end()
    if at < len(words):
        yield Run(words[at:], False, "")


def sourced_once(sentences: Iterable[Sentence], known: Source) -> Iterator[Sentence]:
    """The sentences; of those that follow each other and have the same source only the last one has it."""
    several = list(sentences)
    for sentence, following in zip(several, [*several[1:], None], strict=True):
        is_told_later = following is not None and following.source == sentence.source
        yield replace(sentence, source=known) if is_told_later else sentence
