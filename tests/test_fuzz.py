"""A short run of the fuzzer (tests/fuzz.py), which development runs for millions of inputs."""

from __future__ import annotations

from fuzz import LAYERS, run


def test_nothing_but_findings_comes_of_random_inputs() -> None:
    tally = run(3000, seed=20)
    assert not tally.broken, "\n\n".join(tally.broken)
    assert set(tally.counts) == {layer for layer, _ in LAYERS}
    assert all(0 < tally.accepted[layer] < tally.counts[layer] for layer in ("expression", "reader"))
