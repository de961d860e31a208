"""Says in a person's words, and at the exact place, what pydantic found wrong with a tree."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from pydantic import ValidationError

from polis_rules.diagnostics import Diagnostics, Span, nearest, quote
from polis_rules.schema.base import HEAD_KEYS, RULE_KEYS, Effects, Model, Reading
from polis_rules.schema.document import Document
from polis_rules.schema.objections import describe
from polis_rules.schema.steps import VERBS, If, verbs_of
from polis_rules.source import Mapping, Node, Sequence, Text, before_missing_colon, node_at

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

M = TypeVar("M", bound=Model)


def read_as(
    model: type[M],
    tree: Mapping,
    diagnostics: Diagnostics,
    effects: Effects | None = None,
    partly_read: Mapping | None = None,
) -> M | None:
    """A tree read as a model, or None after reporting what is wrong with its shape. For `effects` see `Reading`.

    Where the tree is `partly_read` already, models stand in place of what they were made of.
    """
    reading = Reading({id(tree): model}, effects or {})
    try:
        return model.model_validate(partly_read or tree, context=reading)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False)
        with diagnostics.in_order():
            for each in errors:
                _report(each, tree, reading, diagnostics)
            if not diagnostics.has_errors:  # every one was left to another
                place = find(errors[0]["loc"], tree)
                diagnostics.error("unfit-value", f"{place.subject()} does not fit here", _head(place))
        return None


def _report(error: ErrorDetails, tree: Mapping, reading: Reading, diagnostics: Diagnostics) -> None:
    """Add one pydantic error about `tree` to the diagnostics."""
    place = find(error["loc"], tree)
    kind = error["type"]
    if kind == "missing":
        _missing(place, str(error["loc"][-1]), reading, diagnostics)
    elif kind == "extra_forbidden":
        _unknown_key(place, reading, diagnostics)
    elif kind == "union_tag_not_found":
        _not_a_step(place.node, diagnostics)
    else:
        _unfit(error, place, diagnostics)


@dataclass(slots=True)
class ErrorPlace:
    """Where an error is: the innermost node that its path leads to, and how one gets there."""

    node: Node
    key: Text | None = None
    """The last key on the way."""
    parent: Node | None = None
    """The mapping or list that holds the node."""
    index: int | None = None
    """The node's position, when it stands in a list."""
    is_key: bool = False
    """Whether the error is about the key itself."""

    def subject(self) -> str:
        """What a message calls it."""
        if self.is_key:
            return "the key"
        if self.index is not None:
            return f"entry {self.index + 1} of {quote(self.key)}" if self.key else f"entry {self.index + 1}"
        return quote(self.key) if self.key else "this"

    def sentence(self, predicate: str, actual: str) -> str:
        """That something must be one thing and not another; `actual` is from `describe`."""
        but = "but it is empty" if actual == "empty" else f"not {actual}"
        return f"{self.subject()} {predicate}, {but}"


def find(path: Iterable[int | str], tree: Node) -> ErrorPlace:
    """Follow a path through the tree.

    Parts that no file holds are passed over: the tags of steps, and the keys that short forms stand for.
    """
    place = ErrorPlace(tree)
    for each in path:
        for part in _single(each, place.node):
            node = place.node
            if isinstance(part, int):
                if isinstance(node, Sequence) and part < len(node.items):
                    place = ErrorPlace(node.items[part], place.key, node, part)
            elif part == "[key]":
                place.is_key = True
            elif isinstance(node, Mapping) and (key := node.key(part)) is not None:
                place = ErrorPlace(node.entries[key], key, node)
    return place


def _single(part: int | str, node: Node) -> Iterable[int | str]:
    """The ids in the key of `Row.effects`, a tuple that pydantic shows as text; any other part by itself."""
    if isinstance(part, int) or not part.startswith("(") or (isinstance(node, Mapping) and part in node.entries):
        return (part,)
    return re.findall(r"\w+", part)


def _missing(place: ErrorPlace, key: str, reading: Reading, diagnostics: Diagnostics) -> None:
    model = reading.models.get(id(place.node), Model)
    if model is Document:
        return  # what a whole ruleset lacks is reported before it is read
    if isinstance(place.node, Mapping):
        known = list(model.written_keys())
        if any(name not in known and nearest(name, known) == key for name in place.node.entries):
            return  # it is there, misspelt, and reported as an unknown key
    diagnostics.error("missing-key", f"{model.what} needs the key {quote(key)}", _head(place))


def _head(place: ErrorPlace) -> Span:
    """The verb of a step, the key of anything else."""
    if place.index is not None:
        verbs = verbs_of(place.node) if isinstance(place.node, Mapping) else []
        return verbs[0].span if verbs else place.node.span
    return place.key.span if place.key is not None else place.node.span


def _unknown_key(place: ErrorPlace, reading: Reading, diagnostics: Diagnostics) -> None:
    key = place.key
    assert key is not None  # pydantic's path ends with it
    model = reading.models.get(id(place.parent), Model)
    if _misread(place, diagnostics, model.written_keys()):
        return
    if model is Document:
        sections = [name for name in model.written_keys() if name not in ("manifest", "scenario")]
        message = f"the language has no section {quote(key)}"
        diagnostics.unknown("unknown-section", message, key.span, key, sections)
    else:
        message = f"{model.what} has no key {quote(key)}"
        if key == "when" and model in VERBS.values():
            hint = "what it names must be there for the steps after it; put these under `if` and `then` with it"
            diagnostics.error("unknown-key", message, key.span, hint)
        elif key in model.other_words:
            diagnostics.error("unknown-key", message, key.span, suggestion=model.other_words[key])
        else:
            diagnostics.unknown("unknown-key", message, key.span, key, model.written_keys())


def _open_brackets(text: str) -> int:
    """How many brackets more are opened than closed."""
    return sum(text.count(sign) for sign in "([{") - sum(text.count(sign) for sign in ")]}")


def _misread(place: ErrorPlace, diagnostics: Diagnostics, known: Collection[str] | None = None) -> bool:
    """Whether a key was cut by a comma, or lacks the colon after a name, one of those `known`, which is reported then.

    Of `{x: min(3, limit)}` and `{coin 1}` YAML makes keys without a value.
    """
    key = place.key
    if key is None or key.quoted or place.node or not isinstance(place.node, Text):
        return False
    name = before_missing_colon(key) or ""
    if _open_brackets(key) != 0:
        _report_comma(key, diagnostics)
    elif name and (known is None or name in known):
        hint = f"write {quote(f'{name}: {key[len(name) :].strip()}')}"
        diagnostics.error("not-text", f"a colon is missing after {quote(name)}", key.span, hint)
    else:
        return False
    return True


def _report_comma(key: Text, diagnostics: Diagnostics) -> None:
    side = "begins" if _open_brackets(key) > 0 else "ends"
    message = f"a comma has cut the expression that {side} with {quote(key)}: inside braces it begins a new entry"
    diagnostics.error("invalid-id", message, key.span, "put quotes around the expression, or write it without braces")


def _not_a_step(node: Node, diagnostics: Diagnostics) -> None:
    if not isinstance(node, Mapping) or not node.entries:
        but = "but it is empty" if not node or isinstance(node, Mapping) else f"not {describe(node)}"
        message = f"a step must be a mapping with a verb, or a bare word, {but}"
        diagnostics.error("not-a-step", message, node.span)
        return
    verbs = verbs_of(node)
    if len(verbs) == 2 and "if" in verbs and isinstance(node.get("do"), Sequence):
        at = next(key.span for key in node.entries if key == "do")
        diagnostics.error("unknown-key", f"{If.what} has no key 'do'", at, suggestion="then")
    elif len(verbs) > 1:
        names = " and ".join(quote(verb) for verb in verbs)
        hint = "each step has one verb; begin a new entry of the list with '- '"
        diagnostics.error("several-verbs", f"this step has several verbs: {names}", verbs[1].span, hint)
    elif verbs:
        message = "'stop' is a step by itself and has no value"
        diagnostics.error("not-a-step", message, verbs[0].span, "write '- stop'")
    else:
        first = next(iter(node.entries))
        owners = [quote(verb) for verb, model in VERBS.items() if first in model.written_keys()]
        if first == "when":
            message = "`when` stands beside the step that is done under the condition"
            several = "if" if "then" in node.entries else None
            advice = None if several else "write it and the verb of that step in one entry of the list"
            diagnostics.error("unknown-verb", message, first.span, advice, suggestion=several)
            return
        if owners:  # a part of a step that was begun as an entry of its own
            message = f"{quote(first)} is no verb: it is a part of a step with {' or '.join(owners)}"
            hint = "indent it like that verb, without '- '"
            diagnostics.error("unknown-verb", message, first.span, hint)
            return
        key = next((key for key in node.entries if nearest(key, VERBS)), first)
        diagnostics.unknown("unknown-verb", f"this step has no verb; {quote(key)} is none", key.span, key, VERBS)


def _unfit(error: ErrorDetails, place: ErrorPlace, diagnostics: Diagnostics) -> None:
    context = error.get("ctx", {})
    span = place.key.span if place.is_key and place.key is not None else place.node.span
    if _misread(place, diagnostics):
        return
    if "sentence" in context:
        wrong = place.node.key(context["key"]) if isinstance(place.node, Mapping) else None
        diagnostics.error(error["type"], context["sentence"], wrong.span if wrong else _head(place), context["hint"])
        return
    if "predicate" not in context:
        diagnostics.error("unfit-value", f"{place.subject()} does not fit here", span)
        return
    message = place.sentence(context["predicate"], context["found"])
    key = place.key if error["type"] == "not-a-mapping" and isinstance(place.node, Text) else None
    if key is not None and key not in RULE_KEYS and (head := nearest(key, HEAD_KEYS)):
        diagnostics.error("unknown-key", message, key.span, suggestion=head)
        return
    text = place.node if error["type"] == "not-a-mapping" and isinstance(place.node, Text) else ""
    hint = f"a colon is missing after {quote(cut)}" if (cut := before_missing_colon(text)) else None
    if place.key == "do" and isinstance(place.node, Sequence) and node_at(place.parent, "when"):
        hint = "several steps under one condition are written with `if` and `then`"
    diagnostics.error(error["type"], message, span, hint, suggestion=context["suggestion"])
