"""Any command as a subject: third-party code, which runs in our sandbox only, in a workspace that outlives its processes.

What runs where: the command, its resume command and the verify command run inside the sandbox (no network, a uid of their
own as root, the workspace at /work, the tools read-only at /opt/tools). The bench itself runs none of it: it looks at the
processes from outside, reads files without following links, and counts lines.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from denominator.errors import MachineError
from denominator.faultbench.disks import SmallDisk
from denominator.faultbench.faults import BY_NAME
from denominator.faultbench.kinds import Setting
from denominator.faultbench.machine import faketime
from denominator.faultbench.stopping import BenchStoppedError
from denominator.faultbench.subjects.foreign import checkpoints_in, count_effects, redrafts_in, state_of
from denominator.faultbench.subjects.held_command import HeldCommand
from denominator.faultbench.subjects.observing import Observer
from denominator.faultbench.subjects.terms_command import ReadCommand
from denominator.faultbench.trials import Order
from denominator.ports import Ended, Job, Limits, Mount, Sandbox, Stop
from denominator.records.faults import Applied, BenchControl, FaultKind, Trial
from denominator.records.values import NotMeasured
from denominator.records.words import Outcome
from denominator.wire.names import safe_name
from denominator.wire.trees import copy_tree, read_tree

MB = 1 << 20
DISK_MB = 64
OUT_MB = 16
POLL_S = 0.003
EDIT = b"edited by a person while nothing ran\n"
NO_COSTS = NotMeasured("what a foreign command spends is not seen")


@dataclass(slots=True)
class AnyCommand:
    """The subject; `journals` is where copies of its own journal are kept."""

    read: ReadCommand
    place: Path
    journals: Path
    setting: Setting
    sandbox: Sandbox
    made: int = 0

    def close(self) -> None:
        """The sandbox is gone."""
        self.sandbox.close()

    def trial(self, bench_id: str, order: Order, stop: Stop) -> Trial:
        """Make one trial, in a folder of its own that is gone afterwards."""
        self.made += 1
        folder = self.place / f"trial-{self.made}"
        folder.mkdir(mode=0o711)
        disk = None
        if order.fault and order.fault.kind == FaultKind.DISK_FULL:
            disk = SmallDisk.mount(folder / "disk", DISK_MB * MB)
        try:
            return OneCommand(self, folder, order, disk, stop).make(bench_id)
        finally:
            for name in ("work", "out"):
                self.sandbox.discard((disk.place if disk else folder) / name)
            if disk is not None:
                disk.unmount()
            shutil.rmtree(folder, ignore_errors=True)


class Either:
    """A flag that is set when one of two is."""

    def __init__(self, *flags: Stop | threading.Event) -> None:
        self.flags = flags

    def is_set(self) -> bool:
        """Is one of them?"""
        return any(flag.is_set() for flag in self.flags)


@dataclass(slots=True)
class OneCommand:
    """One trial under way."""

    subject: AnyCommand
    folder: Path
    order: Order
    disk: SmallDisk | None
    stop: Stop
    exits: list[int] = field(default_factory=list)
    fired: bool = False
    interrupted: bool = False
    notes: list[str] = field(default_factory=list)

    @property
    def base(self) -> Path:
        """Where its workspace and its output folder lie."""
        return self.disk.place if self.disk else self.folder

    @property
    def work(self) -> Path:
        return self.base / "work"

    @property
    def out(self) -> Path:
        return self.base / "out"

    @property
    def journal(self) -> str:
        return self.subject.read.terms.journal.replace("{task}", self.order.task_id)

    def make(self, bench_id: str) -> Trial:
        """Run it, hit it, go on, go on once more, verify, count."""
        tree_base = self._prepare()
        started = time.monotonic_ns()
        self._run_with_fault()
        seen = checkpoints_in(self.work, self.journal, self.order.task_id)
        if self.order.control == BenchControl.SILENT and self.fired:
            self._edit()
        at_death = state_of(self.work, self.journal)
        resumes = self._go_on()
        wall_ms = (time.monotonic_ns() - started) // 1_000_000
        after = state_of(self.work, self.journal)
        loud = self.exits[-1] != 0
        ended, effects = self._verify(), self._effects()
        whole = read_tree(self.work).digest
        self._ends(self._run("resume_command"))
        self._keep_journal()
        return Trial(
            bench_id=bench_id,
            task_id=self.order.task_id,
            repeat=self.order.repeat,
            fault=self.order.fault.text if self.order.fault else "",
            control=self.order.control,
            fired=self.fired,
            interrupted=self.interrupted,
            ended=ended,
            resumes=resumes,
            exits=tuple(self.exits),
            applied=(effects,),
            redrafts=redrafts_in(self.work, self.journal, self.order.task_id),
            calls=NO_COSTS,
            tokens=NO_COSTS,
            wall_ms=wall_ms,
            replay_calls=NO_COSTS,
            replay_tokens=NO_COSTS,
            replay_ms=NO_COSTS,
            second_resume_noop=read_tree(self.work).digest == whole,
            unknown_state=loud and self.order.control == BenchControl.SILENT,
            checkpoints=seen,
            tree_base=tree_base,
            tree_at_death=at_death,
            tree_after=after,
            note="; ".join(self.notes),
        )

    def _prepare(self) -> str:
        """A fresh workspace with what it starts from, and the digest of that."""
        sandbox, read = self.subject.sandbox, self.subject.read
        work = sandbox.workspace(self.work, role="agent", slot=0, disk_bytes=DISK_MB * MB)
        sandbox.workspace(self.out, role="agent", slot=0, disk_bytes=OUT_MB * MB)
        if read.workspace is not None:
            stage = self.folder / "start"
            copy_tree(read.workspace, stage)
            for child in stage.iterdir():
                shutil.move(child, work / child.name)
            stage.rmdir()
        sandbox.hand_over(work, role="agent", slot=0)
        return state_of(work, self.journal)

    def _run_with_fault(self) -> None:
        fault = self.order.fault
        if fault is None:
            self._ends(self._run("command"))
            return
        held = HeldCommand(self.disk, self.folder / "clock")
        how = self.subject.read.terms.checkpoint[fault.at]
        over = threading.Event()
        observer = Observer(work=self.work, said=self.out / "said.log", since=time.monotonic())
        watch = threading.Thread(target=self._watch, args=(observer, how, held, over), daemon=True)
        watch.start()
        try:
            ended = self._run("command", {"DENOMINATOR_STOP_AT": str(fault.at)}, held)
        finally:
            over.set()
            watch.join()
        if self.disk is not None:
            self.disk.free()
        self._ends(ended)
        self.interrupted = self.fired and (ended.exit_code != 0 or held.ended.is_set())

    def _watch(self, observer: Observer, how: str, held: HeldCommand, over: threading.Event) -> None:
        """Until the checkpoint is seen or the command has ended; then everything stands, and the fault is made."""
        fault = self.order.fault
        assert fault is not None
        while not over.is_set():
            if observer.sees(how):
                held.stop()
                self.fired = True
                BY_NAME[fault.kind].act(held, fault.value)
                return
            over.wait(POLL_S)

    def _run(self, which: str, env: Mapping[str, str] | None = None, held: HeldCommand | None = None) -> Ended:
        """One command line in the sandbox, to its end; what it prints goes to a file that the bench can read meanwhile."""
        read = self.subject.read
        line = read.line(which, self.order.task_id)
        said = "/out/said.log"
        ended = self.subject.sandbox.run(
            Job(
                argv=("/bin/sh", "-c", f"exec >>{said} 2>&1; {line}"),
                role="agent",
                limits=_limits(read),
                workdir=self.work,
                outdir=self.out,
                mounts=tuple(self._mounts(held)),
                env={"DENOMINATOR_TASK": self.order.task_id, **(env or {}), **self._faked(held)},
            ),
            Either(self.stop, held.ended) if held else self.stop,
        )
        if self.stop.is_set():
            raise BenchStoppedError
        if ended.start_error:
            raise MachineError(f"the sandbox did not start {which}: {ended.start_error}", fix="denominator doctor")
        return ended

    def _mounts(self, held: HeldCommand | None) -> list[Mount]:
        read = self.subject.read
        mounts = [Mount(host=read.tools, inside="/opt/tools")] if read.tools else []
        if self._faked(held) and held is not None:
            held.clock.write_text("+0\n", "ascii")
            mounts.append(Mount(host=held.clock, inside="/opt/clock"))
        return mounts

    def _faked(self, held: HeldCommand | None) -> dict[str, str]:
        """The environment of a command whose clock is to step."""
        if held is None or self.order.fault is None or self.order.fault.kind != FaultKind.CLOCK_JUMP:
            return {}
        return {
            "LD_PRELOAD": faketime(),
            "FAKETIME_TIMESTAMP_FILE": "/opt/clock",
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def _ends(self, ended: Ended) -> None:
        self.exits.append(-ended.signal if ended.signal else ended.exit_code)

    def _go_on(self) -> int:
        if not self.interrupted and self.exits[-1] == 0:
            return 0
        self._ends(self._run("resume_command"))
        if self.exits[-1] != 0:
            self.notes.append(f"resume ended with {self.exits[-1]}")
        return 1

    def _edit(self) -> None:
        """What a person might do between a crash and a resume: one line more in the artifact."""
        place = self.work / self._artifact()
        if not place.is_symlink() and place.is_file():
            with place.open("ab") as file:
                file.write(EDIT)

    def _artifact(self) -> str:
        return self.subject.read.terms.artifact.replace("{task}", self.order.task_id)

    def _verify(self) -> str:
        ended = self._run("verify_command")
        return str(Outcome.PASS if ended.exit_code == 0 else Outcome.FAIL)

    def _effects(self) -> Applied:
        """Lines of the artifact over those that one application leaves: a workspace that was reset is not told apart."""
        terms = self.subject.read.terms
        text = terms.artifact_line.replace("{task}", self.order.task_id)
        times = count_effects(self.work, self._artifact(), text, terms.effects)
        return Applied(workspace="work", times=times)

    def _keep_journal(self) -> None:
        """A copy of what the command wrote down, for `faultbench score`."""
        source = self.work / self.journal
        if not self.journal or source.is_symlink() or not source.is_file():
            return
        fault = self.order.fault.text if self.order.fault else "none"
        name = f"{safe_name(self.order.task_id)}.{self.order.repeat}.{safe_name(fault)}{self.order.control}"
        self.subject.journals.mkdir(exist_ok=True)
        (self.subject.journals / name).write_bytes(source.read_bytes())


def _limits(read: ReadCommand) -> Limits:
    return Limits(
        wall_s=float(read.terms.wall_s),
        memory_bytes=read.terms.memory_mb * MB,
        processes=256,
        disk_bytes=DISK_MB * MB,
        file_bytes=DISK_MB * MB,
        open_files=1024,
        output_bytes=8 * MB,
    )
