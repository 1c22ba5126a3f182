"""What an importer says of a run that another harness made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from denominator.records.declarations import Declaration
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow, Count, Defect
from denominator.records.values import NotMeasured

UNSAID = NotMeasured("the source does not say out of how many")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """One way in which attempts of a format end, and what we make of it: one line of the table in the format's page.

    `word` is what the format writes ("exit_status=LimitsExceeded"). `facts` are fields of `AttemptRow` that it states (what
    a verifier saw, who stopped it). `outcome`, `origin` and `reason` are what the rules say of a row with these facts; where
    the format holds a judgement and no facts, `judged` is true and outcome and reason become labels `by = import`. `why` is one
    sentence. An attempt that ends in a way that no line names is a blocking defect, never a guess.
    """

    word: str
    outcome: str
    why: str
    origin: str = ""
    reason: str = ""
    failure_class: str = ""
    facts: Mapping[str, object] = field(default_factory=dict)
    judged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A number that the source prints of itself; `counted` where it prints none, and we counted the entries that it lists.

    `unit` is count, percent (0 to 100), share (0 to 1) or usd; `value` is the decimal text as it was printed. `role` says what
    it claims to count: passed, scheduled, completed, errors, rate, cost, other. `of` names the denominator in the source's words.
    `metric` is the source's name of it, `where` the file (and the place in it).

    Of a rate, `out_of` is its denominator, where the source (or the rule by which its tool prints) says so. `unit_of` says
    what that counts: "draws", each passed or not; "tasks", each worth some value made of its draws (a mean, any, pass@k);
    "other", what no count of draws or tasks can give (partial credit, means of groups); "" where nobody says. `reducer` is how
    the draws of a task become its value, in the source's word: mean, median, mode, max, at_least_K, pass_at_K; "" unsaid.
    """

    metric: str
    value: str
    unit: str
    role: str
    of: str = ""
    where: str = ""
    out_of: Count = UNSAID
    unit_of: str = ""
    reducer: str = ""
    counted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One run inside a source, as a person chooses it: its name, what it is, how many rows it seems to hold ("" unknown)."""

    name: str
    title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognition:
    """A source that an importer can read: why it thinks so, and the runs in it (one, or several to choose from).

    `sure` is false where other formats look alike; then a sure one goes first.
    """

    why: str
    parts: tuple[Part, ...]
    sure: bool = True


class ForeignRow(NamedTuple):
    """An attempt as a row, with what its source thinks of it, and the word of its ending ("": no line of the table names it)."""

    row: AttemptRow
    labels: tuple[Label, ...] = ()
    ending: str = ""


@dataclass(slots=True)
class Told:
    """What came up while a run was read; complete when its rows are spent.

    `files` says for each member that was looked at what it was taken for. `notes` are sentences for people.
    """

    defects: list[Defect] = field(default_factory=list)
    published: list[Published] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)

    def say(self, kind: str, where: str, what: str, *keys: str, blocks: bool = True) -> None:
        """Note something wrong: kind, place, one sentence, the tasks that it concerns."""
        self.defects.append(Defect(kind=kind, where=where, what=what, keys=keys, blocks=blocks))


@dataclass(slots=True, kw_only=True)
class ForeignRun:
    """One run of another harness. `rows` can be read once; `told` and `declared` are complete when it is spent.

    `document` is what the format records beside its rows, in the words of a manifest (docs/formats/rows.md and
    conditions.md): run_id, dataset, model_id, agent_id, harness_name, harness_version, max_attempts, retry_policy, scorer ...
    `declared` comes from the format's own plan, never from the rows that survived; where the format keeps no plan its
    `declared_n` is unknown, with the reason. `unknown` adds reasons that hold for this run alone to the importer's own.
    """

    name: str
    document: Mapping[str, object]
    declared: Declaration
    rows: Iterator[ForeignRow]
    told: Told
    arm: str = ""
    version: str = ""
    unknown: Mapping[str, str] = field(default_factory=dict)
