"""TOML that people write: all mistakes in one error, each with line, key and the nearest name."""

from __future__ import annotations

import pytest

from denominator.errors import InputError
from denominator.records.envelopes import Ceilings, EndpointTerms, Envelope
from denominator.records.packs import Task
from denominator.wire.toml import read_toml

WRONG = """question = 3
[[arm]]
label = "a"
[[arm]]
labl = "b" # [
env = {a = 1, "b.c" = [
 "]"
 ]}
[arm.model]
temperature = nan
seed = 1.5
[budget]
wall_s = "x"
tokns = 3
[[allow]]
rule = "x"
"""


def problems(cls, text: str, **given) -> list[str]:
    with pytest.raises(InputError) as caught:
        read_toml(cls, text, "e.toml", **given)
    return [str(problem) for problem in caught.value.problems]


def test_every_mistake_has_line_key_and_hint():
    assert problems(Envelope, WRONG) == [
        "e.toml:1 question: expected text or an unknown value (not_measured: why), got the integer 3",
        "e.toml:10 arm[1].model.temperature: expected a decimal number as text, got the number nan",
        "e.toml:11 arm[1].model.seed: expected text or an unknown value (not_measured: why), got the number 1.5",
        "e.toml:6 arm[1].env.a: expected text, got the integer 1 (put it in quotes)",
        "e.toml:6 arm[1].env['b.c']: expected text, got a list of 1",
        "e.toml:5 arm[1].labl: unknown key (did you mean 'label'?)",
        "e.toml:13 budget.wall_s: expected an integer or an unknown value (not_measured: why), got text 'x'",
        "e.toml:14 budget.tokns: unknown key (did you mean 'tokens'?)",
        "e.toml:15 allow[0].why: is missing",
        "e.toml:15 allow[0].who: is missing",
        "e.toml:15 allow[0].until: is missing",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a = 1\nb = [1\nc = 2\n", "e.toml:3: Unclosed array"),
        ("a = 1\na = 2\n", "e.toml:2: Cannot overwrite a value"),
        ('a = "x', "e.toml:1: Unterminated string"),
        ("a = " + "[" * 5000, "e.toml: nested too deeply"),
        ("a = '\ud800'", "e.toml: half of a surrogate pair is no character"),
    ],
)
def test_a_syntax_error_names_its_line(text, problem):
    assert problems(Envelope, text) == [problem]


@pytest.mark.parametrize(
    ("written", "text"),
    [("0.10", "0.10"), ("1", "1"), ("+0.5", "0.5"), ("1_000.5", "1000.5"), ("2e-3", "0.002"), ('"0.2"', "0.2")],
)
def test_numbers_become_decimal_text_exactly_as_written(written, text):
    assert read_toml(Ceilings, f"invalid_rate = {written}\nretry_rate = {written}", "e") == Ceilings(
        invalid_rate=text, retry_rate=text
    )


@pytest.mark.parametrize("written", ["nan", "inf", "1e999999999", "true", "2026-10-18"])
def test_what_is_no_decimal_is_refused(written):
    assert len(problems(Ceilings, f"invalid_rate = {written}\nretry_rate = {written}")) == 2


def test_dates_become_iso_text():
    assert read_toml(EndpointTerms, "read_on = 2026-10-18\nsource = 2026-10-18", "e") == EndpointTerms(
        read_on="2026-10-18", source="2026-10-18"
    )
    assert problems(EndpointTerms, 'read_on = "2026-02-30"') and problems(
        EndpointTerms, "read_on = 2026-10-18T00:00:00"
    )


def test_an_unknown_value_may_be_stated():
    assert str(read_toml(Envelope, 'pack = {not_measured = "lost"}', "e").pack) == "not measured: lost"


def test_a_missing_version_means_one_and_an_unknown_one_is_refused():
    assert read_toml(Envelope, "", "e").schema_version == 1
    assert problems(Envelope, "question = 3\nschema_version = 2") == [
        "e.toml:2 schema_version: unknown schema_version 2; this program reads 1 (use the program version that wrote it)"
    ]


def test_given_fields_stand_in_for_what_the_text_leaves_out():
    given = {"id": "folder", "license": "MIT"}
    text = """title = "t"
slice = "solvable"
expected = "pass"
reason = "r"
license = "own"
allowed = ["a.py"]
[verify]
runner = "unittest"
timeout_s = 10
level = "G2"
"""
    task = read_toml(Task, text, "e.toml", given)
    assert (task.id, task.license) == ("folder", "own")
    assert problems(Task, text) == ["e.toml id: is missing"]
