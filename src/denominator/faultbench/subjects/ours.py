"""Our own runner as a subject: the real command line in a process of its own, a scripted model on loopback.

A trial is `run` with a fault, `resume` until nothing is open, and one `resume` more, each with the real journal, sandbox,
grader and gateway. Nothing that the agent made runs outside a sandbox; the bench reads what is left and runs none of it.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass

from denominator.faultbench.disks import SmallDisk
from denominator.faultbench.subjects.lab import Lab
from denominator.faultbench.subjects.our_trial import OurTrial
from denominator.faultbench.subjects.terms import DISK_BYTES
from denominator.faultbench.trials import Order
from denominator.ports import Stop
from denominator.records.faults import FaultKind, Trial


@dataclass(slots=True)
class Ours:
    """The subject; `made` counts its trials."""

    lab: Lab
    made: int = 0

    def close(self) -> None:
        """Nothing answers any more."""
        self.lab.close()

    def trial(self, bench_id: str, order: Order, stop: Stop) -> Trial:
        """Make one trial, in a folder of its own that is gone afterwards."""
        self.made += 1
        folder = self.lab.place / f"trial-{self.made}"
        folder.mkdir()
        disk = None
        if order.fault and order.fault.kind == FaultKind.DISK_FULL:
            disk = SmallDisk.mount(folder / "runs", DISK_BYTES)
        try:
            return OurTrial(self.lab, folder, order, disk, stop).make(bench_id)
        finally:
            if disk is not None:
                disk.unmount()
            shutil.rmtree(folder, ignore_errors=True)
