"""The two scores: what is claimed, what was run, and between which counts each lies where something is not known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from denominator.compare.published.fields import Values, of_conditions, of_document
from denominator.compare.tallies import SEEN, repeats_of, tallies
from denominator.records.findings import Verdict
from denominator.records.judgements import Sheet
from denominator.records.published import Published, Told
from denominator.records.values import NotMeasured
from denominator.records.words import Origin
from denominator.stats import possible_counts

NO_COUNT = NotMeasured("no count can be made of what is stated")
NO_N = NotMeasured("how many tasks there were is not stated")


@dataclass(frozen=True, slots=True)
class Claimed:
    """One score. `outcomes` says of each task whether it passed (one draw each); `passes` counts them out of `repeats`, and
    `most_passes` does so where every draw without a verdict had passed; `ragged` says why there is no one number of repeats.

    `unseen` are tasks without a verdict. `red` are tasks that are red or of two minds with the agent off. `impossible`
    says that no count gives the printed percent. `blocked` says that its own gate prints no number.
    """

    told: Told
    fingerprint: Values
    tasks: frozenset[str] | None = None
    outcomes: Mapping[str, bool] | None = None
    passes: tuple[int, ...] = ()
    most_passes: tuple[int, ...] = ()
    repeats: int = 1
    ragged: str = ""
    unseen: tuple[str, ...] = ()
    red: tuple[str, ...] = ()
    impossible: bool = False
    blocked: tuple[str, ...] = ()
    counts_only: bool = False
    notes: tuple[str, ...] = field(default=())


def of_published(one: Published) -> Claimed:
    """What a published.toml claims."""
    score, named = one.score, str(one.name) if isinstance(one.name, str) else "the published score"
    ids = frozenset(one.pack.task_ids) | frozenset((*one.outcomes.passed, *one.outcomes.failed))
    outcomes = {task: task in one.outcomes.passed for task in (*one.outcomes.passed, *one.outcomes.failed)}
    n = score.tasks if isinstance(score.tasks, int) else len(ids) if ids else NO_N
    counts: tuple[int, ...] = ()
    if isinstance(score.passed, int):
        counts = (score.passed,)
    elif outcomes and len(outcomes) == n:
        counts = (sum(outcomes.values()),)
    elif isinstance(score.percent, str) and isinstance(n, int):
        counts = possible_counts(score.percent, n)
    percent = score.percent if isinstance(score.percent, str) else ""
    refuted = bool(percent) and isinstance(n, int) and not set(counts) & set(possible_counts(percent, n))
    return Claimed(
        told=Told(
            name=named,
            n=n,
            least=min(counts) if counts else NO_COUNT,
            most=max(counts) if counts else NO_COUNT,
            printed=f"{percent} %" if percent else "",
        ),
        fingerprint=of_document(one),
        tasks=ids or None,
        outcomes=outcomes if outcomes and ids == outcomes.keys() else None,
        impossible=refuted,
    )


def of_run(name: str, sheet: Sheet, verdict: Verdict, more: Values) -> Claimed:
    """A run of ours or an import, as judged. Draws without a verdict may have been either."""
    terms = sheet.terms
    draws = sheet.of_slice("solvable")
    rows, n = tallies(sheet), sheet.solvable_n()
    repeats = repeats_of(rows, sheet.unnamed)
    unseen = sum(row.unseen for row in rows) + sheet.unnamed
    passed = sum(draw.exit == "pass" for draw in draws)
    ids = frozenset(row.task_id for row in rows)
    red = {draw.draw.task_id for draw in draws if draw.origin == Origin.FLAKY_TEST}
    red |= {*terms.flaky_tasks, *terms.bad_tasks, *terms.expired_tasks} & ids
    single = repeats == 1 and not sheet.unnamed
    return Claimed(
        told=Told(
            name=name,
            n=n,
            least=passed if isinstance(n, int) else NO_COUNT,
            most=passed + unseen if isinstance(n, int) else NO_COUNT,
        ),
        fingerprint=of_conditions(terms.conditions, terms.environment, more),
        tasks=ids if ids and not sheet.unnamed else None,
        outcomes={draw.draw.task_id: draw.exit == "pass" for draw in draws} if single else None,
        passes=tuple(row.passes for row in rows) if isinstance(repeats, int) else (),
        most_passes=tuple(row.passes + row.unseen for row in rows) if isinstance(repeats, int) else (),
        repeats=repeats if isinstance(repeats, int) else 1,
        ragged="" if isinstance(repeats, int) or terms.repeats == 1 else repeats.not_measured,
        unseen=tuple(sorted({draw.draw.task_id for draw in draws if draw.exit not in SEEN})),
        red=tuple(sorted(red)),
        blocked=tuple(
            dict.fromkeys(f"{f.code} {f.allow_name}" for f in verdict.findings if f.severity in ("block", "unknown"))
        )
        if verdict.status == "blocked"
        else (),
        counts_only=verdict.rung == "counts",
    )
