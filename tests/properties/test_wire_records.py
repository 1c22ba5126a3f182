"""Every record survives writing and reading, fits its schema, and is refused when a value has a wrong type."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.wire.canonical import canonical, digest
from denominator.wire.codec import from_json, loads, to_json
from denominator.wire.schema import schema
from properties.wire_strategies import record_classes, records

EACH = pytest.mark.parametrize("cls", record_classes(), ids=lambda cls: cls.__name__)
CALM = settings(
    max_examples=10,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example],
)


@EACH
@CALM
@given(data=st.data())
def test_a_record_reads_back_equal_and_canonical(cls, data):
    record = data.draw(records(cls))
    written = canonical(record)
    plain = to_json(record)
    assert written == json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    again = from_json(cls, loads(written))
    assert again == record
    assert digest(again) == digest(record)


@EACH
@CALM
@given(data=st.data())
def test_schema_and_codec_agree_on_what_is_refused(cls, data):
    validator = jsonschema.Draft202012Validator(schema(cls))
    plain = to_json(data.draw(records(cls)))
    assert validator.is_valid(plain)
    holder, step = data.draw(st.sampled_from(list(_spots(plain))))
    wrong = data.draw(st.sampled_from(["gone", "unknown key", 1.5, [1.5], {"not_measured": 1.5}, *OTHERS]))
    if wrong == "unknown key" and isinstance(holder, dict):
        holder["no such key"] = 1.5
    elif wrong == "gone":
        del holder[step]
    else:
        holder[step] = wrong
    refused = _refuses(cls, plain)
    assert refused == (not validator.is_valid(plain))
    if "1.5" in repr(wrong) or "no such key" in holder:
        assert refused


OTHERS = [None, True, 0, "x", [], {}, [None], {"not_measured": "why"}, {"known": 1, "by": "declared"}, {"": 0}]


@EACH
def test_the_schema_is_itself_valid(cls):
    jsonschema.Draft202012Validator.check_schema(schema(cls))
    assert schema(cls)["title"] == cls.__name__


def _spots(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place inside a JSON value, as (container, step)."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in list(items):
        if isinstance(each, dict | list):
            yield from _spots(each)
        yield value, step


def _refuses(cls: type, plain: Any) -> bool:
    try:
        from_json(cls, plain)
    except InputError as error:
        assert error.problems
        return True
    return False
