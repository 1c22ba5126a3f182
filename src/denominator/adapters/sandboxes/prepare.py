"""Turns a job into what is to be started, and says limit by limit what will enforce it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from denominator.adapters.sandboxes import seccomp
from denominator.adapters.sandboxes.argv import options
from denominator.adapters.sandboxes.control_group import Group
from denominator.adapters.sandboxes.layout import PARTS, Machine, environment, etc_files, view
from denominator.adapters.sandboxes.removal import disk_use
from denominator.adapters.sandboxes.spawn import Order, memory_file, rlimits
from denominator.adapters.sandboxes.weakened import Weakened
from denominator.adapters.sandboxes.workspaces import Disk, Workspaces
from denominator.ports import Job

__all__ = ["Prepared", "Weakened", "prepare"]


class Host(Protocol):
    """What is asked of the sandbox that prepares."""

    as_user: bool
    machine: Machine
    workspaces: Workspaces
    bwrap: str
    weakened: Weakened
    arch: seccomp.Arch | None

    def ids(self, role: str, slot: int) -> tuple[int, int]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A job ready to start. `over_disk` is None when nothing needs to be measured."""

    order: Order
    passed: tuple[int, ...]
    enforced: dict[str, str]
    over_disk: Callable[[], bool] | None


def prepare(job: Job, host: Host, group: Group | None, undo: contextlib.ExitStack) -> Prepared:
    """Make the folders and files that the job needs; `undo` takes them away."""
    ids = host.ids(job.role, job.slot)
    disk = host.workspaces.holding(job.workdir) if job.workdir else None
    scratch = undo.enter_context(host.workspaces.scratch(disk, ids)) if disk else None
    files = {inside: memory_file(data) for inside, data in etc_files(*ids).items()}
    bpf = memory_file(seccomp.program(host.arch)) if host.arch else None
    passed = (*files.values(), *(() if bpf is None else (bpf,)))
    for number in passed:
        undo.callback(os.close, number)
    shown = view(job, host.machine, scratch=scratch, files=files, seccomp=bpf)
    measured = _measured(job, host.workspaces)
    limit = job.limits.disk_bytes if disk else job.limits.disk_bytes * PARTS["/work"] // 16
    order = Order(
        bwrap=host.bwrap,
        options=host.weakened.options(options(shown)),
        drop=() if host.as_user else host.weakened.drop(ids),
        limits=_rlimits(job, host, group),
        argv=job.argv,
        env=environment(job, host.machine.toolchain),
        cwd=job.cwd,
        stdin=job.stdin,
        report=job.report,
    )
    return Prepared(
        order=order,
        passed=passed,
        enforced=_enforced(job, group, disk, measured),
        over_disk=(lambda: disk_use(measured, limit) > limit) if measured else None,
    )


def _rlimits(job: Job, host: Host, group: Group | None) -> list[str]:
    """Limits per process; those on memory and processes only where no control group has them."""
    bare = host.weakened.cgroups
    words = rlimits(
        file_bytes=job.limits.file_bytes,
        open_files=job.limits.open_files,
        processes=None if bare or (group and group.pids) else job.limits.processes,
        address_bytes=None if bare or (group and group.memory) else job.limits.memory_bytes,
    )
    return host.weakened.limits(words)


def _measured(job: Job, workspaces: Workspaces) -> list[Path]:
    """The writable host folders that have no size of their own."""
    writable = [job.workdir, job.outdir, *(mount.host for mount in job.mounts if mount.writable)]
    return [path for path in writable if path and path.is_dir() and not workspaces.holding(path)]


def _enforced(job: Job, group: Group | None, disk: Disk | None, measured: list[Path]) -> dict[str, str]:
    limits = job.limits
    disks = [f"{disk.size} tmpfs"] if disk else []
    disks += [f"{limits.disk_bytes} polled"] if measured else []
    said = {
        "wall": f"{int(limits.wall_s * 1000)} ms harness",
        "memory": f"{limits.memory_bytes} rlimit, per process",
        "processes": f"{limits.processes} rlimit, per uid",
        "disk": ", ".join(disks) or f"{limits.disk_bytes} tmpfs, in parts",
        "file": f"{limits.file_bytes} rlimit",
        "open_files": f"{limits.open_files} rlimit",
        "output": f"{limits.output_bytes} harness, each of stdout and stderr",
    }
    return {**said, **(group.enforced if group else {})}
