"""JSON Schemas (2020-12) generated from the records, so that a format and its description cannot drift apart."""

from __future__ import annotations

import re
from typing import Any

from denominator.wire.shapes import (
    Anything,
    Fixed,
    ListOf,
    MapOf,
    Nested,
    OneOf,
    Scalar,
    Shape,
    Words,
    fields_of,
)
from denominator.wire.texts import DECIMAL

DIALECT = "https://json-schema.org/draft/2020-12/schema"

JSON_VALUE: dict[str, Any] = {
    "description": "Any JSON value without fractions.",
    "type": ["string", "integer", "boolean", "null", "array", "object"],
    "items": {"$ref": "#/$defs/Json"},
    "additionalProperties": {"$ref": "#/$defs/Json"},
}

TYPES: dict[type, str] = {str: "string", int: "integer", bool: "boolean", type(None): "null"}
FORMS: dict[str, dict[str, Any]] = {
    "": {},
    "decimal": {"pattern": "^" + DECIMAL.pattern.removesuffix(r"\Z") + "$"},
    "limit": {"pattern": "^(" + DECIMAL.pattern.removesuffix(r"\Z") + ")?$"},
    "date": {"pattern": "^([0-9]{4}-[0-9]{2}-[0-9]{2})?$"},
}


def schema(cls: type) -> dict[str, Any]:
    """The schema of a record's JSON form. It admits what the codec reads, but for days that are in no calendar."""
    definitions: dict[str, Any] = {}
    top = _define(cls, definitions)
    return {"$schema": DIALECT, "title": cls.__name__, **top, "$defs": dict(sorted(definitions.items()))}


def _define(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    name = _name(hint)
    if name not in definitions:
        definitions[name] = {}
        definitions[name] = _record(hint, definitions)
    return {"$ref": f"#/$defs/{name}"}


def _name(hint: Any) -> str:
    """`AttemptRow`; a record with type arguments is named with them (`Known_str`)."""
    text = hint.__name__ if isinstance(hint, type) and not getattr(hint, "__args__", ()) else repr(hint)
    return re.sub(r"[^A-Za-z0-9]+", "_", text.rsplit("records.", 1)[-1]).strip("_")


def _record(hint: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    fields = fields_of(hint)
    properties = {field.name: _shape(field.shape, definitions) for field in fields}
    required = [field.name for field in fields if field.required or field.name == "schema_version"]
    if "schema_version" in properties:
        properties["schema_version"] = {"const": 1}
    return {
        "description": " ".join((Nested(hint).cls.__doc__ or "").split()),
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _shape(shape: Shape, definitions: dict[str, Any]) -> dict[str, Any]:
    match shape:
        case Scalar(type=kind, text=form):
            return {"type": TYPES[kind], **FORMS[form]}
        case Words(enum=enum):
            return {"enum": [str(word) for word in enum], "description": enum.__doc__ or ""}
        case Anything():
            definitions["Json"] = JSON_VALUE
            return {"$ref": "#/$defs/Json"}
        case ListOf(item=item):
            return {"type": "array", "items": _shape(item, definitions)}
        case Fixed(items=items):
            return _fixed([_shape(item, definitions) for item in items])
        case MapOf(item=item):
            return {"type": "object", "additionalProperties": _shape(item, definitions)}
        case Nested(hint=hint):
            return _define(hint, definitions)
        case OneOf(options=options):
            return {"anyOf": [_shape(option, definitions) for option in options]}


def _fixed(items: list[dict[str, Any]]) -> dict[str, Any]:
    size = len(items)
    return {"type": "array", "prefixItems": items, "items": False, "minItems": size, "maxItems": size}
