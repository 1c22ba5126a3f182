"""Lines that are told many at a time are what each of them is alone, wherever a block ends and whatever stands between them."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.pipeline import row_forms
from denominator.pipeline.row_reading import RowReader
from denominator.records.values import NotMeasured
from denominator.wire import jsonl
from denominator.wire.canonical import canonical
from denominator.wire.jsonl import RawBlock, RawLine, raw_blocks, raw_lines
from judging_data import key, own, terms

ROW = own("t1", wall_ms=5, agent_ms=7)
GOOD = [
    canonical(one)
    for one in (
        ROW,
        replace(ROW, key=key("t\u00e9 2", 3), wall_ms=0, asked_model="a, b"),
        replace(ROW, key=key("t3", 2), wall_ms=NotMeasured("no, clock"), agent_ms=10**15, limits_enforced={"wall": "5, {6}"}),
        replace(ROW, tests=replace(ROW.tests, expected=("t::a[1]", 't::"b"'), passed=("t::a[1]",)), notes=("a\\b",)),
        replace(ROW, patch=NotMeasured("none"), tests=NotMeasured("none"), served_models=("m]", "n")),
    )
]  # fmt: skip
CUT = GOOD[0][: GOOD[0].index(b'"leaks_read":[') + len(b'"leaks_read":[')]
REST = GOOD[0][GOOD[0].index(b'"leaks_read":[') + len(b'"leaks_read":[') :]
ODD = [
    b"", b"  ", b"null", b"{}", GOOD[0] + b"\r", b"\xef\xbb\xbf" + GOOD[0], GOOD[0][:200], CUT, REST, GOOD[0] + GOOD[1],
    GOOD[0].replace(b"t1", b"\xff"), GOOD[0].replace(b'"t::a"]', b'"t::a"', 1), GOOD[0].replace(b'"grade":"', b'"grade":"\t'),
    GOOD[0].replace(b'"base_tree":"', b'"base_tree":"\x01'), GOOD[0].replace(b'["t::a"]', b'["t::a",]'), b"[" * 300,
]  # fmt: skip
LINES = st.lists(st.sampled_from([*GOOD, *GOOD, *ODD]), max_size=14)


def told(blocks):
    """Kinds as text, places, numbers and refusals, in order of the lines."""
    reader, rows, bad = RowReader(terms()), [], []
    for block in blocks:
        found = reader.read(block)
        numbers = list(zip(*found.numbers, strict=True))
        for at, offset in enumerate(found.offsets):
            kind = canonical(reader.kinds[found.kinds[at]])
            rows.append((offset, kind, bytes(found.tasks[at]), found.repeats[at], numbers[at]))
        bad += [(line.number, line.offset, line.ended, error.what) for line, error in found.bad]
    return rows, bad


@settings(max_examples=150, deadline=None)
@given(LINES, st.booleans(), st.integers(1, 9000))
def test_many_lines_are_told_as_each_of_them_alone(lines, ended, size):
    data = b"\n".join(lines) + (b"\n" if ended else b"")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "BLOCK_BYTES", size)
        blocks = list(raw_blocks(io.BytesIO(data)))
    check(data, blocks)


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_line_among_rows_is_told_as_it_is_alone(odd):
    data = b"\n".join([GOOD[0], odd, GOOD[0], b""])
    check(data, list(raw_blocks(io.BytesIO(data))))


def check(data, blocks):
    """Blocks of some bytes say of them what a reader that has seen nothing says of each line."""
    assert b"".join(one.text if isinstance(one, RawBlock) else one.raw for one in blocks) == data
    alone = _alone(data)
    assert list(raw_lines(io.BytesIO(data))) == alone
    fresh = [told([line]) for line in alone]
    rows, bad = told(blocks)
    assert rows == [row for found, _ in fresh for row in found]
    assert bad == [one for _, found in fresh for one in found]


def _alone(data: bytes) -> list[RawLine]:
    found, offset = [], 0
    parts = data.split(b"\n")
    for number, raw in enumerate(parts, 1):
        if number < len(parts) or raw:
            found.append(RawLine(number, offset, raw, ended=number < len(parts)))
        offset += len(raw) + 1
    return found


@pytest.mark.parametrize("length", [*range(15_000, 24_000, 2_000), 50_000])
def test_a_line_that_is_too_long_is_one_bad_line_among_rows(monkeypatch, length):
    monkeypatch.setattr(jsonl, "LINE_BYTES_MAX", 20_000)
    monkeypatch.setattr("denominator.pipeline.row_reading.LINE_BYTES_MAX", 20_000)
    monkeypatch.setattr(jsonl, "BLOCK_BYTES", 7_000)
    # Its skeleton is that of the rows: it is told apart by nothing but its length.
    good, long = (canonical(replace(ROW, notes=("n" * many,))) for many in (1, length))
    data = b"\n".join([good, long, good, b""])
    rows, bad = told(raw_blocks(io.BytesIO(data)))
    begins, too_long = [0, len(good) + 1, len(good) + len(long) + 2], len(long) > 20_000
    assert [row[0] for row in rows] == [at for at in begins if at != begins[1] or not too_long]
    assert [one[:2] for one in bad] == ([(2, begins[1])] if too_long else [])


def test_lines_of_a_version_that_knew_fewer_fields_are_told_by_their_bytes(monkeypatch):
    older = [json.loads(canonical(replace(ROW, key=key(f"t{at}"), wall_ms=at + 1))) for at in range(3)]
    lines = [canonical({name: one for name, one in value.items() if name != "own_account"}) for value in older]
    reader = RowReader(terms())
    for line in lines[:2]:
        reader.read(RawLine(1, 0, line, ended=True))
    monkeypatch.setattr("denominator.pipeline.row_reading._whole", None)
    found = reader.read(RawLine(1, 0, lines[2], ended=True))
    assert (list(found.kinds), list(found.tasks)) == ([0], [b"t2"])


def test_every_open_value_is_a_field_of_a_row_and_is_proven():
    form = row_forms.form_of()
    assert form is not None
    assert set(form.proven) == set(row_forms.OPEN)
    assert form.quick.reading.groups == form.full.reading.groups == form.block.groups == len(form.kept) + len(form.cuts)
    assert form.quick.proving.groups == form.full.proving.groups == len(form.proven)
    assert 0 in form.kept
    assert row_forms.form_of(row_forms.KEYS - {"usage"}) is None
    assert row_forms.form_of(row_forms.KEYS | {"new"}) is None


@pytest.mark.parametrize(
    "evil", [b"}" * 40_000, b'{"' * 20_000, b'"\\"' * 15_000, b"[" * 40_000, b'["a",' * 9_000, b"0" * 40_000]
)
def test_a_hostile_line_is_refused_in_one_pass(evil):
    """Patterns have no two ways over one text: a line of 40 kB that breaks at its end takes milliseconds, not for ever."""
    names = (b'"agent_exit":', b'"notes":', b'"tests":', b'"first_unrecovered":', b'"limits_enforced":', b'"patch":')
    lines = [GOOD[0].replace(name, name + evil, 1) for name in names]
    rows, bad = told([RawLine(at, 0, line, ended=True) for at, line in enumerate([GOOD[0], *lines])])
    assert (len(rows), [one[0] for one in bad]) == (1, [*range(1, 7)])
