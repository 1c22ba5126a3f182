"""What gradings with the agent off say of a pack: gold, nothing, tests that must fail, order, flakes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from denominator.packs.audit import Said
from denominator.packs.baseline import BASE, GOLD
from denominator.pipeline.pack_audit_bench import Laid
from denominator.pipeline.pack_audit_rounds import Rounds
from denominator.ports import Graded
from denominator.records.pack_audits import TreeFlips
from denominator.records.values import NotMeasured, counted
from denominator.records.words import Grade
from denominator.stats.decimals import percent1


def gold_passes(tasks: Sequence[Laid], rounds: Rounds) -> Said:
    """Green each time, on every gold tree."""
    trees = [(laid.task.id, rounds.of(laid.task.id, GOLD)) for laid in tasks if laid.gold is not None]
    if not trees:
        return Said(nothing="no task has a gold patch")
    problems, unknown = _not_all(trees, Grade.GREEN)
    good = sum(all(one.grade == Grade.GREEN for one in graded) for _, graded in trees)
    return Said(
        result=f"{good} of {len(trees)} gold trees green {rounds.rounds} of {rounds.rounds} times",
        problems=problems,
        unknown=unknown,
    )


def nothing_fails(tasks: Sequence[Laid], rounds: Rounds) -> Said:
    """An empty patch earns nothing; a tree that is to stay as it is, is green as it is."""
    problems: list[str] = []
    unknown: list[str] = []
    red = [laid for laid in tasks if laid.open]
    for laid in tasks:
        graded = rounds.of(laid.task.id, BASE)
        greens = sum(one.grade == Grade.GREEN for one in graded)
        unknown += [
            f"{laid.task.id}: no verdict: {one.broken or one.why}" for one in graded if one.grade == Grade.NONE
        ][:1]
        if laid.open and greens:
            problems.append(f"{laid.task.id}: nothing was changed, and {greens} of {len(graded)} gradings are green")
        elif not laid.open and greens < len(graded) and not unknown:
            problems.append(f"{laid.task.id}: is to stay green, and is in {greens} of {len(graded)} gradings")
    kept = len(tasks) - len(red)
    return Said(
        result=f"{counted(len(red), 'untouched tree')} red, {kept} that are right as they are green",
        problems=tuple(problems),
        unknown=tuple(unknown),
    )


def must_fail_tests(tasks: Sequence[Laid], rounds: Rounds) -> Said:
    """On the right tree every sentinel and every counter-test failed."""
    problems: list[str] = []
    sentinels = counters = trees = 0
    for laid in tasks:
        if laid.right is None or laid.task.verify.runner == "command":
            continue
        trees += 1
        for one in rounds.of(laid.task.id, GOLD if laid.gold is not None else BASE):
            sentinels += one.sentinels_failed
            counters += one.counter_failed
            for what, failed, expected in (
                ("sentinels", one.sentinels_failed, one.sentinels_expected),
                ("counter-tests", one.counter_failed, one.counter_expected),
            ):
                if failed < expected:
                    problems.append(
                        f"{laid.task.id}: {failed} of {expected} {what} failed on the right tree: {one.why}"
                    )
            if not one.sentinels_expected:
                problems.append(f"{laid.task.id}: no sentinel was graded")
    if not trees:
        return Said(nothing="no test of this pack must fail: its commands are graded by their own reports")
    said = f"{sentinels} sentinels and {counters} counter-tests failed on {trees} right trees, as they must"
    return Said(result=said, problems=tuple(dict.fromkeys(problems)))


def same_in_any_order(rounds: Rounds) -> Said:
    """Each tree shows the same tests in every order, and no tree is another one afterwards."""
    if rounds.rounds < 2:
        return Said(not_run="one round has one order")
    problems = [f"{name}: its files are not those of before" for name in rounds.changed]
    first: dict[tuple[str, str], tuple[str, ...]] = {}
    for one in rounds.seen:
        shown = (one.graded.grade, *sorted(one.graded.passed))
        if first.setdefault((one.task_id, one.on), shown) != shown:
            problems.append(f"{one.task_id} {one.on}: other results in round {one.round + 1} than before")
    said = f"{counted(len(first), 'tree')}, {rounds.rounds} orders, the same results; files before and after are equal"
    return Said(result=said if not problems else f"{rounds.rounds} orders", problems=tuple(dict.fromkeys(problems)))


def not_flaky(trees: Sequence[TreeFlips], rounds: int) -> Said:
    """No tree showed both results; how often one may still do so is part of the answer."""
    flaky = [one for one in trees if 0 < one.other < one.gradings - one.none]
    known = [Fraction(one.flake_rate_upper) for one in trees if not isinstance(one.flake_rate_upper, NotMeasured)]
    bound = f"a rate up to {percent1(max(known))} is not ruled out (exact, one-sided 95 %)" if known else "no verdicts"
    return Said(
        result=f"{len(flaky)} of {len(trees)} trees flipped in {counted(rounds, 'grading')} each; {bound}",
        problems=tuple(f"{one.task_id} {one.on}: {one.other} of {one.gradings} gradings differ" for one in flaky),
        unknown=tuple(
            f"{one.task_id} {one.on}: {one.none} of {one.gradings} without a verdict" for one in trees if one.none
        ),
    )


def _not_all(trees: Sequence[tuple[str, list[Graded]]], wanted: Grade) -> tuple[tuple[str, ...], tuple[str, ...]]:
    problems, unknown = [], []
    for task_id, graded in trees:
        other = [one for one in graded if one.grade not in (wanted, Grade.NONE)]
        lost = [one for one in graded if one.grade == Grade.NONE]
        if other:
            problems.append(f"{task_id}: {len(other)} of {len(graded)} are {other[0].grade}: {other[0].why}")
        if lost:
            unknown.append(
                f"{task_id}: {len(lost)} of {len(graded)} without a verdict: {lost[0].broken or lost[0].why}"
            )
    return tuple(problems), tuple(unknown)
