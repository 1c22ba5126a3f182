"""The journal explains what is in the workspace.

Why it matters: a runner that finds a tree which none of its rows can have produced must not go on: it would apply an
effect a second time, or take foreign work for its own.

Bad: the journal stops at patch_drafted, the tree is already changed, and the runner goes on from patch_drafted. Good: it
stops with task, last checkpoint and the two digests, exit 5, nothing touched.
Fix: look at the task; give it up, or start it again in a fresh tree where the policy declares that."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.gate.durability.shape import BenchRule
from denominator.gate.shape import Said, block, note
from denominator.records.durability import BenchSheet


def check(sheet: BenchSheet) -> Iterable[Said]:
    """Workspaces that no row explains, and those of which nobody can tell."""
    for one in sheet.states:
        at = f"{one.task_id} attempt {one.attempt}, last checkpoint {one.checkpoint}"
        if one.state == "unknown_state":
            digests = f"the journal explains {one.expected}, the workspace is {one.found}"
            fix = one.policy or "look at it; give it up as unscoreable (missing_artifact), or start it in a fresh tree"
            yield block(one.task_id, f"unknown_state: {at}: {digests}; {one.why}", fix, one.where)
        elif one.state == "cannot_tell":
            yield note(one.task_id, f"{at}: {one.why}", "record the digest of the tree", one.where)


RULE = BenchRule(
    Entry("GL082", "unknown-bench-state", "0.1.0", "gate", __doc__ or ""),
    check,
    "the journal explains every workspace",
    stops=True,
)
