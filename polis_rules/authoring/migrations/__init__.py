"""`polis migrate`: files of an older format of the language, brought forward one format at a time."""

from polis_rules.authoring.migrations.migrate import migrate
