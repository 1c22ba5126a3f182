"""`probe run` as a process: killed at any moment and resumed, interrupted, refused, and never a word of the key."""

from __future__ import annotations

import base64
import gzip
import json
import random
import signal
import socket
import threading
import time
import tracemalloc
import zlib
from collections import Counter
from pathlib import Path

import pytest

from denominator.errors import InputError
from denominator.pipeline.probe_folder import ProbeFolder
from denominator.probe.order import asks
from e2e.probe_cli import say, start, write_probe
from probe_benches import cases
from probe_server import CHUNKED, OK, ScriptedServer, answer, chunk, event, says, within

KEY = "sk-canary-5f1c9a77d2e04b/x"


def polite(conn):
    conn.read_request()
    conn.send(says())


def planned(folder: Path, window: int = 1):
    probe = ProbeFolder(folder)
    return asks(probe.fixture(), probe.seal().envelope.run, window)


def stored(folder: Path, window: int = 1):
    return list(ProbeFolder(folder).attempts(window))


def test_a_whole_run_says_what_it_does_and_what_comes_next(tmp_path):
    with ScriptedServer(polite) as server:
        write_probe(tmp_path, server.url)
        out, err = say(tmp_path, "run", "probe.toml", "-o", "out")
        assert "16 of 16 attempts made" in out
        assert "--window 2  (independent from 20" in out and "probe score out" in out
        assert "16 attempts and 1 warm-up" in err and "at most 0:01:25" in err
        assert "[16/16] " in err
        assert "warm-up: status 200" in err
        again, quiet = say(tmp_path, "run", "out", "-q")
        assert "0 of them now" in again
        assert quiet == ""
        assert len(server.asked) == 17
    assert [one.ask for one in stored(tmp_path / "out")] == list(planned(tmp_path / "out"))


def test_one_document_on_stdout(tmp_path):
    with ScriptedServer(polite) as server:
        write_probe(tmp_path, server.url, cases(1, "plain"))
        out, _ = say(tmp_path, "run", "probe.toml", "-o", "out", "--json")
        document = json.loads(out)
        assert document.pop("started_at") == ProbeFolder(tmp_path / "out").windows()[0].started_at
        assert document == {
            "folder": "out",
            "window": 1,
            "planned": 2,
            "stored": 2,
            "made": 2,
            "missing": 0,
            "independent": True,
            "why": "",
        }
        out, err = say(tmp_path, "run", "out", "--window", "2", "--json")
        second = json.loads(out)
        assert (second["independent"], second["made"]) == (False, 2)
        assert "by the wall clock, not 2 h" in second["why"]
        assert "will not count as independent" in err


def test_bodies_are_redacted_by_a_word_and_stay_so(tmp_path):
    with ScriptedServer(polite) as server:
        write_probe(tmp_path, server.url, cases(1, "plain"))
        say(tmp_path, "run", "probe.toml", "-o", "out", "--redact-bodies")
        assert list((tmp_path / "out/blobs").iterdir()) == []
        assert all(one.heard is not None for one in stored(tmp_path / "out"))
        say(tmp_path, "run", "probe.toml", "-o", "out")
        say(tmp_path, "run", "out", "--window", "2")
        assert all(one.heard is not None for one in stored(tmp_path / "out", 2))


def test_a_clock_that_was_stepped_makes_no_second_window(tmp_path):
    """The wall clock is put three hours ahead between the windows; the monotonic one knows."""
    with ScriptedServer(polite) as server:
        write_probe(tmp_path, server.url, cases(1, "plain"))
        step = tmp_path / "step"
        env = {"DENOMINATOR_CLOCK_STEP": str(step)}
        say(tmp_path, "run", "probe.toml", "-o", "out", env=env)
        step.write_text("10800")
        out, _ = say(tmp_path, "run", "out", "--window", "2", env=env)
    assert "by the monotonic clock, not 2 h" in out


@pytest.mark.parametrize("rate", ["", "25"])
def test_killed_at_any_moment_nothing_told_is_lost_and_nothing_stored_is_asked_again(tmp_path, rate):
    """Every kill falls at another moment of a slow server's work; what was told on the screen before it must be there."""
    draw, slow = random.Random(7), random.Random(8)
    seen: Counter[bytes] = Counter()
    lock = threading.Lock()

    def script(conn):
        body = conn.read_request().body
        conn.sleep(slow.random() * 0.06)
        with lock:
            seen[body] += 1
        conn.send(says())

    terms = {"rate": rate, "in_flight": 3} if rate else {}
    kills = 0
    with ScriptedServer(script) as server:
        write_probe(tmp_path, server.url, cases(10), attempts=3, **terms)
        while True:
            words = ("run", "out") if (tmp_path / "out").exists() else ("run", "probe.toml", "-o", "out")
            process = start(tmp_path, *words)
            timer = threading.Timer(0.3 + draw.random() * 0.5, process.send_signal, [signal.SIGKILL])
            if kills < 6:
                timer.start()
            out, err = process.communicate(timeout=120)
            timer.cancel()
            told = [line for line in err.splitlines() if line.startswith("[")]
            if (tmp_path / "out").exists():
                here = {f"{one.ask.case_id} {one.ask.mode}{_nth(one.ask.attempt)}" for one in stored(tmp_path / "out")}
                for line in told:
                    assert any(f"] {name}:" in line for name in here), line
            if process.returncode == 0:
                break
            assert process.returncode == -signal.SIGKILL, (out, err)
            kills += 1
        assert kills >= 2
    plan = {one.seq: one for one in planned(tmp_path / "out")}
    lines = stored(tmp_path / "out")
    assert sorted(one.ask.seq for one in lines) == sorted(plan)
    assert all(plan[one.ask.seq] == one.ask for one in lines)
    # Of the attempts that a kill cut off nothing was stored: only these were asked again, at most those in flight.
    extra = sum(seen.values()) - len(lines)
    assert 0 <= extra <= kills * (3 if rate else 1) + kills
    assert list(ProbeFolder(tmp_path / "out").exchanges(1))
    out, _ = say(tmp_path, "run", "out", "--json")
    assert json.loads(out)["made"] == 0


def _nth(attempt: int) -> str:
    return f"  attempt {attempt}" if attempt > 1 else ""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 4)])
def test_told_to_stop_it_stops_at_once_and_goes_on_later(tmp_path, number, code):
    seen = []

    def script(conn):
        seen.append(conn.read_request().body)
        if len(seen) == 5:
            conn.hang()
        conn.send(says())

    with ScriptedServer(script) as server:
        write_probe(tmp_path, server.url, deadline_ms=60_000)
        process = start(tmp_path, "run", "probe.toml", "-o", "out")
        assert within(20, lambda: len(seen) == 5)
        began = time.monotonic()
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
        assert time.monotonic() - began < 5
        assert process.returncode == code, (out, err)
        assert "asks the 13 that are missing" in out
        assert len(stored(tmp_path / "out")) == 4
        out, err = say(tmp_path, "run", "out")
        assert "13 of them left" in err
        assert "13 of them now" in out
    assert len(stored(tmp_path / "out")) == 17


def test_an_endpoint_that_is_not_there_is_said_before_anything_is_asked(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    write_probe(tmp_path, f"http://127.0.0.1:{port}/v1", cases(1, "plain"))
    _, err = say(tmp_path, "run", "probe.toml", "-o", "out", code=2)
    assert "nobody takes connections there" in err and "--anyway" in err
    assert not (tmp_path / "out").exists()
    say(tmp_path, "run", "probe.toml", "-o", "out", "--anyway")
    assert len(stored(tmp_path / "out")) == 3


def test_what_is_asked_differently_is_a_new_probe(tmp_path):
    with ScriptedServer(polite) as server:
        write_probe(tmp_path, server.url, cases(1, "plain"))
        say(tmp_path, "run", "probe.toml", "-o", "out")
        write_probe(tmp_path, server.url, cases(1, "plain"), attempts=5, seed=9)
        _, err = say(tmp_path, "run", "probe.toml", "-o", "out", code=2)
        assert "another run.attempts, run.seed" in err and "-o" in err
        write_probe(tmp_path, server.url, cases(2, "plain"))
        assert "another fixture_sha256" in say(tmp_path, "run", "probe.toml", "-o", "out", code=2)[1]
        write_probe(tmp_path, server.url, cases(1, "plain"))
        assert "0 of them now" in say(tmp_path, "run", "probe.toml", "-o", "out")[0]
        assert "keeps bodies" in say(tmp_path, "run", "out", "--redact-bodies", code=2)[1]
        assert len(server.asked) == 3


def _edit(path: Path, old: bytes, new: bytes) -> None:
    data = path.read_bytes()
    assert old in data
    path.write_bytes(data.replace(old, new))


@pytest.mark.parametrize(
    ("file", "old", "new", "says_"),
    [
        ("seal.json", b'"seed":1', b'"seed":2', "seal.json was changed after window 1 began"),
        ("seal.json", b'"seed":1', b'"seed": 1', "was edited after it was written"),
        ("fixture.jsonl", b"OK number 0", b"OK number 9", "is not the fixture that was sealed"),
        ("window-1/window.json", b'"number":1', b'"number":2', "says it is window 2"),
        ("window-1/attempts.jsonl", b'"seq":2', b'"seq":1', "attempt 1 is there twice"),
        ("window-1/attempts.jsonl", b'"window":1', b'"window":2', "is of another window"),
        ("window-1/attempts.jsonl", b'{"ask"', b'{"task"', "attempts.jsonl:1"),
    ],
)
def test_a_folder_that_somebody_edited_is_not_gone_on_with(tmp_path, file, old, new, says_):
    with ScriptedServer(polite) as server:
        write_probe(tmp_path, server.url, cases(1, "plain"))
        say(tmp_path, "run", "probe.toml", "-o", "out")
        _edit(tmp_path / "out" / file, old, new)
        _, err = say(tmp_path, "run", "out", "--window", "2", code=2)
        assert says_ in err
        assert len(server.asked) == 3


def test_an_attempt_that_was_taken_out_of_a_whole_window_gets_no_second_try(tmp_path):
    with ScriptedServer(polite) as server:
        write_probe(tmp_path, server.url, cases(1, "plain"))
        say(tmp_path, "run", "probe.toml", "-o", "out")
        lines = tmp_path / "out" / "window-1" / "attempts.jsonl"
        lines.write_bytes(b"".join(lines.read_bytes().splitlines(keepends=True)[:-1]))
        assert "window 1 was whole when it ended, and 1 of its attempts" in say(tmp_path, "run", "out", code=2)[1]
        (tmp_path / "out" / "window-1" / "window.json").unlink()
        for words in (("run", "out"), ("score", "out")):
            assert "window-1/window.json: no such file" in say(tmp_path, *words, code=2)[1]
        assert len(server.asked) == 3


def test_a_planted_answer_that_unpacks_to_much_is_refused_before_it_does(tmp_path):
    with ScriptedServer(polite) as server:
        write_probe(tmp_path, server.url, cases(1, "plain"), body_bytes_max=1024)
        say(tmp_path, "run", "probe.toml", "-o", "out")
    blob = next(path for path in (tmp_path / "out" / "blobs").rglob("*") if path.is_file())
    blob.write_bytes(zlib.compress(bytes(2**27)))
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match="other bytes"):
            ProbeFolder(tmp_path / "out").blob(blob.parent.name + blob.name)
        assert tracemalloc.get_traced_memory()[1] < 2**26
    finally:
        tracemalloc.stop()


def test_an_endpoint_that_takes_the_newer_name_of_the_cap(tmp_path):
    """The cap goes out under the sealed name; offline the same requests are found, and no other name fits the folder."""
    with ScriptedServer(polite) as server:
        path = write_probe(tmp_path, server.url, cases(1, "both"))
        toml = path.read_text()
        path.write_text(toml.replace('model = "m"', 'model = "m"\ncap_field = "max_completion_tokens"'))
        say(tmp_path, "run", "probe.toml", "-o", "out")
        bodies = [one.json for one in server.asked]
        assert {one.get("max_completion_tokens") for one in bodies} == {64}
        assert not [one for one in bodies if "max_tokens" in one]
        path.write_text(toml)
        assert "another endpoint.cap_field" in say(tmp_path, "run", "probe.toml", "-o", "out", code=2)[1]
    assert "another request" not in "".join(say(tmp_path, "score", "out", code=0))


def test_another_client_than_the_sealed_one_makes_a_new_probe(tmp_path):
    with ScriptedServer(polite) as server:
        write_probe(tmp_path, server.url, cases(1, "plain"))
        say(tmp_path, "run", "probe.toml", "-o", "out")
        folder = tmp_path / "out"
        seal = json.loads((folder / "seal.json").read_bytes())
        seal["client"] = "0.0.1+wire.0"
        (folder / "seal.json").write_bytes(_canonical(seal))
        window = json.loads((folder / "window-1/window.json").read_bytes())
        window["seal_sha256"] = ProbeFolder(folder).seal_sha256
        (folder / "window-1/window.json").write_bytes(_canonical(window))
        _, err = say(tmp_path, "run", "out", "--window", "2", code=2)
        assert "was sealed for client 0.0.1+wire.0" in err


def _canonical(value) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "probe.toml"), "with -o FOLDER"),
        (("run", "."), "denominator probe run probe.toml -o FOLDER"),
        (("run", "probe.toml", "-o", "taken"), "is no probe"),
        (("run", "probe.toml", "-o", "out", "--window", "2"), "window 1 comes first"),
        (("run", "fixture.jsonl", "-o", "out"), "fixture.jsonl"),
        (("run", "nothing.toml", "-o", "out"), "nothing.toml"),
    ],
)
def test_mistakes_of_the_command_line(tmp_path, words, said):
    write_probe(tmp_path, "http://127.0.0.1:9/v1")
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/x").touch()
    assert said in say(tmp_path, *words, code=2)[1]


def test_a_second_window_waits_for_the_first(tmp_path):
    with ScriptedServer(polite) as server:
        write_probe(tmp_path, server.url, cases(1, "plain"))
        say(tmp_path, "run", "probe.toml", "-o", "out")
        path = tmp_path / "out/window-1/window.json"
        value = json.loads(path.read_bytes())
        path.write_bytes(_canonical({**value, "ended_at": {"not_measured": "not ended"}}))
        assert "window 1 has attempts" in say(tmp_path, "run", "out", "--window", "2", code=2)[1]
        say(tmp_path, "run", "out")
        say(tmp_path, "run", "out", "--window", "2")
        assert "window 4" not in say(tmp_path, "run", "out", "--window", "5", code=2)[1]


def test_a_variable_without_a_key_is_named(tmp_path):
    write_probe(tmp_path, "http://127.0.0.1:9/v1", key_env="PROBE_TEST_KEY")
    _, err = say(tmp_path, "run", "probe.toml", "-o", "out", code=2, env={"PROBE_TEST_KEY": "x y"})
    assert "endpoint.key_env" in err and "PROBE_TEST_KEY" in err
    assert "x y" not in err


def _echoes(nth: int) -> list[bytes]:
    """Answers that hold the key, each in another place."""
    key = KEY.encode()
    error = b'{"error": {"message": "no such key: %s"}}' % key
    packed = gzip.compress(b'{"choices": "' + key + b'"}')
    deltas = [
        event(json.dumps({"choices": [{"index": 0, "delta": {"content": KEY[at : at + 5]}}]})) for at in range(0, 26, 5)
    ]
    ways = [
        [answer(b"{}", extra=b"X-Echo: Bearer " + key + b"\r\n")],
        [answer(error, status="401 Unauthorized" if nth > 30 else "400 Bad")],
        [says(KEY)],
        [says(base64.b64encode(b"Bearer " + key).decode())],
        [OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(packed) + packed],
        [OK + b"Content-Length: 99\r\n\r\n" + key[:9], key[9:]],
        [b"HTTP/1.1 200 " + key[:4], key[4:] + b"\r\n\r\n"],
        [CHUNKED, chunk(b"data: " + key[:7]), chunk(key[7:]), b"0\r\n\r\n"],
        [CHUNKED, *deltas, event("[DONE]"), b"0\r\n\r\n"],
        [key + b" is no HTTP\r\n\r\n"],
        [OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(key * 50)[:-9]],
    ]
    return ways[nth % len(ways)]


def everything(folder: Path) -> dict[str, bytes]:
    """Every file, and what compressed ones hold."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            found[str(path.relative_to(folder))] = data
            try:
                plain = zlib.decompress(data)
            except zlib.error:
                continue
            found[f"{path.relative_to(folder)} unpacked"] = plain
    return found


def shows_key(data: bytes) -> bool:
    texts = [data, data.replace(b"\\/", b"/")]
    whole = b"".join(json.loads(b'"' + one + b'"').encode() for one in _contents(data))
    inside = base64.b64encode(b"Bearer " + KEY.encode())[:-4]
    return any(KEY.encode() in one for one in (*texts, whole)) or inside in data


def _contents(data: bytes) -> list[bytes]:
    import re

    return re.findall(rb'"content": ?"([^"\\]*)"', data)


@pytest.mark.parametrize("redact", [False, True])
def test_a_key_that_comes_back_is_nowhere(tmp_path, redact):
    served = []

    def script(conn):
        head = conn.read_request().head
        assert b"Bearer " + KEY.encode() in head
        served.append(1)
        conn.send(*_echoes(len(served) - 2) if len(served) > 1 else [says("private 7781")], pause=0.02)

    with ScriptedServer(script) as server:
        write_probe(
            tmp_path, server.url, cases(11), key_env="PROBE_TEST_KEY", redact=redact, deadline_ms=1500, gap_ms=1000
        )
        process = start(tmp_path, "run", "probe.toml", "-o", "out", env={"PROBE_TEST_KEY": KEY})
        assert KEY.encode() not in Path(f"/proc/{process.pid}/cmdline").read_bytes()
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    assert KEY not in out + err
    files = everything(tmp_path)
    assert not [name for name, data in files.items() if shows_key(data)]
    lines = stored(tmp_path / "out")
    assert sum(one.key_echoed for one in lines) == len(lines) - 1
    assert not redact or not any("blobs" in name for name in files)
    if redact:
        assert all(one.heard is not None for one in lines)
        assert not any(b"7781" in data for name, data in files.items() if name.startswith("out/window"))


def test_a_fixture_that_holds_the_key_is_not_sent(tmp_path):
    plain = "canary" + "-plain-words-5519"
    fixture = json.dumps(
        {"id": "a", "group": "accounting", "kind": "answer", "prompt": f"Say {plain}.", "mode": "plain", "expect": {}}
    ).encode()
    with ScriptedServer(polite) as server:
        write_probe(tmp_path, server.url, fixture + b"\n", key_env="PROBE_TEST_KEY")
        _, err = say(tmp_path, "run", "probe.toml", "-o", "out", code=2, env={"PROBE_TEST_KEY": plain})
        assert "holds the key" in err and plain not in err
        assert not server.asked


def test_a_refused_key_stops_before_the_plan_and_shows_nothing(tmp_path):
    def script(conn):
        conn.read_request()
        conn.send(answer(b'{"error": "%s"}' % KEY.encode(), status="401 Unauthorized"))

    with ScriptedServer(script) as server:
        write_probe(tmp_path, server.url, key_env="PROBE_TEST_KEY")
        out, err = say(tmp_path, "run", "probe.toml", "-o", "out", code=2, env={"PROBE_TEST_KEY": KEY})
        assert len(server.asked) == 1
    assert "PROBE_TEST_KEY" in err and KEY not in out + err
