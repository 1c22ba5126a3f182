"""What is odd in a run report: overlaps, counts that their own lists deny, foreign ids, marks that fit nothing."""

from __future__ import annotations

from denominator.importers.swebench.states import STATES, RunReport
from denominator.records.foreign import Told

NAMES_OF_COUNTS = {"empty": "empty_patch", "infra": "infra_failure", "ambiguous": "ambiguous_failure"}
SHOWN = 20


def tell_oddities(report: RunReport, told: Told) -> None:
    """Overlaps, counts, ids without a verdict, foreign ids, overlays that fit nothing."""
    _tell_counts(report, told)
    _tell_overlaps(report, told)
    if lost := sorted(task for task in report.every() if report.state(task) == "completed"):
        what = f"{len(lost)} completed ids are neither resolved nor unresolved"
        told.say("unknown_ending", report.file, what, *lost[:SHOWN])
    if foreign := sorted(report.foreign()):
        what = f"{len(foreign)} ids were handed in that are not of the dataset: nobody evaluated them"
        told.say("foreign_ids", report.file, what, *foreign[:SHOWN])
    if lost := sorted(report.lost()):
        what = f"{len(lost)} ids were handed in, and no list says what became of them: nobody evaluated them"
        told.say("not_evaluated", report.file, what, *lost[:SHOWN])
    _tell_overlays(report, told)


def _tell_overlaps(report: RunReport, told: Told) -> None:
    """Ids in lists that exclude each other; an id without a readable report is completed and an error, as the harness has it."""
    pairs: dict[tuple[str, str], list[str]] = {}
    for task in report.every():
        held = [name for name in STATES if report.has(name, task)]
        if report.has("completed", task) and held and held[0] in ("error", "failed", "empty", "pending", "incomplete"):
            held = ["completed", *held]
        if len(held) > 1:
            for one in held[1:] if held[0] != "completed" else held[1:2]:
                pairs.setdefault((held[0], one), []).append(task)
    for (one, other), tasks in sorted(pairs.items()):
        blocks = "resolved" in (one, other)
        state = other if one == "completed" else one
        what = f"{len(tasks)} ids are {one} and {other} at once; taken as {state}"
        told.say("overlapping_lists", report.file, what, *sorted(tasks)[:SHOWN], blocks=blocks)


def _tell_counts(report: RunReport, told: Told) -> None:
    """A count and the list that it counts."""
    for list_, ids in report.ids.items():
        key = f"{NAMES_OF_COUNTS.get(list_, list_)}_instances"
        if key in report.counts and report.counts[key] != len(ids):
            what = f"{key} says {report.counts[key]}, its list names {len(ids)} ids"
            told.say("count_differs", report.file, what, blocks=list_ == "resolved")


def _tell_overlays(report: RunReport, told: Told) -> None:
    for name, blocks in (("infra", False), ("ambiguous", False)):
        if tasks := sorted(report.ids.get(name, ())):
            reasons = sorted({report.reasons.get(task, "no reason") for task in tasks})
            what = (
                f"{len(tasks)} ids carry the harness's mark {name}: {', '.join(reasons)}; they stay in the denominator"
            )
            told.say(f"{name}_failures", report.file, what, *tasks[:SHOWN], blocks=blocks)
    odd = sorted(
        task for name in ("infra", "ambiguous") for task in report.ids.get(name, ()) if report.has("resolved", task)
    )
    if odd:
        told.say("contradiction", report.file, f"{len(odd)} resolved ids carry a mark of a failure", *odd[:SHOWN])
