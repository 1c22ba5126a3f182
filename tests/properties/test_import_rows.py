"""Foreign rows: never a traceback, every row accounted for, nothing depends on the order of the lines."""

from __future__ import annotations

import json
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.errors import DenominatorError
from denominator.importers import Imported, import_rows
from denominator.importers.columns import BY_NAME
from denominator.importers.values import BadValueError, seconds
from denominator.judge import judge

IDS = st.sampled_from(["a", "b", "c", "d", "e", "A/1", "é"])
ROW = st.fixed_dictionaries(
    {"run_id": st.just("r"), "task_id": IDS, "outcome": st.sampled_from(["pass", "fail", "abstain"])},
    optional={"attempt": st.integers(1, 3), "wall_clock_s": st.integers(0, 10**6), "note": st.text(max_size=5)},
)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
STRANGE = st.dictionaries(st.sampled_from(sorted(BY_NAME)) | st.text(max_size=6), ANY, max_size=8)


def lines(rows: list[dict[str, object]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def read(*files: tuple[str, bytes]) -> Imported | None:
    try:
        return import_rows(files)
    except DenominatorError:
        return None


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=200), st.sampled_from(["r.jsonl", "r.json", "r", "manifest.json", "r.csv"]))
def test_any_bytes_are_read_or_refused(data: bytes, name: str) -> None:
    read((name, data))
    read((name, data), ("runs.jsonl", b'{"task_id": "t", "outcome": "pass"}\n'))


@settings(max_examples=150, deadline=None)
@given(st.lists(STRANGE, min_size=1, max_size=4), STRANGE)
def test_strange_values_in_known_columns_are_read_or_refused(rows: list[dict[str, object]], manifest: dict) -> None:
    rows = [{"task_id": "t", "outcome": "pass", **row} for row in rows]
    found = read(("runs.jsonl", lines(rows)), ("manifest.json", json.dumps(manifest).encode()))
    if found is not None:
        judge(found.ledger, found.terms)


@settings(max_examples=100, deadline=None)
@given(st.lists(ROW, min_size=1, max_size=12))
def test_every_line_is_a_row_or_a_named_defect(rows: list[dict[str, object]]) -> None:
    found = read(("runs.jsonl", lines(rows)))
    assert found is not None
    named = Counter(one.kind for one in found.ledger.defects)
    assert len(found.ledger.rows) + named["duplicate_rows"] + named["conflicting_rows"] == len(rows)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(ROW, min_size=1, max_size=10, unique_by=lambda row: (row["task_id"], row.get("attempt", 1))), st.randoms()
)
def test_the_order_of_lines_and_repeats_change_nothing(rows: list[dict[str, object]], rng: object) -> None:
    def exits(some: list[dict[str, object]]) -> dict[object, str]:
        found = read(("runs.jsonl", lines(some)))
        assert found is not None
        return {draw.draw: draw.exit for draw in judge(found.ledger, found.terms).sheet.draws}

    shuffled = [*rows, rows[0]]
    rng.shuffle(shuffled)  # type: ignore[attr-defined]
    assert exits(rows) == exits(shuffled)


@given(st.integers(0, 10**9), st.integers(0, 999))
def test_seconds_are_exact_milliseconds(whole: int, thousandths: int) -> None:
    from denominator.wire.codec import loads

    value = loads(f"{whole}.{thousandths:03d}".encode(), floats="decimal")
    assert seconds(value) == whole * 1000 + thousandths


@given(st.booleans() | st.text() | st.none() | st.integers(max_value=-1))
def test_what_is_no_duration_is_never_one(value: object) -> None:
    try:
        seconds(value)
    except BadValueError:
        return
    raise AssertionError(value)
