"""Why a reference patch is not green, where its own grading says so: then no agent is to blame, and people know where to look."""

from __future__ import annotations

from denominator.envelopes.blamed import GRADER, SANDBOX
from denominator.packs.baseline import GOLD
from denominator.pipeline.runner_ending import runner_facts
from denominator.ports import Graded
from denominator.readers.logs import SIGNATURES, Matcher, Piece
from denominator.records.packs import Task
from denominator.records.trees import Patch
from denominator.records.words import Grade, RunnerEnding

TEXTS = Matcher([one for one in SIGNATURES if one.family == "sandbox"])
NO_PATCH = Patch(base_tree="", final_tree="", changes=())


def told(task: Task, on: str, graded: Graded) -> str:
    """What people read of a grading; begins with `cause: ` where a reference patch was failed by its surroundings.

    No agent has touched these trees, so their own text may name the cause. It moves no grade.
    """
    why = graded.broken or graded.why
    return f"{cause}: {why}" if on == GOLD and (cause := _cause(task, graded)) else why


def _cause(task: Task, graded: Graded) -> str:
    if graded.grade != Grade.RED:
        return ""
    if any(_refused(text) for text in (graded.ended.stdout, graded.ended.stderr, graded.report)):
        return SANDBOX
    return GRADER if runner_facts(task, NO_PATCH, graded).get("runner_ending") == RunnerEnding.DISAGREES else ""


def _refused(text: bytes) -> bool:
    piece = Piece(phase="verify", stream="err", offset=0, at_ms=-1, text=text, whole=True)
    return next(TEXTS.hits(piece), None) is not None
