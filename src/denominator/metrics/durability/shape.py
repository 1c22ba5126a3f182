"""The one shape of every metric of a fault bench: trials in, an estimate out, the task as the unit of its interval."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from denominator.catalog import Entry
from denominator.records.estimates import Estimate
from denominator.records.faults import Count, Trial
from denominator.records.trials import BenchReading, by_task
from denominator.records.values import NotMeasured, counted
from denominator.stats import decimal6, drawn_mean, ratio_of_sums, wilson

WILSON = "Wilson score interval, one trial a task"
BY_TASK = "all trials alike; Wilson on effective trials between tasks, t-adjusted"
RATIO = "ratio of sums over tasks, linearised on the log scale"
ONE_TASK = NotMeasured("there is one task only, which has no spread")
FEW = NotMeasured("no interval below 5 tasks")
FREE = NotMeasured("nothing was spent, so there is no interval")
NOTHING = "nothing was interrupted, so there is nothing to recover from"
LINES = ("capability", "efficiency", "durability")


@dataclass(frozen=True, slots=True)
class BenchMetric:
    """A metric of a bench and the line of the card that it stands on. Durability and capability are withheld on a block."""

    entry: Entry
    measure: Callable[[BenchReading], Estimate]
    line: str

    @property
    def performance(self) -> bool:
        """Does it say how good something is?"""
        return self.line != "efficiency"


@dataclass(frozen=True, slots=True)
class About:
    """What an estimate is of: its name, what it estimates, its unit, over which reading."""

    name: str
    estimand: str
    unit: str
    read: BenchReading

    def share(self, trials: Sequence[Trial], holds: Callable[[Trial], bool], empty: str) -> Estimate:
        """k of n trials for which something holds; of none there is no share, and `empty` says why."""
        groups = by_task(trials)
        k, n = sum(map(holds, trials)), len(trials)
        if not n:
            return self.missing(NotMeasured(empty), 0, 0, 0)
        counts = [sum(map(holds, group)) for group in groups.values()]
        sizes = [len(group) for group in groups.values()]
        if max(sizes) == 1:
            interval = wilson(k, n)
            return self.estimate((k, n, len(sizes)), Fraction(k, n), (interval.lo, interval.hi), WILSON)
        if len(sizes) < 2:
            return self.estimate((k, n, 1), Fraction(k, n), (ONE_TASK, ONE_TASK), "counted over trials")
        drawn = drawn_mean(counts, sizes)
        return self.estimate((k, n, len(sizes)), drawn.mean, (drawn.interval.lo, drawn.interval.hi), BY_TASK)

    def each(self, trials: Sequence[Trial], amount: Callable[[Trial], Count], empty: str) -> Estimate:
        """An amount a trial: sum and mean. One unknown amount makes both unknown; nothing is taken for 0."""
        n, groups = len(trials), by_task(trials)
        if not n:
            return self.missing(NotMeasured(empty), 0, 0, 0)
        known = [value for value in map(amount, trials) if isinstance(value, int)]
        if len(known) < n:
            why = NotMeasured("not recorded" if not known else f"not recorded for {n - len(known)} of {n} trials")
            return self.missing(why, why, n, len(groups))
        sums = [sum(_int(amount(one)) for one in group) for group in groups.values()]
        sizes = [len(group) for group in groups.values()]
        ratio = ratio_of_sums(sums, sizes, repeats=max(sizes))
        interval = ratio.interval
        why = FEW if any(sums) else FREE
        ends = (why, why) if isinstance(interval, NotMeasured) else (interval.lo, interval.hi)
        return self.estimate((sum(sums), n, len(sizes)), Fraction(sum(sums), n), ends, RATIO)

    def estimate(
        self,
        counts: tuple[int, int, int],
        value: Fraction,
        ends: tuple[Fraction | float | NotMeasured, Fraction | float | NotMeasured],
        method: str,
        by: tuple[tuple[str, str], ...] = (),
    ) -> Estimate:
        """A measured estimate of (numerator, denominator, tasks); an end may be missing."""
        lo, hi = (end if isinstance(end, NotMeasured) else decimal6(end) for end in ends)
        return self._made((counts[0], counts[1]), counts[2], (decimal6(value), lo, hi), method, by)

    def missing(
        self, why: NotMeasured, numerator: int | NotMeasured, denominator: int | NotMeasured, tasks: int
    ) -> Estimate:
        """An estimate that cannot be made, with the reason in the place of the number."""
        return self._made((numerator, denominator), tasks, (why, why, why), "", ())

    def _made(
        self,
        counts: tuple[int | NotMeasured, int | NotMeasured],
        tasks: int,
        numbers: tuple[str | NotMeasured, str | NotMeasured, str | NotMeasured],
        method: str,
        by: tuple[tuple[str, str], ...],
    ) -> Estimate:
        return Estimate(
            metric=self.name,
            estimand=self.estimand,
            numerator=counts[0],
            denominator=counts[1],
            unit=self.unit,
            value=numbers[0],
            lo=numbers[1],
            hi=numbers[2],
            method=method,
            n_tasks=tasks,
            repeats=self.read.terms.repeats,
            by=by,
        )


def not_defined(about: About) -> Estimate | None:
    """The estimate where durability is undefined, or where nobody says what was interrupted."""
    read = about.read
    if (why := read.undefined) is not None:
        return about.missing(why, 0, 0, 0)
    if read.untold:
        seen, tasks = len(read.interrupted), len(by_task(read.interrupted))
        many = counted(len(read.untold), "task")
        why = NotMeasured(f"nobody says whether {many} were interrupted: {', '.join(read.untold[:20])}")
        return about.missing(why, NotMeasured(f"{seen} known to be interrupted"), why, tasks)
    return None


def nothing(read: BenchReading) -> str:
    """Why there is no interrupted trial."""
    if any(one.control and one.fired for one in read.sheet.trials) and not read.durable:
        return "no trial but those of controls was interrupted, so there is no rate"
    return NOTHING


def _int(value: Count) -> int:
    return value if isinstance(value, int) else 0
