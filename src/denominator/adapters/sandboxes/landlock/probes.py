"""What is tried beside the trials of every backend: here the host's own files, processes and sockets have names inside."""

from __future__ import annotations

__all__ = ["HARNESS", "OUTSIDE"]

# Writes one JSON object to descriptor 3. argv: in hexadecimal a file of the host, a folder that anybody may write, and a socket
# that somebody listens on; then a process of the harness's user.
OUTSIDE = r"""
import json, os, socket, sys
said = {}
file, folder, listener = (os.fsdecode(bytes.fromhex(word)) for word in sys.argv[1:4])
process = int(sys.argv[4])
def attempt(name, act):
    try:
        act()
        said[name] = "done"
    except OSError as error:
        said[name] = "refused: " + str(error.strerror or error)
def make(path):
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    os.unlink(path)
def reach(family, kind, address):
    with socket.socket(family, kind) as s:
        s.settimeout(1)
        s.connect(address)
attempt("read_file", lambda: open(file).close())
attempt("read_root", lambda: os.listdir("/"))
attempt("write_file", lambda: open(file, "r+").close())
attempt("make_file", lambda: make(folder + "/denominator-%d" % os.getpid()))
attempt("link_file", lambda: os.link(file, "linked"))
attempt("environ", lambda: open("/proc/%d/environ" % process, "rb").close() or open("/proc/%d/environ" % process, "rb").read())
attempt("memory", lambda: open("/proc/%d/mem" % process, "rb").close())
attempt("its_root", lambda: os.listdir("/proc/%d/root" % process))
attempt("signal", lambda: os.kill(process, 0))
attempt("metadata", lambda: os.utime(file))
attempt("path_socket", lambda: reach(socket.AF_UNIX, socket.SOCK_STREAM, listener))
attempt("datagram", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close())
attempt("netlink", lambda: socket.socket(16, socket.SOCK_RAW).close())
attempt("far", lambda: reach(socket.AF_INET, socket.SOCK_STREAM, ("192.0.2.1", 9)))
attempt("any_address", lambda: socket.socket().bind(("0.0.0.0", 0)))
os.write(3, json.dumps(said).encode())
"""

# A harness of its own that leaves an orphan in a sandbox. argv: where the package is, the workspace.
HARNESS = r"""
import sys
from pathlib import Path
sys.path[:0] = [sys.argv[1]]
from denominator.adapters.sandboxes.landlock.backend import Landlock
from denominator.adapters.sandboxes.probes import ORPHAN
from denominator.ports import Job, Limits
limits = Limits(wall_s=30, memory_bytes=64 << 20, processes=32, disk_bytes=8 << 20, file_bytes=1 << 20,
                open_files=64, output_bytes=4096)
Landlock().run(Job(argv=("sh", "-c", ORPHAN, "sh", "30"), role="agent", limits=limits, workdir=Path(sys.argv[2])))
"""
