"""Whatever a server does, the client comes back in time with its bytes, their times, and how it ended."""

from __future__ import annotations

import errno
import gzip
import socket
import threading
import time

import pytest

from denominator.adapters.clock import SystemClock
from denominator.adapters.gateway.upstream import Upstream, read_upstream
from denominator.adapters.probe import ProbeClient
from denominator.adapters.probe import link as link_module
from denominator.adapters.probe import talk as talk_module
from denominator.errors import InputError, MachineError
from denominator.records.probe_words import End
from denominator.records.probes import Ask, Terms
from denominator.wire.http_reply import arrived_us, read_reply
from probe_server import CHUNKED, OK, ScriptedServer, answer, chunk, event, says

DEADLINE_MS = 700
"""Where it has to be reached."""
AMPLE_MS = 20_000
"""Where it must not be, however busy the machine is."""
LATE_S = 10.0
PLAIN = Ask(seq=1, case_id="a", mode="plain", attempt=1)
STREAM = Ask(seq=1, case_id="a", mode="stream", attempt=1)


def exchange(url, ask=PLAIN, body=b"{}", key="", **terms):
    to = read_upstream(url, "KEY" if key else "", {"KEY": key})
    given = Terms(**{"deadline_ms": AMPLE_MS, "gap_ms": 250, **terms})
    began = time.monotonic()
    done = ProbeClient(to, given, SystemClock()).exchange(body, ask, 1)
    assert time.monotonic() - began < LATE_S
    assert done is not None
    assert done.end_us <= (time.monotonic() - began) * 1e6
    sizes = [size for size, _ in done.at]
    assert sizes == sorted(set(sizes))
    assert (sizes[-1] if sizes else 0) == len(done.wire)
    assert all(us <= done.end_us for _, us in done.at)
    return done


def served(script, ask=PLAIN, **given):
    with ScriptedServer(script) as server:
        return exchange(server.url, ask, **given)


def test_a_whole_answer_is_kept_byte_for_byte():
    def script(conn):
        conn.read_request()
        conn.send(says("hello"))
        conn.hang()

    with ScriptedServer(script) as server:
        done = exchange(server.url, body=b'{"a":1}')
    assert (done.end, done.wire) == (End.COMPLETE, says("hello"))
    assert 0 <= done.connected_us <= done.sent_us <= done.at[0][1] <= done.end_us
    assert server.asked[0].body == b'{"a":1}'
    assert done.queued_us < 1000


def test_what_is_asked_for_and_what_is_not():
    def script(conn):
        conn.read_request()
        conn.send(says())

    with ScriptedServer(script) as server:
        exchange(server.url, key="sk-abcdefgh")
        head = server.asked[0].head.lower()
    lines = head.split(b"\r\n")
    assert lines[0] == b"post /v1/chat/completions http/1.1"
    assert b"accept-encoding: identity" in lines
    assert b"connection: close" in lines
    assert b"authorization: bearer sk-abcdefgh" in lines


def test_every_attempt_has_a_connection_of_its_own():
    def script(conn):
        while True:
            conn.read_request()
            conn.send(says())

    with ScriptedServer(script) as server:
        for _ in range(3):
            assert exchange(server.url).end == End.COMPLETE
        assert len(server.peers) == 3
        assert len(server.asked) == 3


def test_proxies_of_the_environment_and_redirects_are_nobodys_business(monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    def script(conn):
        conn.read_request()
        conn.send(answer(b"", status="307 Temporary Redirect", extra=b"Location: /v1/chat/completions\r\n"))

    with ScriptedServer(script) as server:
        done = exchange(server.url)
        assert (done.end, len(server.asked)) == (End.COMPLETE, 1)
    assert read_reply(done.wire, 100).status == 307


def _early(conn):
    conn.sock.recv(1000)
    conn.send(answer(b"too large", status="413 Too Large"))
    conn.hang()


def _never_reads(conn):
    conn.hang()


def _reads_and_says_nothing(conn):
    conn.read_request()
    conn.hang()


def _drips_head(conn):
    conn.read_request()
    conn.send(OK)
    conn.drip(b"X-A: b\r\n")


def _drips_status(conn):
    conn.read_request()
    for byte in b"HTTP/1.1 200 OK and so on for ever " * 9:
        conn.send(bytes([byte]))
        conn.sleep(0.02)


def _interim_for_ever(conn):
    conn.read_request()
    conn.drip(b"HTTP/1.1 102 Processing\r\n\r\n")


def _drips_body(conn):
    conn.read_request()
    conn.send(OK + b"Content-Length: 100000\r\n\r\n")
    conn.drip(b" ")


def _drips_extension(conn):
    conn.read_request()
    conn.send(CHUNKED + b"5;")
    conn.drip(b"x")


def _comments(conn):
    conn.read_request()
    conn.send(CHUNKED)
    conn.drip(chunk(b": keep-alive\n\n"))


def _drips_trailer(conn):
    conn.read_request()
    conn.send(CHUNKED + b"0\r\n")
    conn.drip(b"X-A: b\r\n")


def _body_dries_up(conn):
    conn.read_request()
    conn.send(OK + b"Content-Length: 9\r\n\r\nabc")
    conn.hang()


@pytest.mark.parametrize(
    ("script", "mode"),
    [
        (_never_reads, PLAIN),
        (_reads_and_says_nothing, PLAIN),
        (_reads_and_says_nothing, STREAM),
        (_drips_head, PLAIN),
        (_drips_head, STREAM),
        (_drips_status, PLAIN),
        (_interim_for_ever, STREAM),
        (_drips_body, PLAIN),
        (_drips_extension, STREAM),
        (_comments, STREAM),
        (_drips_trailer, STREAM),
        (_body_dries_up, PLAIN),
    ],
)
def test_nothing_outlives_the_deadline(script, mode):
    body = b"x" * 30_000_000 if script is _never_reads else b"{}"
    done = served(script, mode, body=body, deadline_ms=DEADLINE_MS)
    assert done.end == End.DEADLINE
    assert done.end_us >= DEADLINE_MS * 1000
    assert isinstance(done.sent_us, int) is (script is not _never_reads)
    assert (done.wire == b"") is (script in (_never_reads, _reads_and_says_nothing))


def test_endless_headers_end_when_no_reader_would_go_on():
    def script(conn):
        conn.read_request()
        conn.send(OK)
        while True:
            conn.send(b"X-A: b\r\n" * 999)

    assert served(script, deadline_ms=AMPLE_MS).end == End.ILLEGAL


def test_endless_interim_answers_end_too():
    def script(conn):
        conn.read_request()
        while True:
            conn.send(b"HTTP/1.1 103 Hints\r\n\r\n" * 999)

    assert served(script, deadline_ms=AMPLE_MS).end == End.ILLEGAL


def _silent_after(*parts):
    def script(conn):
        conn.read_request()
        conn.send(*parts)
        conn.hang()

    return script


def test_silence_inside_a_stream_ends_at_the_gap():
    for parts in ((CHUNKED,), (CHUNKED, event("{}")), (OK[:5],)):
        done = served(_silent_after(*parts), STREAM, deadline_ms=AMPLE_MS)
        assert done.end == End.GAP
        assert done.end_us - done.at[-1][1] >= 250_000


def test_the_gap_begins_anew_with_every_byte():
    def script(conn):
        conn.read_request()
        conn.send(CHUNKED, *[event("{}")] * 8, event("[DONE]") + b"0\r\n\r\n", pause=0.1)

    done = served(script, STREAM, gap_ms=900)
    assert done.end == End.COMPLETE
    assert len(done.at) >= 5


def test_the_stream_says_it_is_over_and_http_does_not():
    done = served(_silent_after(CHUNKED, event("{}"), event("[DONE]")), STREAM, deadline_ms=AMPLE_MS, gap_ms=50_000)
    assert done.end == End.DONE
    assert done.wire.endswith(event("[DONE]"))


def test_the_last_word_is_found_in_pieces_and_below_a_coding():
    packed = gzip.compress(b"data: {}\r\n\r\ndata: [DONE]\r\n\r\n")
    head = CHUNKED.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n")
    for parts in ((CHUNKED, chunk(b"data: [DO"), chunk(b"NE]\n"), chunk(b"\n")), (head, chunk(packed))):
        assert served(_silent_after(*parts), STREAM, deadline_ms=AMPLE_MS, gap_ms=50_000).end == End.DONE


def test_the_end_of_http_is_waited_for_a_moment(monkeypatch):
    monkeypatch.setattr(talk_module, "GRACE_MS", 5_000)

    def script(conn):
        conn.read_request()
        conn.send(CHUNKED + event("[DONE]"), b"0\r\n\r\n", pause=0.05)

    assert served(script, STREAM, gap_ms=9_000).end == End.COMPLETE


def test_a_stream_that_goes_on_after_its_last_word_is_left():
    def script(conn):
        conn.read_request()
        conn.send(CHUNKED, event("[DONE]"))
        conn.drip(chunk(b": x\n\n"))

    assert served(script, STREAM, deadline_ms=AMPLE_MS).end == End.DONE


@pytest.mark.parametrize(
    ("parts", "end"),
    [
        ((), End.FIN),
        ((OK,), End.FIN),
        ((OK + b"Content-Length: 9\r\n\r\nabc",), End.FIN),
        ((CHUNKED, event("{}")), End.FIN),
        ((OK + b"\r\nabc",), End.COMPLETE),
        ((OK + b"Content-Length: 3\r\n\r\nabc",), End.COMPLETE),
        ((b"SSH-2.0-OpenSSH\r\n",), End.FIN),
        ((b"SSH-2.0-OpenSSH\r\n\r\n",), End.ILLEGAL),
        ((CHUNKED, b"zz\r\n"), End.ILLEGAL),
    ],
)
def test_an_orderly_end_is_told_from_a_whole_answer(parts, end):
    def script(conn):
        conn.read_request()
        conn.send(*parts)

    assert served(script).end == end


@pytest.mark.parametrize("parts", [(), (OK,), (OK + b"Content-Length: 9\r\n\r\nabc",), (OK + b"\r\nabc",)])
def test_a_reset_is_no_orderly_end(parts):
    def script(conn):
        conn.read_request()
        conn.send(*parts)
        conn.sleep(0.1)
        conn.reset()

    done = served(script)
    assert done.end == End.RESET
    assert done.wire == b"".join(parts)


def test_a_body_nobody_takes_is_no_empty_reply():
    def script(conn):
        conn.sock.recv(10)
        conn.reset()

    assert served(script, body=b"x" * 30_000_000).end == End.SEND_FAILED


def test_an_answer_before_the_request_was_sent_counts():
    done = served(_early, body=b"x" * 30_000_000)
    assert done.end == End.COMPLETE
    assert not isinstance(done.sent_us, int)
    assert read_reply(done.wire, 100).status == 413


def test_the_cap_of_the_body_ends_the_reading():
    def script(conn):
        conn.read_request()
        conn.send(OK + b"\r\n")
        conn.drip(b"x" * 65536, every=0)

    done = served(script, deadline_ms=AMPLE_MS, body_bytes_max=1_000_000)
    assert done.end == End.CAP
    assert 1_000_000 < len(done.wire) < 1_200_000


def test_a_body_of_just_the_cap_is_whole():
    assert served(_silent_after(answer(b"x" * 5000)), body_bytes_max=5000).end == End.COMPLETE
    assert served(_silent_after(answer(b"x" * 5001)), body_bytes_max=5000).end == End.CAP


def test_a_body_that_unpacks_past_the_cap_ends_the_reading_too():
    packed = gzip.compress(bytes(30_000_000))
    head = OK + b"Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % (len(packed) + 1)
    assert served(_silent_after(head, packed), deadline_ms=AMPLE_MS, body_bytes_max=1_000_000).end == End.CAP


def test_bytes_that_are_no_body_are_bounded_too():
    def script(conn):
        conn.read_request()
        conn.send(CHUNKED)
        while True:
            conn.send((b"1;" + b"x" * 30_000 + b"\r\na\r\n") * 20)

    done = served(script, deadline_ms=AMPLE_MS, body_bytes_max=100_000)
    assert done.end == End.CAP
    assert len(done.wire) < 3_000_000


def test_nobody_listens():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    done = exchange(f"http://127.0.0.1:{port}/v1")
    assert (done.end, done.wire, done.at) == (End.REFUSED, b"", ())
    assert not isinstance(done.connected_us, int)


def test_a_name_that_no_server_has(monkeypatch):
    assert exchange("http://no-such-host.invalid/v1").end == End.NAME_UNKNOWN
    assert exchange(f"http://{'a' * 70}.invalid/v1").end == End.NAME_UNKNOWN


def test_a_lookup_that_hangs_ends_at_the_deadline(monkeypatch):
    going = threading.Event()
    monkeypatch.setattr(link_module.socket, "getaddrinfo", lambda *_args, **_named: [going.wait(20)][:0])
    done = exchange("http://somewhere.example/v1", deadline_ms=DEADLINE_MS)
    going.set()
    assert done.end == End.DEADLINE
    assert not isinstance(done.connected_us, int)


def test_a_silent_address_does_not_use_up_the_time_of_the_next(monkeypatch):
    """The first address has a full queue of connections, so that nothing answers there."""
    deaf = socket.socket()
    deaf.bind(("127.0.0.1", 0))
    deaf.listen(0)
    fillers = [socket.socket() for _ in range(4)]
    for each in fillers:
        each.setblocking(False)
        each.connect_ex(deaf.getsockname())
    with ScriptedServer(_silent_after(says())) as server:
        found = [
            (socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", p)) for p in (deaf.getsockname()[1], server.port)
        ]
        monkeypatch.setattr(link_module.socket, "getaddrinfo", lambda *_args, **_named: found)
        done = exchange("http://two.example/v1", deadline_ms=4000)
    for each in (*fillers, deaf):
        each.close()
    assert done.end == End.COMPLETE


def test_a_refused_address_is_followed_by_the_next(monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        closed = listener.getsockname()[1]
    with ScriptedServer(_silent_after(says())) as server:
        found = [(socket.AF_INET, socket.SOCK_STREAM, 0, "", ("127.0.0.1", port)) for port in (closed, server.port)]
        monkeypatch.setattr(link_module.socket, "getaddrinfo", lambda *_args, **_named: found)
        assert exchange("http://two.example/v1").end == End.COMPLETE


def test_a_stop_is_heard_in_the_middle_and_nothing_is_said_of_the_attempt():
    stop = threading.Event()
    with ScriptedServer(_reads_and_says_nothing) as server:
        client = ProbeClient(read_upstream(server.url, "", {}), Terms(), SystemClock())
        threading.Timer(0.1, stop.set).start()
        began = time.monotonic()
        assert client.exchange(b"{}", PLAIN, 1, stop=stop) is None
        assert time.monotonic() - began < LATE_S


def test_times_count_from_when_a_request_was_due():
    clock = SystemClock()
    with ScriptedServer(_silent_after(says())) as server:
        client = ProbeClient(read_upstream(server.url, "", {}), Terms(), clock)
        done = client.exchange(b"{}", PLAIN, 1, due_ns=clock.mono_ns() - 3_000_000_000)
    assert 3_000_000 <= done.queued_us <= done.connected_us <= done.at[0][1] <= done.end_us
    assert done.started_at < clock.wall()


def test_a_drip_of_single_bytes_does_not_fill_the_stamps(monkeypatch):
    from denominator.adapters.probe import answer as answer_module

    monkeypatch.setattr(answer_module, "STAMPS_MAX", 10)

    def script(conn):
        conn.read_request()
        for byte in says("x" * 500):
            conn.send(bytes([byte]))
            conn.sleep(0.0003)

    done = served(script, deadline_ms=AMPLE_MS)
    assert done.end == End.COMPLETE
    assert len(done.at) < 200
    assert arrived_us(done.at, len(done.wire)) == done.at[-1][1]


@pytest.mark.parametrize("url", ["http://h\xf6st/v1", "http://host/a b", "http://host/\u20ac"])
def test_an_address_that_cannot_be_written_is_refused_before_anything(url):
    with pytest.raises(InputError, match="characters that a request cannot carry"):
        ProbeClient(read_upstream(url, "", {}), Terms(), SystemClock())


def test_a_percent_sign_in_the_path_is_sent_as_it_is():
    with ScriptedServer(_silent_after(says())) as server:
        exchange(server.url.replace("/v1", "/a%20b%d/v1"))
        assert server.asked[0].head.startswith(b"POST /a%20b%d/v1/chat/completions ")


def test_the_record_of_an_endpoint_does_not_show_its_key():
    to = Upstream("http", "h", 80, "", "sk-secret-secret")
    assert "secret" not in repr(to) + repr(ProbeClient(to, Terms(), SystemClock()))


@pytest.mark.parametrize("where", ["socket", "selector", "lookup", "thread"])
def test_a_machine_without_room_is_no_fault_of_the_endpoint(monkeypatch, where):
    def full(*_args, **_named):
        raise (
            RuntimeError("can't start new thread")
            if where == "thread"
            else OSError(errno.EMFILE, "Too many open files")
        )

    place = {
        "socket": (link_module.socket, "socket"),
        "selector": (link_module.selectors, "DefaultSelector"),
        "lookup": (link_module.socket, "getaddrinfo"),
        "thread": (link_module, "Thread"),
    }[where]
    client = ProbeClient(Upstream("http", "127.0.0.1", 9, "/v1"), Terms(), SystemClock())
    with monkeypatch.context() as patched, pytest.raises(MachineError, match="no (connection|thread) can be"):
        patched.setattr(*place, full)
        client.exchange(b"{}", PLAIN, 1)
