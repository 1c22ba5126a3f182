"""The fault bench: what is broken on purpose, where, and what one trial under it showed (METHODS M4)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from denominator.errors import InputError
from denominator.records.values import NotMeasured
from denominator.records.words import Checkpoint

Count = int | NotMeasured
Flag = bool | NotMeasured
Text = str | NotMeasured

NOT_RECORDED = NotMeasured("not recorded")
NO_FAULT = ""
"""`Trial.fault` of the paired run without a fault."""
LIMIT_S = 600
"""Seconds after which a process of a trial is taken for one that hangs, where nobody says another number."""


class FaultKind(StrEnum):
    """What happens at a checkpoint: nothing else may be planned there."""

    KILL = "kill"
    HARD_EXIT = "hard_exit"
    SIGTERM = "sigterm"
    DISK_FULL = "disk_full"
    PROVIDER_429 = "provider_429"
    PROVIDER_5XX = "provider_5xx"
    STREAM_CUT = "stream_cut"
    SLOW = "slow"
    CLOCK_JUMP = "clock_jump"
    OOM = "oom"


class BenchControl(StrEnum):
    """The four controls of a bench; one that does not hold withholds every durability figure."""

    POSITIVE = "positive"
    NEGATIVE = "negative"
    REPLAY = "replay"
    SILENT = "silent"


CHECKPOINTS = (
    Checkpoint.CONTEXT_LOADED,
    Checkpoint.PATCH_DRAFTED,
    Checkpoint.PATCH_APPLIED,
    Checkpoint.TESTS_RUN,
)
"""The checkpoints at which a fault may be planned, in order."""

QUIET = (FaultKind.SLOW, FaultKind.CLOCK_JUMP, "sleep")
"""Kinds (and failpoint actions) that interrupt nothing by themselves; reported apart."""

_FORM = re.compile(r"(?P<at>[a-z0-9_.]+)(?P<sep>[:=])(?P<kind>[a-z0-9_]+)(:(?P<value>[^@,\s]+))?(@(?P<nth>[0-9]+))?")
_HOW = "CHECKPOINT:KIND[:value][@nth] or failpoint=action[:argument][@nth]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One planned fault: at a checkpoint a `FaultKind`, at a failpoint an action (its names: `faultbench list`).

    `nth` is the hit at which it acts, 0 where nothing is stated; `value` is an argument (ms, bytes, seconds) as text.
    """

    at: str
    kind: str
    nth: int = 0
    value: str = ""

    @property
    def at_checkpoint(self) -> bool:
        """Is it planned at a checkpoint, and not at a failpoint in the code?"""
        return self.at in CHECKPOINTS

    @property
    def quiet(self) -> bool:
        """Does it interrupt nothing by itself?"""
        return self.kind in QUIET

    @property
    def text(self) -> str:
        """The text form; `fault_of` reads it back."""
        value = f":{self.value}" if self.value else ""
        nth = f"@{self.nth}" if self.nth else ""
        return f"{self.at}{':' if self.at_checkpoint else '='}{self.kind}{value}{nth}"


def fault_of(text: str) -> Fault:
    """A fault from its text form. InputError where the form, the checkpoint or the kind is none of ours.

    Names and actions of failpoints are not looked up here: the code that has them does that.
    """
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise InputError(f"not a fault: {text!r}", fix=_HOW)
    fault = Fault(at=found["at"], kind=found["kind"], nth=int(found["nth"] or 0), value=found["value"] or "")
    if found["sep"] == ":" and not fault.at_checkpoint:
        raise InputError(f"no checkpoint is called {fault.at!r}", fix=f"one of: {', '.join(CHECKPOINTS)}")
    if fault.at_checkpoint and (found["sep"] == "=" or fault.kind not in [*FaultKind]):
        raise InputError(
            f"{text.strip()!r} is no fault of a checkpoint", fix=f"{fault.at}: and one of {', '.join(FaultKind)}"
        )
    return fault


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultPlan:
    """Which faults, how many repeats of each on every task; the same plan and seed give the same trials again."""

    name: str
    faults: tuple[Fault, ...]
    repeats: int
    seed: int = 0
    quick: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """How often one attempt's effect was performed on one workspace, counted on the artifact, never in a journal.

    A reset makes another workspace: it gets a name of its own. So a workspace with more than one is a double application.
    """

    workspace: str
    times: Count
    attempt: int = 1
    digest: Text = NOT_RECORDED


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One row of `trials.jsonl`: facts of one (task, repeat, fault), by the bench that saw them and not by the runner.

    `fault` is the text form, "" for the paired run without a fault; `control` names the control that the trial was made
    for (the trials without a fault are the positive control). `fired`: the point was reached and the fault given.
    `interrupted`: work really stopped there. `ended` is the outcome after the last resume (a word of `Outcome`, or open);
    `expected` is the verdict that the task promises. `checkpoints` are those done when the process was dead, before any
    resume. `tree_base`, `tree_at_death` and `tree_after` are digests of the workspace: as given out, when the process
    was dead (after the foreign edit of the silent control), after the last resume. `resumes` counts resume commands up to
    the end; one more was made where `second_resume_noop` is known: did it leave every file and row as it was?
    `calls`, `tokens` and `wall_ms` are of the whole trial; `replay_*` what of them was spent again on work that the journal knew.
    """

    bench_id: str
    task_id: str
    repeat: int = 1
    fault: str = NO_FAULT
    control: str = ""
    fired: bool = False
    interrupted: Flag = False
    ended: Text = NOT_RECORDED
    expected: str = "pass"
    resumes: int = 0
    exits: tuple[int, ...] = ()
    applied: tuple[Applied, ...] = ()
    redrafts: Count = NOT_RECORDED
    calls: Count = NOT_RECORDED
    tokens: Count = NOT_RECORDED
    wall_ms: Count = NOT_RECORDED
    replay_calls: Count = NOT_RECORDED
    replay_tokens: Count = NOT_RECORDED
    replay_ms: Count = NOT_RECORDED
    second_resume_noop: Flag = NOT_RECORDED
    unknown_state: bool = False
    manual_edit: bool = False
    checkpoints: tuple[str, ...] | NotMeasured = NOT_RECORDED
    tree_base: Text = NOT_RECORDED
    tree_at_death: Text = NOT_RECORDED
    tree_after: Text = NOT_RECORDED
    note: str = ""
    schema_version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchRunner:
    """What is benched: its commands, its digest, the checkpoints it can be resumed from (one or none: single-shot)."""

    name: str
    digest: str
    command: tuple[str, ...]
    resume: tuple[str, ...] = ()
    checkpoints: tuple[str, ...] = tuple(str(point) for point in CHECKPOINTS)


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchBox:
    """Where it was benched."""

    python: str
    os: str
    container_digest: Text = NOT_RECORDED
    cpus: Count = NOT_RECORDED
    memory_bytes: Count = NOT_RECORDED
    disk: Text = NOT_RECORDED


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchEndpoint:
    """Which model answered: the provider's notes, the id it reported, the allocation of the day and when it was copied."""

    model_id: Text = NOT_RECORDED
    provider_notes: str = ""
    allocation: Text = NOT_RECORDED
    allocation_date: Text = NOT_RECORDED


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedFault:
    """A fault of the plan that the machine could not make: there are no trials of it, and this is why."""

    fault: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """`bench.json`: the manifest of one bench, written before its first trial.

    `task_ids` are all tasks that were planned; `single_shot` those with nothing to resume (durability is undefined there).
    `controls` are the controls that were planned; their state is judged from the trials, never stated. `skipped` are
    faults of the plan that could not be made. `sandboxed` false: a foreign command ran with the rights of who benched it.
    `trial_limit_s` is how many seconds each process of a trial was given.
    """

    bench_id: str
    pack_id: str
    taskset_digest: str
    task_ids: tuple[str, ...]
    runner: BenchRunner
    box: BenchBox
    plan: FaultPlan
    endpoint: BenchEndpoint = BenchEndpoint()
    single_shot: tuple[str, ...] = ()
    controls: tuple[str, ...] = tuple(str(control) for control in BenchControl)
    declared: str = ""
    version: str = ""
    skipped: tuple[SkippedFault, ...] = ()
    sandboxed: bool = True
    trial_limit_s: Count = NOT_RECORDED
    schema_version: int = 1
