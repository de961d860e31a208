"""Records: what builds on `Record` is a frozen dataclass with slots, without a decorator at each of many classes."""

from __future__ import annotations

from dataclasses import Field, dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class _RecordType(type):
    """Makes a dataclass of each class; that makes the class once more, with its slots."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> Any:
        made: Any = super().__new__(cls, name, bases, body)
        return made if "__slots__" in body else dataclass(frozen=True, slots=True)(made)


class Record(metaclass=_RecordType):
    """A value that compares by its fields."""

    if TYPE_CHECKING:  # `replace` and `fields` ask for it
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
