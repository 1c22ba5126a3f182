"""Every failpoint: where it is hit, what a death there leaves behind, and what must catch that (docs/failpoints.md).

A point is hit by its name in the source. One that ends in `.written` or `.synced` is inside a commit: it is hit by the
journal itself, at the commit that follows its `opener` in the same thread, so that every effect has points before, in and
after its row. The names of one point that other texts use are its `also`: they are understood and mean the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

BEFORE_COMMIT, AFTER_COMMIT = "journal.before_commit", "journal.after_commit"


@dataclass(frozen=True, slots=True)
class Failpoint:
    """One point. `where` are modules below the package, once for each place; `opener` is of a point inside a commit.

    `needs` says what a run must have to come by: "" for any, `model`, `retry` (an attempt that failed and may be tried again).
    """

    name: str
    where: tuple[str, ...]
    leaves: str
    caught: str
    also: tuple[str, ...] = ()
    opener: str = ""
    needs: str = ""

    @property
    def at(self) -> str:
        """The journal's own point at which a point inside a commit is hit; "" for every other one."""
        if not self.opener:
            return ""
        return BEFORE_COMMIT if self.name.endswith(".written") else AFTER_COMMIT


def _one(name: str, where: str, leaves: str, caught: str, *also: str, needs: str = "") -> tuple[Failpoint, ...]:
    return (Failpoint(name, (where,), leaves, caught, also, needs=needs),)


def _row(
    name: str,
    where: str,
    before: str,
    after: str,
    caught: str,
    *,
    opener: str = "",
    synced: bool = True,
    needs: str = "",
) -> tuple[Failpoint, ...]:
    """The points about one commit: its opener, inside it, and after it unless another point is that one (`synced`)."""
    first = opener or f"{name}.before"
    also = (f"{name}.before",) if opener else ()
    points = [
        Failpoint(first, (where,), before, caught, also, needs=needs),
        Failpoint(f"{name}.written", (), f"{before}; its transaction never happened", caught, (), first, needs),
        Failpoint(f"{name}.synced", (), after, caught, (), first, needs),
    ]
    return tuple(points if synced else points[:2])


RENAME = "a name appears whole or not at all; a start that finds no run of that name begins anew"
PROMISE = "promises are made in one transaction, and once: a unique index refuses the second"
RESUME = "resume reads what is durable and does the rest; what was done in between is done again or adopted"
STAGE = "only what has its final name counts: the stage is thrown away"
ARTIFACT = (
    "the tree is held against pre and post of the intent: pre is applied, post is adopted, else unknown_state (GL030)"
)
FRESH = "a new incarnation with a fresh workspace; the incarnation is counted, what it spent is replay cost"
GRADED = "grading is repeated on the tree whose digest the intent names; one verdict an attempt (unique index)"
CALLS = "an intent without a result is a call whose spend is unknown (never 0): usage is incomplete, its worst case stays reserved"
CLEAN = "what is closed needs no scratch: resume removes it, and writes no event of the attempt"
FILES = "files are folds of the journal: they are written again, the same bytes"

SQLITE, POSTGRES = "adapters/store/sqlite.py", "adapters/store/postgres.py"
BEFORE = (SQLITE, *(POSTGRES,) * 2)
"""The journal in SQLite has one point before every commit, that of PostgreSQL one for events and one for calls."""
AFTER = (*(SQLITE,) * 2, *(POSTGRES,) * 2)

FAILPOINTS: tuple[Failpoint, ...] = (
    *_one("env.before_rename", "wiring/starting.py", "a sealed run under a passing name", RENAME),
    *_one(
        "env.frozen", "wiring/starting.py", "a sealed run in its place, promised nothing, its name not synced", RENAME
    ),
    *_one("lease.acquired", "pipeline/run.py", "a lease of a dead process", "the lease names pid, boot and start time"),
    *_row(
        "run.start", "pipeline/run.py", "a start that is not on record", "a start on record that did nothing", RESUME
    ),
    *_row("task.scheduled", "pipeline/promises.py", "a plan of which nothing is promised", "all promised", PROMISE),
    *_row(
        "control", "pipeline/controls.py", "a control that was seen and is not on record", "a control on record", RESUME
    ),
    *_row(
        "attempt.started",
        "pipeline/attempt.py",
        "an attempt that has not begun",
        "an incarnation that did nothing",
        FRESH,
    ),
    *_row("context.intent", "pipeline/agent_phase.py", "an incarnation without a workspace", "no workspace yet", FRESH),
    *_row(
        "context.done",
        "pipeline/agent_phase.py",
        "a workspace that nobody knows of",
        "a workspace, no agent",
        FRESH,
        opener="context.copied",
    ),
    *_row("draft.intent", "pipeline/agent_phase.py", "a workspace, no agent", "", FRESH, synced=False),
    *_one(
        "agent.before",
        "pipeline/agent_phase.py",
        "the agent was announced and never began",
        FRESH,
        "draft.intent.synced",
    ),
    *_one("agent.spawned", "pipeline/agent_phase.py", "an agent at work", f"the sandbox dies with its runner; {FRESH}"),
    *_one("agent.after", "pipeline/agent_phase.py", "the agent is done and paid for, nothing is written down", FRESH),
    *_one("blob.written", "adapters/store/blobs.py", "bytes under a passing name, not synced", STAGE),
    *_one("blob.synced", "adapters/store/blobs.py", "bytes under a passing name, synced", STAGE),
    *_one(
        "blob.renamed",
        "adapters/store/blobs.py",
        "a blob that no event names, its name not synced",
        "putting it again syncs the name before a row may use it",
    ),
    *_row(
        "draft.done",
        "pipeline/harvest.py",
        "a patch that is a blob which no event names",
        "a durable patch, nothing applied",
        f"until it is durable a patch is drafted again; {RESUME}",
    ),
    *_row(
        "patch.intent", "pipeline/applying.py", "a durable patch, nothing applied", "applying was announced", ARTIFACT
    ),
    *_one("stage.written", "pipeline/applying.py", "a staged tree, not synced", STAGE),
    *_one("apply.before_rename", "pipeline/applying.py", "a staged tree, synced", STAGE, "stage.synced"),
    *_one(
        "apply.renamed", "pipeline/applying.py", "the tree in its place, its name not synced, not on record", ARTIFACT
    ),
    *_row(
        "patch.done",
        "pipeline/applying.py",
        "the tree in its place for good, not on record",
        "applied, not graded",
        ARTIFACT,
        opener="apply.dir_synced",
    ),
    *_row("verify.intent", "pipeline/grading.py", "applied, not graded", "", GRADED, synced=False),
    *_one(
        "verify.before", "pipeline/grading.py", "grading was announced and never began", GRADED, "verify.intent.synced"
    ),
    *_one(
        "verify.spawned", "pipeline/grading.py", "hidden tests at work", f"the sandbox dies with its runner; {GRADED}"
    ),
    *_one("verify.done", "pipeline/grading.py", "graded, and nothing of it is written down", GRADED),
    *_row(
        "verdict",
        "pipeline/grading.py",
        "a report that no event names",
        "graded and closed, its scratch is left",
        GRADED,
    ),
    *_one("attempt.closed", "pipeline/attempt.py", "closed, its scratch is left, a retry may be owed", CLEAN),
    *_one("attempt.cleaned", "pipeline/attempt.py", "closed and clean, a retry may be owed", PROMISE),
    *_row(
        "retry.scheduled",
        "pipeline/promises.py",
        "a retry is owed and not promised",
        "a retry is promised, not begun",
        f"resume promises what is owed; {PROMISE}",
        needs="retry",
    ),
    *_row("run.stop", "pipeline/run.py", "a run that ended and does not say so", "a run without its files", RESUME),
    *_one("report.before_rename", "pipeline/files.py", "a file under a passing name", FILES),
    *_one("report.renamed", "pipeline/files.py", "some files of a run, the last one's name not synced", FILES),
    *_row(
        "call.intent",
        "adapters/gateway/relay.py",
        "a request that the gateway holds back",
        "an intent, nothing sent",
        CALLS,
        needs="model",
    ),
    *_one(
        "call.sent",
        "adapters/gateway/relay.py",
        "the request may be with the provider; the runner hears of no first byte",
        CALLS,
        "call.first_byte",
        needs="model",
    ),
    *_row(
        "call.done",
        "adapters/gateway/relay.py",
        "an answer that nothing is written down of",
        "an answer on record",
        CALLS,
        opener="call.received",
        needs="model",
    ),
    Failpoint(
        BEFORE_COMMIT,
        BEFORE,
        "a transaction that never happened",
        "the journal opens at its last whole commit",
    ),
    Failpoint(
        AFTER_COMMIT,
        AFTER,
        "a transaction whose writer never heard that it is durable",
        RESUME,
    ),
)
"""In the order in which a run comes by."""


def by_name() -> Mapping[str, Failpoint]:
    """Points by each name that is understood."""
    return {name: point for point in FAILPOINTS for name in (point.name, *point.also)}


def inside(opener: str, at: str) -> Iterator[str]:
    """The points inside a commit that are hit at this point of the journal when `opener` came before it."""
    return (point.name for point in FAILPOINTS if point.opener == opener and point.at == at)
