"""The rulebook, made from the rules themselves."""

from polis_rules.documentation.rulebook.book import Book, read
from polis_rules.documentation.rulebook.comparing import Comparing
from polis_rules.documentation.rulebook.page import rulebook
from polis_rules.documentation.rulebook.route_diff import changed_journeys
from polis_rules.documentation.rulebook.sentences import Sentences, sentence
