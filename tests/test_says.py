"""What a player reads where a condition with words of its own does not hold."""

from __future__ import annotations

from pathlib import Path

from support.reading import page_of

import polis_rules
from polis_rules.cases import run_cases
from polis_rules.documentation.rulebook import read

MARKET = Path(__file__).parent / "errors" / "sound" / "market" / "ruleset.yaml"
CART = "      you_must_have_a_cart: you.carts > 0\n"
PAY = "          you_must_be_able_to_pay_it: can_buy(you, ware)\n"


def market(folder: Path, *edits: tuple[str, str]) -> Path:
    """The market with other words."""
    text = MARKET.read_text("utf-8")
    for old, new in edits:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "market").mkdir()
    (folder / "market" / "ruleset.yaml").write_text(text, "utf-8")
    return folder / "market"


def test_a_refusal_says_what_the_condition_says_with_values_of_now(tmp_path: Path) -> None:
    """The values are those for the option that is refused; of several options each hears its own."""
    says = "          afford: {if: you.coins > ware.price + 9, says: '{ware} is {ware.price}, you have {you.coins}'}\n"
    game = polis_rules.load(market(tmp_path, (PAY, says))).start(seed=1)
    (refusal,) = (each for each in game.why_not("buy wine") if each.ids == ("afford",))
    assert refusal.label in ("Wine is 3, you have 4", "Wine is 3, you have 5")


def test_a_case_names_a_condition_by_its_label_or_by_its_words(tmp_path: Path) -> None:
    """Other words are not found."""
    folder = market(tmp_path, (CART, "      carts: {if: you.carts > 9, says: You need 9 carts}\n"))
    (folder / "cases").mkdir()
    for said, passed in (("carts", True), ("You need 9 carts", True), ("You need 8 carts", False)):
        case = f"cases:\n  no_cart:\n    do: [{{red: rest}}]\n    refused: {{build: {said}}}\n"
        (folder / "cases" / "market.yaml").write_text(case, "utf-8")
        assert [each.passed for each in run_cases(folder)] == [passed]


def test_the_rulebook_says_it_instead_of_what_is_asked_exactly(tmp_path: Path) -> None:
    """The values between braces are named as in titles."""
    says = "      carts: {if: you.carts > 0, says: 'A cart must be left before day {last_day}'}\n"
    text = page_of(read(market(tmp_path, (CART, says))))
    assert "A cart must be left before day the last day." in text
