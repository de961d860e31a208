from .catalog import (
    MANIFEST as MANIFEST,
    MOST_VARIANTS as MOST_VARIANTS,
    ShippedRuleset as ShippedRuleset,
    family as family,
    file_bytes as file_bytes,
    find as find,
    find_base as find_base,
    find_variant as find_variant,
    shipped as shipped,
    variant_ids as variant_ids,
    variants_beside as variants_beside,
)
from .composed import Composed as Composed, compose as compose
from .content_hash import Snapshot as Snapshot, Snapshots as Snapshots, take_snapshot as take_snapshot
from .editions import FORMAT as FORMAT
from .headers import texts_at as texts_at
from .overlay import OPERATIONS as OPERATIONS, Origin as Origin, inline as inline, leaves as leaves, plain as plain
