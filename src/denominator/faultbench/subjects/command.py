"""Any command as a subject: third-party code, which runs in our sandbox only, in a workspace that outlives its processes.

What runs where: the command, its resume command and the verify command run inside the sandbox (no network, a uid of their
own as root, the workspace at /work, the tools read-only at /opt/tools). The bench itself runs none of it: it looks at the
processes from outside, reads files without following links, and counts lines.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass

from denominator.faultbench.disks import SmallDisk
from denominator.faultbench.subjects.command_trial import CommandLab, CommandTrial
from denominator.faultbench.subjects.launching import DISK_MB, MB
from denominator.faultbench.trials import Order
from denominator.ports import Stop
from denominator.records.faults import FaultKind, Trial


@dataclass(slots=True)
class AnyCommand:
    """The subject; `made` counts its trials."""

    lab: CommandLab
    made: int = 0

    def close(self) -> None:
        """The sandbox is gone."""
        self.lab.sandbox.close()

    def trial(self, bench_id: str, order: Order, stop: Stop) -> Trial:
        """Make one trial, in a folder of its own that is gone afterwards."""
        self.made += 1
        folder = self.lab.place / f"trial-{self.made}"
        folder.mkdir(mode=0o711)
        disk = None
        if order.fault and order.fault.kind == FaultKind.DISK_FULL:
            disk = SmallDisk.mount(folder / "disk", DISK_MB * MB)
        try:
            return CommandTrial(self.lab, folder, order, disk, stop).make(bench_id)
        finally:
            for name in ("work", "out"):
                self.lab.sandbox.discard((disk.place if disk else folder) / name)
            if disk is not None:
                disk.unmount()
            shutil.rmtree(folder, ignore_errors=True)
