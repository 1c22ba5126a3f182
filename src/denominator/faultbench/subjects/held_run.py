"""Our own runner, standing at a point in a process of its own."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path

from denominator.faultbench.children import Child
from denominator.faultbench.disks import SmallDisk
from denominator.faultbench.memory import Squeeze, squeeze


@dataclass(slots=True)
class HeldRun:
    """`kinds.Held` of a runner process. `killed` says that the bench itself sent the SIGKILL."""

    child: Child
    disk: SmallDisk | None
    clock: Path
    killed: bool = False
    squeezed: list[Squeeze] = field(default_factory=list)

    def kill(self) -> None:
        """SIGKILL to its process group."""
        self.killed = True
        self.child.kill()

    def ask_to_end(self) -> None:
        """SIGTERM, which it sees when it goes on."""
        self.child.ask_to_end()

    def fill_disk(self) -> None:
        """Fill the tmpfs that holds its run."""
        assert self.disk is not None
        self.disk.fill()
        self.child.go_on()

    def squeeze_memory(self) -> None:
        """The runner alone: what it has started keeps its own limits."""
        self.squeezed.append(squeeze([self.child.pid]))
        self.child.go_on()

    def step_clock(self, seconds: int) -> None:
        """The file that its clock adds to the system's wall time."""
        self.clock.write_text(str(seconds), "ascii")
        self.child.go_on()

    def pause(self, ms: int) -> None:
        """Leave it where it stands for a while."""
        time.sleep(ms / 1000)
        self.child.go_on()

    def go_on(self) -> None:
        """Nothing is done to it from outside."""
        self.child.go_on()

    def release(self) -> None:
        """Memory, disk and clock are as they were."""
        for each in self.squeezed:
            each.release()
        if self.disk is not None:
            self.disk.free()
        self.clock.unlink(missing_ok=True)
