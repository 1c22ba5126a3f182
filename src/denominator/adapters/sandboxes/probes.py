"""What is tried inside a sandbox to learn what it really holds: small programs that report what they could do."""

from __future__ import annotations

__all__ = ["DISK", "HARNESS", "MEMORY", "ORPHAN", "SELF", "WITH_PARENT"]

# Writes one JSON object to descriptor 3. argv: port of a listener of the host, name of an abstract socket of the host, numbers
# of calls that should be refused: each is made with senseless arguments, which the kernel would say before it does anything.
SELF = r"""
import ctypes, json, os, resource, socket, sys, time
said = {}
def attempt(name, act):
    try:
        said[name] = act()
    except OSError as error:
        said[name] = "refused: " + str(error.strerror or error)
def connect(family, address):
    with socket.socket(family, socket.SOCK_STREAM) as s:
        s.settimeout(1)
        s.connect(address)
    return "connected"
def status(word):
    for line in open("/proc/self/status"):
        if line.startswith(word + ":"):
            return line.split()[1]
def call(*arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.syscall(*arguments) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "done"
def passed(numbers):
    libc = ctypes.CDLL(None, use_errno=True)
    found, (ours, theirs) = [], os.pipe()
    child = os.fork()
    if child == 0:
        for number in numbers:
            ctypes.set_errno(0)
            libc.syscall(ctypes.c_long(number), *[ctypes.c_long(-1)] * 6)
            if ctypes.get_errno() != 1:
                os.write(theirs, b"%d " % number)
        os._exit(0)
    os.close(theirs)
    ended = os.waitpid(child, 0)[1]
    with os.fdopen(ours) as said:
        found = [int(word) for word in said.read().split()]
    return found + ([-1] if ended else [])
def nested():
    child = os.fork()
    if child == 0:
        try:
            libc = ctypes.CDLL(None, use_errno=True)
            os._exit(1 if libc.unshare(0x10000000) == 0 else 0)
        except BaseException:
            os._exit(0)
    return "opened" if os.waitpid(child, 0)[1] else "refused"
def forks():
    count, children = 0, []
    try:
        while count < 200:
            child = os.fork()
            if child == 0:
                time.sleep(30)
                os._exit(0)
            children.append(child)
            count += 1
    except OSError:
        pass
    for child in children:
        os.kill(child, 9)
        os.waitpid(child, 0)
    return count
def handles():
    held = []
    try:
        while len(held) < 5000:
            held.append(os.open("/dev/null", os.O_RDONLY))
    except OSError:
        pass
    for each in held:
        os.close(each)
    return len(held)
def big(path, size):
    written = 0
    with open(path, "wb", 0) as file:
        try:
            while written < size:
                written += file.write(bytes(65536))
        except OSError:
            pass
    os.unlink(path)
    return written
said["interfaces"] = sorted(line.split(":")[0].strip() for line in open("/proc/net/dev") if ":" in line)
attempt("loopback", lambda: connect(socket.AF_INET, ("127.0.0.1", int(sys.argv[1]))))
attempt("abstract", lambda: connect(socket.AF_UNIX, "\0" + sys.argv[2]))
attempt("vsock", lambda: socket.socket(40, socket.SOCK_STREAM).close() or "opened")
said["pids"] = sorted(int(name) for name in os.listdir("/proc") if name.isdigit())
attempt("first_environ", lambda: open("/proc/1/environ", "rb").read().decode("ascii", "replace"))
attempt("first_command", lambda: open("/proc/1/cmdline", "rb").read().decode("ascii", "replace"))
said["proc_sys_readonly"] = bool(os.statvfs("/proc/sys").f_flag & os.ST_RDONLY)
attempt("core_pattern", lambda: open("/proc/sys/kernel/core_pattern", "r+").close() or "opened")
said["core_piped"] = open("/proc/sys/kernel/core_pattern").read().startswith("|")
said["core_limit"] = list(resource.getrlimit(resource.RLIMIT_CORE))
said["uid"] = os.getuid()
said["words"] = {word: status(word) for word in ("CapEff", "CapPrm", "CapInh", "CapAmb", "NoNewPrivs", "Seccomp")}
attempt("keyctl", lambda: call({"x86_64": 250, "aarch64": 219}.get(os.uname().machine, -1), 0, -3, 0))
said["passed"] = passed([int(word) for word in sys.argv[3].split(",") if word])
said["nested"] = nested()
said["forks"] = forks()
said["handles"] = handles()
said["file"] = big(os.environ.get("TMPDIR", "/tmp") + "/big", 4 << 20)
os.write(1, bytes(200000))
os.write(3, json.dumps(said).encode())
"""

# Two processes that together need more than the limit in argv, each alone less; neither lets go before both have it.
MEMORY = r"""
import os, sys
share = int(sys.argv[1]) * 6 // 10
ready, wait = os.pipe(), os.pipe()
children = []
for _ in range(2):
    child = os.fork()
    if child == 0:
        os.close(ready[0])
        os.close(wait[1])
        held = bytearray(share)
        os.write(ready[1], b"x")
        os.close(ready[1])
        os.read(wait[0], 1)
        os._exit(0)
    children.append(child)
os.close(ready[1])
while os.read(ready[0], 1):
    pass
os.close(wait[1])
sys.exit(any(os.waitpid(child, 0)[1] for child in children))
"""

# Fills the workspace with small files up to argv bytes, then waits to be stopped. Exit 0: nothing stopped it.
DISK = r"""
import sys, time
try:
    for number in range(int(sys.argv[1]) // 65536):
        with open(str(number), "wb", 0) as file:
            if file.write(bytes(65536)) != 65536:
                sys.exit(3)
except OSError:
    sys.exit(3)
time.sleep(5)
"""

# Leaves a process in a session of its own that writes to `beat` for ever; $1 = how long the command itself stays.
ORPHAN = r"""
(setsid sh -c 'while :; do echo >> beat; sleep 0.02; done' >/dev/null 2>&1 </dev/null &)
while ! [ -s beat ]; do sleep 0.01; done
sleep "$1"
"""

# The beginning of a harness on trial: it is killed with the harness that tries it, however that one ends.
WITH_PARENT = """
import ctypes, os
ctypes.CDLL(None).prctl(1, 9)
if os.getppid() != {parent}:
    raise SystemExit
"""

# A harness of its own that runs ORPHAN in a sandbox. argv: where the package is, the workspace.
HARNESS = r"""
import sys
from pathlib import Path
sys.path[:0] = [sys.argv[1]]
from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.adapters.sandboxes.probes import ORPHAN
from denominator.ports import Job, Limits
limits = Limits(wall_s=30, memory_bytes=64 << 20, processes=32, disk_bytes=8 << 20, file_bytes=1 << 20,
                open_files=64, output_bytes=4096)
Bubblewrap().run(Job(argv=("sh", "-c", ORPHAN, "sh", "30"), role="agent", limits=limits, workdir=Path(sys.argv[2])))
"""
