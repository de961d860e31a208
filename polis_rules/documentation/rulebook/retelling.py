"""What two rulesets say in their own words of the same rules: the sentences that are new, and those that are gone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polis_rules.documentation.rulebook.book import Book
from polis_rules.documentation.rulebook.making import SENTENCES, making
from polis_rules.documentation.rulebook.sentences import subject
from polis_rules.documentation.rulebook.structure import MARKED


@dataclass(frozen=True, slots=True)
class Retold:
    """A rule, row, term or route of which a ruleset says something else now."""

    path: str
    title: str
    now: tuple[tuple[str, bool], ...]
    """Its sentences, each with whether it is new."""
    before: tuple[str, ...]
    """The sentences that are gone."""


class Retelling:
    """Compares what two books say."""

    def __init__(self, first: Book, second: Book) -> None:
        self.first, self.second = first, second
        self.before, self.now = making(first), making(second)
        self.now.made()

    def changes(self) -> Iterator[Retold]:
        """What is said otherwise, in the order of the second book."""
        for path, text in self.now.said.items():
            old, new = _sentences(self.before.said.get(path, "")), _sentences(text)
            if old != new and path not in self.now.told_here:
                gone = tuple(each for each in old if each not in new)
                title = subject(self.second, path.split("."))
                yield Retold(path, title, tuple((each, each not in old) for each in new), gone)

    def tells(self, path: str) -> bool:
        """Whether what is different at a path is told there, or stands in no sentence of the second book by itself."""
        keys = path.split(".")
        rule = ".".join(keys[: 3 if keys[0] == "tables" else 2])
        if rule in self.now.said or rule in self.now.told_here:
            return True
        is_term = keys[0] == "terms" and self.now.folding is not None and keys[1] not in self.now.folding.asked
        return is_term and keys[1] in self.second.document.terms and bool(self.now.said)


def _sentences(text: str) -> list[str]:
    return [MARKED.sub(r"\1", each) for each in SENTENCES.split(text.strip()) if each]
