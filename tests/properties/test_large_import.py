"""A long file of rows, read line by line, comes to what it comes to as a whole: same report, same terms, same card."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.pipeline import large_import as large_import_
from denominator.pipeline import row_sending
from denominator.pipeline.importing import import_paths
from denominator.pipeline.large_import import import_large
from denominator.pipeline.large_parts import reading_parts
from denominator.pipeline.large_told import Told
from denominator.pipeline.large_work import LargeWork
from denominator.pipeline.row_helpers import at_work
from denominator.pipeline.row_ranges import Range, cut_behind
from denominator.wire import jsonl
from denominator.wire.canonical import canonical

Row = dict[str, Any]
WHOLE, BY_LINE = 1 << 60, 1
COUNTS = st.integers(-1, 3) | st.sampled_from((10**15, 10**16, 5.0, 1.5, None, True, "7"))
TIMES = st.sampled_from((0, 1, 2.5, 0.0004, 0.0005, 0.0, 17, 181.979, 0.1234567, 12.3455, None, -1, "3", 10**11))
STAMPS = st.sampled_from(
    (
        *("2026-11-29T10:00:00Z", "2026-11-30T23:59:59.5+00:00", 1764400000, 1764400000.25, "soon", None, ""),
        *("2026-11-29 10:00:00", "2026-11-29T23:59:59.123456Z", "2026-02-30T10:00:00Z", "2026-11-29T23:30:00-02:00"),
    )
)
FREE = st.sampled_from(
    ("", "a", "b", None, 1, 1.0, 0.0, True, [1], {"a": 1}, {"a": ['"', "\\"]}, 'a "b" \\', "\n", "\U0001f600")
)
OPTIONAL: dict[str, st.SearchStrategy[Any]] = {
    "reason": st.sampled_from(("env_flake", "provider_error", "made_up", "", None)),
    "wall_s": TIMES,
    "seconds": TIMES,
    "wall_ms": TIMES,
    "paused_s": TIMES,
    "wall_cap": TIMES,
    "agent_wall_s": TIMES,
    "queue_wait_ms": TIMES,
    "elapsed_s": TIMES,
    "prompt_tokens": COUNTS,
    "input_tokens": COUNTS,
    "completion_tokens": COUNTS,
    "total_tokens": COUNTS,
    "cached_tokens": COUNTS,
    "max_tokens": COUNTS,
    "calls": COUNTS,
    "started_at": STAMPS,
    "end": STAMPS,
    "response_words": COUNTS,
    "timeout": st.sampled_from((True, False, None, 1)),
    "accepted": st.booleans(),
    "stop_reason": st.sampled_from(("budget", "timeout", "tests_red", "made_up")),
    "failure_mode": st.sampled_from(("agent_timeout", "x")),
    "stopped_by": st.sampled_from(("provider", "node", "harness", "x")),
    "exit_code": st.sampled_from((0, 1, 137, None, "0")),
    "negative_control": st.booleans(),
    "excluded_after_lock": st.booleans(),
    "stratum": st.sampled_from(("money", "parsing")),
    "slice": st.sampled_from(("solvable", "negative", "floor", "x")),
    "model": st.sampled_from(("made-up-1", "made-up-2")),
    "model_served": st.sampled_from(("made-up-1", "made-up-2")),
    "cold_start": st.booleans(),
    "tests_without_agent_pass": st.booleans(),
    "abstained": st.booleans(),
    "base_commit": st.sampled_from(("c1", "c2")),
    "arm": st.sampled_from(("a", "a", "a", "b")),
    "note": FREE,
    "free text": FREE,
    "usage_source": st.sampled_from(("provider", "none")),
}
KEYS = st.lists(st.sampled_from(sorted(OPTIONAL)), unique=True, max_size=7)


VARY = st.sets(st.sampled_from(sorted(OPTIONAL)), max_size=5)
TASKS = ("t1", "t2", "p/x", "p/y", "é")
BAD = ("none", "..", " t1", "", "a\nb", "TODO")


@st.composite
def files(draw: st.DrawFn) -> tuple[list[Row], Row | None]:
    """Rows of a few kinds, some of whose columns differ from row to row, and a manifest or none."""
    bases = []
    for keys in draw(st.lists(KEYS, min_size=1, max_size=2)):
        base: Row = {"task_id": "", "outcome": draw(st.sampled_from(("pass", "fail", "unscoreable", "pass", "odd")))}
        bases.append(base | {key: draw(OPTIONAL[key]) for key in keys})
    vary, odd = draw(VARY), draw(st.sampled_from((False, False, False, True)))
    rows = []
    for at in range(draw(st.integers(1, 14))):
        base = draw(st.sampled_from(bases))
        row = base | {key: draw(OPTIONAL[key]) for key in base if key in vary}
        row["task_id"] = draw(st.sampled_from(TASKS + BAD * odd))
        row["repeat"] = draw(st.sampled_from((1, 0, "1", None, 2.0))) if odd and at % 5 == 4 else at + 1
        if draw(st.sampled_from((False,) * 7 + (True,))):
            del row["repeat"]
        rows.append(row)
    tasks = {row["task_id"] for row in rows}
    names = sorted(tasks - {*BAD})
    manifest: Row = draw(
        st.fixed_dictionaries(
            {"run_id": st.just("r"), "on_timeout": st.just("fail")},
            optional={
                "task_ids": st.just(names or ["t1"]),
                "task_count": st.integers(1, 3),
                "repeats": st.integers(1, 3),
                "max_attempts": st.just(1),
                "retry_policy": st.just("none"),
                "controls": st.just([{"task_id": "t1", "expected": "fail"}]),
                "strata": st.just({"p/": 2, "t": 2}),
                "base_commit": st.just("c0"),
                "tool_loop_n": st.just(2),
            },
        )
    )
    return rows, draw(st.sampled_from((manifest, manifest, None)))


def dumped(row: Row) -> str:
    """A row as most programs write it, or as some do: tight, with exponents, with characters that need no escape."""
    if row.get("repeat") in (3, 6):
        return json.dumps(row, separators=(",", ":"), ensure_ascii=False)
    if row.get("repeat") == 4:
        return json.dumps(dict(reversed(row.items()))) + "\r"
    return json.dumps(row).replace(": 2.5", ": 25e-1") if row.get("repeat") == 5 else json.dumps(row)


ODD = (
    "", "null", "{", '{"task_id": "t1", "outcome": "pass", "repeat": 90', "\xff", '{"task_id": "t1"}\r\r', "[" * 80,
    '{"task_id": "t1", "outcome": "pass", "repeat": 91, "repeat": 92}',
    '{"task_id": "t1", "outcome": "pass", "repeat": 91, "note": {"a": 1, "a": 2}}',
    '{"task_id": "t1", "outcome": "pass", "repeat": 91, "note": "a", "note": "b"}',
    '{"task_id": "t1", "outcome": "pass", "repeat": 91, "note": 1e-400}',
    '{"task_id": "t1", "outcome": "pass", "repeat": 91, "wall_s": 1e-400}',
    '{"task_id": "t1", "outcome": "pass", "repeat": 91, "wall_s": 0e-400}',
    '{"task_id": "t1", "outcome": "pass", "repeat": 91, "note": 1e400}',
    '{"task_id": "t1", "outcome": "pass", "repeat": 91, "note": "\\ud800"}',
    '{"task_id": "t1", "outcome": "pass", "repeat": 91, "note": ' + "[" * 63 + "]" * 63 + "}",
    '{"task_id": "t1", "outcome": "pass", "repeat": 91, "note": ' + "[" * 64 + "]" * 64 + "}",
    '{"task_id": "t1", "\\u006futcome": "pass", "repeat": 91}', '{"task_id": "t1", "outcome": "pass", "repeat": 1}',
    '{"task_id": "t1", "outcome": "pass", "repeat": 91} {}', '{"instance_id": "t1", "outcome": "pass", "repeat": 91}',
    '{"task_id": "t1", "outcome": "pass", "repeat": 91, "prompt_tokens": 1.0}',
    '{"task_id": "t1", "outcome": "pass", "repeat": 91, "arm": "b"}',
    '{"task_id": "t1", "outcome": "pass", "repeat": 91, "run_id": "r"}',
)  # fmt: skip


def written(folder: Path, rows: list[Row], manifest: Row | None, text: str = "") -> list[Path]:
    """The files."""
    paths = [folder / "rows.jsonl"]
    paths[0].write_text("".join(dumped(row) + "\n" for row in rows) + text)
    if manifest is not None:
        paths.append(folder / "manifest.json")
        paths[1].write_text(json.dumps(manifest))
    return paths


WHERE = st.sampled_from(
    (
        (),
        (),
        (),
        ("arm=a",),
        ("model=made-up-1",),
        ("note=a",),
        ("cold_start=true", "arm=a"),
        ("task_id=t1",),
        ("repeat=2",),
        ("wall_s=2.5",),
    )
)


def told(paths: list[Path], large: int, where: Sequence[str] = ()) -> Any:
    """Report, terms and card, or what was refused."""
    try:
        report, result = import_paths(paths, None, where, None, large=large)
    except InputError as error:
        return str(error)
    return report, result.terms, json.loads(canonical(result.card))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files(), st.sampled_from(("", "", *(one + "\n" for one in ODD), *ODD)), st.integers(0, 14), WHERE)
def test_line_by_line_is_as_a_whole(
    tmp_path: Path, given_: tuple[list[Row], Row | None], odd: str, place: int, where: tuple[str, ...]
) -> None:
    """Whatever stands in the rows, and wherever a line that is none stands between them."""
    paths = written(tmp_path, *given_)
    raw = paths[0].read_bytes().split(b"\n")[:-1]
    data = odd.encode("latin-1") if odd == "\xff" else odd.encode()
    at = place if data.endswith(b"\n") else len(raw)
    paths[0].write_bytes(b"".join(one + b"\n" for one in raw[:at]) + data + b"".join(one + b"\n" for one in raw[at:]))
    try:
        taken = import_large(
            [(one.name, one) for one in paths], None, None, (), BY_LINE, dict(one.split("=") for one in where)
        )
    except InputError:
        taken = None
    event("line by line" if taken else "as a whole")
    assert told(paths, BY_LINE, where) == told(paths, WHOLE, where)
    for one in paths:
        one.unlink()


@contextmanager
def beside(descriptor: int, part: Range, work: LargeWork) -> Iterator[Callable[[], Told | None]]:
    """As another process does it, within this one: what goes there and what it says as bytes."""
    out = io.BytesIO()
    pickle.loads(pickle.dumps(work)).into(descriptor, part, lambda: None, out)
    out.seek(0)
    yield lambda: work.answer(out)


@contextmanager
def torn(descriptor: int, part: Range, work: LargeWork) -> Iterator[Callable[[], Told | None]]:
    """Another process that ends in the middle of what it says."""
    out = io.BytesIO()
    work.into(descriptor, part, lambda: None, out)
    half = io.BytesIO(out.getvalue()[: len(out.getvalue()) // 2])
    yield lambda: work.answer(half)


PLACES = st.lists(st.floats(0, 1), min_size=1, max_size=3)


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files(), PLACES, st.sampled_from((beside, torn)), st.integers(90, 4000))
def test_several_ranges_give_what_one_reading_gives(
    tmp_path: Path, given_: tuple[list[Row], Row | None], places: list[float], hand_out: Any, size: int
) -> None:
    """Wherever the file is cut, also where another process does not come to the end."""
    paths = written(tmp_path, *given_)
    with pytest.MonkeyPatch.context() as patch:
        wanted = [int(place * paths[0].stat().st_size) for place in places]
        alone = told(paths, BY_LINE)
        cut = partial(reading_parts, cut=lambda file: cut_behind(file.fileno(), wanted), hand_out=hand_out)
        patch.setattr(large_import_, "reading_parts", cut)
        patch.setattr(row_sending, "AT_ONCE", 2)
        patch.setattr(jsonl, "BLOCK_BYTES", size)
        assert told(paths, BY_LINE) == alone
    for one in paths:
        one.unlink()


def test_other_processes_read_their_ranges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"task_id": f"t{at % 400}", "repeat": at // 400 + 1, "outcome": "pass", "wall_s": at / 8} for at in range(2400)
    ]
    rows[2000] |= {"outcome": "odd"}
    paths = written(
        tmp_path, rows, {"run_id": "r", "task_ids": [f"t{at}" for at in range(400)], "repeats": 6, "on_timeout": "fail"}
    )
    alone, said = told(paths, BY_LINE), []

    def thirds(file: Any) -> Any:
        size = paths[0].stat().st_size
        return cut_behind(file.fileno(), [size // 3, size * 2 // 3])

    @contextmanager
    def watched(*given_: Any) -> Iterator[Any]:
        with at_work(*given_) as answer:
            yield lambda: said.append(answer()) or said[-1]

    monkeypatch.setattr(large_import_, "reading_parts", partial(reading_parts, cut=thirds, hand_out=watched))
    assert told(paths, BY_LINE) == alone
    # They did it: nothing was read again here.
    assert [one is not None and one.seen > 700 for one in said] == [True, True]
