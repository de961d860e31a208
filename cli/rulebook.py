"""`polis rulebook`: the rules of a ruleset as a page to read."""

from __future__ import annotations

from polis_rules.documentation.rulebook import markdown, read, rulebook

from .options import Chosen, RulesetName
from .output import Format, answer


class Command(Chosen):
    """Print the rulebook, made from the rules, as Markdown.

    \b
    Example:
      polis rulebook mygame
      polis rulebook rules/mine --scenario short --variant quick
    """

    ruleset: RulesetName
    format: Format = Format.text
    """Markdown for people or JSON for programs. Example: --format json"""

    def run(self) -> None:
        page = markdown(rulebook(read(self.ruleset, self.scenario, self.variants)))
        answer(self.format, {"ruleset": self.ruleset, "rulebook": page}, page.splitlines())
