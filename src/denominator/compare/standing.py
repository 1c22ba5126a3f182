"""One arm by itself: its exits over its own declared draws, and what its own gate lets stand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass

from denominator.records.comparisons import ArmLine, Side
from denominator.records.judgements import EXITS, NEVER_STARTED, JudgedDraw, Sheet
from denominator.records.values import NotMeasured
from denominator.records.words import Severity

FACTS = (
    "few-tasks",
    "wide-bounds",
    "lowered-claims",
    "seeds-differ",
    "failed-narration",
    "in-process-grading",
    "flaky-baseline",
    "flips-above-ceiling",
    "limits-differ",
)
"""Rules that lower a claim because of what is known. The others cap foreign rows because nobody states a thing."""
UNCITED, FAILURE_CLASSES = "unmet-cite-rule", "failure-classes"
SAME_TASKS = NotMeasured("the task sets do not differ")


@dataclass(frozen=True, slots=True)
class Standing:
    """What a side's own gate does to a comparison: stops it, lowers it to counts, or leaves it without being established."""

    blocked_by: tuple[str, ...] = ()
    counts_by: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


def standing_of(side: Side) -> Standing:
    """Sort what a side's gate found.

    A difference between two arms that both leave something unsaid can be told as a direction: what nobody said is the
    same for both as far as anyone knows. It establishes nothing. What is *known* to lower a claim lowers both to counts.
    """
    if side.verdict.status == "blocked":
        stops = (Severity.BLOCK, Severity.UNKNOWN)
        names = (f"{f.code} {f.allow_name}" for f in side.verdict.findings if f.severity in stops)
        return Standing(tuple(dict.fromkeys(names)))
    if uncited := _uncited(side):
        return Standing(uncited)
    silent = tuple(name for name in side.caps if _is_silence(side.sheet, name.split(" ")[-1]))
    facts = tuple(name for name in side.caps if name not in silent)
    return Standing((), facts, silent, tuple(_steps(side, facts)))


def _uncited(side: Side) -> tuple[str, ...]:
    """The rule that keeps a log of failure classes apart: two of them are set side by side when both may be cited (M13)."""
    for one in side.verdict.findings:
        by_class = one.allow_name == UNCITED and FAILURE_CLASSES in one.what.partition(":")[0]
        if by_class and one.severity == Severity.NOTE:
            return (f"{one.code} {one.allow_name}: {one.what}",)
    return ()


def _steps(side: Side, names: Container[str]) -> Iterable[str]:
    """What the rules that lower it to counts say has to be done."""
    for one in side.verdict.findings:
        if f"{one.code} {one.allow_name}" in names and one.severity == Severity.NOTE and one.fix:
            yield f"{one.code} {one.allow_name}, {side.name}: {one.fix}"


def _is_silence(sheet: Sheet, rule: str) -> bool:
    if sheet.terms.origin != "manifest":
        return False
    return not sheet.terms.scorer if rule == "non-test-scorer" else rule not in FACTS


def arm_line(side: Side, shared: Container[str] | None = None) -> ArmLine:
    """The counts of one arm. `shared`: the tasks that both arms know, where the task sets differ."""
    sheet, stands = side.sheet, standing_of(side) if side.rows else Standing()
    draws = sheet.of_slice("solvable")
    tasks = {draw.draw.task_id for draw in draws}
    declared = sheet.solvable_n()
    both = [draw for draw in draws if shared is not None and draw.draw.task_id in shared]
    return ArmLine(
        name=side.name,
        arm=sheet.terms.arm,
        origin=sheet.terms.origin,
        digest=sheet.terms.digest,
        status=side.verdict.status,
        rung=side.verdict.rung,
        declared=declared,
        tasks=declared if isinstance(declared, NotMeasured) else len(tasks) + sheet.unnamed,
        repeats=sheet.terms.repeats,
        exits=exits_of(draws, sheet.unnamed, side.split_hidden),
        origins=dict(sorted(Counter(draw.origin for draw in draws if draw.origin).items())),
        never_started=tuple(sorted(place_of(draw) for draw in draws if draw.exit == NEVER_STARTED)),
        after_cap=() if side.split_hidden else tuple(sorted(place_of(d) for d in draws if "after_cap" in d.tags)),
        blocked_by=stands.blocked_by,
        capped_by=(*stands.counts_by, *stands.silent),
        rows=side.rows,
        controls=len(sheet.controls),
        controls_held=sum(one.state == "held" for one in sheet.controls),
        own_process=bool(sheet.terms.grading_levels) and set(sheet.terms.grading_levels) == {"G3"},
        shared=SAME_TASKS if shared is None else exits_of(both, 0, side.split_hidden),
    )


def exits_of(draws: Iterable[JudgedDraw], unnamed: int, hidden: bool) -> dict[str, int]:
    """Every draw under one exit; an unknown exit is unscoreable; pass and fail are one term while a control is violated."""
    counts = dict.fromkeys(EXITS, 0)
    for draw in draws:
        counts[draw.exit if draw.exit in counts else "unscoreable"] += 1
    counts[NEVER_STARTED] += unnamed
    if not hidden:
        return counts
    rest = {name: number for name, number in counts.items() if name not in ("pass", "fail")}
    return {"pass_or_fail": counts["pass"] + counts["fail"], **rest}


def place_of(draw: JudgedDraw) -> str:
    """The task, with its repeat where that is not the first."""
    return draw.draw.task_id if draw.draw.repeat == 1 else f"{draw.draw.task_id}#{draw.draw.repeat}"
