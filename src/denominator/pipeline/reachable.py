"""Thresholds that the plan of an envelope can never reach, however the run ends: refused when they are written.

Envelope and pack meet here: how many solvable tasks, how many repeats, how many controls. Each threshold is asked on its
own; the functions that know what can be reached are in `planning/reach.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path

from denominator.errors import IncompleteError, Problem
from denominator.gate import few_tasks
from denominator.gate.citing import ALSO, CLASSES, ENVELOPE, LEAST_SEEDS, LEAST_TASKS
from denominator.gate.shape import counted
from denominator.gate.waivers import WAIVABLE, problem_of
from denominator.metrics import METRICS
from denominator.packs import find_pack, load_pack
from denominator.planning import reach
from denominator.records.envelopes import Clause, Comparison, Envelope
from denominator.records.findings import Waiver
from denominator.records.packs import Task
from denominator.records.words import SHOWS_FALSE_PASS, Slice

OF_DRAWS = (
    "headline",
    "unscoreable_rate",
    "abstain_rate",
    "truncation_rate",
    "unresolved_share",
    "timeout_share",
    "no_patch_share",
    "infra_censor_rate",
    "harness_error_rate",
    "flaky_rate",
)
"""Shares of the declared draws of the solvable slice, whose intervals a plan fixes before the run."""
SHARES = ("_rate", "_share")
OF_RUN = 1
"""Every run grades an empty patch, which is a control beside the tasks."""
FIX = "more tasks, another bound, or no such clause"
TEST_FIX = "more tasks, or no declared comparison"


@dataclass(frozen=True, slots=True)
class Reach:
    """What a plan has: solvable tasks, repeats of each, controls that could show a false pass: tasks, however often
    each is drawn, and the run's own."""

    tasks: int
    repeats: int
    controls: int

    @property
    def draws(self) -> int:
        """Declared draws of the solvable slice."""
        return self.tasks * self.repeats


def reach_of(envelope: Envelope, tasks: Sequence[Task]) -> Reach:
    """The plan's own numbers; an envelope without repeats has one."""
    repeats = envelope.budget.repeats if isinstance(envelope.budget.repeats, int) else 1
    solvable = sum(task.slice == Slice.SOLVABLE for task in tasks)
    controls = sum(task.control in SHOWS_FALSE_PASS for task in tasks)
    return Reach(solvable, repeats, controls + OF_RUN)


def unreachable_in(envelope: Envelope, tasks: Sequence[Task]) -> list[Problem]:
    """Every threshold that cannot be reached, with what it would take, and waivers that the gate will refuse."""
    plan = reach_of(envelope, tasks)
    found = [
        problem for number, one in enumerate(envelope.clause) for problem in _clause(f"clause[{number}]", one, plan)
    ]
    return [
        *found,
        *_comparison(envelope.comparison, plan),
        *_waivers(envelope.allow),
        *_citation(envelope, tasks, plan),
    ]


def refuse_unreachable(envelope: Envelope, path: Path) -> None:
    """For a plan that is not yet a seal: what the declared comparison takes is the plan's own answer, the rest is refused."""
    asked = replace(envelope, comparison=Comparison())
    if isinstance(envelope.pack, str):
        require_reachable(asked, load_pack(find_pack(envelope.pack, path.parent)).pack.tasks, str(path))


def require_reachable(envelope: Envelope, tasks: Sequence[Task], where: str) -> None:
    """Refuse an envelope with such a threshold (exit 2), all of them listed."""
    if problems := unreachable_in(envelope, tasks):
        what = f"{counted(len(problems), 'term')} of the envelope that no run of this plan can meet, however it ends"
        fix = "change the plan or the term, then seal again"
        raise IncompleteError(what, where=where, problems=problems, fix=fix)


def _citation(envelope: Envelope, tasks: Sequence[Task], plan: Reach) -> Iterator[Problem]:
    """A known rule of citation that no run of this plan can meet; a rule in free words is a person's to check."""
    written = str(envelope.cite.rule).strip().lower()
    first = re.split(r"[\s:,;]", written, maxsplit=1)[0]
    name = ALSO.get(first, first)
    negative = any(task.slice == Slice.NEGATIVE for task in tasks)
    if name in (CLASSES, ENVELOPE) and not negative:
        yield Problem("cite.rule", f"{name} asks for a negative slice, and the pack has none", "add control tasks")
    if name == ENVELOPE and plan.tasks < LEAST_TASKS:
        what = f"{name} asks for {LEAST_TASKS} solvable tasks, and the pack has {plan.tasks}"
        yield Problem("cite.rule", what, "more tasks, or another rule of citation")
    seeds = len(set(envelope.run.seeds[: plan.repeats]))
    if name == CLASSES and seeds < LEAST_SEEDS:
        what = f"{name} asks for {LEAST_SEEDS} seeds, and the plan has {seeds}"
        yield Problem("cite.rule", what, f"run.seeds and budget.repeats of at least {LEAST_SEEDS}")


def _waivers(allow: Sequence[Waiver]) -> Iterator[Problem]:
    """Waivers that are sure to block the number (GL035), said before the run is paid for."""
    for number, waiver in enumerate(allow):
        if why := problem_of(waiver):
            yield Problem(f"allow[{number}]", why, f"take it out; what can be waived: {', '.join(WAIVABLE)}")


def _clause(where: str, clause: Clause, plan: Reach) -> Iterator[Problem]:
    names = sorted(metric.entry.name for metric in METRICS)
    if clause.metric not in names:
        yield Problem(f"{where}.metric", f"no metric is called {clause.metric!r}", f"one of: {', '.join(names)}")
        return
    least, most = _fraction(clause.at_least), _fraction(clause.at_most)
    if least is not None and most is not None and least > most:
        yield Problem(f"{where}.at_most", "is below at_least: no number is in between", "swap them, or drop one")
        return
    for key, why in (("at_least", _least(clause, least, plan)), ("at_most", _most(clause, most, plan))):
        if why:
            yield Problem(f"{where}.{key}", f"{clause.name}: {why}", FIX)


def _least(clause: Clause, least: Fraction | None, plan: Reach) -> str:
    """Why no result is at least that."""
    if least is None:
        return ""
    if clause.metric == "headline" and clause.of == "lower":
        return reach.rate_lower(plan.tasks, plan.repeats, least)
    if clause.metric in OF_DRAWS and clause.of == "numerator" and least > plan.draws:
        return f"declared draws: {plan.draws}, and at least {clause.at_least} are asked for"
    if _share(clause) and least > 1:
        return f"a share is never above 1, and at least {clause.at_least} is asked for"
    return _few(clause, plan) or (reach.flips(plan.tasks, plan.repeats) if clause.metric == "flip_rate" else "")


def _most(clause: Clause, most: Fraction | None, plan: Reach) -> str:
    """Why no result is at most that."""
    if most is None:
        return ""
    if most < 0:
        return f"nothing that is counted is below 0, and at most {clause.at_most} is asked for"
    if clause.of == "upper":
        if clause.metric in OF_DRAWS:
            return reach.rate_upper(plan.tasks, plan.repeats, most)
        if clause.metric == "false_pass_rate":
            return reach.false_passes(plan.controls, most)
        if clause.metric == "flip_rate":
            return reach.flips(plan.tasks, plan.repeats, most)
    return _few(clause, plan) or (reach.flips(plan.tasks, plan.repeats) if clause.metric == "flip_rate" else "")


def _share(clause: Clause) -> bool:
    share = clause.metric.endswith(SHARES) or clause.metric.startswith("headline")
    return share and clause.of in ("value", "lower", "upper")


def _few(clause: Clause, plan: Reach) -> str:
    """Below eight tasks the quotient is withheld, so a clause on it could never be evaluated."""
    if clause.metric != "headline" or clause.of != "value" or plan.tasks >= few_tasks.LEAST:
        return ""
    of = counted(plan.tasks, "task")
    return f'the quotient of {of} is never printed: it takes {few_tasks.LEAST} tasks; `of = "numerator"` is counted'


def _comparison(given: Comparison, plan: Reach) -> Iterator[Problem]:
    """The declared primary comparison: a test that no split of the tasks passes, a margin below what they can show."""
    alpha, margin = _fraction(given.alpha), _fraction(given.margin)
    if not given.primary or alpha is None or not 0 < alpha < 1:
        return
    if given.question == "difference":
        pairs = {":".join(given.primary), *given.family} if given.family else {":".join(given.primary)}
        if why := reach.exact_test(plan.tasks, alpha / len(pairs), midp=given.test == "midp"):
            where = "comparison.alpha" if given.alpha != Comparison().alpha else "comparison.primary"
            yield Problem(where, why, TEST_FIX)
    elif margin is not None and (why := reach.equivalence(plan.tasks, plan.repeats, margin, alpha)):
        yield Problem("comparison.margin", why, "more tasks, or a wider margin")


def _fraction(text: str) -> Fraction | None:
    """An exact number; what is none is another check's to say."""
    try:
        value = Decimal(text)
    except InvalidOperation:
        return None
    return Fraction(value) if value.is_finite() else None
