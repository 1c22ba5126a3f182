"""What this machine can do to a runner, asked once before the first trial; and what it is, for the manifest."""

from __future__ import annotations

import os
import platform
import resource
from pathlib import Path

from denominator.adapters.box import SystemBox
from denominator.adapters.sandboxes.cgroups import Cgroups
from denominator.errors import MachineError
from denominator.faultbench.disks import private_mounts
from denominator.faultbench.kinds import COMMAND, OURS, Setting
from denominator.records.faults import NOT_RECORDED, BenchBox, FaultKind, FaultPlan
from denominator.records.values import NotMeasured

FAKETIME = (
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
)


def faketime() -> str:
    """The library that fakes the time of whole processes; "" where it is not installed."""
    return next((path for path in FAKETIME if Path(path).is_file()), "")


def setting_for(subject: str, plan: FaultPlan) -> Setting:
    """What can be done here. Private mounts are taken only where a small disk was planned; before any thread starts."""
    kinds = {fault.kind for fault in plan.faults if fault.at_checkpoint}
    return Setting(
        subject=subject,
        disk=private_mounts() if FaultKind.DISK_FULL in kinds else "",
        memory=_memory(subject) if FaultKind.OOM in kinds else "",
        clock="" if subject == OURS or faketime() else "libfaketime is not installed",
    )


def _memory(subject: str) -> str:
    """Why memory cannot be taken away; limits of a process of another uid cannot be set by everybody who is root."""
    try:
        if Cgroups.detect().memory:
            return ""
    except MachineError:
        pass
    if not hasattr(resource, "prlimit"):
        return "neither a memory control group nor prlimit is here"
    return "no memory control group is here" if subject == COMMAND and os.geteuid() == 0 else ""


def box(folder: Path) -> BenchBox:
    """The fingerprint for the manifest."""
    found = SystemBox().read(folder, "/usr/bin/python3")
    return BenchBox(
        python=platform.python_version(),
        os=f"{platform.system()} {platform.release()}",
        container_digest=NotMeasured("no image digest is known to the process"),
        cpus=_count(found.cpu_count),
        memory_bytes=_count(found.memory_bytes),
        disk=NOT_RECORDED,
    )


__all__ = ["COMMAND", "OURS", "box", "faketime", "setting_for"]


def _count(fact: object) -> int | NotMeasured:
    """A fact of the box as a count."""
    return int(str(fact)) if str(fact).isdigit() else NotMeasured("the box does not tell")
