"""Stubs of a session: what they were asked is kept where the solution is not, whatever its side says."""

import contextlib
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unit.data.test_sut import KIT, sut

__all__ = ["sut"]
SOLUTION = """
import asyncio, os, stat, threading

def thrice(f): return [f(1), f(a=(2,)), f(object())]

async def together(fs): return await asyncio.gather(*(f() for f in fs))

async def cut(f):
    try:
        await asyncio.wait_for(f(), 0.02)
    except TimeoutError:
        return "cut"

def threads(f):
    made = [threading.Thread(target=f) for _ in range(5)]
    for each in made: each.start()
    for each in made: each.join()

def say(text):
    for number in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(number).st_mode):
                os.write(number, text.encode() + bytes([10]))
        except OSError: pass
"""


@pytest.fixture
def session(sut, tmp_path):
    (tmp_path / "sol/work.py").write_text(SOLUTION, encoding="utf-8")
    with sut.Session(timeout=5.0) as session:
        yield session


def test_arguments_and_outcomes_keep_their_types(session):
    stub = session.stub((1, "a"), {"b": [2.5]}, None)
    assert session.call("work:thrice", stub) == [(1, "a"), {"b": [2.5]}, None]
    assert session.stub_log(stub)["calls"] == [[[1], {}], [[], {"a": (2,)}], [["<object>"], {}]]


def test_what_overlaps_is_seen_and_no_outcome_comes_early(session):
    stubs = [session.stub(n, delay_s=0.05, coroutine=True, group="g") for n in range(4)]
    start = time.monotonic()
    assert session.call("work:together", stubs) == [0, 1, 2, 3]
    assert time.monotonic() - start >= 0.05
    assert [session.stub_log(each)["peak"] for each in stubs] == [4] * 4


def test_a_call_that_is_cut_short_is_cancelled(session):
    stub = session.stub(1, delay_s=60.0, coroutine=True)
    assert session.call("work:cut", stub) == "cut"
    assert session.stub_log(stub) == {"calls": [[[], {}]], "finished": 0, "cancelled": 1, "peak": 1}


def test_threads_may_call(session):
    stub = session.stub(1, delay_s=0.01)
    assert session.call("work:threads", stub) is None
    assert session.stub_log(stub)["finished"] == 5


@pytest.mark.parametrize(
    "said",
    [
        {"stub": 0, "call": 7, "word": "leave"},
        {"stub": 9, "call": 7, "word": "enter", "args": [], "kwargs": {}},
        {"stub": 0, "call": 7, "word": "enter", "args": [["z"]], "kwargs": {}},
        {"stub": 0, "call": 7, "word": "enter"},
        {"stub": 0, "call": True, "word": "enter", "args": [], "kwargs": {}},
        {"stub": 0, "word": "undo"},
        {"ok": 1},
        [],
    ],
)
def test_what_no_stub_says_breaks_the_session(sut, session, said):
    session.stub(1)
    with pytest.raises(sut.Broken):
        session.call("work:say", json.dumps(said))
    with pytest.raises(sut.Broken):
        session.call("work:thrice", 1)


WORDS = st.sampled_from(["enter", "leave", "cancel", "undo"])
EVENTS = st.fixed_dictionaries(
    {"stub": st.integers(0, 2), "call": st.integers(0, 3), "word": WORDS},
    optional={"args": st.lists(st.integers(), max_size=2), "kwargs": st.just({})},
)


@given(st.lists(EVENTS, max_size=20))
def test_the_record_only_grows(events):
    import sys

    sys.path.insert(0, str(KIT))
    try:
        from sut.stubs import Stubs
    finally:
        sys.path.remove(str(KIT))
    stubs, seen = Stubs(), 0
    for number in (0, 1):
        stubs.add(number, [["value", number, ""]], 0.0, "g")
    for event in events:
        with contextlib.suppress(ValueError):
            stubs.take(json.dumps(event).encode())
        stubs.due()
        logs = [stubs.log(number) for number in (0, 1)]
        calls = sum(len(log["calls"]) for log in logs)
        ended = sum(log["finished"] + log["cancelled"] for log in logs)
        assert calls >= seen and 0 <= calls - ended == len(stubs.open) == stubs.groups["g"]["now"] <= logs[0]["peak"]
        seen = calls
