"""`sut` for command lines, files and HTTP: what a solution serves and leaves is read with caps, and nothing odd gets through."""

import importlib
import socket
import sys
import threading
import time
from pathlib import Path

import pytest

KIT = Path(__file__).resolve().parents[3] / "src/denominator/adapters/graders/kit"
TOOL = """
import os, sys
def main(words):
    kind = words[0] if words else ""
    if kind == "write": open("out.bin", "wb").write(b"\\xff\\x00" + os.environ.get("MODE", "").encode())
    if kind == "deep": os.mkdir("d"); open("d/x", "w").write("deep")
    if kind == "link": os.symlink("/etc/passwd", "out.bin")
    if kind == "linked": os.symlink("/etc", "d")
    if kind == "fifo": os.mkfifo("out.bin")
    if kind == "sparse": os.truncate(os.open("out.bin", os.O_CREAT | os.O_WRONLY), 10**10)
    if kind == "many": [open(f"f{n}", "w").close() for n in range(400)]
    if kind == "shout": print("x" * 2_000_000)
    if kind == "hang": import time; time.sleep(60)
    if kind == "signal": os.kill(os.getpid(), 15)
    if kind == "fail": sys.exit("no")
if __name__ == "__main__": main(sys.argv[1:])
"""
APP = """
import http.server, os
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    count = 0
    def do_GET(self):
        if self.path == "/chunks":
            self.send_response(200); self.send_header("Transfer-Encoding", "chunked"); self.end_headers()
            self.wfile.write(b"3\\r\\nabc\\r\\n2;x=y\\r\\nde\\r\\n0\\r\\nTrailer: 1\\r\\n\\r\\n"); return
        if self.path == "/old":
            self.send_response(302); self.send_header("Location", "/new"); self.send_header("Content-Length", "0")
            self.end_headers(); return
        Handler.count += 1
        self.answer(b'{"count": %d}' % Handler.count)
    def do_POST(self):
        self.answer(self.rfile.read(int(self.headers["Content-Length"])))
    def answer(self, body):
        self.send_response(200); self.send_header("Content-Length", str(len(body))); self.end_headers(); self.wfile.write(body)
    def log_message(self, *args): pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
"""


@pytest.fixture
def sut(tmp_path, monkeypatch):
    (tmp_path / "sol").mkdir()
    (tmp_path / "sol/tool.py").write_text(TOOL)
    (tmp_path / "sol/app.py").write_text(APP)
    (tmp_path / "sol/link").symlink_to("/etc/passwd")
    monkeypatch.setenv("SUT_DIR", str(tmp_path / "sol"))
    monkeypatch.setenv("SUT_SERVICE", f"exec {sys.executable} app.py")
    monkeypatch.syspath_prepend(KIT)
    for name in [name for name in sys.modules if name.partition(".")[0] == "sut"]:
        del sys.modules[name]
    yield importlib.import_module("sut")
    for door in sys.modules["sut.door"]._doors:
        door.shut()


def test_files_are_read_by_name(sut):
    assert sut.files(["tool.py", "write"], ["out.bin"], env={"MODE": "m"}) == {"out.bin": b"\xff\x00m"}
    assert sut.files(["-m", "tool", "deep"], ["d/x"]) == {"d/x": b"deep"}
    assert sut.read("tool.py") == TOOL.encode()


@pytest.mark.parametrize("word", ["", "link", "linked", "fifo", "sparse", "many", "shout", "fail"])
def test_what_is_no_file_of_the_command_is_broken(sut, word):
    started = time.monotonic()
    with pytest.raises(sut.Broken):
        sut.files(["tool.py", word], ["d/passwd" if word == "linked" else "out.bin"])
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("name", ["link", "../sol/tool.py", "/etc/passwd", "nothing", ""])
def test_only_files_of_the_tree_are_read(sut, name):
    with pytest.raises(sut.Broken):
        sut.read(name)


def test_a_command_that_hangs_or_dies_says_so(sut):
    with pytest.raises(sut.Broken, match="timeout"):
        sut.run(["tool.py", "hang"], timeout=0.5)
    assert sut.run(["tool.py", "signal"]).code == -15
    assert sut.run(["tool.py", "fail"]).stderr == "no\n"


def test_a_service_is_asked_over_http(sut):
    with sut.Service() as app:
        first = app.json("GET", "/x")["count"]
        assert app.get("/x").json() == {"count": first + 1}
        assert app.json("POST", "/echo", {"a": [1, 2.5, None]}) == {"a": [1, 2.5, None]}
        assert app.request("POST", "/echo", body=b"\xff").body == b"\xff"
        assert app.get("/chunks").text == "abcde"
        moved = app.get("/old")
        assert (moved.status, moved.headers["location"], moved.body) == (302, "/new", b"")
    with sut.Service() as again:
        assert again.json("GET", "/x")["count"] <= first  # a service of its own each time


def test_a_service_that_ends_or_never_comes_is_broken(sut):
    with pytest.raises(sut.Broken, match="ended before"), sut.Service("exit 3"):
        pass
    with pytest.raises(sut.Broken, match="ready"), sut.Service("sleep 60", total_s=0.5):
        pass
    with pytest.raises(ValueError, match="not a request"):
        importlib.import_module("sut.http").request_bytes("GET", "/a b", b"", {})


def test_a_service_that_says_both_at_once_is_broken_the_same_way(sut):
    """Its port and its end may come in one piece."""
    door, service = importlib.import_module("sut.door"), importlib.import_module("sut.service")
    ours, theirs = socket.socketpair()

    class Opens:
        def open(self, spec):
            theirs.sendall(b'{"port": 5}\n{"ended": 3}\n')
            return door.Line(self, 1, ours)

        def kill(self, number):
            pass

    with ours, theirs, pytest.MonkeyPatch.context() as patched:
        patched.setattr(service, "door", Opens)
        with pytest.raises(sut.Broken, match="ended before"), sut.Service("exit 3"):
            pass


def answer(sut, data, method="GET", close=True):
    """What the parser makes of bytes that a service sends."""
    http, door = importlib.import_module("sut.http"), importlib.import_module("sut.door")
    ours, theirs = socket.socketpair()

    class Nowhere:
        def kill(self, number):
            pass

    line = door.Line(Nowhere(), 1, ours)
    sender = threading.Thread(target=send, args=(theirs, data, close))
    sender.start()
    try:
        return http.parse(line, time.monotonic() + (5 if close else 0.3), method)
    finally:
        line.close()
        theirs.close()
        sender.join()


def send(sock, data, close):
    try:
        sock.sendall(data)
        if close:
            sock.shutdown(socket.SHUT_WR)
    except OSError:
        pass


OK = b"HTTP/1.1 200 OK\r\n"


@pytest.mark.parametrize(
    "data",
    [
        OK + b"Content-Length: 2\r\n\r\nhi",
        OK + b"\r\nhi",
        b"HTTP/1.0 200\r\n\r\nhi",
        b"HTTP/1.1 100 Continue\r\n\r\n" + OK + b"Content-Length: 2\r\n\r\nhi",
        OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
    ],
)
def test_one_way_to_be_framed(sut, data):
    assert answer(sut, data).body == b"hi"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"HTTP/1.1 200 OK\nContent-Length: 2\n\nhi",
        b"HTTP/2 200\r\n\r\n",
        b"SSH-2.0\r\n",
        OK + b"Content-Length: 2\r\n\r\nhi" + OK + b"Content-Length: 2\r\n\r\nno",
        OK + b"Content-Length: 2\r\nContent-Length: 2\r\n\r\nhi",
        OK + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nhi",
        OK + b"Content-Length: +2\r\n\r\nhi",
        OK + b"Content-Length: 3\r\n\r\nhi",
        OK + b"Content-Length: 9999999\r\n\r\nhi",
        OK + b"Transfer-Encoding: gzip\r\n\r\nhi",
        OK + b"Transfer-Encoding: chunked\r\n\r\n2\r\nhixx0\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n-2\r\nhi\r\n0\r\n\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n" + b"ffff\r\n" + b"x" * 65535 + b"\r\n" + b"ffff\r\n" * 3,
        OK + b"Transfer-Encoding: chunked\r\n\r\n" + (b"f0000\r\n" + b"x" * 0xF0000 + b"\r\n") * 2,
        OK + b"A : 1\r\n\r\n",
        OK + b" folded\r\n\r\n",
        OK + b"A: 1\r\n" * 200 + b"\r\n",
        OK + b"A: " + b"x" * 100_000,
        OK + b"\r\n" + b"x" * 3_000_000,
        b"HTTP/1.1 101 Up\r\n\r\n",
        b"HTTP/1.1 100 Continue\r\n\r\n" * 50_000,
    ],
)
def test_everything_else_is_broken(sut, data):
    with pytest.raises(sut.Broken):
        answer(sut, data)


def test_a_service_that_drips_is_broken_in_time(sut):
    started = time.monotonic()
    with pytest.raises(sut.Broken, match="timeout"):
        answer(sut, OK + b"Content-Length: 5\r\n\r\nhi", close=False)
    assert time.monotonic() - started < 10


def test_two_answers_at_once_are_none(sut):
    """A second line that came with the first one was asked for by nobody."""
    door = importlib.import_module("sut.door")
    ours, theirs = socket.socketpair()

    class Nowhere:
        def kill(self, number):
            pass

    with ours, theirs:
        theirs.sendall(b'{"id": 1}\n{"id": 1}\n')
        with pytest.raises(sut.Broken, match="more than one"):
            door.Line(Nowhere(), 1, ours).line(time.monotonic() + 5)
