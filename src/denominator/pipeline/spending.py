"""`spend`: what each arm spent and what that bought, and whether two arms may be set side by side. START HERE."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from denominator.compare.comparable import COMPARABLE, NOT_COMPARABLE, comparable
from denominator.compare.resources import resources
from denominator.errors import Exit
from denominator.metrics.account import calls_of, censored_of, floor_overhead, own_check, parts_of, slices_of
from denominator.pipeline.asking import refuse_twice, refuse_unknown_fields
from denominator.pipeline.pricing import PriceTable, money_of
from denominator.pipeline.results import Result
from denominator.pipeline.sides import side_of
from denominator.publish.limits import limit_lines
from denominator.records.estimates import Estimate
from denominator.records.judgements import Judged
from denominator.records.spends import (
    NOT_ASKED,
    Allowance,
    ArmSpend,
    Censored,
    PairSpend,
    SpendReport,
)
from denominator.records.usage_sources import NOWHERE, mixes_sources, usage_conventions, usage_sources
from denominator.records.values import NotMeasured
from denominator.records.words import Severity

FIGURES = (
    "headline", "acceptance", "accepted_within_k", "first_try_share", "tokens_per_accepted", "retry_tax", "retry_overhead",
    "dead_spend", "total_tokens", "tokens_per_solved_median",
)  # fmt: skip
STOPS = (Severity.BLOCK, Severity.UNKNOWN)
BURST, BACKGROUND, UNREAD = "burst with a deadline", "unattended background", "not measured"
SURE = Fraction(4, 5)
"""From this share of declared draws accepted at the first attempt on, an arm is read as one for bursts. A convention."""
SEEN = 5
"""Fewer accepted patches give no reading, as they give no interval."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What was asked for beside the ledger itself. `tasks_per_day` is exact; `allowance` 0: not asked for."""

    treatment: tuple[str, ...] = ()
    equal_because: str = ""
    allowance: int = 0
    tasks_per_day: Fraction = Fraction(0)
    prices: PriceTable | None = None
    estimator: str = ""


def spend_of(named: Sequence[tuple[str, Result]], wanted: Wanted) -> SpendReport:
    """Judged arms in the order given. No arm is put before another for what it spent."""
    refuse_twice(named, "spend")
    refuse_unknown_fields(named, wanted.treatment)
    names = _names(named)
    results = [result for _, result in named]
    arms = tuple(_arm(name, result, wanted) for name, result in zip(names, results, strict=True))
    pairs = tuple(_pair(arms, results, at, wanted) for at in range(1, len(arms)))
    refusals = tuple(dict.fromkeys(reason for pair in pairs for reason in pair.comparability.reasons))
    apart = [int(Exit.NOT_COMPARABLE)] if any(p.comparability.status != COMPARABLE for p in pairs) else []
    mixed = [int(Exit.NOT_COMPARABLE) for result in results if mixes_sources(result.judged.sheet)]
    return SpendReport(
        arms=arms,
        pairs=pairs,
        refusals=refusals,
        limits=limit_lines("M5"),
        exit=int(Exit.worst([*apart, *mixed, *(arm.exit for arm in arms)])),
    )


def _names(named: Sequence[tuple[str, Result]]) -> list[str]:
    """An arm is called by its label, else its run id, else as it was typed; of two alike the later has a number."""
    found: list[str] = []
    for typed, result in named:
        wanted = result.terms.arm or result.ledger.run_id or typed or "this run"
        options = [wanted, *(f"{wanted} ({at})" for at in range(2, len(named) + 1))]
        found.append(next(one for one in options if one not in found))
    return found


def _arm(name: str, result: Result, wanted: Wanted) -> ArmSpend:
    judged = result.judged
    sheet = judged.sheet
    censored = censored_of(sheet, judged.split_hidden)
    shown = FIGURES[1:] if censored.any else FIGURES
    figures = tuple(one for one in judged.estimates if one.metric in shown)
    reading, why = reading_of(judged, censored)
    allowance = allowance_of(judged, wanted.allowance, wanted.tasks_per_day) if wanted.allowance else NOT_ASKED
    return _counted(
        ArmSpend(
            name=name,
            run_id=result.ledger.run_id,
            status=judged.verdict.status,
            exit=int(result.exit),
            figures=figures,
            withheld=tuple(dict.fromkeys(rule for one in figures for rule in one.withheld_by)),
            blocks=tuple(dict.fromkeys(one.what for one in judged.findings if one.severity in STOPS)),
            leaves=tuple(_leaves(judged, censored, figures)),
            sources=tuple(usage_sources(sheet).items()),
            conventions=tuple(usage_conventions(sheet).items()),
            censored=censored,
            reading=reading,
            reading_why=why,
            allowance=allowance,
            estimator=wanted.estimator if wanted.estimator in usage_sources(sheet) else "",
        ),
        judged,
        wanted,
    )


def _counted(arm: ArmSpend, judged: Judged, wanted: Wanted) -> ArmSpend:
    """The arm with its sums of tokens: none where the total is withheld, none that add up several sources."""
    total = judged.estimate("total_tokens")
    if total is not None and total.withheld_by:
        gone = NotMeasured(f"withheld by {', '.join(total.withheld_by)}")
        return replace(arm, floor_overhead=gone, calls=gone, own=gone, money=gone)
    sheet = judged.sheet
    arm = replace(arm, calls=calls_of(sheet), own=own_check(sheet))
    if mixes_sources(sheet):
        return arm
    slices = slices_of(sheet)
    money = NOT_ASKED if wanted.prices is None else money_of(sheet, judged, wanted.prices)
    return replace(arm, parts=parts_of(sheet), slices=slices, floor_overhead=floor_overhead(slices), money=money)


def _leaves(judged: Judged, censored: Censored, figures: Sequence[Estimate]) -> list[str]:
    """Why an arm stands in no table beside others."""
    found = []
    if censored.any:
        found.append("censored: not every draw got its attempts, so its rates are of what was affordable")
    if judged.verdict.status == "blocked":
        found.append("the gate blocks its numbers")
    if mixed := mixes_sources(judged.sheet):
        found.append(f"its usage is from several sources: {', '.join(mixed)}")
    qap = next((one for one in figures if one.metric == "tokens_per_accepted"), None)
    if not found and qap is not None and isinstance(qap.value, NotMeasured):
        found.append(f"no tokens per accepted patch: {qap.value.not_measured}")
    return found


def reading_of(judged: Judged, censored: Censored) -> tuple[str, str]:
    """The one fixed reading of an arm, and why. A withheld, censored or small arm has none."""
    if censored.any:
        return UNREAD, "censored: no numbers"
    found = {one.metric: one for one in judged.estimates}
    for name in ("acceptance", "tokens_per_accepted", "first_try_share"):
        value = found[name].value if name in found else NotMeasured("not computed")
        if isinstance(value, NotMeasured):
            return UNREAD, f"{name}: {value.not_measured}"
    first, accepted = found["first_try_share"].numerator, found["acceptance"].numerator
    declared = found["acceptance"].denominator
    if not isinstance(first, int) or not isinstance(declared, int) or not isinstance(accepted, int):
        return UNREAD, "what was declared is not known"
    if not found["tokens_per_accepted"].numerator:
        return UNREAD, "no tokens were spent"
    if accepted < SEEN:
        return UNREAD, f"{accepted} accepted patches, fewer than {SEEN}"
    share = f"{first} of {declared} declared draws were accepted at the first attempt"
    return (
        BURST if Fraction(first, declared) >= SURE else BACKGROUND
    ), f"{share} (from 4 of 5 on: burst; a convention)"


def allowance_of(judged: Judged, tokens: int, tasks_per_day: Fraction) -> Allowance | NotMeasured:
    """What `tokens` buy: whole accepted patches and paid-for tasks, and the day (from 1) on which they run out.

    A task is a declared draw with all its attempts. Unknown spend has no answer.
    """
    qap, total, acceptance = map(judged.estimate, ("tokens_per_accepted", "total_tokens", "acceptance"))
    if qap is None or total is None or acceptance is None:
        return NotMeasured("no answer: not computed")
    for value in (qap.value, total.value, acceptance.value):
        if isinstance(value, NotMeasured):
            return NotMeasured(f"no answer: {value.not_measured}")
    spent, accepted, declared = qap.numerator, qap.denominator, acceptance.denominator
    if not isinstance(spent, int) or not isinstance(accepted, int) or not isinstance(declared, int) or not spent:
        return NotMeasured("no answer: nothing was spent, or what was declared is not known")
    day = -(-Fraction(tokens * declared, spent) // tasks_per_day) if tasks_per_day else NotMeasured("no tasks a day")
    return Allowance(
        tokens=tokens,
        tasks_per_day=_plain(tasks_per_day),
        tasks=tokens * declared // spent,
        accepted=tokens * accepted // spent,
        day=day,
    )


def _plain(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def _pair(arms: Sequence[ArmSpend], results: Sequence[Result], at: int, wanted: Wanted) -> PairSpend:
    """A later arm against the first one, and the ratio where nothing stands in the way."""
    first, other = arms[0], arms[at]
    a, b = side_of(first.name, results[0]), side_of(other.name, results[at])
    found = comparable(a, b, wanted.treatment or None, wanted.equal_because, "spend")
    reasons = (*_unlike(first, other), *(why for one in (first, other) for why in _out(one)))
    if reasons:
        found = replace(found, status=NOT_COMPARABLE, reasons=tuple(dict.fromkeys((*found.reasons, *reasons))))
    ratio: Estimate | NotMeasured = NotMeasured("not comparable")
    if found.status == COMPARABLE:
        hidden = [f"{one.name}: {one.leaves[0]}" for one in (first, other) if one.leaves]
        ratio = NotMeasured(f"withheld: {'; '.join(hidden)}") if hidden else resources(a, b)[0]
    return PairSpend(names=(first.name, other.name), comparability=found, ratio=ratio)


def _out(arm: ArmSpend) -> list[str]:
    """Censored arms and arms that mix sources are comparable with nobody."""
    return [f"arm {arm.name}: {why}" for why in arm.leaves if why.startswith(("censored", "its usage"))]


def _unlike(a: ArmSpend, b: ArmSpend) -> list[str]:
    """Arms whose usage is from other sources, or was counted by other conventions."""
    found = []
    for what, left, right in (("source", a.sources, b.sources), ("convention", a.conventions, b.conventions)):
        one, other = ({name for name, _ in given if name != NOWHERE} for given in (left, right))
        if one and other and one != other:
            told = f"{a.name} {', '.join(sorted(one))}; {b.name} {', '.join(sorted(other))}"
            found.append(f"the arms mix {what}s of usage: {told}")
    return found
