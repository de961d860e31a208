from .advice import worths as worths
from .check_book import TOLD as TOLD
from .check_expressions import ExpressionChecker as ExpressionChecker
from .explanations import (
    every_part as every_part,
    names_of as names_of,
    outside as outside,
    uses as uses,
)
from .graphs import stated_edges as stated_edges
from .initial_values import StartReader as StartReader
from .intervals import (
    ANY as ANY,
    ENDLESS as ENDLESS,
    MOST_NUMBERS as MOST_NUMBERS,
    NO_ROUTE as NO_ROUTE,
    Interval as Interval,
    Members as Members,
    Value as Value,
    arithmetic as arithmetic,
    compared as compared,
    join as join,
    meet as meet,
)
from .lines import lines_of as lines_of
from .memory import memories as memories
from .missing_names import explain_missing as explain_missing
from .name_sources import Source as Source, Sources as Sources
from .packed_lists import (
    LONGEST_LIST as LONGEST_LIST,
    members_in as members_in,
    packed as packed,
    stored as stored,
    unpacked as unpacked,
)
from .ranges import (
    ALLOWS as ALLOWS,
    Fact as Fact,
    Known as Known,
    Ranges as Ranges,
    RowRanges as RowRanges,
    order_of as order_of,
    orders_of as orders_of,
)
from .references import Reference as Reference, References as References, member as member
from .resolver import resolve as resolve, rows_of as rows_of, value_of as value_of
from .rules_checker import typecheck as typecheck
from .symbols import (
    ANSWER as ANSWER,
    BEGUN as BEGUN,
    COVER as COVER,
    Attribute as Attribute,
    KindSymbol as KindSymbol,
    Route as Route,
    Symbols as Symbols,
    Variable as Variable,
    every_variable as every_variable,
)
from .told import is_told_whole as is_told_whole, rules_of_steps as rules_of_steps
from .traversal import (
    called_by as called_by,
    every_step as every_step,
    inside as inside,
    of_you as of_you,
    on_behalf as on_behalf,
    reached as reached,
    requirements as requirements,
    waiting_procedures as waiting_procedures,
)
from .typed_board import TypedBoard as TypedBoard, TypedPlace as TypedPlace
from .typed_rules import Start as Start, Supply as Supply, TypedRules as TypedRules, Worth as Worth
from .typed_targets import EVERY as EVERY, AtTheEnd as AtTheEnd, Wanted as Wanted
from .units import Units as Units
from .well_formed import measurer as measurer
from .words import BUILT_IN as BUILT_IN, FUNCTIONS as FUNCTIONS
from .write_sets import written_steps as written_steps
