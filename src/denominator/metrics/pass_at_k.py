"""pass@k: the chance that at least one of k draws of a task passes, mean over tasks.

Why it matters: it answers "can it be done in k tries by somebody who knows which try is right"; without k it answers
nothing.

Numerator: tasks of which at least one draw passed. Denominator: declared tasks of the solvable slice. Unit: tasks.
The value is that of k = K, the sealed repeats; the parts are every k from 1 to K, each unbiased, k = 1 being the
headline. A draw without a score is no pass. k above K is undefined and in no list. Estimand: tasks like these; Wilson
over tasks at k = K, where each task says yes or no. Source: Chen et al. 2021, 1 - C(n-c,k)/C(n,k).

Bad: 1 - (1 - p)^k with p plugged in; pass@10 from 5 repeats. Good: pass@1 0.600, pass@2 0.800, pass@5 0.900, of 5
repeats.
Fix: as many repeats as the largest k that is asked for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from denominator.catalog import Entry
from denominator.metrics.reading import Reading
from denominator.metrics.shape import NO_DRAW, About, Metric, parts
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured
from denominator.stats import pass_at_k

NAME = "pass_at_k"
SINGLE = NotMeasured("one repeat: k above 1 is undefined, k = 1 is the headline")


def measure(read: Reading) -> Estimate:
    """Of K repeats, for every k up to K."""
    repeats = read.terms.repeats
    about = About(NAME, f"chance that at least one of k draws passes, k = {repeats}", "tasks", read)
    if isinstance(read.declared, NotMeasured) or not read.exits:
        return about.rate(0, read.declared if isinstance(read.declared, NotMeasured) else 0, NO_DRAW)
    if read.one_run is not None:
        return about.missing(SINGLE if repeats <= 1 else read.one_run, read.one_run, read.tasks)
    tasks = len(read.exits)
    passes = Counter(one.passes for one in read.exits)
    curve = [(k, _mean(passes, repeats, k)) for k in range(1, repeats + 1)]
    last = curve[-1][1]
    found = about.rate(int(last * tasks), tasks, NO_DRAW)
    return replace(found, by=parts([(str(k), value) for k, value in curve]))


def _mean(passes: Mapping[int, int], repeats: int, k: int) -> Fraction:
    """Mean over tasks; `passes` says how many tasks passed so often."""
    sums = [
        value * tasks for count, tasks in passes.items() if isinstance(value := pass_at_k(repeats, count, k), Fraction)
    ]
    return sum(sums, Fraction(0)) / sum(passes.values())


METRIC = Metric(Entry("MT038", NAME, "0.1.0", "metrics", __doc__ or ""), measure)
