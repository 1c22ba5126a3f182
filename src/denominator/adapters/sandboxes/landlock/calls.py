"""The system calls of Landlock and of a supervised filter, which the standard library lacks. Failures raise OSError."""

from __future__ import annotations

import ctypes
import os
import platform
import struct

__all__ = [
    "LEAST_ABI",
    "abi",
    "add_path",
    "close_privileges",
    "die_with_parent",
    "drop_bounding_set",
    "install_filter",
    "open_beneath",
    "restrict",
    "ruleset",
    "same_file",
    "take_orphans",
]

LEAST_ABI = 6
"""Before it (Linux 6.12) nothing keeps a command from signals to the harness of the same user, or from abstract sockets."""
CREATE, ADD, RESTRICT = 444, 445, 446  # the same numbers on every instruction set
VERSION_FLAG, PATH_BENEATH = 1, 1
PIDFD_GETFD, OPENAT2 = 438, 437
SECCOMP = {"x86_64": 317, "aarch64": 277}
PR_SET_PDEATHSIG, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 22, 24
PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 36, 38
NEW_LISTENER = 8
RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH = 2, 4, 8


def _call(number: int, *arguments: object) -> int:
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    done: int = libc.syscall(ctypes.c_long(number), *words)
    if done < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return done


def _prctl(*arguments: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(*[ctypes.c_ulong(each) for each in arguments]) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def abi() -> int:
    """The version of Landlock in this kernel; 0 where there is none."""
    try:
        return _call(CREATE, None, 0, VERSION_FLAG)
    except OSError:
        return 0


def ruleset(files: int, network: int, scopes: int) -> int:
    """A descriptor of rules that refuse all of these rights until a path gives some back."""
    attributes = struct.pack("=QQQ", files, network, scopes)
    return _call(CREATE, ctypes.c_char_p(attributes), len(attributes), 0)


def add_path(rules: int, rights: int, folder: int) -> None:
    """Give rights at and below an open folder, or on an open file."""
    _call(ADD, rules, PATH_BENEATH, ctypes.c_char_p(struct.pack("=Qi", rights, folder)), 0)


def restrict(rules: int) -> None:
    """Put this thread under the rules for ever, and all that it starts."""
    _call(RESTRICT, rules, 0)
    os.close(rules)


def close_privileges() -> None:
    """No program gains rights any more."""
    _prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def drop_bounding_set() -> None:
    """Take every capability out of what could be had again. Root only."""
    number = 0
    while True:
        try:
            _prctl(PR_CAPBSET_DROP, number, 0, 0, 0)
        except OSError:  # past the last one
            return
        number += 1


def take_orphans() -> None:
    """Descendants whose parents died become children of this process."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def die_with_parent(parent: int) -> None:
    """SIGKILL when the parent ends; at once when it has ended already."""
    _prctl(PR_SET_PDEATHSIG, 9, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(125)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def install_filter(code: bytes, *, listen: bool = False) -> int:
    """Put this thread under a filter program; with `listen` a descriptor comes back, on which some calls are asked about."""
    program = _Program(len(code) // 8, code)
    number = SECCOMP[platform.machine()]
    return _call(number, 1, NEW_LISTENER if listen else 0, ctypes.byref(program))


def same_file(process: int, number: int) -> int:
    """A descriptor of ours for the open file of another process."""
    return _call(PIDFD_GETFD, process, number, 0)


def open_beneath(folder: int, path: str) -> int:
    """Open a path below a folder for its name only; a link on the way is refused."""
    how = struct.pack(
        "=QQQ", os.O_PATH | os.O_CLOEXEC, 0, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS
    )
    return _call(OPENAT2, folder, ctypes.c_char_p(os.fsencode(path)), ctypes.c_char_p(how), len(how))
