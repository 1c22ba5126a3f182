"""JSON, JSON lines and YAML as other programs write them: NaN, doubled keys and torn ends are told, never fatal by themselves.

Numbers with a fraction are exact `Decimal` values. `NaN` and `Infinity` are `None`: no such number was measured.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from denominator.errors import InputError
from denominator.wire.sources.base import DOCUMENT_BYTES, Source, lines_of

DIGITS_MAX = 400
ALIASES_MAX = 200
YAML_DEPTH_MAX = 64
JSON_DEPTH_MAX = 200


def loose_json(data: bytes, where: str) -> Any:
    """One JSON document. InputError: no JSON, not UTF-8, or nested too deeply; of a key that stands twice the last one counts."""
    try:
        text = data.decode("utf-8-sig")
        found = DECODER.decode(text)
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", where=where) from None
    except RecursionError:
        raise InputError("is nested too deeply", where=where) from None
    except ValueError as error:
        what = f"is no JSON: {error}" if data.strip() else "is empty"
        raise InputError(what, where=where, fix="the copy may be cut: get it again") from None
    if _too_deep(found):
        raise InputError(f"is nested more than {JSON_DEPTH_MAX} deep", where=where)
    return found


class Line(NamedTuple):
    """One line of JSON. `value` is None where `fault` says why it could not be read; `torn`: the last line breaks off."""

    number: int
    value: Any
    sha256: str
    fault: str = ""
    torn: bool = False


def loose_lines(source: Source, name: str) -> Iterator[Line]:
    """The JSON lines of a member, one at a time; blank lines are left out, bad ones are told."""
    for raw in lines_of(source, name):
        if not raw.data.strip():
            continue
        sha = hashlib.sha256(raw.data).hexdigest()
        try:
            yield Line(raw.number, loose_json(raw.data, f"{name}:{raw.number}"), sha)
        except InputError as error:
            yield Line(raw.number, None, sha, error.what, torn=not raw.whole)


def loose_yaml(data: bytes, where: str) -> Any:
    """One YAML document of plain values; tags that make objects are refused, times stay text. InputError as for JSON."""
    import yaml

    if len(data) > DOCUMENT_BYTES:
        raise InputError("is longer than any document", where=where)
    try:
        text = data.decode("utf-8-sig")
        _few_aliases(text, where)
        return yaml.load(text, Loader=_loader())  # noqa: S506  # of the safe kind
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", where=where) from None
    except (yaml.YAMLError, ValueError, RecursionError, OverflowError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else " ".join(str(error).split())[:300]
        raise InputError(f"is no YAML: {what}", where=where) from None


def _few_aliases(text: str, where: str) -> None:
    """A few aliases of aliases grow beyond all memory: a result has none, or some."""
    import yaml

    depth = aliases = 0
    for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        aliases += isinstance(event, yaml.AliasEvent)
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if aliases > ALIASES_MAX or depth > YAML_DEPTH_MAX:
            raise InputError("holds more aliases or deeper nesting than any result", where=where)


def _loader() -> Any:
    import yaml

    class Plain(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        pass

    Plain.add_constructor("tag:yaml.org,2002:timestamp", lambda loader, node: loader.construct_scalar(node))
    Plain.add_constructor("tag:yaml.org,2002:float", lambda loader, node: _yaml_number(loader.construct_scalar(node)))
    return Plain


def _yaml_number(text: str) -> Decimal | None:
    return _number(text.replace("_", ""))


def _number(text: str) -> Decimal | None:
    """An exact number; what is no finite number of a sensible size is none that was measured."""
    try:
        found = Decimal(text)
    except InvalidOperation:
        return None
    return found if found.is_finite() and abs(found.adjusted()) < DIGITS_MAX and len(text) < DIGITS_MAX else None


def _whole(text: str) -> int | None:
    return int(text) if len(text) < DIGITS_MAX else None


DECODER = json.JSONDecoder(parse_float=_number, parse_int=_whole, parse_constant=lambda _: None)


def _too_deep(value: Any) -> bool:
    """Iterative, for a deep value would end a recursive look at it too."""
    level = [value]
    for _ in range(JSON_DEPTH_MAX):
        level = [inner for one in level for inner in _inside(one)]
        if not level:
            return False
    return True


def _inside(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        yield from (one for one in value.values() if isinstance(one, dict | list))
    elif isinstance(value, list):
        yield from (one for one in value if isinstance(one, dict | list))
