"""The checks of an audit by name: what of the checklist each answers and what is done for it; and how they add up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from denominator.records.pack_audits import AuditItem, ItemState

SHOWN = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What a check found. `problems` make it fail; `unknown` ones leave it undecided; `nothing` says why it does not apply."""

    result: str = ""
    problems: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    nothing: str = ""
    not_run: str = ""


CHECKS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "lint": (("T.5", "T.7"), "held against every rule of `pack lint`"),
    "lock": (("T.6", "I6"), "digests of all files held against pack.lock"),
    "gold-passes": (("T.7", "T.8", "T.9", "D7"), "graded the gold tree of every task, agent off"),
    "nothing-fails": (("R.13", "D7"), "graded the untouched tree of every task, agent off"),
    "must-fail-tests": (("T.7", "O.d.1"), "counted sentinels and counter-tests that failed in each grading of gold"),
    "trivial-agents": (("T.10", "R.13", "D9"), "let agents without skill work on every task, and graded"),
    "exploit-agents": (("T.10", "T.3"), "let the shipped attacks work on every task, and graded"),
    "honest-twins": (("D11",), "let the honest twin of every attack work on a gold tree, and graded"),
    "hidden-out-of-sight": (("T.5",), "searched all that an agent's sandbox shows for hidden tests and gold"),
    "canaries-out-of-sight": (("T.5", "R.3", "I7"), "searched all that an agent's sandbox shows for the pack's tokens"),
    "image-layers": (
        ("T.5", "R.3"),
        "searched every layer of the image, its configuration and history, and git objects in it",
    ),
    "no-residue": (("T.4",), "left files in a sandbox, looked for them in the next, compared trees before and after"),
    "same-in-any-order": (("T.4",), "graded all trees in other orders"),
    "not-flaky": (("O.f.3",), "graded every tree again and again with the agent off"),
    "mutants-killed": (("O.d.2",), "graded small wrong changes of what gold adds"),
    "gold-files-reached": (("O.f.2",), "put a bomb into each block of the files that gold touches, and graded"),
    "pinned-tools": (("T.1",), "looked for what the pack needs and does not pin"),
    "looked-at": (("M1", "R.4"), "counted the days since a person last looked at the pack"),
}
NOT_OURS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("interfaces reachable", ("T.2",), "no network: a grading reaches nothing that could be away"),
    ("judged answers", ("O.a", "O.b", "O.c", "O.h.1", "O.h.2", "O.i.1"), "no answer is judged: tests decide"),
    ("state of a world", ("O.g.1", "O.g.2", "O.g.3"), "no state is compared: files outside the allow-list never count"),
    ("paraphrased prompts", ("D10",), "no model is asked here: a run with other words is an arm of its own"),
    ("fuzzed input", ("O.e.1", "O.e.2", "O.e.3"), "the hidden tests are frozen: no input is drawn"),
)
"""What the checklist asks and no pack of this kind has."""


def audit_item(name: str, said: Said) -> AuditItem:
    """The item of a check by what it found: a failure outweighs what is unknown."""
    checklist, done = CHECKS[name]
    if said.nothing:
        return AuditItem(
            name=name, checklist=checklist, state=ItemState.NOT_APPLICABLE, done="nothing", result=said.nothing
        )
    if said.not_run:
        return AuditItem(name=name, checklist=checklist, state=ItemState.NOT_RUN, done="nothing", result=said.not_run)
    state = ItemState.FAILED if said.problems else ItemState.UNKNOWN if said.unknown else ItemState.PASSED
    problems = (*said.problems, *said.unknown)
    more = (f"and {len(problems) - SHOWN} more",) if len(problems) > SHOWN else ()
    return AuditItem(
        name=name, checklist=checklist, state=state, done=done, result=said.result, problems=(*problems[:SHOWN], *more)
    )


def not_applicable_items() -> tuple[AuditItem, ...]:
    """Items of the checklist that no pack of tests has."""
    return tuple(
        AuditItem(name=name, checklist=checklist, state=ItemState.NOT_APPLICABLE, done="nothing", result=why)
        for name, checklist, why in NOT_OURS
    )


def summed_up(items: Iterable[AuditItem]) -> dict[str, int]:
    """The five counts of an audit. What was not run is of the automatic ones, and did not pass."""
    states = [item.state for item in items]
    passed = states.count(ItemState.PASSED)
    declared = states.count(ItemState.DECLARED)
    undecided = (ItemState.FAILED, ItemState.UNKNOWN, ItemState.NOT_RUN)
    return {
        "automatic": passed + sum(states.count(state) for state in undecided),
        "passed": passed,
        "declarable": declared + states.count(ItemState.MISSING),
        "declared": declared,
        "not_applicable": states.count(ItemState.NOT_APPLICABLE),
    }
