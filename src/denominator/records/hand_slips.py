"""A slip that a person declares: `slip new --hand FILE.toml`, for numbers of which no rows can be had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.records.envelopes import DateText, DecimalText
from denominator.records.rows import Count, Flag, Text
from denominator.records.slips import NOT_GIVEN

NOT_DECLARED = NOT_GIVEN


@dataclass(frozen=True, slots=True, kw_only=True)
class HandHarness:
    """What ran the attempts. `folder` is hashed whole, beside the file; `leave_out` are patterns, each listed on the slip."""

    name: Text = NOT_DECLARED
    version: Text = NOT_DECLARED
    commit: Text = NOT_DECLARED
    digest: Text = NOT_DECLARED
    folder: str = ""
    leave_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HandModel:
    """The model as asked for and as served; `sampling` is decimal text by name."""

    id: Text = NOT_DECLARED
    snapshot: Text = NOT_DECLARED
    served: tuple[str, ...] = ()
    agent: Text = NOT_DECLARED
    agent_version: Text = NOT_DECLARED
    sampling: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandPack:
    """What was asked. `task_ids` gives the digest and the number of tasks; without it both may be declared."""

    id: Text = NOT_DECLARED
    version: Text = NOT_DECLARED
    digest: Text = NOT_DECLARED
    task_ids: tuple[str, ...] = ()
    task_ids_sha256: Text = NOT_DECLARED
    tasks: Count = NOT_DECLARED
    repeats: Count = NOT_DECLARED


@dataclass(frozen=True, slots=True, kw_only=True)
class HandBudget:
    """Tokens used and allowed over the whole run."""

    tokens_used: Count = NOT_DECLARED
    tokens_limit: Count = NOT_DECLARED


@dataclass(frozen=True, slots=True, kw_only=True)
class HandBox:
    """The machine. `here`: it is the one on which the slip is made, so what is not declared is read from it."""

    here: bool = False
    host: Text = NOT_DECLARED
    kernel: Text = NOT_DECLARED
    machine: Text = NOT_DECLARED
    python: Text = NOT_DECLARED
    cpu_count: Text = NOT_DECLARED
    memory_bytes: Text = NOT_DECLARED
    cgroup_version: Text = NOT_DECLARED
    cgroup_cpu_limit: Text = NOT_DECLARED
    cgroup_memory_limit: Text = NOT_DECLARED
    git_commit: Text = NOT_DECLARED
    shared: Flag = NOT_DECLARED
    reclaimable: Flag = NOT_DECLARED


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSlip:
    """A whole hand file: k of n, or a score with its n. `raw` is the raw log, beside the file; nobody checks without it.

    `printed` is the text that a source printed (`71.4%`). `counts` is false where a score is no count of n: a mean of
    parts of points, which no granularity check can refute.
    """

    metric: str
    n: int
    raw: str
    schema_version: int = 1
    k: Count = NOT_DECLARED
    score: DecimalText = ""
    counts: bool = True
    printed: str = ""
    run_id: str = ""
    arm: str = ""
    owner: Text = NOT_DECLARED
    days: tuple[DateText, ...] = ()
    notes: tuple[str, ...] = ()
    harness: HandHarness = HandHarness()
    model: HandModel = HandModel()
    pack: HandPack = HandPack()
    budget: HandBudget = HandBudget()
    box: HandBox = HandBox()
