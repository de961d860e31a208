"""The rulebook, made from the rules themselves."""

from polis_rules.documentation.rulebook.book import Book, read
from polis_rules.documentation.rulebook.comparing import diff
from polis_rules.documentation.rulebook.making import rulebook
from polis_rules.documentation.rulebook.printing import markdown, text
from polis_rules.documentation.rulebook.sentences import Sentences, sentence, subject
