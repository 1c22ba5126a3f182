"""Turns a job into orders for the supervisor, and says limit by limit what will enforce it."""

from __future__ import annotations

import base64
import contextlib
import os
import socket
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from denominator.adapters.sandboxes import seccomp
from denominator.adapters.sandboxes.control_group import Group
from denominator.adapters.sandboxes.host_paths import list_on_host, message_on_host, on_host
from denominator.adapters.sandboxes.landlock import filters
from denominator.adapters.sandboxes.landlock.orders import Orders
from denominator.adapters.sandboxes.landlock.showing import given, mounted, own_folders, system
from denominator.adapters.sandboxes.layout import Machine, environment, own_package
from denominator.adapters.sandboxes.spawn import Order, memory_file, rlimits
from denominator.errors import MachineError
from denominator.ports import Job

__all__ = ["Prepared", "prepare", "writable"]

BOOT = (
    "import sys; sys.path[:0] = [sys.argv[1]]; from denominator.adapters.sandboxes.landlock.supervisor import main; "
    "main(int(sys.argv[2]), sys.argv[3:])"
)
PLACES = ("/run", "/opt")
"""One of these is covered, in mounts of the sandbox's own, where root shows folders that lie behind closed ones."""


class Host(Protocol):
    """What is asked of the sandbox that prepares."""

    as_user: bool
    machine: Machine

    def ids(self, role: str, slot: int) -> tuple[int, int]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A job ready to start. `passed` are for the new process; `lifeline` stays with the harness."""

    order: Order
    passed: tuple[int, ...]
    lifeline: socket.socket
    enforced: dict[str, str]


def prepare(job: Job, host: Host, group: Group | None, scratch: Path, undo: contextlib.ExitStack) -> Prepared:
    """Make what the job needs; `undo` takes it away. Raises MachineError for a mount that is not there."""
    uid, gid = host.ids(job.role, job.slot)
    shown = [*own_folders(job, scratch, None if host.as_user else (uid, gid)), *mounted(job)]
    if gone := [each for each in shown if not each.host.exists()]:
        raise MachineError(f"{gone[0].host} is not there", where=gone[0].inside, fix="make it, or mount something else")
    base = "" if host.as_user else _base(host.machine)
    at = {each.inside: Path(base, str(number)) if base else each.host for number, each in enumerate(shown)}
    ours, theirs = socket.socketpair()
    undo.callback(theirs.close)
    orders = Orders(
        lifeline=theirs.fileno(),
        grants=(*system(host.machine), *given(shown, host.machine, at if base else {})),
        filters=_filters(),
        uid=-1 if host.as_user else uid,
        gid=-1 if host.as_user else gid,
        places=base,
    )
    packed = memory_file(orders.packed())
    undo.callback(os.close, packed)
    paths = {**at, **{str(path): path for path in host.machine.toolchain}}
    env = {name: list_on_host(value, paths) for name, value in environment(job, host.machine.toolchain).items()}
    order = Order(
        bwrap="",
        options=(),
        drop=(),
        limits=_rlimits(job, host, group),
        argv=[on_host(word, paths) for word in job.argv],
        env=env,
        cwd=on_host(job.cwd, paths),
        stdin=message_on_host(job.stdin, paths),
        report=job.report,
        supervisor=(sys.executable, "-I", "-S", "-B", "-c", BOOT, str(own_package().parent), str(packed)),
    )
    return Prepared(order=order, passed=(packed, theirs.fileno()), lifeline=ours, enforced=_enforced(job, host, group))


def _base(machine: Machine) -> str:
    taken = [Path(bind.host) for bind in (*machine.system, *machine.late)]
    for place in PLACES:
        if Path(place).is_dir() and not any(Path(place) in path.parents for path in taken):
            return place
    raise MachineError("there is no folder to show things in", where=" or ".join(PLACES), fix="make an empty /opt")


def _filters() -> tuple[str, ...]:
    here, second = seccomp.arch(), filters.numbers()
    if here is None or second is None:
        raise MachineError("there is no system call filter for this machine's instruction set")
    return tuple(base64.b64encode(each).decode() for each in (seccomp.program(here), filters.program(second)))


def _tasks_of(uid: int) -> int:
    """Threads that this user has now: the limit on processes counts them all."""
    count = 0
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if folder.name.isdigit() and folder.stat().st_uid == uid:
                count += len(list((folder / "task").iterdir()))
    return count


def _rlimits(job: Job, host: Host, group: Group | None) -> list[str]:
    limits = job.limits
    others = _tasks_of(os.getuid()) if host.as_user else 0
    return [
        *rlimits(
            file_bytes=limits.file_bytes,
            open_files=limits.open_files,
            processes=None if group and group.pids else others + limits.processes,
            address_bytes=None if group and group.memory else limits.memory_bytes,
        ),
        f"ulimit -HSt {int(limits.wall_s) + 1}",
    ]


def writable(job: Job, scratch: Path) -> list[Path]:
    """What is measured: every folder that the command may write."""
    given = [job.workdir, job.outdir, *(mount.host for mount in job.mounts if mount.writable)]
    return [scratch, *(path for path in given if path and path.is_dir())]


def _enforced(job: Job, host: Host, group: Group | None) -> dict[str, str]:
    limits = job.limits
    who = "beyond what this user has already" if host.as_user else "per uid"
    said = {
        "wall": f"{int(limits.wall_s * 1000)} ms harness",
        "memory": f"{limits.memory_bytes} rlimit, per process",
        "processes": f"{limits.processes} rlimit, {who}",
        "disk": f"{limits.disk_bytes} polled",
        "file": f"{limits.file_bytes} rlimit",
        "open_files": f"{limits.open_files} rlimit",
        "output": f"{limits.output_bytes} harness, each of stdout and stderr",
    }
    return {**said, **(group.enforced if group else {})}
