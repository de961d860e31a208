"""Answers for editors, on unsaved text."""

from polis_rules.language_server import abilities, answers
from polis_rules.language_server.analysis import Analysis
from polis_rules.language_server.completion import complete
from polis_rules.language_server.fixes import fixes, mendable
from polis_rules.language_server.places import path_of
from polis_rules.language_server.renaming import RefusedError, renamable, rename
from polis_rules.language_server.server import make_server
from polis_rules.language_server.workbench import Workbench
