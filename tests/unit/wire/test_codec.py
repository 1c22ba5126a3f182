"""Reading and writing records: exact messages, every problem in one pass, versions, and what may never be written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal

import pytest

from denominator.errors import InputError, InternalError
from denominator.records.cards import ControlLine
from denominator.records.envelopes import Ceilings, Comparison
from denominator.records.events import Draft
from denominator.records.keys import AttemptKey
from denominator.records.packs import Baseline, BaselineRun
from denominator.records.rows import AttemptRow
from denominator.records.values import NotMeasured
from denominator.records.words import Slice
from denominator.wire.canonical import canonical, digest, sha256_bytes
from denominator.wire.codec import check_version, from_json, to_json

BASELINE = Baseline(
    pack_digest="p",
    box_digest="b",
    concurrency=2,
    repeats=3,
    taken_at="2026-10-18T00:00:00.000Z",
    runs=(BaselineRun(task_id="t", on="base", repeat=1, grade="red"),),
)
ROW = AttemptRow(key=AttemptKey("r", "t"), slice="solvable")


@dataclass(frozen=True)
class MaybeNames:
    """A mapping with free keys that may be unknown."""

    names: Mapping[str, str] | NotMeasured


def problems(cls, data) -> dict[str, str]:
    with pytest.raises(InputError) as caught:
        from_json(cls, data, "f.json")
    return {problem.where.removeprefix("f.json").strip(): problem.what for problem in caught.value.problems}


def test_every_problem_is_reported_in_one_pass_with_its_key():
    data = to_json(BASELINE)
    data["pack_digst"] = data.pop("pack_digest")
    data["repeats"] = True
    data["runs"][0] |= {"ms": "1", "grade": None, "x y": 1}
    found = problems(Baseline, data)
    assert found == {
        "pack_digest": "is missing",
        "pack_digst": "unknown key",
        "repeats": "expected an integer, got true",
        "runs[0].ms": "expected an integer, got text '1'",
        "runs[0].grade": "expected text, got null",
        "runs[0]['x y']": "unknown key",
    }


def test_an_unknown_key_gets_the_nearest_name():
    data = to_json(BASELINE) | {"concurency": 3}
    del data["concurrency"]
    with pytest.raises(InputError, match="did you mean 'concurrency'"):
        from_json(Baseline, data)


def test_defaults_are_written_and_may_be_absent_when_read():
    data = to_json(BASELINE)
    assert data["flaky"] == [] and data["runs"][0]["detail"] == ""
    del data["flaky"]
    assert from_json(Baseline, data) == BASELINE


@pytest.mark.parametrize("version", [0, 2, "1", True, None, 1.0])
def test_an_unknown_version_is_the_only_thing_reported(version):
    data = to_json(BASELINE) | {"schema_version": version, "junk": 1}
    assert list(problems(Baseline, data)) == ["schema_version"]


def test_a_missing_version_is_never_taken_for_the_latest():
    data = to_json(BASELINE)
    del data["schema_version"]
    assert list(problems(Baseline, data)) == ["schema_version"]


def test_check_version_refuses_what_it_does_not_know():
    assert check_version({"schema_version": 2}, (1, 2)) == 2
    for data in ({}, {"schema_version": 3}, {"schema_version": True}, [], None):
        with pytest.raises(InputError) as caught:
            check_version(data, (1, 2), "f.json")
        assert caught.value.problems[0].where == "f.json schema_version"


def test_a_vocabulary_word_is_written_as_plain_text():
    data = to_json(replace(ROW, slice=Slice.CANARY))
    assert data["slice"] == "canary" and type(data["slice"]) is str
    assert canonical(replace(ROW, slice=Slice.CANARY)) == canonical(replace(ROW, slice="canary"))


def test_an_unknown_value_is_an_object_with_its_reason():
    assert to_json(ROW)["wall_ms"] == {"not_measured": "not recorded"}
    assert from_json(AttemptRow, to_json(replace(ROW, wall_ms=NotMeasured("lost")))).wall_ms == NotMeasured("lost")


@pytest.mark.parametrize("wrong", [{"not_measured": 3}, {"not_measured": "x", "y": 1}, {}, "7", None, True, 1.5])
def test_only_the_exact_form_is_an_unknown_value(wrong):
    assert problems(AttemptRow, to_json(ROW) | {"wall_ms": wrong})


@pytest.mark.parametrize("text", ["1.", ".5", "1e3", "+1", " 1", "1\n", "nan", "١"])
def test_decimal_text_is_digits_only(text):
    assert problems(Ceilings, {"retry_rate": text})


def test_a_number_is_no_decimal_text_in_json():
    assert problems(Ceilings, {"retry_rate": 1}) and problems(Ceilings, {"retry_rate": Decimal("0.2")})


@pytest.mark.parametrize("value", [0.5, Decimal("0.5"), float("nan"), b"x", {1: 2}, {1, 2}, object()])
def test_what_is_no_json_of_ours_is_never_written(value):
    with pytest.raises(InternalError):
        canonical(value)
    with pytest.raises(InternalError):
        to_json(Draft(kind="k", phase="run", writer="harness", payload={"x": [value]}))


def test_a_field_of_a_wrong_type_is_named_when_written():
    bad = Comparison(primary=("a", 3), looks=0)  # type: ignore[arg-type]
    with pytest.raises(InternalError, match=r"primary\[1\]"):
        to_json(bad)
    for wrong in (ControlLine(name="n", task_id="t", state="held", why=None), replace(ROW, notes=["list"])):  # type: ignore[arg-type]
        with pytest.raises(InternalError):
            to_json(wrong)
    with pytest.raises(InternalError, match="incarnations"):
        to_json(replace(ROW, incarnations=True))


def test_a_mapping_that_would_be_read_as_an_unknown_value_is_not_written():
    pair = MaybeNames(names={"not_measured": "x", "b": "y"})
    assert from_json(MaybeNames, to_json(pair)) == pair
    with pytest.raises(InternalError, match="unknown value"):
        to_json(MaybeNames(names={"not_measured": "x"}))


def test_half_a_surrogate_pair_is_never_written():
    with pytest.raises(InputError, match="surrogate"):
        canonical({"a": "\ud800"})


def test_canonical_json_has_one_form():
    assert canonical({"b": 1, "a": ["é", None, True]}) == '{"a":["é",null,true],"b":1}'.encode()
    assert digest({"b": 1, "a": 2}) == digest({"a": 2, "b": 1}) == sha256_bytes(b'{"a":2,"b":1}')
    assert canonical([BASELINE]) == b"[" + canonical(BASELINE) + b"]"
    assert canonical({"x": BASELINE}) == b'{"x":' + canonical(BASELINE) + b"}"


def test_what_is_nested_too_deeply_to_be_read_is_not_written():
    value: object = 1
    for _ in range(70):
        value = [value]
    with pytest.raises(InternalError, match="deeply"):
        canonical(value)
