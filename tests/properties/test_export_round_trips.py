"""Whatever a run of ours holds, its rows come back from Every Eval Ever with the passes of the same draws, and its traffic from ATIF."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.exporters.atif import trajectory, written
from denominator.exporters.every_eval_ever_rows import EXPORTER
from denominator.importers.formats.every_eval_ever import IMPORTER
from denominator.pipeline.exporting import export_into, export_of
from denominator.pipeline.foreign import import_foreign
from denominator.readers.tools import ToolCalls, read_trajectory
from denominator.wire.sources import open_source
from judging_data import key, own
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
