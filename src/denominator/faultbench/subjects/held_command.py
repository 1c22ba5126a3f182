"""A foreign command, standing at a checkpoint: every process of it is stopped while the fault is made."""

from __future__ import annotations

import signal
import time
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from denominator.faultbench.disks import SmallDisk
from denominator.faultbench.memory import Squeeze, squeeze
from denominator.faultbench.subjects.processes import inside, send


@dataclass(slots=True)
class HeldCommand:
    """`kinds.Held` of what runs in the sandbox now. `ended` asks the sandbox to kill all of it."""

    disk: SmallDisk | None
    clock: Path
    ended: Event = field(default_factory=Event)
    squeezed: list[Squeeze] = field(default_factory=list)

    def stop(self) -> None:
        """SIGSTOP to every process of it, so that nothing goes past the point while the fault is made."""
        send(inside(), signal.SIGSTOP)

    def kill(self) -> None:
        """The sandbox kills every process of it."""
        self.ended.set()

    def ask_to_end(self) -> None:
        """SIGTERM to every process of it, as a service manager does."""
        pids = inside()
        send(pids, signal.SIGTERM)
        send(pids, signal.SIGCONT)

    def fill_disk(self) -> None:
        """Fill the tmpfs that its workspace lies on."""
        assert self.disk is not None
        self.disk.fill()
        self.go_on()

    def squeeze_memory(self) -> None:
        """All its processes together get next to nothing more."""
        self.squeezed.append(squeeze(inside()))
        self.go_on()

    def step_clock(self, seconds: int) -> None:
        """The file that libfaketime reads."""
        self.clock.write_text(f"{seconds:+d}\n", "ascii")
        self.go_on()

    def pause(self, ms: int) -> None:
        """It stands for a while."""
        time.sleep(ms / 1000)
        self.go_on()

    def go_on(self) -> None:
        """SIGCONT to every process of it."""
        send(inside(), signal.SIGCONT)

    def release(self) -> None:
        """Memory and disk are as they were."""
        for each in self.squeezed:
            each.release()
        if self.disk is not None:
            self.disk.free()
