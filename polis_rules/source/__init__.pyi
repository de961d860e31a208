from .files import (
    Trees as Trees,
    edited as edited,
    files_in as files_in,
    is_file as is_file,
    read_file as read_file,
    unsaved_text as unsaved_text,
    write_whole as write_whole,
)
from .folded import Folded as Folded
from .ids import (
    ID_RULE as ID_RULE,
    as_id as as_id,
    before_missing_colon as before_missing_colon,
    is_id as is_id,
    spoken as spoken,
)
from .limits import DEEPEST as DEEPEST, LARGEST as LARGEST
from .locks import keep_others_out as keep_others_out
from .once import Once as Once
from .parsing import python_tree as python_tree, span_of as span_of
from .reader import events as events, read_text as read_text
from .spliced import Hole as Hole, Renamed as Renamed, Spliced as Spliced
from .tree import (
    Mapping as Mapping,
    Node as Node,
    Path as Path,
    Sequence as Sequence,
    Text as Text,
    at as at,
    entries_at as entries_at,
    entry as entry,
    found_at as found_at,
    kept as kept,
    mapping as mapping,
    node_at as node_at,
    walk as walk,
)
