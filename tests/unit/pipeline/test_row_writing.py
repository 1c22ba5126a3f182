"""The quick line of a row is the canonical one."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from denominator.pipeline.row_writing import row_line
from denominator.records.keys import AttemptKey
from denominator.records.rows import AttemptRow, Failure, PatchFacts, Source, Usage
from denominator.records.rows import TestIds as Ids
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
COUNT = st.one_of(st.integers(0, 10**12), st.builds(NotMeasured, TEXT))
ROWS = st.builds(
    AttemptRow,
    key=st.builds(AttemptKey, TEXT, TEXT, st.integers(1, 5), st.integers(1, 5)),
    slice=st.sampled_from(["solvable", "negative"]),
    source=st.builds(Source, kind=TEXT, file=TEXT, line=st.integers(0, 9)),
    started=st.booleans(),
    agent_ms=COUNT,
    stop_reason=st.one_of(TEXT, st.builds(NotMeasured, TEXT)),
    first_unrecovered=st.one_of(
        st.none(), st.builds(Failure, seq=st.integers(0, 9), cause=TEXT, writer=TEXT, phase=TEXT)
    ),
    grade=st.sampled_from(["none", "green", "red"]),
    tests=st.builds(Ids, passed=st.lists(TEXT, max_size=2).map(tuple)),
    patch=st.builds(PatchFacts, sha256=TEXT, bytes=COUNT),
    usage=st.builds(Usage, prompt=COUNT),
    extra=st.dictionaries(TEXT, TEXT, max_size=3),
    notes=st.lists(TEXT, max_size=2).map(tuple),
)


@given(ROWS, st.dictionaries(TEXT, TEXT, max_size=2))
def test_it_is_the_canonical_line_of_the_row(row, extra):
    assert row_line(row) == canonical(row) + b"\n"
    source = Source(kind="import", file="f", line=3)
    assert (
        row_line(row, {"extra": extra, "source": source}) == canonical(replace(row, extra=extra, source=source)) + b"\n"
    )
