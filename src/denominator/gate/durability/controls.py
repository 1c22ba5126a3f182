"""The four controls of a bench, judged from its trials: held, violated or inconclusive, each with what a failure means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from denominator.records.cards import ControlLine
from denominator.records.durability import BenchSheet
from denominator.records.faults import NO_FAULT, BenchControl, Text, Trial
from denominator.records.values import NotMeasured, counted
from denominator.records.words import Checkpoint

MEANING: Mapping[str, str] = {
    BenchControl.POSITIVE: "harness broken",
    BenchControl.NEGATIVE: "wrote too early",
    BenchControl.REPLAY: "journal not authoritative",
    BenchControl.SILENT: "runner guesses",
}
"""What it means when a control fails (METHODS M4)."""
HELD, VIOLATED, INCONCLUSIVE = "held", "violated", "inconclusive"
MOST = 12
Judged = tuple[str, str]
"""State and why."""


def controls_of(sheet: BenchSheet) -> tuple[ControlLine, ...]:
    """The controls that were planned, in their order; one that no trial shows is inconclusive."""
    return tuple(_line(name, sheet) for name in BenchControl if name in sheet.terms.controls)


def _line(name: BenchControl, sheet: BenchSheet) -> ControlLine:
    state, why = _JUDGES[name](sheet)
    meaning = f"{MEANING[name]}: " if state == VIOLATED else ""
    return ControlLine(name=str(name), task_id="", state=state, why=f"{meaning}{why}")


def _summed(found: Iterable[tuple[Trial, Judged]], none: str, held: str) -> Judged:
    """The worst of all trials, with the names of those that showed it."""
    judged = list(found)
    if not judged:
        return INCONCLUSIVE, none
    for state in (VIOLATED, INCONCLUSIVE):
        bad = [f"{one.task_id}#{one.repeat}: {why}" for one, (said, why) in judged if said == state]
        if bad:
            more = f"; and {len(bad) - MOST} more" if len(bad) > MOST else ""
            return state, "; ".join(bad[:MOST]) + more
    return HELD, f"{held} ({counted(len(judged), 'trial')})"


def _positive(sheet: BenchSheet) -> Judged:
    """Faults off: every task ends in its expected verdict, and no effect is performed twice."""
    trials = [one for one in sheet.trials if one.fault == NO_FAULT and one.control in ("", BenchControl.POSITIVE)]
    planned = sheet.terms.tasks if sheet.terms.ours else ()
    missing = sorted(set(() if isinstance(planned, NotMeasured) else planned) - _tasks(trials))
    if trials and missing:
        return INCONCLUSIVE, f"no trial without a fault: {', '.join(missing[:MOST])}"
    return _summed(
        ((one, _as_expected(one)) for one in trials),
        "no trial without a fault",
        "faults off: every task ended in its expected verdict",
    )


def _as_expected(trial: Trial) -> Judged:
    if trial.interrupted is True:
        return VIOLATED, "it was interrupted although the faults were off"
    if trial.exits and trial.exits[0] < 0:
        said = f" ({trial.note})" if trial.note else ""
        return INCONCLUSIVE, f"signal {-trial.exits[0]} ended it although the faults were off{said}"
    if isinstance(trial.ended, NotMeasured):
        return INCONCLUSIVE, "it has no verdict"
    if trial.manual_edit:
        return VIOLATED, "a person edited it"
    if _is_twice(trial):
        return VIOLATED, "an effect was performed twice although the faults were off"
    return (HELD, "") if trial.ended == trial.expected else (VIOLATED, f"ended in {trial.ended}, not {trial.expected}")


def _is_twice(trial: Trial) -> bool:
    return any(isinstance(one.times, int) and one.times > 1 for one in trial.applied)


def _negative(sheet: BenchSheet) -> Judged:
    """Dead at context_loaded: the workspace is as it was given out, and no later checkpoint is there."""
    return _summed(
        ((one, _untouched(one)) for one in _of(sheet, BenchControl.NEGATIVE)),
        "no trial was killed at context_loaded",
        "killed at context_loaded: nothing was written",
    )


def _untouched(trial: Trial) -> Judged:
    if not trial.fired:
        return INCONCLUSIVE, "the fault never came"
    if isinstance(trial.checkpoints, tuple):
        later = [point for point in trial.checkpoints if point != Checkpoint.CONTEXT_LOADED]
        if later:
            return VIOLATED, f"a later checkpoint is there: {', '.join(later)}"
    return _same(
        trial.tree_base, trial.tree_at_death, "something wrote before the first checkpoint", "it was given out as"
    )


def _same(expected: Text, found: Text, broken: str, word: str) -> Judged:
    if isinstance(expected, NotMeasured) or isinstance(found, NotMeasured):
        return INCONCLUSIVE, "the digests of the workspace were not taken"
    return (HELD, "") if expected == found else (VIOLATED, f"{broken}: {word} {expected}, found as {found}")


def _replay(sheet: BenchSheet) -> Judged:
    """Resumed twice: the second resume leaves every file and row as it was."""
    shown = [
        one
        for one in sheet.trials
        if one.control == BenchControl.REPLAY or (not one.control and isinstance(one.second_resume_noop, bool))
    ]
    return _summed(
        ((one, _noop(one)) for one in shown),
        "no trial was resumed twice",
        "resumed twice: the second resume changed nothing",
    )


def _noop(trial: Trial) -> Judged:
    if isinstance(trial.second_resume_noop, NotMeasured):
        return INCONCLUSIVE, "it was not resumed a second time"
    return (HELD, "") if trial.second_resume_noop else (VIOLATED, "the second resume changed something")


def _silent(sheet: BenchSheet) -> Judged:
    """Dead between checkpoints with a foreign edit: a loud unknown state, and nothing touched."""
    return _summed(
        ((one, _loud(one)) for one in _of(sheet, BenchControl.SILENT)),
        "no trial was killed between checkpoints and edited by a foreign hand",
        "a foreign edit between crash and resume: stopped as unknown_state, nothing touched",
    )


def _loud(trial: Trial) -> Judged:
    if not trial.fired:
        return INCONCLUSIVE, "the fault never came"
    if not trial.unknown_state:
        return VIOLATED, "it went on over a tree that its journal cannot explain"
    return _same(trial.tree_at_death, trial.tree_after, "it said unknown_state and changed the tree", "it was left as")


def _of(sheet: BenchSheet, name: BenchControl) -> Sequence[Trial]:
    return [one for one in sheet.trials if one.control == name]


def _tasks(trials: Iterable[Trial]) -> set[str]:
    return {one.task_id for one in trials}


_JUDGES: Mapping[str, Callable[[BenchSheet], Judged]] = {
    BenchControl.POSITIVE: _positive,
    BenchControl.NEGATIVE: _negative,
    BenchControl.REPLAY: _replay,
    BenchControl.SILENT: _silent,
}
