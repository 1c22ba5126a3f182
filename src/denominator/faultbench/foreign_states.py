"""A foreign workspace held against its journal: explained, unknown_state, or nobody can tell.

Before an application the tree is as it was given out; after it, it is what the row says. A runner that meets anything else
must not go on (METHODS M4: the silent control; DURABILITY: neither pre nor post).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from denominator.faultbench.foreign_rows import Point, points_at
from denominator.records.durability import FoundState
from denominator.records.faults import Text
from denominator.records.values import NotMeasured

EXPLAINED, UNKNOWN, CANNOT_TELL = "explained", "unknown_state", "cannot_tell"
BEFORE_FIRST = "no checkpoint"
NO_DIGEST = NotMeasured("no row holds the digest of the tree after the application")


def is_application(checkpoint: str) -> bool:
    """Is it the point at which an effect was performed? `patch_applied`, or a declared name that says so."""
    return "appl" in checkpoint


def latest(points: Iterable[Point], first: str) -> list[Point]:
    """The rows that say where the last attempt of a task stands; after a restart from the first checkpoint those since."""
    found = [one for one in points if not one.rolled_back]
    attempt = max((one.attempt for one in found), default=1)
    found = [one for one in found if one.attempt == attempt]
    epoch = max((one.epoch for one in found), default=1)
    last = [one for one in found if one.epoch == epoch]
    return last if any(one.checkpoint == first for one in last) else found


def state_of(
    task: str, points: Sequence[Point], workspace: Mapping[str, Any], order: Sequence[str], where: str, policy: str
) -> FoundState:
    """What the workspace of a task is, given its rows; `order` is that of the checkpoints."""
    standing = latest(points, next(iter(order), ""))
    reached = max((one.checkpoint for one in standing), key=order.index, default=BEFORE_FIRST)
    found, base = str(workspace["tree_digest"]), _base(workspace, standing)
    expected, why = _expected(standing, base, found)
    if isinstance(expected, NotMeasured):
        state = UNKNOWN if _is_lost(standing, base, found) else CANNOT_TELL
        why = "the journal says applied and the tree is as it was given out" if state == UNKNOWN else why
    else:
        state = EXPLAINED if found == expected else UNKNOWN
        why = why if state == UNKNOWN else "the tree is what the journal says"
    shown = f"not {base}" if isinstance(expected, NotMeasured) and state == UNKNOWN else _shown(expected)
    return FoundState(
        task_id=task,
        attempt=max((one.attempt for one in points), default=1),
        checkpoint=reached,
        expected=shown,
        found=found,
        state=state,
        why=why,
        where=where,
        policy=policy if state == UNKNOWN else "",
    )


def _expected(points: Sequence[Point], base: Text, found: str) -> tuple[Text, str]:
    """The digest that the journal explains, and what is wrong when another one is there."""
    applied = [one for one in points if is_application(one.checkpoint)]
    if not applied:
        if isinstance(base, NotMeasured):
            return base, "nobody says which tree was given out"
        return base, "nothing was applied yet, and the tree is another one: the runner died between two checkpoints"
    trees = sorted({one.tree for one in applied if isinstance(one.tree, str)})
    if trees:
        return (found if found in trees else trees[-1]), "no row of the application names this tree"
    digests = sorted({one.digest for one in applied if isinstance(one.digest, str)})
    if isinstance(base, str) and digests and found.startswith(f"{base}+"):
        sums = [f"{base}+{digest}" for digest in digests]
        return (found if found in sums else sums[-1]), "the tree holds something else than the applied patch"
    return NO_DIGEST, NO_DIGEST.not_measured


def _is_lost(points: Sequence[Point], base: Text, found: str) -> bool:
    return isinstance(base, str) and found == base and any(is_application(one.checkpoint) for one in points)


def _base(workspace: Mapping[str, Any], points: Iterable[Point]) -> Text:
    """The tree as it was given out: the workspace's own word, else what was loaded first."""
    stated = workspace.get("base_digest")
    if isinstance(stated, str) and stated:
        return stated
    loaded = sorted(one.digest for one in points_at(points, "context_loaded") if isinstance(one.digest, str))
    return loaded[0] if loaded else NotMeasured("nobody says which tree was given out")


def _shown(value: Text) -> str:
    return "unknown" if isinstance(value, NotMeasured) else value
