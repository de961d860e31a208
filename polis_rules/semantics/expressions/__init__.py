"""One-line expressions: parsed, typed, as trees."""

from polis_rules.semantics.expressions.nodes import (
    NO_ROUTE,
    TRUE,
    Abs,
    Arith,
    Attr,
    Bool,
    Call,
    Comp,
    Compare,
    Const,
    Contains,
    Counted,
    Everyone,
    Expr,
    Formula,
    IfElse,
    Load,
    MinMax,
    Next,
    Not,
    Nth,
    Numbers,
    Order,
    Possible,
    RouteCost,
    RouteExists,
    SetOf,
    SetOp,
    Size,
    Switch,
    Switched,
    Var,
    conjunction,
    number,
)
from polis_rules.semantics.expressions.parse import parse, span_of
from polis_rules.semantics.expressions.scope import Scope
from polis_rules.semantics.expressions.substitute import substitute
from polis_rules.semantics.expressions.types import BOOL, BROKEN, INT, NONE, Type
