"""Keys of request bodies against the schema that the specification gives for them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from denominator.readers.api.openapi import Spec, resolve_at
from denominator.readers.api.scopes import Scope, last_name
from denominator.readers.api.shape import INVENTED, KNOWN, NOT_EVALUATED
from denominator.readers.api.texts import constant

DEPTH = 12


def body_of(node: ast.Call, scope: Scope) -> ast.Dict | None:
    """The dictionary that a call sends as JSON, if it stands there or in the one assignment of a variable."""
    for keyword in node.keywords:
        value: ast.expr | None = keyword.value
        if isinstance(value, ast.Call) and last_name(value.func) == "dumps" and value.args:
            value = value.args[0]
        elif keyword.arg != "json":
            continue
        value = constant(value, scope) if isinstance(value, ast.Name) else value
        if isinstance(value, ast.Dict):
            return value
    return None


def keys(
    spec: Spec, found: tuple[str, Any], body: ast.Dict, path: str = ""
) -> Iterator[tuple[ast.Constant, str, str, str]]:
    """(key, dotted name, state, why) of every constant key, also in dictionaries below."""
    for key, value in zip(body.keys, body.values, strict=True):
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            continue
        name = f"{path}.{key.value}" if path else key.value
        state, why, below = look(spec, found, key.value)
        yield key, name, state, why
        if below is not None:
            for one in value.elts if isinstance(value, ast.List) else [value]:
                inner = _items(spec, below) if isinstance(value, ast.List) else below
                if isinstance(one, ast.Dict) and inner is not None:
                    yield from keys(spec, inner, one, name)


def _items(spec: Spec, found: tuple[str, Any]) -> tuple[str, Any] | None:
    here = resolve_at(spec, *found)
    return (here[0], here[1].get("items")) if here and isinstance(here[1], dict) else None


def look(spec: Spec, found: tuple[str, Any], key: str, depth: int = 0) -> tuple[str, str, tuple[str, Any] | None]:
    """Does a schema take a key: state, why, and the schema of its value."""
    here = resolve_at(spec, *found)
    if here is None or not isinstance(here[1], dict) or depth > DEPTH:
        return NOT_EVALUATED, "the schema is not known", None
    path, schema = here
    listed = schema.get("properties")
    if isinstance(listed, dict) and key in listed:
        return KNOWN, "", (path, listed[key])
    if any(_fits(pattern, key) for pattern in schema.get("patternProperties") or {}):
        return KNOWN, "", None
    every = [look(spec, (path, part), key, depth + 1) for part in _parts(schema, "allOf")]
    known = [one for one in every if one[0] == KNOWN]
    for word in ("oneOf", "anyOf"):
        some = [look(spec, (path, part), key, depth + 1) for part in _parts(schema, word)]
        known += [one for one in some if one[0] == KNOWN]
        if some and all(one[0] == INVENTED for one in some):
            every.append(some[0])
    if known:
        return known[0]
    closed = schema.get("additionalProperties") is False or schema.get("unevaluatedProperties") is False
    if closed or any(one[0] == INVENTED for one in every):
        return INVENTED, "", None
    return NOT_EVALUATED, "the schema takes keys that it does not list", None


def _parts(schema: dict[str, Any], word: str) -> list[Any]:
    parts = schema.get(word)
    return parts if isinstance(parts, list) else []


def _fits(pattern: str, key: str) -> bool:
    """A pattern that cannot be read is taken to fit."""
    try:
        return re.search(pattern, key) is not None
    except re.error:
        return True
