"""A resolved ruleset is one file that means the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from support.shipping import shipped

from polis_rules.authoring.canonical import resolved, scalar
from polis_rules.authoring.formatting.format_text import format_text
from polis_rules.composition.composed import compose
from polis_rules.diagnostics.diagnostics import Diagnostics
from polis_rules.source.reader import read_text
from polis_rules.validation import validate

HERE = Path(__file__).parent
NAMES = [each.name for each in shipped()] + [str(path.parent) for path in sorted(HERE.glob("rulesets/*/ruleset.yaml"))]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES, ids=lambda name: Path(name).name)
def test_a_resolved_ruleset_loads_to_the_same_hash_and_resolves_to_the_same_text(name: str, tmp_path: Path) -> None:
    first = compose(name)
    (tmp_path / "ruleset.yaml").write_text(resolved(first), encoding="utf-8")
    again = compose(tmp_path)
    assert again.hash == first.hash
    assert resolved(again).splitlines()[2:] == resolved(first).splitlines()[2:]
    assert format_text(resolved(first), "ruleset.yaml", Diagnostics()) == resolved(first)


@given(
    st.text(st.characters(exclude_categories=("Cs", "Cc", "Cf")), min_size=1).filter(lambda text: text == text.strip())
)
def test_every_scalar_reads_back_as_it_was(text: str) -> None:
    diagnostics = Diagnostics()
    tree = read_text(f"key: {scalar(text)}\n", "a.yaml", diagnostics)
    assert not diagnostics.items
    assert tree is not None
    assert tree.get("key") == text


def test_a_resolved_ruleset_in_a_folder_of_another_name_is_not_told_that_its_id_is_wrong(tmp_path: Path) -> None:
    """It keeps its id, and so its hash."""
    for folder in ("merged", "dice_race"):
        (tmp_path / folder).mkdir()
        text = resolved(compose(HERE / "rulesets" / "dice_race"), folder)
        (tmp_path / folder / "ruleset.yaml").write_text(text, encoding="utf-8")
        assert not {"wrong-id", "unused-ignore"} & {each.code for each in validate(tmp_path / folder).findings}
