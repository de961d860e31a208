"""Groups of options: a command takes a dataclass, and typer, which knows no groups, a parameter for each field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints


def spread(command: Callable[..., None]) -> Callable[..., None]:
    """A command that has the fields of the dataclasses which it takes as parameters in their place."""
    groups: dict[str, Any] = {}
    parameters: list[Parameter] = []
    for name, each in signature(command, eval_str=True).parameters.items():
        if isinstance(each.annotation, type) and is_dataclass(each.annotation):
            groups[name] = each.annotation
            kinds = get_type_hints(each.annotation, include_extras=True)
            parameters += [
                each.replace(name=field.name, default=field.default, annotation=kinds[field.name])
                for field in fields(each.annotation)
            ]
        else:
            parameters.append(each)

    def called(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    called.__doc__, called.__annotations__ = command.__doc__, {each.name: each.annotation for each in parameters}
    called.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # which `inspect` looks for
    return called
