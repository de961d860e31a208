"""Rules as pages to read and to print."""

from polis_rules.publishing.changes import changes_page
