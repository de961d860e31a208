"""Tuned weights as a variant, to keep or to paste."""

from __future__ import annotations

from polis_rules.ruleset import Ruleset
from polis_rules.semantics import TypedRules, Worth
from polis_rules.semantics.expressions import nodes as n
from polis_rules.tuning.games import advice_of
from polis_rules.tuning.tune import Tuned


def variant_text(ruleset: Ruleset, tuned: Tuned, name: str) -> str:
    """The text of a variant of this name in which advice has the new weights."""
    rules = ruleset.rules()
    lines = [f"variant: {name}", "title: Weights set by games of bots", f"extends: {ruleset.name}"]
    changed = [each for each in tuned.terms if each.after != each.before]
    if not changed:
        return "\n".join(lines) + "\n"
    if rules.advice:
        changes = (f"  advice.{each.name}.points: {{was: {each.before:g}, to: {each.after:g}}}" for each in changed)
        lines += ["change:", *changes]
    else:
        terms = {term.name: term for term in advice_of(rules)}
        lines += ["add:", "  advice:"]
        for each in tuned.terms:
            lines.append(f'    {each.name}: {{counts: "{_spent(terms[each.name], rules)}", points: {each.after:g}}}')
    return "\n".join(lines) + "\n"


def _spent(term: Worth, rules: TypedRules) -> str:
    """The expression of something spendable."""
    load = term.counts
    assert isinstance(load, n.Load)
    names = [rules.symbols.kinds[arg.type.kind].members[arg.value] for arg in load.args[1:] if isinstance(arg, n.Const)]
    return f"who.{load.name}[{', '.join(names)}]" if names else f"who.{load.name}"
