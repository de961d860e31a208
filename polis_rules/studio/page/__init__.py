"""The pages of the studio: the author's, and one for each seat."""

from polis_rules.studio.page.pages import add_pages as add_pages
