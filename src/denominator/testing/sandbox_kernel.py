"""What a sandbox shares with the next one and with the machine's settings: nothing that lasts, nothing that can be changed."""

from __future__ import annotations

from collections.abc import Sequence

from denominator.testing.sandbox_bench import Bench, Check, how, unless

__all__ = ["KERNEL"]

# Leaves a word in everything that outlives a process, or says which words of a neighbour it found.
LEFT = r"""
import ctypes, os, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
leave, key, found = sys.argv[1] == "leave", 0x64656e6f, []
more = 0o1600 if leave else 0
for name, size in (("shmget", (4096,)), ("semget", (1,)), ("msgget", ())):
    if getattr(libc, name)(key, *size, more) >= 0:
        found.append(name)
for path in ("/dev/shm/left", "/tmp/left", os.environ["HOME"] + "/left", "/dev/mqueue/left"):
    if leave:
        try:
            open(path, "w").close()
        except OSError:
            pass
    if os.path.exists(path):
        found.append(path)
with socket.socket(socket.AF_UNIX) as door:
    try:
        door.bind("\0left") if leave else door.connect("\0left")
        found.append("abstract socket")
    except OSError:
        pass
print(" ".join(found))
"""

# Each line: what should be refused. What an engine has covered with /dev/null is as good as closed.
KNOBS = r"""
import os, socket, stat
said = []
def attempt(name, act):
    try:
        act()
        said.append(name)
    except OSError:
        pass
def write(path):
    if stat.S_ISCHR(os.stat(path).st_mode):
        raise OSError
    os.close(os.open(path, os.O_WRONLY))
for path in ("/proc/sysrq-trigger", "/proc/kcore", "/proc/kmsg", "/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe",
             "/proc/sys/kernel/ns_last_pid", "/proc/sys/fs/binfmt_misc/register", "/sys/kernel/uevent_helper",
             "/sys/fs/cgroup/cgroup.procs",
             "/proc/timer_list", "/proc/irq/default_smp_affinity", "/proc/acpi/wakeup"):
    attempt(path, lambda: write(path))
attempt("a device", lambda: os.mknod("/tmp/device", 0o660 | stat.S_IFCHR, os.makedev(1, 1)))
attempt("another root", lambda: os.chroot("/tmp"))
attempt("another uid", lambda: os.setuid(0))
attempt("another group", lambda: os.setgroups([0]))
attempt("before its neighbours", lambda: os.setpriority(os.PRIO_PROCESS, 0, -5))
attempt("in real time", lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1)))
attempt("spared when memory ends", lambda: open("/proc/self/oom_score_adj", "w", 1).write("-1000\n"))
attempt("raw packets", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 255))
attempt("packets of the link", lambda: socket.socket(17, socket.SOCK_RAW, 0))
attempt("a kernel's cipher", lambda: socket.socket(38, socket.SOCK_SEQPACKET, 0))
attempt("a terminal", lambda: os.open("/dev/tty", os.O_RDWR))
print(", ".join(said))
"""


def phases_share_nothing(bench: Bench) -> list[str]:
    """What one sandbox leaves in shared memory, queues, folders and names, the next one of the same user does not find."""
    first, second = bench.py(LEFT, "leave"), bench.py(LEFT, "look")
    found = unless(b"shmget" in first.stdout and b"/tmp/left" in first.stdout, f"nothing could be left: {how(first)}")
    return found + unless(second.exit_code == 0 and not second.stdout.strip(), f"found what was left: {how(second)}")


def settings_of_the_machine_are_closed(bench: Bench) -> list[str]:
    """No setting, device, right, rank or kind of socket that reaches beyond the sandbox can be had."""
    ended = bench.py(KNOBS)
    return unless(ended.exit_code == 0 and not ended.stdout.strip(), f"not refused: {how(ended)}")


KERNEL: Sequence[Check] = (phases_share_nothing, settings_of_the_machine_are_closed)
