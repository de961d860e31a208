from .base import GRADES as GRADES, Model as Model, Reading as Reading, Rule as Rule
from .building import build as build
from .cases import CaseEntry as CaseEntry, InheritedEntry as InheritedEntry
from .document import SECTIONS as SECTIONS, Document as Document, Manifest as Manifest, Source as Source
from .export import export_schemas as export_schemas
from .files import ManifestFile as ManifestFile, ScenarioFile as ScenarioFile, VariantFile as VariantFile
from .key_order import (
    Place as Place,
    Plain as Plain,
    file_sort as file_sort,
    in_order as in_order,
    inside as inside,
    meaning as meaning,
)
from .kinds import Kind as Kind, Row as Row
from .recovery import without_errors as without_errors
from .rules import (
    Action as Action,
    ActionChoice as ActionChoice,
    Graph as Graph,
    Procedure as Procedure,
    Route as Route,
)
from .shape_errors import by_place as by_place, report as report
from .steps import Choose as Choose, Either as Either
from .tables import JsonSchema as JsonSchema, check_tables as check_tables
from .types import TypeSpec as TypeSpec, parse_type as parse_type
from .writing import write_schemas as write_schemas
