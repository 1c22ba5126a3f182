"""A signal ended the runner or one of its workers.

Why it matters: a crash that the patch causes is a wrong patch; a signal from somebody else is not.

Bad: 137 is always memory, 139 is always the agent.
Good: who sent it first, then the memory flag; a crash of the code is the model's when the tests run with the agent
off. A KILL or TERM without a known sender is unresolved.
Fix: record who sent each signal, and the kernel's memory events.
"""

from __future__ import annotations

from denominator.catalog import Entry
from denominator.labels import facts
from denominator.labels.hints import usable_hint
from denominator.labels.results import fail, unscoreable
from denominator.labels.runners import LOOKED_AT, ended_as
from denominator.labels.shape import ENDING, Answer, No, Rule, View
from denominator.records.rows import AttemptRow
from denominator.records.words import Phase, RunnerEnding

FROM_OUTSIDE = (9, 15)


def judge(view: View) -> Answer:
    """Does it hold, and with what ending?"""
    row = view.row
    if (no := ended_as(view, RunnerEnding.SIGNAL, RunnerEnding.WORKER_CRASHED)) is not None:
        return no
    if facts.blames_patch(row):
        return fail("the runner died, and that points at the patch", *LOOKED_AT)
    if usable_hint(view, Phase.VERIFY) is not None:
        return No("a text of the verifier may name the cause: text-hint is asked", ("hints",))
    if signal_of(row) in FROM_OUTSIDE and facts.text(row.killed_by) == "":
        why = "the runner was killed from outside, and nobody recorded by whom"
        return unscoreable("HARNESS", "", why, "verify_exit", "verify_signal", "killed_by", "oom")
    if facts.baseline_is_healthy(row):
        return fail(
            "the runner crashed, and with the agent off it does not", *LOOKED_AT, "verify_exit", "verify_signal"
        )
    why = "the runner crashed, and nobody knows whether it does so with the agent off"
    return unscoreable("HARNESS", "", why, *LOOKED_AT, "verify_exit", "verify_signal")


def signal_of(row: AttemptRow) -> int:
    """The signal that ended the verifier, from the record or from a status above 128; 0 when there is none."""
    if isinstance(row.verify_signal, int) and row.verify_signal:
        return row.verify_signal
    return row.verify_exit - 128 if isinstance(row.verify_exit, int) and row.verify_exit > 128 else 0


RULE = Rule(
    Entry("LB148", "runner-was-killed", "0.1.0", "label endings", __doc__ or ""),
    ENDING,
    judge,
    "the sender of the signal, the kernel's memory flag, or a baseline that shows whether the runner works",
)
