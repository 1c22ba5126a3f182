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
import ctypes, fcntl, json, os, resource, select, signal, socket, sys, threading, time
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
def shared():
    s = socket.socket()
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    return s
def shared_host_port():
    with shared() as s:
        s.bind(("127.0.0.1", port))
    stream(socket.AF_INET, ("127.0.0.1", port))
def own_shared():
    s = shared()
    s.bind(("127.0.0.1", 0))
    return own(s, socket.create_connection)
def swapped():  # another socket takes the place of the one that was looked at
    for turn in range(300):
        good, bad = bound(socket.AF_INET, ("127.0.0.1", 0)), socket.socket()
        with good, bad:
            place = os.dup(good.fileno())
            swap = threading.Thread(target=lambda: (time.sleep(turn % 8 * 0.0004), os.dup2(bad.fileno(), place)))
            swap.start()
            if not turn:
                swap.join()
            libc.listen(place, 1)
            swap.join()
            os.close(place)
            if bad.getsockname()[1]:
                return "listens on " + bad.getsockname()[0]
    raise OSError("never")
def datagram_of_a_pair(kind):
    for each in socket.socketpair(socket.AF_UNIX, kind):
        each.sendto(b"x", host + "/d")
        each.close()
def dial(address):
    s = socket.socket(socket.AF_UNIX)
    s.connect(address)
    return s
attempt("own_port", lambda: own(bound(socket.AF_INET, ("127.0.0.1", 0)), socket.create_connection))
attempt("own_socket", lambda: own(bound(socket.AF_UNIX, "listener"), dial))
attempt("own_shared_port", own_shared)
attempt("own_priority", lambda: os.setpriority(os.PRIO_PROCESS, 0, os.getpriority(os.PRIO_PROCESS, 0) + 1))
attempt("own_processors", lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)))
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
attempt("datagram_of_a_pair", lambda: datagram_of_a_pair(socket.SOCK_DGRAM))
attempt("raw_of_a_pair", lambda: datagram_of_a_pair(socket.SOCK_RAW))
attempt("shared_host_port", shared_host_port)
attempt("swapped", swapped)
attempt("multipath", lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM, 262).close())
attempt("packet", lambda: socket.socket(16, socket.SOCK_RAW).close())
attempt("any_port", lambda: bound(socket.AF_INET, ("0.0.0.0", 0)).close())
attempt("unbound", lambda: socket.socket().listen())
attempt("fast_open", lambda: str(socket.socket().sendto(b"x", 0x20000000, ("127.0.0.1", port))))
attempt("queue", lambda: looked({"x86_64": 29, "aarch64": 194}[os.uname().machine]))
attempt("signal", lambda: os.kill(harness, 0))
attempt("signal_by_descriptor", lambda: signal.pidfd_send_signal(os.pidfd_open(harness), 0))
attempt("other_limits", lambda: str(resource.prlimit(harness, resource.RLIMIT_CORE)))
attempt("priority", lambda: os.setpriority(os.PRIO_PROCESS, harness, os.getpriority(os.PRIO_PROCESS, harness)))
attempt("priority_of_all", lambda: os.setpriority(os.PRIO_PGRP, 0, os.getpriority(os.PRIO_PGRP, 0)))
attempt("processors", lambda: os.sched_setaffinity(harness, os.sched_getaffinity(harness)))
attempt("scheduler", lambda: os.sched_setscheduler(harness, os.sched_getscheduler(harness), os.sched_param(0)))
attempt("its_disk_priority", lambda: call({"x86_64": 251, "aarch64": 30}[os.uname().machine], 1, harness, 0))
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
    with (
        tempfile.TemporaryDirectory() as base,
        socket.socket() as tcp,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as letters,
    ):
        folder = Path(base)
        host, given = folder / "host", folder / "given"
        host.mkdir()
        given.mkdir()
        (host / "word").write_text("of the host")
        letters.bind(str(host / "d"))
        tcp.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
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
