"""Agent-off results: tests that say both, tasks green without an agent, reference patches that fail, graders that never work."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from denominator.importers.attempts import Built
from denominator.importers.columns import Cells
from denominator.importers.logs.grading import NO_VERDICT, reference_grade
from denominator.importers.raw import RawRow, json_text
from denominator.records.rows import AttemptRow, Defect, Failure
from denominator.records.values import NotMeasured
from denominator.records.words import Grade, Phase, Reason, Writer

OFF = frozenset({"", "nop", "noop", "none", "null", "base", "off", "agent_off", "agent-off", "empty", "baseline"})
REFERENCE = frozenset({"gold", "oracle", "reference", "solution"})
GREEN = frozenset({"pass", "passed", "green", "ok", "success"})
RED = frozenset({"fail", "failed", "red", "failure"})
CONCURRENCY = ("concurrency", "envelope.concurrency", "env.concurrency", "sandbox.concurrency", "workers")
MOST = 12
ENOUGH = 3
"""So many results of one date are a baseline of that date."""
NOTHING = ""


@dataclass(frozen=True, slots=True)
class Result:
    """One agent-off result: green, red, or nothing where no test came to a result; which tree was graded, and when."""

    state: str
    reference: bool
    date: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """Task ids by what the agent-off results say of them. `broken`: no grading of any arm came to a result."""

    results: Mapping[str, tuple[Result, ...]] = field(default_factory=dict)
    flaky: tuple[str, ...] = ()
    green: tuple[str, ...] = ()
    gold_red: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()
    gold_green: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    few: tuple[str, ...] = ()
    elsewhere: int = 0


def read_baseline(raws: Iterable[RawRow], environment: Mapping[str, str], rows: Iterable[Cells]) -> Baseline:
    """From baseline rows at the run's own concurrency, and from what the rows say of the reference patch."""
    found: dict[str, list[Result]] = {}
    elsewhere = 0
    for raw in raws:
        task, result = raw.value.get("task_id"), _result(raw)
        if not isinstance(task, str) or result is None:
            continue
        if _here(raw, environment):
            found.setdefault(task, []).append(result)
        else:
            elsewhere += 1
    base = {
        task: [one.state for one in _dated([one for one in some if not one.reference])] for task, some in found.items()
    }
    now = {task: [one.state for one in _last([one for one in some if one.reference])] for task, some in found.items()}
    red = {task for task, states in now.items() if states and set(states) == {Grade.RED}}
    expired = {task for task in red if any(one.reference and one.state == Grade.GREEN for one in found[task])}
    return Baseline(
        results={task: tuple(some) for task, some in sorted(found.items())},
        flaky=_ids(task for task in found if _both(base[task]) or _both(now[task])),
        green=_ids(task for task, states in base.items() if states and set(states) == {Grade.GREEN}),
        gold_red=_ids({*(red - expired), *_red_in(rows)}),
        expired=_ids(expired),
        gold_green=_ids(task for task, states in now.items() if states and set(states) == {Grade.GREEN}),
        broken=_ids(task for task, states in now.items() if states and not any(states) and not any(base[task])),
        few=_ids(task for task, states in base.items() if 0 < len(states) < ENOUGH and not _both(states)),
        elsewhere=elsewhere,
    )


def _result(raw: RawRow) -> Result | None:
    """One line; None when it is of an agent's arm, or says nothing."""
    arm = raw.value.get("arm", raw.value.get("agent"))
    word = "" if arm is None else str(arm).strip().lower()
    if word not in OFF and word not in REFERENCE:
        return None
    status, code = _word(raw.value), raw.value.get("verify_exit", raw.value.get("exit_code", raw.value.get("exit")))
    date = str(raw.value.get("date") or raw.value.get("at") or "")
    if raw.value.get("tests_executed") == 0 or code in NO_VERDICT:
        return Result(NOTHING, word in REFERENCE, date)
    if status in GREEN or status in RED:
        return Result(Grade.GREEN if status in GREEN else Grade.RED, word in REFERENCE, date)
    if isinstance(code, int) and not isinstance(code, bool) and not status:
        return Result(Grade.GREEN if code == 0 else Grade.RED, word in REFERENCE, date)
    return Result(NOTHING, word in REFERENCE, date) if status else None


def _word(line: Mapping[str, object]) -> str:
    """How a line ended, in a word, or in a truth value written as a word of ours."""
    flag = next((line[name] for name in ("passed", "pass", "green", "ok") if isinstance(line.get(name), bool)), None)
    told = next((line[name] for name in ("status", "result", "outcome") if line.get(name)), "")
    return str(told).lower() or ("" if flag is None else "pass" if flag else "fail")


def _both(states: Sequence[str]) -> bool:
    return {Grade.GREEN, Grade.RED} <= set(states)


def _here(raw: RawRow, environment: Mapping[str, str]) -> bool:
    """Was this taken at the concurrency that the manifest states? Where either is silent it counts."""
    found = raw.value.get("concurrency", raw.value.get("workers"))
    stated = next((environment[key] for key in CONCURRENCY if key in environment), None)
    return found is None or stated is None or json_text(found) == stated


def _last(runs: Sequence[Result]) -> list[Result]:
    """The results of the latest date; text dates sort as they should."""
    latest = max((run.date for run in runs), default="")
    return [run for run in runs if run.date == latest]


def _dated(runs: Sequence[Result]) -> Sequence[Result]:
    """Those of the latest date where they are enough for a baseline by themselves; all of them otherwise."""
    latest = _last(runs)
    return latest if len(latest) >= ENOUGH else runs


def _red_in(rows: Iterable[Cells]) -> Iterable[str]:
    """Tasks of rows that say themselves that the reference patch is red."""
    return (one.text("task_id") for one in rows if reference_grade(one.table("gold")) == Grade.RED)


def _ids(found: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(found)))


def with_baseline(built: Built, baseline: Baseline) -> None:
    """Rows learn what the reference patch gives, and that a grader which works for no arm is what failed."""
    for place, row in enumerate(built.rows):
        built.rows[place] = _told(row, baseline)


def _told(row: AttemptRow, baseline: Baseline) -> AttemptRow:
    task = row.key.task_id
    red = task in baseline.expired or (task in baseline.gold_red and task in baseline.results)
    if isinstance(row.gold_now, NotMeasured) and (red or task in baseline.gold_green):
        row = replace(row, gold_now=Grade.RED if red else Grade.GREEN)
    if task not in baseline.broken or row.grade != Grade.NONE:
        return row
    failed = Failure(seq=row.source.line, cause=Reason.GRADER_ERROR, writer=Writer.VERIFIER, phase=Phase.VERIFY)
    first = row.first_unrecovered or failed
    collects = False if isinstance(row.baseline_collects, NotMeasured) else row.baseline_collects
    return replace(row, first_unrecovered=first, baseline_collects=collects)


def broken_tasks(baseline: Baseline, where: str) -> Iterable[Defect]:
    """One block that lists the tasks which no arm can pass or fail."""
    if baseline.broken:
        what = (
            "the tests came to no result for the reference patch and without an agent either: broken for every arm: "
            f"{', '.join(baseline.broken)}; no retry heals that, the pack has to be frozen again"
        )
        yield Defect(kind="broken_task", where=where, what=what, keys=baseline.broken)


def baseline_notes(baseline: Baseline) -> tuple[str, ...]:
    """How many agent-off results say what, for the tasks that they say something against."""
    named = _ids((*baseline.flaky, *baseline.green, *baseline.gold_red, *baseline.expired, *baseline.broken))
    told = [_note(task, baseline.results[task]) for task in named if task in baseline.results]
    rest = len(told) - MOST
    notes = told[:MOST] + ([f"agent-off results speak against {rest} more tasks"] if rest > 0 else [])
    if baseline.few:
        shown = ", ".join(f"{task} ({_noun(baseline.results[task])})" for task in baseline.few[:MOST])
        more = f" and {len(baseline.few) - MOST} more" if len(baseline.few) > MOST else ""
        notes.append(
            f"a baseline takes {ENOUGH} agent-off results, so nobody knows whether these are flaky: {shown}{more}"
        )
    if baseline.elsewhere:
        notes.append(f"{baseline.elsewhere} agent-off results at another concurrency were not used")
    return tuple(notes)


def _note(task: str, results: Sequence[Result]) -> str:
    green, red = (sum(one.state == state for one in results) for state in (Grade.GREEN, Grade.RED))
    nothing = len(results) - green - red
    told = f"{task}: {_noun(results)}: {green} green, {red} red"
    return told + (f", {nothing} without a test that ran" if nothing else "")


def _noun(results: Sequence[Result]) -> str:
    return f"{len(results)} agent-off result" + ("" if len(results) == 1 else "s")
