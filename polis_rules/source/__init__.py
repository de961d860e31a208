"""YAML text as a tree in which everything knows its place."""

from polis_rules.source.files import Trees, edited, files_in, is_file, read_file, unsaved_text, write_whole
from polis_rules.source.ids import ID_RULE, as_id, before_missing_colon, is_id, spoken
from polis_rules.source.once import Once
from polis_rules.source.python_tree import python_tree, span_of
from polis_rules.source.reader import DEEPEST, LARGEST, events, read_text
from polis_rules.source.spliced import Hole, Renamed, Spliced
from polis_rules.source.tree import (
    Mapping,
    Node,
    Path,
    Sequence,
    Text,
    at,
    entries_at,
    entry,
    found_at,
    kept,
    mapping,
    node_at,
    walk,
)
