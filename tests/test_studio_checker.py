"""What is said of the texts in the studio's editor: what would mend a finding, and what stands at a place."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from polis_rules.diagnostics import PolisError
from polis_rules.studio.checker import Checker
from polis_rules.studio.drafts import Drafts
from polis_rules.studio.edits import applied
from polis_rules.studio.workspace import Workspace

SHELF = Path(__file__).parent / "rulesets"


async def _mended(text: str) -> tuple[list[tuple[str, bool]], str]:
    folder = SHELF / "othello"
    workspace, checker = Workspace(folder, drafts=Drafts(folder / "none")), Checker()
    workspace.listeners.append(checker.change)
    name = next(each for each in workspace.names() if "where:" in workspace.open(each).text)
    document = workspace.open(name)
    workspace.change(document, document.text.replace("where:", text, 1))
    found = (await checker.findings(document.path, thorough=False))[document.path]
    fixes = await checker.fixes(document.path, found[0].start[0])
    mended = applied(document.text, fixes[0].edits if fixes else ())
    checker.close()
    return [(each.message, each.can_be_mended) for each in found], mended


def test_a_finding_is_mended_by_its_fix() -> None:
    found, mended = asyncio.run(_mended("wher:"))
    assert any("wher" in message and can_be_mended for message, can_be_mended in found)
    assert "wher:" not in mended and "where:" in mended


def test_a_finding_is_mended_without_what_else_stands_on_its_line() -> None:
    async def offered() -> list[list[str]]:
        folder = SHELF / "othello"
        workspace, checker = Workspace(folder, drafts=Drafts(folder / "none")), Checker()
        workspace.listeners.append(checker.change)
        document = workspace.open("ruleset.yaml")
        workspace.change(document, document.text.replace("{type: 2..4, start: 3,", "{tpye: 2..4, strat: 3,"))
        found = (await checker.findings(document.path))[document.path]
        known = [each for each in found if each.can_be_mended]
        line = known[0].start[0]
        fixes = [*[await checker.fixes(document.path, line, each) for each in known]]
        fixes.append(await checker.fixes(document.path, line))
        checker.close()
        return [[fix.title for fix in each] for each in fixes]

    one, other = "write `type` instead of `tpye`", "write `start` instead of `strat`"
    assert asyncio.run(offered()) == [[one], [other], [one, other]]


def test_what_has_no_fix_is_not_told_to_have_one() -> None:
    found, mended = asyncio.run(_mended("where: {it_is_odd: place + }\n        to:"))
    assert found and not any(can_be_mended for _, can_be_mended in found)
    assert "place + }" in mended


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("title: Fo|ur", ""),
        ("why: >|-", ""),
        ("  more_prestige: {ty|pe", "settings.more_prestige.type"),
        ("dice: {was: 1|d4", "actions.besiege_polis.do.strength.dice"),
    ],
)
def test_a_place_of_a_variant_is_a_path_of_the_rules_where_it_changes_them(text: str, path: str) -> None:
    file = SHELF.parents[1] / "rulesets" / "variants" / "tweaks.yaml"
    lines, before = file.read_text("utf-8").splitlines(), text.index("|")
    number, line = next((number, line) for number, line in enumerate(lines) if text.replace("|", "") in line)
    checker = Checker()
    found = asyncio.run(checker.path_at(file, (number, line.index(text.replace("|", "")) + before)))
    checker.close()
    assert found == path


def test_where_a_text_cannot_be_read_it_is_told_instead_of_that_no_rule_stands_there(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("ruleset: game\n", "utf-8")
    workspace, checker = Workspace(tmp_path, drafts=Drafts(tmp_path / "drafts")), Checker()
    workspace.listeners.append(checker.change)
    document = workspace.open("ruleset.yaml")
    workspace.change(document, "ruleset: game\nbroken: a: b\n")
    try:
        with pytest.raises(PolisError, match="cannot be read as it stands: line 2: not YAML: a colon"):
            asyncio.run(checker.path_at(document.path, (0, 2)))
    finally:
        checker.close()
