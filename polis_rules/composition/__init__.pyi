from .broken_heads import unreadable as unreadable
from .catalog import (
    EXAMPLE as EXAMPLE,
    LIBRARY as LIBRARY,
    MANIFEST as MANIFEST,
    MOST_VARIANTS as MOST_VARIANTS,
    VARIANT as VARIANT,
    ShippedRuleset as ShippedRuleset,
    check_is_game as check_is_game,
    extended_by as extended_by,
    family as family,
    file_bytes as file_bytes,
    find as find,
    find_base as find_base,
    find_variant as find_variant,
    library_names as library_names,
    required_variants as required_variants,
    shipped as shipped,
    shipped_folders as shipped_folders,
    shipped_libraries as shipped_libraries,
    variant_files as variant_files,
    variant_folder as variant_folder,
    variant_ids as variant_ids,
    variant_name as variant_name,
    variant_reason as variant_reason,
    variant_title as variant_title,
    variants_beside as variants_beside,
    variants_in as variants_in,
)
from .choices import (
    SEATS as SEATS,
    split_choices as split_choices,
    told_choices as told_choices,
    with_choices as with_choices,
)
from .citing import RESTATED as RESTATED
from .composed import Composed as Composed, compose as compose
from .content_hash import Snapshot as Snapshot, Snapshots as Snapshots, take_snapshot as take_snapshot
from .headers import FORMAT as FORMAT, texts_at as texts_at
from .libraries import needs_of as needs_of
from .library_findings import without_prefixes as without_prefixes
from .operations import OPERATIONS as OPERATIONS, Operation as Operation, read_operations as read_operations
from .overlay import Origin as Origin, inline as inline, leaves as leaves, plain as plain
from .paths import (
    all_names as all_names,
    first_word as first_word,
    names as names,
    reach as reach,
    steps as steps,
    to_list as to_list,
    ways_into as ways_into,
    words_along as words_along,
)
