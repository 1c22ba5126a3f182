"""The second layer of the filter: sockets of two kinds only, and every address is asked about.

A local stream socket and a TCP socket may be made; `bind`, `connect` and `listen` wait for the supervisor, which does them
itself or refuses. A pair of sockets is no way to datagrams: these can be sent to any name. What shares names, limits or
ports with other processes of the same user is refused: System V and POSIX queues, another process's resource limits and
place in the queue for a processor. A wish to share a port is heard and forgotten, as servers utter it without need.
"""

from __future__ import annotations

import errno
import platform
import socket
import struct
from dataclasses import dataclass

from denominator.adapters.sandboxes.seccomp import ALLOW, ERRNO, JEQ, JSET, LD_W_ABS, NUMBER, RET

__all__ = ["Numbers", "numbers", "program"]

ASK = 0x7FC00000
AND = 0x54
MSG_FASTOPEN = 0x20000000  # a connect in the clothes of a send
STREAM, SEQPACKET, TCP = 1, 5, 6
REUSEPORT = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class Numbers:
    """The calls of an instruction set that this layer looks at.

    `on_process` name a process first, where 0 is the caller: limits (prlimit64) and scheduling (param, scheduler,
    affinity, attr). `on_which` (setpriority, ioprio_set) say first, by the number beside them, that a process comes second.
    """

    asked: dict[str, int]
    denied: tuple[int, ...]
    sends: tuple[tuple[int, int], ...]
    socket: int
    socketpair: int
    setsockopt: int
    on_process: tuple[int, ...]
    on_which: tuple[tuple[int, int], ...]


TABLE = {
    "x86_64": Numbers(
        asked={"connect": 42, "bind": 49, "listen": 50},
        denied=(29, 30, 31, 64, 65, 66, 68, 69, 70, 71, 220, 240, 241),
        sends=((44, 3), (46, 2), (307, 3)),
        socket=41,
        socketpair=53,
        setsockopt=54,
        on_process=(302, 142, 144, 203, 314),
        on_which=((141, 0), (251, 1)),
    ),
    "aarch64": Numbers(
        asked={"connect": 203, "bind": 200, "listen": 201},
        denied=(186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 180, 181),
        sends=((206, 3), (211, 2), (269, 3)),
        socket=198,
        socketpair=199,
        setsockopt=208,
        on_process=(261, 118, 119, 122, 274),
        on_which=((140, 0), (30, 1)),
    ),
}


def numbers(machine: str | None = None) -> Numbers | None:
    """The numbers for a machine name (this machine's when not given), or None when there are none."""
    return TABLE.get(machine or platform.machine())


def _op(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("<HBBI", code, yes, no, value)


def _refuse(number: int) -> bytes:
    return _op(RET, ERRNO | number)


def _only_for(number: int, body: bytes) -> bytes:
    return _op(JEQ, number, 0, len(body) // 8) + body


def _local() -> bytes:
    """Argument 1 is the kind with flags: streams and records, which go to their one peer."""
    kind = _op(LD_W_ABS, 16 + 8) + _op(AND, 15)
    return kind + _op(JEQ, STREAM, 2, 0) + _op(JEQ, SEQPACKET, 1, 0) + _refuse(errno.EPROTONOSUPPORT) + _op(RET, ALLOW)


def _sockets() -> bytes:
    """Argument 0 is the family, 1 the kind with flags, 2 the protocol."""
    wanted = _op(LD_W_ABS, 16 + 16) + _op(JEQ, 0, 2, 0) + _op(JEQ, TCP, 1, 0)
    tcp = _op(LD_W_ABS, 16 + 8) + _op(AND, 15) + _op(JEQ, STREAM, 1, 0) + _refuse(errno.EPROTONOSUPPORT)
    tcp += wanted + _refuse(errno.EPROTONOSUPPORT) + _op(RET, ALLOW)
    body = _op(LD_W_ABS, 16)
    body += _only_for(socket.AF_UNIX, _local())
    body += _only_for(socket.AF_INET, tcp)
    return body + _refuse(errno.EAFNOSUPPORT)


def _shared_port() -> bytes:
    """Arguments 1 and 2 are level and name: SO_REUSEPORT does nothing, and succeeds."""
    body = _op(LD_W_ABS, 16 + 8) + _op(JEQ, socket.SOL_SOCKET, 1, 0) + _op(RET, ALLOW)
    return body + _op(LD_W_ABS, 16 + 16) + _op(JEQ, REUSEPORT, 0, 1) + _refuse(0) + _op(RET, ALLOW)


def _of_itself(at: int) -> bytes:
    """The argument `at` is a process: the caller."""
    return _op(LD_W_ABS, 16 + 8 * at) + _op(JEQ, 0, 1, 0) + _refuse(errno.EPERM) + _op(RET, ALLOW)


def program(known: Numbers) -> bytes:
    """The classic BPF program. The first layer has looked at the instruction set already."""
    code = _op(LD_W_ABS, NUMBER)
    for number in known.denied:
        code += _op(JEQ, number, 0, 1) + _refuse(errno.EPERM)
    for number in known.asked.values():
        code += _op(JEQ, number, 0, 1) + _op(RET, ASK)
    code += _only_for(known.socket, _sockets())
    for number, flags in known.sends:
        look = (
            _op(LD_W_ABS, 16 + 8 * flags) + _op(JSET, MSG_FASTOPEN, 0, 1) + _refuse(errno.EOPNOTSUPP) + _op(RET, ALLOW)
        )
        code += _only_for(number, look)
    code += _only_for(known.socketpair, _local())
    code += _only_for(known.setsockopt, _shared_port())
    for number in known.on_process:
        code += _only_for(number, _of_itself(0))
    for number, process in known.on_which:
        which = _op(LD_W_ABS, 16) + _op(JEQ, process, 1, 0) + _refuse(errno.EPERM)
        code += _only_for(number, which + _of_itself(1))
    return code + _op(RET, ALLOW)
