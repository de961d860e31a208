"""Rules as pages to read and to print."""

from polis_rules.publishing.changes import changes_page
from polis_rules.publishing.comparison import Edition, with_gone
from polis_rules.publishing.examples import with_examples
from polis_rules.publishing.others import with_others
from polis_rules.publishing.pictures import Drawing, pictures
from polis_rules.publishing.replay_page import replay_page
from polis_rules.publishing.rulebook_page import rulebook_page
from polis_rules.publishing.rulebook_pdf import rulebook_pdf
from polis_rules.publishing.sheets import sheets_of
from polis_rules.publishing.sheets_page import sheets_page
from polis_rules.publishing.sheets_pdf import sheets_pdf
from polis_rules.publishing.typesetting import Paper
