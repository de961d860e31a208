"""Requirements and questions in words: what players hear or are asked, and exactly what that is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from polis_rules.documentation.rulebook.apart import clause_or_parts
from polis_rules.documentation.rulebook.items import Item
from polis_rules.documentation.rulebook.phrases import Phrases, called
from polis_rules.semantics import expressions as n, ir
from polis_rules.semantics.expressions import Expr
from polis_rules.source import spoken


def condition(part: ir.Condition, say: Phrases) -> str:
    """A requirement: what players hear when it does not hold, and exactly what is asked in brackets."""
    exact = exactly(part.test, say)
    if part.is_bare:
        return exact
    if say.folding is not None and not set(re.findall("[0-9]+", exact)) - set(re.findall("[0-9]+", part.words)) - {"0"}:
        return titled(part.words, part.shown, say)
    return f"{titled(part.words, part.shown, say)} ({exact})"


def exactly(test: Expr, say: Phrases) -> str:
    """A condition; in a rulebook a long one in parts."""
    return say.clause(test) if say.folding is None else clause_or_parts(say, test)


def conditions(parts: Iterable[ir.Condition], say: Phrases) -> tuple[Item, ...]:
    """The requirements of a choice. What a cost asks for is told with the cost."""
    return tuple(Item(condition(part, say)) for part in parts if part.label != "cost" and not always(say, part.test))


def titled(title: str, shown: ir.Shown, say: Phrases) -> str:
    """A title with words for what stands between braces: members as they are called here, and what is worked out."""
    said = {
        written: say.text(value)
        for written, value in shown
        if not re.fullmatch(r"\{[\w.]+\}", written) or (isinstance(value, n.Var) and value.type.kind)
    }
    return filled(title, said)


def filled(title: str, said: Mapping[str, str] | None = None) -> str:
    """A title in which the names between braces are words; `said` are those of some.

    >>> filled("Which card answers {first_card}?")
    'Which card answers the first card?'
    """

    def word(match: re.Match[str]) -> str:
        before, written = match[1] or "", match[2]
        name = written[1:-1].replace(".", " ")
        if before in ("", "the "):
            name = (said or {}).get(written) or (spoken(name) if " " in name else called(name, ""))
            return f"{before}{name.removeprefix(before)}"
        return f"{before}{spoken(name)}"

    return re.sub(r"((?:many|much|more|fewer|the) )?(\{[^{}]*\})", word, title)


def always(say: Phrases, test: Expr) -> bool:
    """Whether a condition always holds."""
    found = say.settled(test)
    return isinstance(found, n.Const) and bool(found.value)
