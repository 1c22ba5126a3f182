"""One trial of a foreign command: in a workspace of its own, hit where it was planned, gone on with, judged, counted."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from denominator.faultbench.children import late_note
from denominator.faultbench.disks import SmallDisk
from denominator.faultbench.faults import BY_NAME
from denominator.faultbench.subjects.foreign import checkpoints_in, count_effects, redrafts_in, state_of
from denominator.faultbench.subjects.held_command import HeldCommand
from denominator.faultbench.subjects.launching import DISK_MB, MB, Launcher
from denominator.faultbench.subjects.observing import Observer
from denominator.faultbench.subjects.terms_command import ReadCommand
from denominator.faultbench.trials import FOR_A_CONTROL, Order
from denominator.ports import Ended, Sandbox, Stop
from denominator.records.faults import Applied, BenchControl, Flag, Text, Trial
from denominator.records.values import NotMeasured
from denominator.records.words import KilledBy, Outcome
from denominator.wire.names import safe_name
from denominator.wire.trees import copy_tree, read_tree

OUT_MB = 16
POLL_S = 0.003
EDIT = b"edited by a person while nothing ran\n"
NO_COSTS = NotMeasured("what a foreign command spends is not seen")


@dataclass(frozen=True, slots=True)
class CommandLab:
    """What all its trials share; `journals` is where copies of its own journal are kept."""

    read: ReadCommand
    place: Path
    journals: Path
    sandbox: Sandbox


@dataclass(slots=True)
class CommandTrial:
    """One trial under way."""

    lab: CommandLab
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
        return self.lab.read.terms.journal.replace("{task}", self.order.task_id)

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
        noop = self._once_more()
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
            second_resume_noop=noop,
            unknown_state=loud and self.order.control == BenchControl.SILENT,
            checkpoints=seen,
            tree_base=tree_base,
            tree_at_death=at_death,
            tree_after=after,
            note="; ".join(self.notes),
        )

    def _prepare(self) -> str:
        """A fresh workspace with what it starts from, and the digest of that."""
        sandbox, read = self.lab.sandbox, self.lab.read
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
            self._ends(self._start("command"))
            return
        held = HeldCommand(self.disk, self.folder / "clock")
        how = self.lab.read.terms.checkpoint[fault.at]
        over = threading.Event()
        observer = Observer(work=self.work, said=self.out / "said.log", since=time.monotonic())
        watch = threading.Thread(target=self._watch, args=(observer, how, held, over), daemon=True)
        watch.start()
        try:
            ended = self._start("command", {"DENOMINATOR_STOP_AT": str(fault.at)}, held)
        finally:
            over.set()
            watch.join()
            held.release()
        self._ends(ended)
        # One that the limit ended was stopped by the bench's patience, not by its fault.
        self.interrupted = self.fired and not _late(ended) and (ended.exit_code != 0 or held.ended.is_set())

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

    def _start(self, which: str, env: Mapping[str, str] | None = None, held: HeldCommand | None = None) -> Ended:
        """One command line of it, to its end."""
        launcher = Launcher(self.lab.read, self.lab.sandbox, self.order, self.work, self.out, self.stop)
        return launcher.run(which, env, held)

    def _ends(self, ended: Ended) -> None:
        self.exits.append(-ended.signal if ended.signal else ended.exit_code)
        if _late(ended):
            self.notes.append(late_note(self.lab.read.terms.wall_s))

    def _go_on(self) -> int:
        if not self.interrupted and self.exits[-1] == 0:
            return 0
        self._ends(self._start("resume_command"))
        if self.exits[-1] != 0:
            self.notes.append(f"resume ended with {self.exits[-1]}")
        return 1

    def _once_more(self) -> Flag:
        """One resume more: does it leave every file as it was?"""
        if self.order.control:
            return FOR_A_CONTROL
        before = read_tree(self.work).digest
        self._ends(self._start("resume_command"))
        return read_tree(self.work).digest == before

    def _edit(self) -> None:
        """What a person might do between a crash and a resume: one line more in the artifact.

        Where there is no artifact yet there is no edit, and the control has not come: nothing can be said of the runner.
        """
        place = self.work / self._artifact()
        if place.is_symlink() or not place.is_file():
            self.fired = False
            self.notes.append("there was no artifact to edit")
            return
        with place.open("ab") as file:
            file.write(EDIT)

    def _artifact(self) -> str:
        return self.lab.read.terms.artifact.replace("{task}", self.order.task_id)

    def _verify(self) -> Text:
        """What its verify command says; one that did not end has said nothing."""
        ended = self._start("verify_command")
        if _late(ended):
            return NotMeasured(f"verify_command was {late_note(self.lab.read.terms.wall_s)}")
        return str(Outcome.PASS if ended.exit_code == 0 else Outcome.FAIL)

    def _effects(self) -> Applied:
        """Lines of the artifact over those that one application leaves: a workspace that was reset is not told apart."""
        terms = self.lab.read.terms
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
        self.lab.journals.mkdir(exist_ok=True)
        (self.lab.journals / name).write_bytes(source.read_bytes())


def _late(ended: Ended) -> bool:
    """Did the limit end it?"""
    return ended.killed_by == KilledBy.BUDGET_WALL
