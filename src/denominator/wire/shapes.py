"""The field types that a record may have, read from its type hints; reader, writer and schema interpret them."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

JSON_DEPTH_MAX = 48
"""Nesting of a field of type `Json`; leaves room for the document around it (the reader takes 64)."""


class AnyJson:
    """Stands for the recursive alias `Json` while hints are read."""


@dataclass(frozen=True, slots=True)
class Scalar:
    """Text, integer, true/false or null, by the Python type. Text kinds: "", "decimal", "limit" or "date"."""

    type: type
    text: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """A closed vocabulary."""

    enum: type[StrEnum]


@dataclass(frozen=True, slots=True)
class Anything:
    """Any JSON value without decimals."""


@dataclass(frozen=True, slots=True)
class ListOf:
    """A list of any length."""

    item: Shape


@dataclass(frozen=True, slots=True)
class Fixed:
    """A list of fixed length, one shape a place."""

    items: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class MapOf:
    """An object with free text keys."""

    item: Shape


@dataclass(frozen=True, slots=True)
class Nested:
    """Another record; `hint` keeps type arguments (`Known[str]`)."""

    hint: Any

    @property
    def cls(self) -> type:
        """The record class without its arguments."""
        cls: type = get_origin(self.hint) or self.hint
        return cls


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of several shapes, told apart by what is there."""

    options: tuple[Shape, ...]


Shape = Scalar | Words | Anything | ListOf | Fixed | MapOf | Nested | OneOf


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a record."""

    name: str
    shape: Shape
    required: bool


SCALARS = (str, int, bool, type(None))


@cache
def fields_of(hint: Any) -> tuple[Field, ...]:
    """The fields of a record class (or of `Known[X]`) in order. A version is required of every JSON document."""
    cls = get_origin(hint) or hint
    if not (isinstance(cls, type) and dataclasses.is_dataclass(cls)):
        raise TypeError(f"{hint!r} is no record")
    hints = get_type_hints(cls, localns={"Json": AnyJson}, include_extras=True)
    bound = dict(zip(getattr(cls, "__parameters__", ()), get_args(hint), strict=False))
    return tuple(
        Field(field.name, shape_of(_bind(hints[field.name], bound)), _required(field))
        for field in dataclasses.fields(cls)
    )


def _required(field: dataclasses.Field[Any]) -> bool:
    missing = dataclasses.MISSING
    return field.default is missing and field.default_factory is missing


def _bind(hint: Any, bound: Mapping[Any, Any]) -> Any:
    return bound.get(hint, hint) if isinstance(hint, TypeVar) else hint


def shape_of(hint: Any) -> Shape:
    """The shape of a type hint; TypeError for a type that no format of ours may hold (float, bytes, Any)."""
    origin, args = get_origin(hint), get_args(hint)
    if hint is AnyJson:
        return Anything()
    if hint in SCALARS or hint is None:
        return Scalar(type(None) if hint is None else hint)
    if origin is Annotated and args[0] is str and args[1] in ("decimal", "limit", "date"):
        return Scalar(str, args[1])
    if origin in (Union, types.UnionType):
        return OneOf(tuple(shape_of(arg) for arg in args))
    if origin is tuple:
        return _tuple(args)
    if origin in (Mapping, dict) and args[0] is str:
        return MapOf(shape_of(args[1]))
    return _class(hint, origin or hint)


def _tuple(args: tuple[Any, ...]) -> Shape:
    if len(args) == 2 and args[1] is Ellipsis:
        return ListOf(shape_of(args[0]))
    return Fixed(tuple(shape_of(arg) for arg in args))


def _class(hint: Any, cls: Any) -> Shape:
    if isinstance(cls, type) and issubclass(cls, StrEnum):
        return Words(cls)
    if isinstance(cls, type) and dataclasses.is_dataclass(cls):
        return Nested(hint)
    raise TypeError(f"a record may not hold {hint!r}")
