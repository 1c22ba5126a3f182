"""One trial of our own runner: with its fault, resumed, resumed once more, and counted."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

from denominator.errors import Exit, MachineError
from denominator.faultbench.children import Child, late_note
from denominator.faultbench.disks import SmallDisk
from denominator.faultbench.faults import BY_NAME
from denominator.faultbench.points import arming, gateway_fault
from denominator.faultbench.subjects import evidence
from denominator.faultbench.subjects.effects import count_lines, is_solved
from denominator.faultbench.subjects.held_run import HeldRun
from denominator.faultbench.subjects.lab import Lab
from denominator.faultbench.subjects.terms import KEY, KEY_ENV, envelope_text
from denominator.faultbench.trials import FOR_A_CONTROL, Order
from denominator.ports import Stop
from denominator.records.faults import Applied, BenchControl, Fault, Trial
from denominator.records.values import NotMeasured
from denominator.wire.trees import read_tree

RUN = "bench"
RUN_ID = f"scratch-{RUN}"
RESUMES_MAX = 4
EDIT = b"# edited by a person while nothing ran\n"
CLOCK = "DENOMINATOR_CLOCK_STEP"
BY_ITSELF = 70


@dataclass(slots=True)
class Seen:
    """What one trial showed so far."""

    fired: bool = False
    interrupted: bool = False
    exits: list[int] = field(default_factory=list)
    at_death: str = ""
    checkpoints: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)


@dataclass(slots=True)
class OurTrial:
    """One trial under way."""

    lab: Lab
    folder: Path
    order: Order
    disk: SmallDisk | None
    stop: Stop
    seen: Seen = field(default_factory=Seen)

    @property
    def root(self) -> Path:
        """The folder of its run."""
        return self.folder / "runs" / RUN_ID

    @property
    def scratch(self) -> Path:
        """The scratch of its attempts."""
        return self.root / "work"

    def make(self, bench_id: str) -> Trial:
        """Run, go on, go on once more, and count."""
        self._write_envelope()
        first = len(self.lab.server.requests)
        started = time.monotonic_ns()
        self._run_with_fault()
        if self.order.fault is None and not (self.root / "seal.json").is_file():
            raise MachineError(
                f"our own runner does not run here: {self.seen.notes[-1] if self.seen.notes else 'no run came into being'}",
                fix="denominator doctor",
            )
        self._after_death()
        resumes = self._go_on()
        wall_ms = (time.monotonic_ns() - started) // 1_000_000
        noop = self._once_more()
        return self._told(bench_id, first, wall_ms, resumes, noop)

    def _write_envelope(self) -> None:
        fault = gateway_fault(self.order.fault, self.order.task_id)
        agent = self.lab.agent.absolute()
        text = envelope_text(Path(self.lab.found.root).absolute(), agent, self.lab.server.url, fault, self.lab.limit_s)
        (self.folder / "envelope.toml").write_text(text, encoding="utf-8")

    def _start(self, *args: str, failpoints: str = "") -> Child:
        env = {
            **{name: value for name, value in os.environ.items() if not name.startswith("DENOMINATOR_")},
            "NO_COLOR": "1",
            CLOCK: str((self.folder / "clock").absolute()),
            KEY_ENV: KEY,
        }
        if failpoints:
            env["DENOMINATOR_FAILPOINTS"] = failpoints
        argv = [sys.executable, "-m", "denominator", *args, "--quiet", "--brief", "--runs-dir", "runs"]
        return Child.start(argv, self.folder, env, self.folder / f"said-{len(self.seen.exits)}.log")

    def _begin(self, failpoints: str = "") -> Child:
        only = ("--only", self.order.task_id, "--keep")
        return self._start("run", "envelope.toml", "--run-id", RUN, *only, failpoints=failpoints)

    def _run_with_fault(self) -> None:
        fault = self.order.fault
        child = self._begin(arming(fault))
        held = HeldRun(child, self.disk, self.folder / "clock")
        try:
            while child.wait(self.lab.limit_s, self.stop):
                self.seen.fired = True
                self._look_at(child)
                self._act(fault, held)
        finally:
            child.kill()
            held.release()
        self._ended(child)
        self._judge_interruption(child, held)

    def _act(self, fault: Fault | None, held: HeldRun) -> None:
        """What the kind does at its point; a failpoint's own action follows when the process goes on."""
        kind = BY_NAME.get(fault.kind) if fault is not None and fault.at_checkpoint else None
        if kind is None or fault is None:
            held.go_on()
        else:
            kind.act(held, fault.value)

    def _look_at(self, child: Child) -> None:
        """The agent's workspace as it stands now: it is on a disk that dies with the runner."""
        if self.order.control != BenchControl.NEGATIVE:
            return
        for place in sorted(self.scratch.glob("*/agent")):
            seen = Path(f"/proc/{child.pid}/root") / place.absolute().relative_to("/")
            self.seen.at_death = read_tree(seen).digest

    def _ended(self, child: Child) -> None:
        assert child.exit_code is not None
        self.seen.exits.append(child.exit_code)
        if child.late:
            self.seen.notes.append(late_note(self.lab.limit_s))

    def _judge_interruption(self, child: Child, held: HeldRun) -> None:
        """Did work really stop? The process ended by a signal, by itself, or with something left to do."""
        code = child.exit_code
        if code is not None and code > 0 and not self.seen.fired:
            self.seen.notes.append(f"ended with {code}: {child.said()}")
        if not self.seen.fired or child.late:
            return
        self.seen.interrupted = code != int(Exit.DONE)
        if code is not None and code not in (0, -9, BY_ITSELF, int(Exit.OPEN)):
            self.seen.notes.append(f"ended with {code}: {child.said()}")
        if any(each.killed() for each in held.squeezed):
            self.seen.notes.append("the kernel killed it for memory")

    def _after_death(self) -> None:
        """What is durable, read before anything goes on; and the edit that the silent control makes then."""
        if not (self.root / "seal.json").is_file():
            return
        run = evidence.looked_at(self.root)
        try:
            self.seen.checkpoints = evidence.done_checkpoints(run.journal.events())
            injected = [call for call in run.journal.calls() if call.injected]
            again = {event.key for event in run.journal.events() if event.kind == "promised"}
        finally:
            run.journal.close()
        if injected:
            self.seen.fired = True
        if self.seen.fired and len(again) > 1:
            # The fault ended an attempt, and the policy made another: work stopped, though the process went on.
            self.seen.interrupted = True
        trees = self._applied()
        if self.order.control == BenchControl.SILENT and self.seen.fired and trees:
            self._edit(trees[-1])
        if trees and not self.seen.at_death:
            self.seen.at_death = read_tree(trees[-1]).digest

    def _applied(self) -> list[Path]:
        return sorted(self.scratch.glob("*/applied"))

    def _edit(self, tree: Path) -> None:
        victim = tree / self.lab.effects[self.order.task_id].marked
        victim.write_bytes(victim.read_bytes() + EDIT)

    def _go_on(self) -> int:
        """Resume until it says that nothing is left, or that a person must look."""
        resumes = 0
        while resumes < RESUMES_MAX and (self._is_open() or (resumes == 0 and self.seen.exits[-1] != 0)):
            sealed = (self.root / "seal.json").is_file()
            child = self._start("resume", RUN_ID, "--keep") if sealed else self._begin()
            resumes += sealed
            child.wait(self.lab.limit_s, self.stop)
            self._ended(child)
            if self.seen.exits[-1] not in (int(Exit.DONE), int(Exit.BLOCKED), int(Exit.OPEN)):
                self.seen.notes.append(f"resume ended with {child.exit_code}: {child.said()}")
                break
        return resumes

    def _is_open(self) -> bool:
        return self.seen.exits[-1] == int(Exit.OPEN)

    def _once_more(self) -> bool | NotMeasured:
        """One resume more: whatever it does, nothing of the run may be another one."""
        if not (self.root / "seal.json").is_file():
            return NotMeasured("there is no run")
        if self.order.control:
            return FOR_A_CONTROL
        before = evidence.state_of(self.root)
        child = self._start("resume", RUN_ID, "--keep")
        child.wait(self.lab.limit_s, self.stop)
        self._ended(child)
        return evidence.state_of(self.root) == before

    def _told(self, bench_id: str, first: int, wall_ms: int, resumes: int, noop: bool | NotMeasured) -> Trial:
        """The row of the trial."""
        trial = Trial(
            bench_id=bench_id,
            task_id=self.order.task_id,
            repeat=self.order.repeat,
            fault=self.order.fault.text if self.order.fault else "",
            control=self.order.control,
            fired=self.seen.fired,
            interrupted=self.seen.interrupted,
            resumes=resumes,
            exits=tuple(self.seen.exits),
            wall_ms=wall_ms,
            second_resume_noop=noop,
            checkpoints=self.seen.checkpoints,
            tree_base=self.lab.effects[self.order.task_id].base,
            tree_at_death=self.seen.at_death or NotMeasured("no tree was there"),
        )
        if not (self.root / "seal.json").is_file():
            return replace(trial, ended="open", note="; ".join([*self.seen.notes, "no run came into being"]))
        return self._counted(trial, first)

    def _counted(self, trial: Trial, first: int) -> Trial:
        """What is counted on the tree, the provider's log and the clock of the journal."""
        effect = self.lab.effects[self.order.task_id]
        asked = self.lab.server.requests[first:]
        again = evidence.paid_again(self.lab.server, asked)
        run = evidence.looked_at(self.root)
        try:
            ended, patch = evidence.ended_as(run)
            events = list(run.journal.events())
            replayed = evidence.replay_ms(events, run.journal.calls())
        finally:
            run.journal.close()
        attempts = len({event.key for event in events if event.kind == "promised"})
        trees = self._applied()
        if ended == "pass" and not (trees and is_solved(trees[-1], effect)):
            self.seen.notes.append("the verdict is a pass, and the tree is not what one application leaves")
            ended = "fail"
        return replace(
            trial,
            ended=ended,
            unknown_state=any(event.kind == "unknown_state" for event in events),
            applied=tuple(self._application(tree, patch) for tree in trees),
            redrafts=max(0, evidence.conversations(asked) - attempts),
            calls=len(asked),
            tokens=sum(evidence.tokens_of(self.lab.server, request) for request in asked),
            replay_calls=again[0],
            replay_tokens=again[1],
            replay_ms=replayed,
            tree_after=read_tree(trees[-1]).digest if trees else NotMeasured("no tree was there"),
            note="; ".join(self.seen.notes),
        )

    def _application(self, tree: Path, patch: str) -> Applied:
        line = self.lab.effects[self.order.task_id].line
        attempt = int(tree.parent.name.rpartition(".")[2])
        digest = patch or NotMeasured("nothing was graded")
        return Applied(workspace=tree.parent.name, times=count_lines(tree, line), attempt=attempt, digest=digest)
