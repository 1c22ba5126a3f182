"""A window of a probe: every planned attempt once, what was stopped is asked again, nobody home is said at once."""

from __future__ import annotations

import json
import socket
import threading
from collections import Counter

import pytest

from denominator.adapters.clock import SystemClock
from denominator.errors import InputError, MachineError, RunInUseError
from denominator.pipeline import probe_writing
from denominator.pipeline.probe_folder import ProbeFolder
from denominator.pipeline.probe_pacing import bound_ms
from denominator.pipeline.probe_writing import alone_with
from denominator.pipeline.probing import run_window
from denominator.probe.order import asks
from denominator.records.probe_results import Exchange
from denominator.records.probes import Terms
from probe_benches import Quiet, bench, cases
from probe_server import ScriptedServer, answer, says, within

PLANNED = 4 * 2 * 2


def polite(conn):
    conn.read_request()
    conn.send(says())


def counts(server):
    """How often each request body came."""
    return Counter(one.body for one in server.asked)


@pytest.fixture
def server():
    with ScriptedServer(polite) as one:
        yield one


def test_every_planned_attempt_is_there_once_with_its_bytes(tmp_path, server):
    root, told = tmp_path / "deep" / "out", Quiet()
    done = run_window(bench(root, server.url, told=told, warmups=2), 1)
    assert (done.planned, done.stored, done.made, done.missing) == (PLANNED, PLANNED, PLANNED, 0)
    assert done.independent
    folder = ProbeFolder(root)
    stored = list(folder.attempts(1))
    plan = asks(folder.fixture(), folder.seal().envelope.run, 1)
    assert [one.ask for one in stored] == list(plan)
    assert [one.ask.purpose for one in stored] == ["warmup"] * 2 + ["measured"] * PLANNED
    assert all(isinstance(one, Exchange) and one.wire == says() for one in folder.exchanges(1))
    assert {one.end for one in stored} == {"complete"}
    window = folder.windows()[0]
    assert window.ended_at
    assert window.seal_sha256 == folder.seal_sha256
    assert sorted(counts(server).values()) == [2] * 7 + [4]
    assert (told.expected, len(told.exchanges)) == (PLANNED, PLANNED + 2)


def test_a_window_that_is_done_is_not_asked_again(tmp_path, server):
    run_window(bench(tmp_path / "out", server.url), 1)
    asked, before = len(server.asked), (tmp_path / "out/window-1/window.json").read_bytes()
    again = run_window(bench(tmp_path / "out", server.url), 1)
    assert (again.made, again.missing, len(server.asked)) == (0, 0, asked)
    assert (tmp_path / "out/window-1/window.json").read_bytes() == before


def test_what_was_stopped_is_asked_on_resume_and_nothing_else(tmp_path):
    stop, seen = threading.Event(), []

    def script(conn):
        seen.append(conn.read_request().body)
        if len(seen) == 6:
            stop.set()
            conn.hang()
        conn.send(says())

    with ScriptedServer(script) as server:
        half = run_window(bench(tmp_path / "out", server.url, stop=stop), 1)
        assert (half.stored, half.missing) == (4, PLANNED - 4)
        whole = run_window(bench(tmp_path / "out", server.url), 1)
    assert (whole.stored, whole.made, whole.missing) == (PLANNED, PLANNED - 4, 0)
    assert len(seen) == PLANNED + 2
    window = ProbeFolder(tmp_path / "out").windows()[0]
    assert len(window.resumed_at) == 1
    assert window.started_at < window.resumed_at[0] <= window.ended_at


def test_a_stop_in_the_warm_up_leaves_nothing(tmp_path):
    stop = threading.Event()

    def script(conn):
        stop.set()
        conn.hang()

    with ScriptedServer(script) as server:
        done = run_window(bench(tmp_path / "out", server.url, stop=stop), 1)
    assert (done.planned, done.stored, done.missing) == (PLANNED, 0, PLANNED)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("cut", [1, 5, 200])
def test_a_torn_last_line_is_taken_out_and_asked_again(tmp_path, server, cut):
    run_window(bench(tmp_path / "out", server.url), 1)
    path = tmp_path / "out/window-1/attempts.jsonl"
    path.write_bytes(path.read_bytes()[:-cut])
    unended(tmp_path / "out")
    assert len(list(ProbeFolder(tmp_path / "out").attempts(1))) == PLANNED
    done = run_window(bench(tmp_path / "out", server.url), 1)
    assert (done.made, done.missing) == (1, 0)
    assert len({one.ask.seq for one in ProbeFolder(tmp_path / "out").attempts(1)}) == PLANNED + 1


def unended(root):
    """As if the process had died before it wrote down that the window is over."""
    path = root / "window-1/window.json"
    value = json.loads(path.read_bytes())
    value["ended_at"] = {"not_measured": "not ended"}
    path.write_bytes(json.dumps(value, sort_keys=True, separators=(",", ":")).encode() + b"\n")


def test_a_window_of_which_only_the_end_is_missing_ends(tmp_path, server):
    run_window(bench(tmp_path / "out", server.url), 1)
    unended(tmp_path / "out")
    asked = len(server.asked)
    done = run_window(bench(tmp_path / "out", server.url), 1)
    assert (done.made, done.missing, len(server.asked)) == (0, 0, asked)
    assert ProbeFolder(tmp_path / "out").windows()[0].ended_at


def test_one_process_at_a_time(tmp_path, server):
    run_window(bench(tmp_path / "out", server.url), 1)
    with alone_with(tmp_path / "out"), pytest.raises(RunInUseError, match="another process"):
        run_window(bench(tmp_path / "out", server.url), 2)
    assert run_window(bench(tmp_path / "out", server.url), 2).missing == 0


class Later(SystemClock):
    """Clocks that are ahead by so many seconds."""

    def __init__(self, wall_s, mono_s, boot_id=""):
        super().__init__()
        self.wall_s, self.mono_s = wall_s, mono_s
        self.boot_id = boot_id or self.boot_id

    def wall(self):
        from denominator.adapters.probe.client import earlier

        return earlier(super().wall(), -self.wall_s * 1000)

    def mono_ns(self):
        return super().mono_ns() + self.mono_s * 10**9


@pytest.mark.parametrize(
    ("clock", "why"),
    [
        (Later(7300, 7300), ""),
        (Later(0, 0), "by the wall clock, not 2 h"),
        (Later(7300, 60), "by the monotonic clock, not 2 h"),
        (Later(60, 7300), "by the wall clock, not 2 h"),
        (Later(-7300, 7300), "by the wall clock, not 2 h"),
        (Later(7300, 7300, "another"), "started anew"),
    ],
)
def test_the_second_window_is_independent_by_both_clocks_or_says_why_not(tmp_path, server, clock, why):
    run_window(bench(tmp_path / "out", server.url, attempts=1), 1)
    told = Quiet()
    second = run_window(bench(tmp_path / "out", server.url, attempts=1, clock=clock, told=told), 2)
    assert second.missing == 0
    assert second.independent is (not why)
    assert why in second.why
    assert bool(told.lines) is bool(why)
    first, other = (list(ProbeFolder(tmp_path / "out").attempts(number)) for number in (1, 2))
    assert {one.ask.case_id for one in first} == {one.ask.case_id for one in other}
    assert [one.ask for one in first] != [one.ask for one in other]


def test_nobody_home_is_said_at_once_and_nothing_is_written(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    url = f"http://127.0.0.1:{port}/v1"
    with pytest.raises(InputError, match="nobody takes connections") as raised:
        run_window(bench(tmp_path / "out", url), 1)
    assert "--anyway" in raised.value.fix
    assert not (tmp_path / "out").exists()
    told = Quiet()
    done = run_window(bench(tmp_path / "out", url, anyway=True, told=told), 1)
    assert done.missing == 0
    assert {one.end for one in ProbeFolder(tmp_path / "out").attempts(1)} == {"refused"}
    assert "asked all the same" in told.lines[0]


def test_a_way_that_is_closed_does_not_use_up_what_is_left_of_a_window(tmp_path):
    stop, seen = threading.Event(), []

    def script(conn):
        seen.append(conn.read_request().body)
        if len(seen) == 6:
            stop.set()
        conn.send(says())

    with ScriptedServer(script) as server:
        run_window(bench(tmp_path / "out", server.url, stop=stop), 1)
    stored = len(list(ProbeFolder(tmp_path / "out").attempts(1)))
    with pytest.raises(InputError, match="going on: nobody takes connections"):
        run_window(bench(tmp_path / "out", server.url), 1)
    assert len(list(ProbeFolder(tmp_path / "out").attempts(1))) == stored
    assert ProbeFolder(tmp_path / "out").windows()[0].resumed_at == ()
    assert run_window(bench(tmp_path / "out", server.url, anyway=True), 1).missing == 0


def test_what_a_dead_process_left_half_done_is_taken_away(tmp_path, server):
    run_window(bench(tmp_path / "out", server.url), 1)
    unended(tmp_path / "out")
    blobs = next((tmp_path / "out/blobs").iterdir())
    for path in (blobs / ".x.part", tmp_path / "out/window-1/.window.json.part"):
        path.write_bytes(b"x")
    (tmp_path / "out/.new-1/deep").mkdir(parents=True)
    run_window(bench(tmp_path / "out", server.url), 1)
    assert not list((tmp_path / "out").rglob(".*"))


@pytest.mark.parametrize(
    ("status", "stops"), [("401 No", True), ("403 No", True), ("404 No", False), ("500 No", False)]
)
def test_a_refused_key_is_said_at_once(tmp_path, status, stops):
    def script(conn):
        conn.read_request()
        conn.send(answer(b"{}", status=status))

    with ScriptedServer(script) as server:
        if not stops:
            assert run_window(bench(tmp_path / "out", server.url), 1).missing == 0
            return
        with pytest.raises(InputError, match="refuses the key"):
            run_window(bench(tmp_path / "out", server.url), 1)
        assert len(server.asked) == 1


def test_without_warm_ups_nobody_is_asked_beforehand(tmp_path, server):
    run_window(bench(tmp_path / "out", server.url, warmups=0), 1)
    assert len(server.asked) == PLANNED


def test_an_unreachable_second_window_leaves_the_first_as_it_was(tmp_path, server):
    run_window(bench(tmp_path / "out", server.url), 1)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(InputError):
        run_window(bench(tmp_path / "out", f"http://127.0.0.1:{port}/v1"), 2)
    assert sorted(one.name for one in (tmp_path / "out").iterdir()) == [
        "blobs",
        "fixture.jsonl",
        "seal.json",
        "window-1",
    ]


def test_a_disk_that_is_full_is_said_and_what_was_stored_stays(tmp_path, server, monkeypatch):
    real, left = probe_writing.os.write, [5]

    def full(fd, data):
        if data.startswith(b'{"ask"'):
            left[0] -= 1
            if not left[0]:
                real(fd, data[: len(data) // 2])
                raise OSError(28, "No space left on device")
        return real(fd, data)

    monkeypatch.setattr(probe_writing.os, "write", full)
    with pytest.raises(MachineError, match="No space left"):
        run_window(bench(tmp_path / "out", server.url), 1)
    monkeypatch.undo()
    assert len(list(ProbeFolder(tmp_path / "out").attempts(1))) == 4
    assert run_window(bench(tmp_path / "out", server.url), 1).missing == 0


def test_a_pause_lies_between_attempts(tmp_path, server):
    run_window(bench(tmp_path / "out", server.url, fixture=cases(2, "plain"), pause_ms=60, warmups=0), 1)
    stored = list(ProbeFolder(tmp_path / "out").attempts(1))
    starts = [one.started_at for one in stored]
    assert len(starts) == 4
    assert _ms(starts[-1]) - _ms(starts[0]) >= 170


def _ms(stamp):
    from datetime import datetime

    return datetime.fromisoformat(stamp).timestamp() * 1000


def test_a_stall_shows_in_everybody_who_would_have_asked_meanwhile(tmp_path):
    """One place at the server, one stall of 600 ms, a request every 50 ms: a closed loop would show one slow answer."""
    gate, stalled = threading.Lock(), []

    def script(conn):
        conn.read_request()
        with gate:
            if len(stalled) == 3:
                conn.sleep(0.6)
            stalled.append(1)
        conn.send(says())

    with ScriptedServer(script) as server:
        done = run_window(
            bench(tmp_path / "out", server.url, fixture=cases(10, "plain"), rate="20", in_flight=4, warmups=0), 1
        )
    assert done.missing == 0
    stored = sorted(ProbeFolder(tmp_path / "out").attempts(1), key=lambda one: one.started_at)
    assert len(stored) == 20
    slow = [one for one in stored if one.end_us >= 150_000]
    assert len(slow) >= 6, [one.end_us for one in stored]
    assert any(one.queued_us >= 100_000 for one in stored), "four may be open, so the fifth had to wait"
    spread = _ms(stored[-1].started_at) - _ms(stored[0].started_at)
    assert 900 <= spread <= 1000, "each is due at its time, whatever the others do"


def test_at_a_fixed_rate_no_more_are_open_than_may_be(tmp_path):
    lock, now, most = threading.Lock(), [0], [0]

    def script(conn):
        conn.read_request()
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        conn.sleep(0.03)
        with lock:
            now[0] -= 1
        conn.send(says())

    with ScriptedServer(script) as server:
        run_window(bench(tmp_path / "out", server.url, rate="500", in_flight=3, warmups=0), 1)
    assert most[0] == 3


def test_a_fixed_rate_stops_and_goes_on(tmp_path):
    stop, seen = threading.Event(), []

    def script(conn):
        seen.append(conn.read_request().body)
        if len(seen) == 8:
            stop.set()
        conn.sleep(0.05)
        conn.send(says())

    with ScriptedServer(script) as server:
        half = run_window(bench(tmp_path / "out", server.url, rate="100", in_flight=4, stop=stop), 1)
        assert half.missing
        assert run_window(bench(tmp_path / "out", server.url, rate="100", in_flight=4), 1).missing == 0
    assert len({one.ask.seq for one in ProbeFolder(tmp_path / "out").attempts(1)}) == PLANNED + 1


def test_what_one_thread_cannot_do_ends_all_of_them(tmp_path, server, monkeypatch):
    def broken(*_args, **_named):
        raise MachineError("no room")

    one = bench(tmp_path / "out", server.url, rate="100", in_flight=4)
    monkeypatch.setattr(type(one), "heard", broken)
    with pytest.raises(MachineError, match="no room"):
        run_window(one, 1)
    assert within(2, lambda: not any(each.name.startswith("probe ") for each in threading.enumerate()))


@pytest.mark.parametrize(
    ("terms", "attempts", "bound"),
    [
        (Terms(deadline_ms=1000), 60, 61_000),
        (Terms(deadline_ms=1000, warmups=0, pause_ms=10), 3, 3_020),
        (Terms(deadline_ms=1000, warmups=0, rate="0.5", in_flight=2), 3, 6_000 + 2_000),
    ],
)
def test_no_window_takes_longer_than_is_said(terms, attempts, bound):
    assert bound_ms(terms, attempts) == bound
