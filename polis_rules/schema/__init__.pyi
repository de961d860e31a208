from .base import (
    CITE as CITE,
    COUNTED as COUNTED,
    HEAD_KEYS as HEAD_KEYS,
    PROSE as PROSE,
    RULE_KEYS as RULE_KEYS,
    UNIT as UNIT,
    Model as Model,
    Rule as Rule,
    holds_words as holds_words,
)
from .board import Board as Board, Outline as Outline
from .book import BookChapter as BookChapter, BookPlan as BookPlan, Said as Said
from .building import Known as Known, build as build
from .cases import CaseEntry as CaseEntry, InheritedEntry as InheritedEntry
from .combined import indexes_at as indexes_at
from .conditions import Condition as Condition, Conditions as Conditions, asked_of as asked_of
from .declarations import Memory as Memory
from .document import (
    LEVELS as LEVELS,
    ORDERED as ORDERED,
    PRESENTATION as PRESENTATION,
    SECTIONS as SECTIONS,
    Action as Action,
    Document as Document,
    Graph as Graph,
    Kind as Kind,
    Manifest as Manifest,
    Route as Route,
    Row as Row,
    Setting as Setting,
    Source as Source,
    Term as Term,
)
from .export import export_schemas as export_schemas, write_schemas as write_schemas
from .files import (
    LIBRARY_SECTIONS as LIBRARY_SECTIONS,
    LibraryFile as LibraryFile,
    ManifestFile as ManifestFile,
    Need as Need,
    Needs as Needs,
    ScenarioFile as ScenarioFile,
    VariantFile as VariantFile,
)
from .grading import every_rule as every_rule, graded as graded, grades_of as grades_of, values_of as values_of
from .key_order import (
    Place as Place,
    Plain as Plain,
    file_sort as file_sort,
    in_order as in_order,
    inside as inside,
    meaning as meaning,
    step_lists as step_lists,
)
from .prose import prose_keys as prose_keys, prose_sections as prose_sections
from .recovery import without_errors as without_errors
from .shape_errors import read_as as read_as
from .steps import VERBS as VERBS, Choose as Choose, Either as Either, verbs_of as verbs_of
from .table_check import Sound as Sound, check_tables as check_tables
from .tables import JsonSchema as JsonSchema
from .targets import Bounds as Bounds, Targets as Targets
from .types import (
    FORMULAS as FORMULAS,
    MOST_DIGITS as MOST_DIGITS,
    TypeSpec as TypeSpec,
    parse_type as parse_type,
)
from .values import FLAGS as FLAGS, GRADES as GRADES
