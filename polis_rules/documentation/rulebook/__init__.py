"""The rulebook, made from the rules themselves."""

from polis_rules.documentation.rulebook.book import Book, read
from polis_rules.documentation.rulebook.comparing import diff
from polis_rules.documentation.rulebook.english import end, upper_first
from polis_rules.documentation.rulebook.items import Item, plain
from polis_rules.documentation.rulebook.making import making, own_words, proofs, rulebook
from polis_rules.documentation.rulebook.printing import markdown, text
from polis_rules.documentation.rulebook.retelling import Retelling, Retold
from polis_rules.documentation.rulebook.rules import Rules
from polis_rules.documentation.rulebook.saying import carried_out
from polis_rules.documentation.rulebook.sentences import Sentences, sentence, subject
from polis_rules.documentation.rulebook.structure import (
    MARKED,
    NOWHERE,
    Block,
    Chapter,
    Example,
    Gone,
    Line,
    Paragraph,
    Picture,
    Point,
    Points,
    Rulebook,
    Ruling,
    Section,
    Sentence,
    Source,
    Table,
)
