"""Is a request the one that was recorded? Its canonical form without the places that may differ, and where two differ.

A place is written dotted from the top of the body: `messages.*.content`. A step is a key, the number of an element from
0, or `*` for every key or element. Of an object the key is taken out; in a list the element becomes null, so that how
many there are is never lost. A place that is not there changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

from denominator.wire.byvalue import by_value
from denominator.wire.paths import dotted

RAW = b"raw\n"
"""What a body that is no JSON document begins with in canonical form; no JSON text begins so."""
EVERY = "*"
PLACE_CHARS = 200
Steps = tuple[str, ...]


def place_problem(text: str) -> str:
    """Why a text is no place of a request, or ""."""
    if not text.strip():
        return "is empty"
    if any(not step or step != step.strip() for step in text.split(".")):
        return f'"{text}" has an empty step'
    return "starts with a root sign" if text.startswith("$.") else ""


def request_form(body: bytes, volatile: Iterable[str] = ()) -> bytes:
    """The bytes by which requests are compared: keys sorted, numbers by value, volatile places out.

    What is no JSON document (a key twice, NaN, no UTF-8) is compared byte by byte.
    """
    read = _read(body)
    if read is None:
        return RAW + body
    document, text = read
    places = sorted(set(volatile))
    for place in places:
        document = without(document, tuple(place.split(".")))
    return (by_value(document) if places else text).encode("utf-8", "surrogatepass")


def without(value: Any, steps: Steps) -> Any:
    """The value with one place taken out; a new value where something changed, the old one stays as it is."""
    step, rest = steps[0], steps[1:]
    if isinstance(value, dict):
        if rest:
            return {key: without(one, rest) if step in (EVERY, key) else one for key, one in value.items()}
        return {key: one for key, one in value.items() if step not in (EVERY, key)}
    if isinstance(value, list):
        return [
            (without(one, rest) if rest else None) if step in (EVERY, str(at)) else one for at, one in enumerate(value)
        ]
    return value


def differences(here: bytes, recorded: bytes, most: int = 3) -> tuple[str, ...]:
    """The first places in which two canonical forms differ, in the order of keys and elements; no value is told."""
    if here == recorded:
        return ()
    left, right = _form(here), _form(recorded)
    if left is None or right is None:
        return (f"the body at byte {_first(here, recorded)}",)
    found = []
    for one in _differ(left[0], right[0], ()):
        found.append(one)
        if len(found) == most:
            break
    return tuple("".join(c if c.isprintable() else "?" for c in one[:PLACE_CHARS]) for one in found)


def _differ(here: Any, recorded: Any, path: tuple[str | int, ...]) -> Iterator[str]:
    name = dotted(path) or "the body"
    if isinstance(here, dict) and isinstance(recorded, dict):
        for key in sorted({*here, *recorded}):
            if key not in recorded:
                yield f"{dotted((*path, key))}: only here"
            elif key not in here:
                yield f"{dotted((*path, key))}: only in the recording"
            else:
                yield from _differ(here[key], recorded[key], (*path, key))
    elif isinstance(here, list) and isinstance(recorded, list):
        for at, (one, other) in enumerate(zip(here, recorded, strict=False)):
            yield from _differ(one, other, (*path, at))
        if len(here) != len(recorded):
            yield f"{name}: {len(here)} here, {len(recorded)} in the recording"
    elif isinstance(here, str) and isinstance(recorded, str):
        if here != recorded:
            yield f"{name} at character {_first(here, recorded) + 1}"
    elif here != recorded or isinstance(here, bool) != isinstance(recorded, bool):
        yield name


def _first(here: str | bytes, recorded: str | bytes) -> int:
    """Where two texts part, counted from 0."""
    pairs = enumerate(zip(here, recorded, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(here), len(recorded)))


def _form(form: bytes) -> tuple[Any, str] | None:
    return None if form.startswith(RAW) else _read(form)


def _read(body: bytes) -> tuple[Any, str] | None:
    """The document and its text by value; None for what is no document."""
    try:
        text = body.decode("utf-8", "surrogatepass")
        read = json.loads(
            text, parse_float=Decimal, parse_int=Decimal, parse_constant=_refused, object_pairs_hook=_object
        )
        return read, by_value(read)
    except (ValueError, RecursionError, InvalidOperation):
        return None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key twice")
    return found


def _refused(text: str) -> Any:
    raise ValueError(text)
