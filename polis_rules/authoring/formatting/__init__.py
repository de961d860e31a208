"""`polis format`: files in canonical form, by moving whole lines."""

from polis_rules.authoring.formatting.comments import place_comments
from polis_rules.authoring.formatting.format_text import files_at, format_file, format_text
from polis_rules.authoring.formatting.layout import Entry, Node, lay_out
