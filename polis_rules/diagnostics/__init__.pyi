from .codes import Explanation as Explanation, explanations as explanations
from .diagnostic import Diagnostic as Diagnostic, Related as Related
from .diagnostics import Diagnostics as Diagnostics
from .errors import (
    IllegalMove as IllegalMove,
    InvalidMove as InvalidMove,
    PolisError as PolisError,
    RuleError as RuleError,
    RulesetError as RulesetError,
)
from .installed import version as version
from .merging import merged as merged
from .rendering import render as render
from .sarif_log import sarif as sarif
from .span import Span as Span
from .suppressions import marked as marked, silence as silence
from .text import (
    amount as amount,
    did_you_mean as did_you_mean,
    first_of as first_of,
    listing as listing,
    nearest as nearest,
    one_of as one_of,
    printable as printable,
    quote as quote,
    shortened as shortened,
    some as some,
)
