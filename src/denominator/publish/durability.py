"""The card of a fault bench: a pack and a runner, three lines. A number that the gate withholds is absent here too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from denominator._version import __version__
from denominator.publish.limits import limit_lines
from denominator.records.durability import BenchSheet, DurabilityCard, FaultLine, JudgedBench
from denominator.records.estimates import Estimate
from denominator.records.faults import NO_FAULT, Trial
from denominator.records.planned_trials import missing_trials
from denominator.records.trials import BenchReading, doubled, is_plain, is_quiet, names_of, passed
from denominator.records.values import NotMeasured

HIDDEN = NotMeasured("withheld: the bench is blocked")


def make_durability_card(
    judged: JudgedBench,
    lines: Mapping[str, str],
    *,
    rules_digest: str = "",
    version: str = __version__,
    notes: Iterable[str] = (),
) -> DurabilityCard:
    """The card of one judged bench; `lines` says for every metric on which of the three lines it stands."""
    sheet, terms = judged.sheet, judged.sheet.terms
    return DurabilityCard(
        schema_version=1,
        bench=terms.name,
        version=version,
        origin=terms.origin,
        digest=terms.digest,
        pack=terms.pack,
        taskset_digest=terms.taskset_digest,
        runner=terms.runner,
        runner_digest=terms.runner_digest,
        rules_digest=rules_digest,
        environment=terms.environment,
        checkpoints=terms.checkpoints,
        faults=terms.faults,
        repeats=terms.repeats,
        seed=terms.seed,
        trials=_counted(sheet),
        missing=_missing(sheet),
        controls=sheet.controls,
        capability=_on("capability", judged.estimates, lines),
        efficiency=_on("efficiency", judged.estimates, lines),
        durability=_on("durability", judged.estimates, lines),
        by_fault=tuple(_by_fault(sheet, judged.withheld)),
        double_applied=HIDDEN if judged.withheld else _twice(sheet),
        replayed=() if judged.withheld else sheet.journal.replayed,
        redrafted=() if judged.withheld else _redrafted(sheet),
        unscoreable=sheet.journal.unscoreable,
        states=sheet.states,
        notes=tuple(notes),
        limits=limit_lines("M4"),
        verdict=judged.verdict,
    )


def _on(line: str, estimates: Iterable[Estimate], lines: Mapping[str, str]) -> tuple[Estimate, ...]:
    return tuple(one for one in estimates if lines.get(one.metric) == line)


def _missing(sheet: BenchSheet) -> int | NotMeasured:
    return len(missing_trials(sheet)) if sheet.terms.ours else NotMeasured("what was planned is not stated")


def _counted(sheet: BenchSheet) -> tuple[tuple[str, int], ...]:
    """Every row by what it was made for; the parts add up to all rows."""
    counts = Counter(_group(one, sheet) for one in sheet.trials)
    return tuple((name, counts[name]) for name in GROUPS if counts[name])


GROUPS = (
    "without a fault",
    "interrupted",
    "interrupting nothing by kind",
    "came and interrupted nothing",
    "never came",
    "not known",
    "made for a control",
)


def _group(one: Trial, sheet: BenchSheet) -> str:
    if one.control:
        return "made for a control"
    if is_plain(one, sheet.terms):
        return "without a fault"
    if is_quiet(one) and one.fired:
        return "interrupting nothing by kind"
    if isinstance(one.interrupted, NotMeasured):
        return "not known"
    if one.interrupted:
        return "interrupted"
    if not one.fired:
        return "never came"
    return "came and interrupted nothing"


def _twice(sheet: BenchSheet) -> tuple[str, ...]:
    return names_of([one for one in BenchReading(sheet).counted if doubled(one) is True])


def _redrafted(sheet: BenchSheet) -> tuple[str, ...]:
    """Trials in which a patch was drafted, and paid for, again."""
    drafted = [one for one in BenchReading(sheet).counted if isinstance(one.redrafts, int) and one.redrafts > 0]
    return tuple(sorted({*names_of(drafted), *sheet.journal.redrafted}))


def _by_fault(sheet: BenchSheet, withheld: bool) -> Iterable[FaultLine]:
    """One line a fault, in the order of the plan."""
    under: dict[str, list[Trial]] = {}
    for one in BenchReading(sheet).durable:
        if one.fault != NO_FAULT and not is_plain(one, sheet.terms):
            under.setdefault(one.fault, []).append(one)
    planned = () if isinstance(sheet.terms.faults, NotMeasured) else sheet.terms.faults
    for fault in dict.fromkeys((*(one for one in planned if one in under), *sorted(under))):
        yield _line(fault, under[fault], withheld)


def _line(fault: str, trials: Sequence[Trial], withheld: bool) -> FaultLine:
    apart = is_quiet(trials[0])
    asked = [one for one in trials if (one.fired if apart else one.interrupted is True)]
    unknown = any(isinstance(doubled(one), NotMeasured) for one in trials)
    twice = NotMeasured("not counted") if unknown else sum(doubled(one) is True for one in trials)
    return FaultLine(
        fault=fault,
        trials=len(trials),
        fired=sum(one.fired for one in trials),
        interrupted=sum(one.interrupted is True for one in trials),
        recovered=HIDDEN if withheld else sum(map(passed, asked)),
        applied_twice=HIDDEN if withheld else twice,
        unknown_state=HIDDEN if withheld else sum(one.unknown_state for one in trials),
        apart=apart,
    )
