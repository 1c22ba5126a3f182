"""The same over TLS: certificates are verified, a handshake has no time of its own, an end without a farewell is no end."""

from __future__ import annotations

import socket
import ssl
import subprocess

import pytest

from denominator.records.probe_words import End
from probe_server import OK, ScriptedServer, answer, says
from unit.adapters.probe.test_client import DEADLINE_MS, exchange


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A certificate of localhost, and a context of the server."""
    folder = tmp_path_factory.mktemp("tls")
    files = ["-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    try:
        subprocess.run([*command, "-addext", "subjectAltName=DNS:localhost", *files], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("openssl makes no certificate here")
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(folder / "cert.pem", folder / "key.pem")
    return folder / "cert.pem", tls


@pytest.fixture
def trusted(made, monkeypatch):
    monkeypatch.setenv("SSL_CERT_FILE", str(made[0]))
    return made[1]


def asked(script, tls, **given):
    with ScriptedServer(script, tls) as server:
        return exchange(f"https://localhost:{server.port}/v1", **given)


def _answers(wire, farewell=True):
    def script(conn):
        conn.read_request()
        conn.send(wire)
        if farewell:
            conn.sock.unwrap()

    return script


def test_an_answer_over_tls(trusted):
    done = asked(_answers(says()), trusted, body=b"x" * 300_000)
    assert (done.end, done.wire) == (End.COMPLETE, says())
    assert 0 < done.connected_us <= done.sent_us


def test_a_certificate_that_nobody_vouches_for(made):
    done = asked(_answers(says()), made[1])
    assert (done.end, done.wire) == (End.CERTIFICATE, b"")


def test_a_certificate_of_another_name(trusted):
    with ScriptedServer(_answers(says()), trusted) as server:
        assert exchange(f"https://127.0.0.1:{server.port}/v1").end == End.CERTIFICATE


@pytest.mark.parametrize(("farewell", "end"), [(True, End.COMPLETE), (False, End.FIN)])
def test_a_body_without_a_length_is_whole_after_a_farewell_only(trusted, farewell, end):
    done = asked(_answers(OK + b"\r\nabc", farewell), trusted)
    assert (done.end, done.wire) == (end, OK + b"\r\nabc")


def test_a_body_with_a_length_needs_no_farewell(trusted):
    assert asked(_answers(answer(b"{}"), farewell=False), trusted).end == End.COMPLETE


def test_a_handshake_that_never_ends_ends_at_the_deadline():
    def script(conn):
        conn.hang()

    done = asked(script, None, deadline_ms=DEADLINE_MS)
    assert done.end == End.DEADLINE
    assert done.end_us >= DEADLINE_MS * 1000
    assert not isinstance(done.connected_us, int)


@pytest.mark.parametrize(
    ("wire", "ends"),
    [
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", {End.ILLEGAL, End.RESET}),
        (b"", {End.FIN, End.RESET}),
    ],
)
def test_whoever_speaks_no_tls_is_told_so(wire, ends):
    def script(conn):
        conn.sock.recv(65536)
        conn.send(wire)

    assert asked(script, None).end in ends


def test_a_reset_in_the_handshake():
    def script(conn):
        conn.reset()

    assert asked(script, None).end == End.RESET


def test_a_reader_that_does_not_read_over_tls(trusted):
    def script(conn):
        conn.hang()

    done = asked(script, trusted, body=b"x" * 30_000_000, deadline_ms=2_000)
    assert done.end == End.DEADLINE
    assert not isinstance(done.sent_us, int)


def test_the_tls_of_a_server_that_is_gone_in_the_middle(trusted):
    def script(conn):
        conn.read_request()
        conn.send(OK + b"Content-Length: 9\r\n\r\nabc")
        raw = socket.socket(fileno=conn.sock.detach())
        raw.close()

    assert asked(script, trusted).end == End.FIN
