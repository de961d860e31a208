"""What the language server knows about the open texts, asked by the page: one thing after the other, beside it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from polis_rules.studio.edits import Edit, Finding, Fix, Place, Point
from polis_rules.studio.reader import Reader
from polis_rules.studio.workspace import Document

if TYPE_CHECKING:
    from polis_rules.language_server import Analysis
    from polis_rules.studio.answering import Answers

T = TypeVar("T")
log = logging.getLogger(__name__)


class Checker:
    """Answers about the texts in the editor. Every method but `change` waits for those asked before."""

    def __init__(self) -> None:
        self._answers: Answers | None = None
        self._worker = Reader("checker")

    def change(self, document: Document) -> None:
        """A file has another text in the editor."""
        path, text = document.path, document.text
        self._worker.submit(lambda: self._known().change(path, text))

    def forget(self) -> None:
        """Something may have changed on the disk."""
        self._worker.submit(lambda: self._known().forget())

    def warm(self, path: Path) -> None:
        """Learn the rules that a file belongs to before somebody asks, who then waits as long as later ones only."""
        self._worker.submit(lambda: self._known().findings(path, thorough=False))

    def close(self) -> None:
        """Answer nothing more, and let what is being looked for go: the studio can end at once."""
        self._worker.close()

    async def look(self, path: Path, question: Callable[[Analysis], T], now: bool = False) -> T:
        """What a function finds in what is known of the rules that a file belongs to. Raises what it raises.

        Without `now` it is asked about the rules as they were before they were broken, if they are.
        """
        return await self._do(lambda known: question(known.analysis(path, now)))

    async def findings(self, path: Path, thorough: bool = True) -> dict[Path, list[Finding]]:
        """What is wrong with a file and with what it belongs to, by file.

        Without `thorough` only the compiler is asked, which is quick.
        """
        return await self._ask(lambda known: known.findings(path, thorough), {})

    async def look_further(self, path: Path) -> bool | None:
        """Look with one more value of a setting; whether something new was found, None when all were looked at."""
        return await self._ask(lambda known: known.look_further(path), None)

    async def completions(self, path: Path, at: Point) -> list[dict[str, str]]:
        """What may stand at a place: label, detail and what is told of it."""
        return await self._ask(lambda known: known.completions(path, at), [])

    async def hover(self, path: Path, at: Point) -> str:
        """What stands at a place, as Markdown; empty for nothing."""
        return await self._ask(lambda known: known.hover(path, at), "")

    async def definition(self, path: Path, at: Point) -> list[Place]:
        """Where the name at a place is declared."""
        return await self._ask(lambda known: known.definition(path, at), [])

    async def path_at(self, path: Path, at: Point) -> str:
        """The path in the composed rules of what stands at a place, down to the last name; empty for nothing.

        Raises PolisError where the text cannot be read.
        """
        return await self._do(lambda known: known.path_at(path, at))

    async def references(self, path: Path, at: Point) -> list[Place]:
        """Every place of the name at a place."""
        return await self._ask(lambda known: known.references(path, at), [])

    async def fixes(self, path: Path, line: int, finding: Finding | None = None) -> list[Fix]:
        """What would mend the findings on a line (from 0) of a file, or only one of them."""
        return await self._ask(lambda known: known.fixes(path, line, finding), [])

    async def renamable(self, path: Path, at: Point) -> str:
        """The id of the name at a place, which may get another. Raises PolisError with why it may not."""
        return await self._do(lambda known: known.renamable(path, at))

    async def rename(self, path: Path, at: Point, new: str) -> tuple[Edit, ...]:
        """What gives the name at a place another id, wherever it stands. Raises PolisError with why it cannot be."""
        return await self._do(lambda known: known.rename(path, at, new))

    async def prose(self, path: Path) -> tuple[list[str], list[str]]:
        """The keys that hold no expression; and those at the top of a file below which none stands."""
        return await self._ask(lambda known: known.prose(path), ([], []))

    async def formatted(self, path: Path) -> str | None:
        """A file as `polis format` writes it; None where that is as it is, or it cannot be read."""
        return await self._ask(lambda known: known.formatted(path), None)

    def _known(self) -> Answers:
        """The language server; it is imported when it is first asked, as the first page is there before."""
        if self._answers is None:
            from polis_rules.studio.answering import Answers

            self._answers = Answers()
        return self._answers

    async def _do(self, question: Callable[[Answers], T]) -> T:
        return await asyncio.wrap_future(self._worker.submit(lambda: question(self._known())))

    async def _ask(self, question: Callable[[Answers], T], otherwise: T) -> T:
        """Ask the language server; a mistake of it costs one answer only."""
        try:
            return await self._do(question)
        except Exception:
            log.exception("no answer")
            return otherwise
