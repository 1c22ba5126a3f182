"""A ledger that several processes read, range by range, is the one that a single process reads, wherever it is cut."""

from __future__ import annotations

import io
import os
import pickle
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.pipeline import row_helpers, row_parts, row_reading, row_sending
from denominator.pipeline.declaring import Promised
from denominator.pipeline.judging_file import judge_rows, take_rows
from denominator.pipeline.row_parts import LedgerWork, new_part, receive, send
from denominator.pipeline.row_ranges import END_OF_FILE, WHOLE, by_cores, cut_behind, opened_range
from denominator.records.values import NotMeasured
from denominator.wire import jsonl
from denominator.wire.canonical import canonical
from judging_data import key, own, terms
from properties.test_judging_files import TERMS, rows

PLAIN = canonical(own("t1", wall_ms=5))
ODD = [
    b"", b"  ", b"null", b"{}", PLAIN + b"\r", b"\xef\xbb\xbf" + PLAIN, PLAIN[:200], PLAIN.replace(b"t1", b"\xff"), b"[" * 300,
    canonical(own("t2", notes=("long, " * 2000,))), canonical(own("t2", notes=("longer, " * 4000,))),
    canonical(own("t1", wall_ms=2**31 + 5)), PLAIN, PLAIN,
]  # fmt: skip
LINES = st.lists(st.one_of(rows().map(canonical), st.sampled_from(ODD)), max_size=12)


@contextmanager
def beside(descriptor, part, given_terms):
    """As another process does it, within this one: a reader of its own, and what it says as bytes."""
    other, said = new_part(given_terms), io.BytesIO()
    other.read(opened_range(descriptor, part), part.start)
    send(other, said)
    said.seek(0)
    yield lambda: receive(said)


@contextmanager
def torn(descriptor, part, given_terms):
    """Another process that ends in the middle of what it says."""
    other, said = new_part(given_terms), io.BytesIO()
    other.read(opened_range(descriptor, part), part.start)
    send(other, said)
    half = io.BytesIO(said.getvalue()[: len(said.getvalue()) // 2])
    yield lambda: receive(half)


def shown(taken, given_terms):
    """All that a reading gives: card, verdict, defects, and every column with kinds and tasks by number."""
    table = taken.table
    columns = [list(one) for one in (table.task, table.repeat, table.kind, table.offsets, *table.numbers)]
    names, kinds = list(table.tasks), [canonical(one.row) for one in taken.kinds]
    result = judge_rows(taken, given_terms, Promised("r1", NotMeasured("nobody said"), None))
    verdict = [canonical(one) for one in result.judged.findings]
    return columns, names, kinds, taken.defects, canonical(result.card), verdict, result.exit


def file_of(path: Path, lines, ended):
    path.write_bytes(b"\n".join(lines) + (b"\n" if ended else b""))
    return path.open("rb")


@settings(max_examples=80, deadline=None)
@given(LINES, st.booleans(), TERMS, st.lists(st.floats(0, 1), min_size=1, max_size=3), st.sampled_from([beside, torn]))
def test_several_ranges_give_what_one_reading_gives(tmp_path_factory, lines, ended, given_terms, places, hand_out):
    path = tmp_path_factory.mktemp("ranges") / "ledger.jsonl"
    with file_of(path, lines, ended) as file, pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_parts, "MOST_DEFECTS", 3)
        patch.setattr(row_sending, "AT_ONCE", 2)
        patch.setattr(jsonl, "BLOCK_BYTES", 3000)
        for module in (jsonl, row_reading):
            patch.setattr(module, "LINE_BYTES_MAX", 20_000)
        size = path.stat().st_size
        wanted = [int(place * size) for place in places]
        alone = shown(take_rows(file, path.name, given_terms, cut=lambda _: WHOLE), given_terms)
        file.seek(0)
        found = take_rows(file, path.name, given_terms, lambda one: cut_behind(one.fileno(), wanted), hand_out)
        assert shown(found, given_terms) == alone
    path.unlink()


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.sampled_from([b"", b"a", b"\r", b"x" * 90]), max_size=9), st.booleans(), st.lists(st.integers(0, 400))
)
def test_ranges_follow_each_other_and_begin_behind_newlines(tmp_path_factory, lines, ended, wanted):
    path = tmp_path_factory.mktemp("cuts") / "file"
    with file_of(path, lines, ended) as file, pytest.MonkeyPatch.context() as patch:
        patch.setattr("denominator.pipeline.row_ranges.LOOK_BYTES", 7)
        data = path.read_bytes()
        found = cut_behind(file.fileno(), wanted)
        assert [found[0].start, found[-1].stop] == [0, None]
        assert [one.stop for one in found[:-1]] == [one.start for one in found[1:]]
        assert all(data[one.start - 1 : one.start] == b"\n" for one in found[1:])
        assert b"".join(opened_range(file.fileno(), one).read() for one in found) == data
        # A wanted byte where a line begins is a cut as it is.
        begins = [at for at in range(1, len(data)) if data[at - 1 : at] == b"\n"]
        assert [one.start for one in cut_behind(file.fileno(), begins)][1:] == begins
    path.unlink()


def many_lines(count):
    made = [
        own(f"t{at % 400}", "green" if at % 3 else "red", key=key(f"t{at % 400}", at // 400 + 1)) for at in range(count)
    ]
    return [canonical(replace(one, wall_ms=at, agent_ms=at % 7)) for at, one in enumerate(made)]


def halves(file):
    size = os.fstat(file.fileno()).st_size
    return cut_behind(file.fileno(), [size // 3, size * 2 // 3])


def test_other_processes_read_their_ranges(tmp_path):
    lines = many_lines(1200)
    lines[500:500] = [b"", b"no row"]
    with file_of(tmp_path / "ledger.jsonl", lines, ended=False) as file:
        alone = shown(take_rows(file, "ledger.jsonl", terms(), cut=lambda _: WHOLE), terms())
        file.seek(0)
        told = []

        @contextmanager
        def watched(*given):
            with row_helpers.other_process(*given) as answer:
                yield lambda: told.append(answer()) or told[-1]

        found = take_rows(file, "ledger.jsonl", terms(), halves, watched)
        # They did it: nothing was read again here.
        assert [one is not None and one.lines > 300 for one in told] == [True, True]
        assert shown(found, terms()) == alone
        assert [one.where for one in found.defects] == ["ledger.jsonl:501", "ledger.jsonl:502"]


def test_lines_past_the_most_defects_are_counted_in_every_range(tmp_path, monkeypatch):
    monkeypatch.setattr(row_parts, "MOST_DEFECTS", 3)
    with file_of(tmp_path / "ledger.jsonl", [b"no row"] * 30, ended=True) as file:
        assert len(halves(file)) == 3
        found = take_rows(file, "l", terms(), halves, beside)
    assert [one.where for one in found.defects] == ["l:1", "l:2", "l:3", "l"]
    assert found.defects[-1].what == "27 more lines are no rows"


@pytest.mark.parametrize("command", [("-c", "import os; os.abort()"), ("-c", "print('hello')")])
def test_a_range_whose_process_fails_is_read_here(tmp_path, monkeypatch, command):
    monkeypatch.setattr(row_helpers, "COMMAND", command)
    with file_of(tmp_path / "ledger.jsonl", many_lines(30), ended=True) as file:
        alone = shown(take_rows(file, "l", terms(), cut=lambda _: WHOLE), terms())
        assert shown(take_rows(file, "l", terms(), halves), terms()) == alone


def test_a_range_for_which_no_process_can_be_had_is_read_here(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "absent"))
    with file_of(tmp_path / "ledger.jsonl", many_lines(30), ended=True) as file:
        assert len(take_rows(file, "l", terms(), halves).table.task) == 30


def test_a_small_file_and_one_in_memory_are_read_by_one_process(tmp_path, monkeypatch):
    with file_of(tmp_path / "ledger.jsonl", many_lines(30), ended=True) as file:
        assert by_cores(file) == by_cores(io.BytesIO(b"")) == WHOLE
        monkeypatch.setattr("denominator.pipeline.row_ranges.ENOUGH_BYTES", 1000)
        monkeypatch.setattr("denominator.pipeline.row_ranges.cores", lambda: 9)
        assert len(by_cores(file)) == 4


@pytest.mark.parametrize("mine", [True, False])
def test_a_process_stops_reading_when_it_is_nobodys(tmp_path, mine):
    with file_of(tmp_path / "ledger.jsonl", many_lines(30), ended=True) as file:
        argv = [str(file.fileno()), "0", END_OF_FILE, str(os.getpid() if mine else os.getppid())]
        command = [sys.executable, *row_helpers.COMMAND, *argv]
        done = subprocess.run(
            command, input=pickle.dumps(LedgerWork(terms())), stdout=subprocess.PIPE, pass_fds=(file.fileno(),)
        )
    assert [done.returncode, bool(done.stdout)] == [0, mine]


ENDS = """
import os, sys
from denominator.pipeline.row_helpers import other_process
from denominator.pipeline.row_ranges import Range
from judging_data import terms
file = os.open(sys.argv[1], os.O_RDONLY)
with other_process(file, Range(0), terms()):
    open(sys.argv[1] + ".pids", "w").write(open(f"/proc/self/task/{os.getpid()}/children").read())
    os._exit(0)
"""


@pytest.mark.skipif(not Path(f"/proc/self/task/{os.getpid()}/children").exists(), reason="children are not told here")
def test_a_process_ends_when_the_one_that_started_it_ends(tmp_path):
    with file_of(tmp_path / "ledger.jsonl", many_lines(3000) * 9, ended=True):
        paths = os.pathsep.join(one for one in sys.path if one)
        subprocess.run(
            [sys.executable, "-c", ENDS, str(tmp_path / "ledger.jsonl")],
            env={**os.environ, "PYTHONPATH": paths},
            check=True,
        )
    (pid,) = (tmp_path / "ledger.jsonl.pids").read_text().split()
    end = time.monotonic() + 60
    while _runs(int(pid)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not _runs(int(pid))


def _runs(pid: int) -> bool:
    try:
        return b"row_helping" in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False
