"""Whatever a run of ours holds, its rows come back from Every Eval Ever with the passes of the same draws, and its traffic from ATIF."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.exporters.atif import trajectory, written
from denominator.exporters.every_eval_ever_rows import EXPORTER
from denominator.exporters.m13 import EXPORTER as M13
from denominator.importers.formats.every_eval_ever import IMPORTER
from denominator.pipeline.exporting import export_into, export_of
from denominator.pipeline.foreign import import_foreign
from denominator.pipeline.importing import import_paths
from denominator.readers.tools import ToolCalls, read_trajectory
from denominator.records.keys import DrawKey
from denominator.records.rows import Failure
from denominator.wire.sources import open_source
from judging_data import EMPTY, key, own
from unit.exporters.export_lab import conditions, run_of
from unit.exporters.trace_lab import Kept, trace, traffic

NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="\0", categories=("L", "N", "P", "S")), min_size=1, max_size=12
)
STARTED = {"started_at": "2026-11-27T10:00:00Z"}
TASK = st.text(st.sampled_from("abcxyz019._-,"), min_size=1, max_size=10).filter(lambda name: name.strip(".") == name)


@settings(max_examples=25, deadline=None)
@given(st.lists(TASK, min_size=16, max_size=24, unique=True), st.integers(1, 2), st.data())
def test_passes_of_the_same_draws_come_back(tasks: list[str], repeats: int, data: st.DataObject) -> None:
    rows = [
        own(task, data.draw(st.sampled_from(("green", "red"))), key=key(task, repeat), **STARTED)
        for task in tasks
        for repeat in range(1, repeats + 1)
    ]
    before = run_of(rows, repeats=repeats, conditions=conditions(repeats=str(repeats)))
    with TemporaryDirectory() as place:
        export_into(Path(place) / "out", before, EXPORTER)
        after = import_foreign(IMPORTER, open_source(Path(place) / "out"))
    exits = [
        {one.draw: one.exit for one in result.judged.sheet.of_slice("solvable")} for result in (before, after.result)
    ]
    assert exits[0] == exits[1]
    assert after.result.judged.sheet.declared_n == len(rows)
    assert [one for one in after.run.told.defects if one.blocks] == []


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False, width=32)
    | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
CALLS = st.lists(st.tuples(NAMES, st.dictionaries(NAMES, JSON, max_size=3)), max_size=3)


@settings(max_examples=40, deadline=None)
@given(st.lists(CALLS, min_size=1, max_size=4), st.sampled_from(("chat", "messages", "responses")), st.booleans())
def test_tool_calls_come_back_with_the_digests_that_the_gateway_has(
    turns: list[list[tuple[str, dict[str, object]]]], api: str, streamed: bool
) -> None:
    story = tuple(
        (f"turn {n}", [(f"c{n}-{m}", name, given_) for m, (name, given_) in enumerate(calls)])
        for n, calls in enumerate(turns)
    )
    kept = Kept()
    calls = traffic(kept, api, streamed=streamed, story=story)
    read = read_trajectory(written(trajectory(trace(calls, kept), export_of(run_of()))))
    assert isinstance(read, ToolCalls)
    assert [f"{one.tool}:{one.arguments_sha256}" for one in read.calls] == [
        sha for one in calls for sha in one.tool_calls
    ]


FULL = Failure(seq=1, cause="disk_full", writer="sandbox", phase="grade")
ENDINGS: tuple[dict[str, object], ...] = (
    {"grade": "green"},
    {"grade": "red"},
    {"grade": "none", "stop_reason": "timeout", "killed_by": "harness_budget", "after_cap": True},
    {"grade": "none", "stop_reason": "no_patch", "patch": EMPTY},
    {"grade": "none", "first_unrecovered": FULL},
    {},
)
"""How a draw ends; the last one never started."""


@settings(max_examples=15, deadline=None)
@given(st.lists(TASK, min_size=2, max_size=8, unique=True), st.integers(1, 3), st.booleans(), st.data())
def test_a_failure_class_ledger_comes_back_to_the_same_counts(
    tasks: list[str], repeats: int, seeded: bool, data: st.DataObject
) -> None:
    ends = st.integers(0, len(ENDINGS) - 1)
    drawn = {(task, repeat): data.draw(ends) for task in tasks for repeat in range(1, repeats + 1)}
    rows = [own(task, key=key(task, repeat), **ENDINGS[at]) for (task, repeat), at in drawn.items() if ENDINGS[at]]
    more = tuple(DrawKey(task, repeat) for (task, repeat), at in drawn.items() if not ENDINGS[at])
    seeds = {"seeds": json.dumps([5, 3, 9][:repeats])} if seeded else {}
    before = run_of(rows, repeats=repeats, more=more, conditions=conditions(max_attempts="1", **seeds))
    if before.judged.split_hidden:
        return
    with TemporaryDirectory() as place:
        export_into(Path(place) / "out", before, M13)
        after = import_paths([Path(place) / "out"], None, (), None)[1]
    told = [
        {(one.draw, one.slice, one.exit, one.failure_class) for one in result.judged.sheet.of_slice("solvable")}
        for result in (before, after)
    ]
    assert told[0] == told[1]
    assert after.judged.sheet.declared_n == before.judged.sheet.declared_n
