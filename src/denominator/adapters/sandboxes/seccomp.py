"""The system call filter, built by hand: what an honest build or test never needs is refused.

A denied call fails with an error number (programs carry on); a foreign instruction set kills the process,
because its numbers mean other calls. A call that is newer than this table is answered as one that the kernel
does not have, and so are the numbers of x32. The filter is a third fence behind the uid and the namespaces: it closes
nested user namespaces, tracing, kernel keyrings, io_uring, bpf, terminal injection, and socket families that no
network namespace covers (vsock).
"""

from __future__ import annotations

import errno
import platform
import struct
from dataclasses import dataclass

__all__ = ["Arch", "arch", "program", "tried"]

LD_W_ABS, JEQ, JGE, JSET, RET = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
NUMBER, ARCH = 0, 4  # offsets in struct seccomp_data; the low half of argument n is at 16 + 8n (little endian)
CLONE_NEW = 0x7E020000  # NEWNS NEWCGROUP NEWUTS NEWIPC NEWUSER NEWPID NEWNET
SOCKET_FAMILIES = (1, 2, 10, 16)  # unix, inet, inet6, netlink
TERMINAL_INJECTION = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
NEWEST = 469  # file_setattr. What a later kernel adds was never looked at here: it is answered as absent

# Numbers that both instruction sets share: everything after 424 was added everywhere at once.
SHARED = {
    "pidfd_getfd": 438,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "memfd_secret": 447,
    "statmount": 457,
    "listmount": 458,
    "open_tree_attr": 467,
}
# The numbers on x86_64 and on aarch64.
OWN = {
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "setns": (308, 268),
    "unshare": (272, 97),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "userfaultfd": (323, 282),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "reboot": (169, 142),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "syslog": (103, 116),
    "acct": (163, 89),
    "quotactl": (179, 60),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "lookup_dcookie": (212, 18),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "clock_adjtime": (305, 266),
    "adjtimex": (159, 171),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "vhangup": (153, 58),
}
X86_ONLY = {"iopl": 172, "ioperm": 173, "modify_ldt": 154, "uselib": 134, "_sysctl": 156, "nfsservctl": 180}


@dataclass(frozen=True, slots=True, kw_only=True)
class Arch:
    """An instruction set: its audit word, the calls denied outright, and the numbers of the calls looked into."""

    audit: int
    denied: tuple[int, ...]
    clone: int
    ioctl: int
    socket: int
    socketpair: int
    clone3: int = 435


def arch(machine: str | None = None) -> Arch | None:
    """The tables for a machine name (this machine's when not given), or None when there are none."""
    name = machine or platform.machine()
    own = (numbers[0] if name == "x86_64" else numbers[1] for numbers in OWN.values())
    denied = (*own, *SHARED.values())
    if name == "x86_64":
        return Arch(
            audit=0xC000003E,
            denied=(*denied, *X86_ONLY.values()),
            clone=56,
            ioctl=16,
            socket=41,
            socketpair=53,
        )
    if name == "aarch64":
        return Arch(audit=0xC00000B7, denied=denied, clone=220, ioctl=29, socket=198, socketpair=199)
    return None


def tried() -> tuple[int, ...]:
    """The denied calls that a self-test makes on this machine: those that every engine's library has a name for."""
    here = arch()
    return tuple(number for number in here.denied if number <= SHARED["pidfd_getfd"]) if here else ()


def _op(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("<HBBI", code, yes, no, value)


def _argument(index: int) -> bytes:
    return _op(LD_W_ABS, 16 + 8 * index)


def _when_argument(number: int, index: int, code: int, values: tuple[int, ...], answer: int) -> bytes:
    """For call `number`: `answer` when any test of its argument holds, else allow."""
    body = _argument(index)
    for value in values:
        body += _op(code, value, 0, 1) + _op(RET, answer)
    body += _op(RET, ALLOW)
    return _op(JEQ, number, 0, len(body) // 8) + body


def _only_argument(number: int, index: int, values: tuple[int, ...], answer: int) -> bytes:
    """For call `number`: allow when its argument is one of `values`, else `answer`."""
    body = _argument(index)
    for value in values:
        body += _op(JEQ, value, 0, 1) + _op(RET, ALLOW)
    body += _op(RET, answer)
    return _op(JEQ, number, 0, len(body) // 8) + body


def program(target: Arch) -> bytes:
    """The classic BPF program, as the kernel reads it (8 bytes an instruction)."""
    no, absent = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS
    code = _op(LD_W_ABS, ARCH) + _op(JEQ, target.audit, 1, 0) + _op(RET, KILL)
    code += _op(LD_W_ABS, NUMBER)
    code += _op(JGE, NEWEST + 1, 0, 1) + _op(RET, absent)
    for number in sorted(target.denied):
        code += _op(JEQ, number, 0, 1) + _op(RET, no)
    # libc falls back from clone3 to clone, whose flags can be looked at.
    code += _op(JEQ, target.clone3, 0, 1) + _op(RET, absent)
    code += _when_argument(target.clone, 0, JSET, (CLONE_NEW,), no)
    code += _when_argument(target.ioctl, 1, JEQ, TERMINAL_INJECTION, no)
    for number in (target.socket, target.socketpair):
        code += _only_argument(number, 0, SOCKET_FAMILIES, ERRNO | errno.EAFNOSUPPORT)
    return code + _op(RET, ALLOW)
