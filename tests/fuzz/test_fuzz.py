"""A short run of the fuzzer (tests/fuzz/fuzz.py), which development runs for millions of inputs."""

from __future__ import annotations

import fuzz
import pytest
from fuzz import LAYERS, run, searched
from support.sampling import sampled

from polis_rules.diagnostics.diagnostics import Diagnostics


@pytest.mark.parametrize("inputs", sampled([1000, 1500], every=2))
def test_nothing_but_findings_comes_of_random_inputs(inputs: int) -> None:
    tally = run(inputs, seed=20)
    assert not tally.broken, "\n\n".join(tally.broken)
    assert set(tally.counts) == {layer for layer, _ in LAYERS}
    assert all(0 < tally.accepted[layer] < tally.counts[layer] for layer in ("expression", "reader"))


@pytest.mark.slow
def test_nothing_but_findings_comes_of_what_hypothesis_tries() -> None:
    tally = searched(400, seed=20, layers=("expression", "reader"))
    assert not tally.broken, "\n\n".join(tally.broken)
    assert min(tally.counts.values()) > 50


@pytest.mark.slow
def test_what_breaks_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that cannot bear a word is given hardly more than this word in the end."""

    def unable(text: str, name: str, diagnostics: Diagnostics) -> None:
        if "type" in text:
            raise KeyError("type")
        diagnostics.error("not-text", "nothing is read", None)

    monkeypatch.setattr(fuzz, "read_text", unable)
    tally = searched(3000, seed=20, layers=("reader",))  # it ends with the first that breaks
    (trouble,) = tally.broken
    assert "KeyError: 'type'" in trouble
