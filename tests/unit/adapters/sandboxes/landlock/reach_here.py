"""What a hostile command of the harness's own user can reach from inside: one JSON object of "refused: ..." or what was done."""

import os
import socket
import sys
import tempfile
from pathlib import Path

from denominator.adapters.sandboxes.bare import Bare
from denominator.adapters.sandboxes.landlock.backend import Landlock
from denominator.ports import Job, Mount
from denominator.testing.sandbox_suite import LIMITS

INSIDE = r"""
import ctypes, fcntl, json, os, resource, select, signal, socket, sys
host, port, harness, shown = sys.argv[1] + sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
libc = ctypes.CDLL(None, use_errno=True)
said = {}
def attempt(name, act):
    try:
        said[name] = act() or "done"
    except OSError as error:
        said[name] = "refused: " + str(error)
def call(*words):
    if libc.syscall(*[ctypes.c_long(w) if isinstance(w, int) else w for w in words]) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
def looked(number):
    try:
        call(number, 0x1234567, 0, 0)
    except FileNotFoundError:
        return "looked for, nothing there"
def stream(family, address):
    with socket.socket(family) as s:
        s.settimeout(1)
        s.connect(address)
def own(listener, dial):
    with listener:
        listener.listen()
        with dial(listener.getsockname()) as there, listener.accept()[0] as here:
            there.sendall(b"hello")
            return here.recv(9).decode()
def bound(family, address):
    s = socket.socket(family)
    s.bind(address)
    return s
def dial(address):
    s = socket.socket(socket.AF_UNIX)
    s.connect(address)
    return s
attempt("own_port", lambda: own(bound(socket.AF_INET, ("127.0.0.1", 0)), socket.create_connection))
attempt("own_socket", lambda: own(bound(socket.AF_UNIX, "listener"), dial))
attempt("given_socket", lambda: stream(socket.AF_UNIX, shown + "/s"))
attempt("host_port", lambda: stream(socket.AF_INET, ("127.0.0.1", port)))
attempt("host_socket", lambda: stream(socket.AF_UNIX, host + "/s"))
os.symlink(host + "/s", "way")
attempt("host_socket_by_link", lambda: stream(socket.AF_UNIX, "way"))
os.symlink(host, "ways")
attempt("host_socket_by_folder", lambda: stream(socket.AF_UNIX, os.getcwd() + "/ways/s"))
attempt("host_socket_by_dots", lambda: stream(socket.AF_UNIX, shown + "/../host/s"))
attempt("host_socket_by_hard_link", lambda: os.link(host + "/s", "hard"))
attempt("six", lambda: socket.socket(socket.AF_INET6).close())
attempt("datagram", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close())
attempt("local_datagram", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).close())
attempt("multipath", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262).close())
attempt("packet", lambda: socket.socket(16, socket.SOCK_RAW).close())
attempt("any_port", lambda: bound(socket.AF_INET, ("0.0.0.0", 0)).close())
attempt("unbound", lambda: socket.socket().listen())
attempt("fast_open", lambda: str(socket.socket().sendto(b"x", 0x20000000, ("127.0.0.1", port))))
attempt("queue", lambda: looked({"x86_64": 29, "aarch64": 194}[os.uname().machine]))
attempt("signal", lambda: os.kill(harness, 0))
attempt("signal_by_descriptor", lambda: signal.pidfd_send_signal(os.pidfd_open(harness), 0))
attempt("other_limits", lambda: str(resource.prlimit(harness, resource.RLIMIT_CORE)))
attempt("its_environment", lambda: len(open("/proc/%d/environ" % harness, "rb").read()) and "read")
attempt("its_memory", lambda: open("/proc/%d/mem" % harness, "rb").close())
attempt("its_files", lambda: os.readlink("/proc/%d/fd/0" % harness))
attempt("its_file", lambda: open("/proc/%d/fd/0" % harness).close())
attempt("its_folder", lambda: str(os.listdir("/proc/%d/cwd" % harness)))
attempt("host_file", lambda: open(host + "/word").read())
attempt("host_file_written", lambda: open(host + "/word", "a").close())
attempt("host_file_cut", lambda: os.truncate(host + "/word", 1))
attempt("host_folder", lambda: str(os.listdir(host)))
attempt("host_made", lambda: os.mkdir(host + "/made%d" % os.getpid()))
attempt("host_renamed", lambda: os.rename("listener", host + "/listener%d" % os.getpid()))
print(json.dumps(said))
"""
"""Paths of the host come in two words with a slash before: so none is taken for a path inside."""


def main() -> None:
    with tempfile.TemporaryDirectory() as base, socket.socket() as tcp:
        folder = Path(base)
        host, given = folder / "host", folder / "given"
        host.mkdir()
        given.mkdir()
        (host / "word").write_text("of the host")
        tcp.bind(("127.0.0.1", 0))
        tcp.listen()
        listeners = [socket.socket(socket.AF_UNIX) for _ in range(2)]
        for listener, place in zip(listeners, (host, given), strict=True):
            listener.bind(str(place / "s"))
            listener.listen()
        box = Bare() if sys.argv[1:] == ["bare"] else Landlock()
        half = len(str(host)) // 2
        words = (f"/{str(host)[:half]}", str(host)[half:], str(tcp.getsockname()[1]), str(os.getpid()), "/given")
        work = box.workspace(folder / "work", role="agent", slot=0, disk_bytes=LIMITS.disk_bytes)
        argv = ("/usr/bin/python3", "-I", "-S", "-c", INSIDE, *words)
        mounts = (Mount(host=given, inside="/given"),)
        ended = box.run(Job(argv=argv, role="agent", limits=LIMITS, workdir=work, mounts=mounts))
        box.discard(work)
        box.close()
    if ended.exit_code:
        sys.exit(f"{ended}")
    print(ended.stdout.decode())


main()
