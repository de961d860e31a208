from .canonical import flow as flow, resolved as resolved
from .changing import (
    Value as Value,
    in_place as in_place,
    operation_at as operation_at,
    spread as spread,
    with_key as with_key,
    with_operation as with_operation,
    without_line as without_line,
)
from .migrations import migrate as migrate, with_edits as with_edits
from .scaffold import begin as begin, begin_small as begin_small
from .unified_diff import unified as unified
