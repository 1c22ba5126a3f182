"""The spread of repeats as text: the sentence first, then the numbers, the drawings, the harness notes, the limits."""

from __future__ import annotations

from collections.abc import Iterable

from denominator.publish.terminal.page import GREEN, RED, YELLOW, Page
from denominator.publish.terminal.plots import Ranged, Sloped, forest, heat_map, paired_slope
from denominator.publish.terminal.rates import three
from denominator.records.comparisons import Comparability
from denominator.records.spreads import ArmSpread, HarnessNotes, Number, PairSpread, Span, Spread
from denominator.records.values import NotMeasured, counted, told_p

SHOWN = 12
MANY = 40
NEXT = (
    "state what is unknown in a manifest of each arm, or say why it is equal: --equal WHY (then nothing is established)",
    "name what is meant to differ: --treatment FIELD; what both state and differs otherwise stays in the way",
)


def spread_page(page: Page, spread: Spread, *, fancy: bool = False, plots: bool = True) -> None:
    """The whole report. `fancy`: the console shows Unicode; without `plots` only numbers."""
    page.item(spread.sentence, 0, paint=RED if spread.refusals else GREEN)
    if spread.report:
        page.item(f"report: {spread.report}", 0)
    if isinstance(spread.pair, PairSpread):
        _pair(page, spread.pair, spread.arms)
    for arm in spread.arms:
        _arm(page, arm)
    if plots:
        _plots(page, spread, fancy)
    for arm in spread.arms:
        _harness(page, arm)
    page.bullets("NOTES", spread.notes)
    page.bullets("LIMITS", spread.limits)


def not_comparable_page(page: Page, found: Comparability, names: tuple[str, ...]) -> None:
    """Two arms that may not be set side by side: every reason, and no number."""
    page.item(f"NOT COMPARABLE: {' and '.join(names)}; no number of one is set beside the other", 0, paint=RED)
    page.bullets("BECAUSE", found.reasons)
    page.bullets("NEXT", NEXT)
    page.bullets("NOTES", found.notes)


def _pair(page: Page, pair: PairSpread, arms: tuple[ArmSpread, ...]) -> None:
    a, b = (arm.name for arm in arms)
    page.title(f"{a} - {b}")
    if isinstance(pair.difference, NotMeasured):
        page.item(f"difference: not printed ({pair.difference.not_measured})")
    else:
        value = three(pair.difference)
        page.item(f"difference {value}  {_ends(pair.lo, pair.hi)}  ({pair.method}; alpha {three(pair.alpha)})", hang=4)
        page.item(f"{'mid-p' if pair.test == 'midp' else 'exact p'} {_p(pair.p)}; sign test {_p(pair.sign_p)}")
        page.item(f"on exactly these tasks: exact p {_p(pair.these_tasks_p)}")
    if not isinstance(pair.worst.lo, NotMeasured):
        page.item(f"whatever the draws without a verdict were: {_ends(pair.worst.lo, pair.worst.hi)}", paint=YELLOW)
    page.item(f"{a} has more passes on {counted(len(pair.more_a), 'task')}: {_names(pair.more_a)}", hang=4)
    page.item(f"{b} has more passes on {counted(len(pair.more_b), 'task')}: {_names(pair.more_b)}", hang=4)
    page.item(
        f"at the same end in both: {pair.pinned} of {counted(pair.tasks, 'task')} ({three(pair.pinned_share)}; saturated from 0.80)"
    )
    if not isinstance(pair.leave_one_out.lo, NotMeasured):
        page.item(f"leaving one task out: {_ends(pair.leave_one_out.lo, pair.leave_one_out.hi)}")
    if not isinstance(pair.top3_share, NotMeasured):
        page.item(f"the three tasks that move most hold {three(pair.top3_share)} of all movement")
    _resolved(page, pair.resolves.difference, f"by {pair.resolves.assumed}")


def _resolved(page: Page, difference: Number, assumed: str) -> None:
    """What a second pack would find, or why nobody can say."""
    if isinstance(difference, NotMeasured):
        page.item(f"for planning (MDD): unknown: {difference.not_measured}", hang=4)
    else:
        page.item(f"for planning (MDD): {three(difference)} is found in 8 of 10 repetitions {assumed}", hang=4)


def _arm(page: Page, arm: ArmSpread) -> None:
    page.title(arm.name)
    digests = [
        f"seal {arm.seal_digest[:12]}" if arm.seal_digest else "",
        f"rows {arm.rows_digest[:12]}" * bool(arm.rows_digest),
    ]
    page.item(f"run {arm.run_id or 'without id'}; {', '.join(one for one in digests if one) or 'no digest'}")
    if arm.withheld:
        for reason in arm.withheld:
            page.item(reason, paint=RED)
        if arm.caveat:
            page.item(arm.caveat, paint=YELLOW)
        return
    repeats = f"{arm.repeats}" if isinstance(arm.repeats, int) else "uneven"
    page.item(f"tasks {_count(arm.tasks)}, repeats {repeats}, passes {_count(arm.passes)} of {_count(arm.draws)} draws")
    page.item(f"other tasks like these: mean {_span(arm.mean)}", hang=4)
    _if_open(page, "mean", arm.mean_bounds)
    rerun = arm.rerun
    if isinstance(rerun.sd, NotMeasured):
        page.item(f"these tasks again: {rerun.sd.not_measured}", paint=YELLOW)
    else:
        page.item(
            f"these tasks again: mean within {_ends(rerun.lo, rerun.hi)}, standard error {_number(rerun.se)}", hang=4
        )
        page.item(
            f"one fresh pass: standard deviation {_number(rerun.sd)}, +-{_number(rerun.spread95)} of another one",
            hang=4,
        )
    if rerun.note:
        page.item(rerun.note, paint=YELLOW)
    page.item(f"flip rate: {_span(arm.flip)}", hang=4)
    _if_open(page, "flip rate", arm.flip_bounds)
    for one in arm.resolves:
        _resolved(page, one.difference, f"({one.assumed})")
    if not arm.resolves:
        page.item("for planning (MDD): what this pack resolves is unknown without a flip rate")
    if arm.caveat:
        page.item(arm.caveat, paint=YELLOW)
    page.item(f"baseline: {arm.baseline}")


def _if_open(page: Page, name: str, span: Span) -> None:
    """What draws without a verdict could make of a number."""
    if not isinstance(span.lo, NotMeasured) and not isinstance(span.hi, NotMeasured):
        page.item(f"{name} {three(span.lo)} to {three(span.hi)} {span.method}", 4, paint=YELLOW)


def _plots(page: Page, spread: Spread, fancy: bool) -> None:
    shown = [arm for arm in spread.arms if arm.per_task]
    if not shown:
        return
    page.title("TASKS AND REPEATS")
    page.lines += heat_map(
        heat_rows(shown), [arm.name for arm in shown], fancy=fancy, color=page.color, width=page.width
    )
    if len(shown) == 1:
        page.title("PASS RATE OF EACH TASK, 95 %")
        page.lines += forest(task_intervals(shown[0])[:MANY], fancy=fancy, width=page.width)
        rest = len(shown[0].per_task) - MANY
        if rest > 0:
            page.item(f"{counted(rest, 'more task')} in --json and --svg")
    elif isinstance(spread.pair, PairSpread):
        page.title("TASK BY TASK")
        names = (shown[0].name, shown[1].name)
        page.lines += paired_slope(slopes(*shown), spread.pair.repeats, names, fancy=fancy, width=page.width)


def heat_rows(arms: list[ArmSpread] | tuple[ArmSpread, ...]) -> list[tuple[str, tuple[str, ...]]]:
    """(task, marks of each arm), sorted; an arm without the task has no marks there."""
    names = sorted({task.task_id for arm in arms for task in arm.per_task})
    marks = [{task.task_id: task.marks for task in arm.per_task} for arm in arms]
    return [(name, tuple(one.get(name, "") for one in marks)) for name in names]


def task_intervals(arm: ArmSpread) -> list[Ranged]:
    """One interval a task, least passes first, the count as a note."""
    ordered = sorted(arm.per_task, key=lambda one: (one.passes, one.task_id))
    return [
        Ranged(one.task_id, share_of(one.passes, one.draws), one.lo, one.hi, f"{one.passes}/{one.draws}")
        for one in ordered
    ]


def share_of(passes: int, draws: int) -> str:
    """A share with three digits, for a drawing only."""
    scaled = (2000 * passes + draws) // (2 * draws)
    return f"{scaled // 1000}.{scaled % 1000:03d}"


def slopes(a: ArmSpread, b: ArmSpread) -> list[Sloped]:
    """Passes of both arms, task by task."""
    second = {task.task_id: task.passes for task in b.per_task}
    return [Sloped(task.task_id, task.passes, second[task.task_id]) for task in a.per_task if task.task_id in second]


def _harness(page: Page, arm: ArmSpread) -> None:
    page.title(f"HARNESS NOTES: {arm.name}")
    for line in harness_lines(arm.notes):
        page.item(f"- {line}")


def harness_lines(notes: HarnessNotes) -> Iterable[str]:
    """What limits, retries and cold starts did, and what the arm declares of itself; what is unknown is named."""
    yield f"clipped by a limit: {_least(notes.clipped, notes.clipped_unknown, notes.attempts)}{_share(notes.clipped_share)}"
    if notes.slow:
        tasks = (f"{one.task_id} ({one.attempts}, median {one.median_ms.split('.')[0]} ms)" for one in notes.slow)
        yield f"walls over 3 times the median of their task: {_names(tuple(tasks))}"
    elif notes.walls:
        yield f"walls over 3 times the median of their task: none of {notes.walls}"
    else:
        yield "walls over 3 times the median of their task: not recorded"
    declared = "a retry policy is declared" if notes.retries_declared else "no retry policy is declared"
    yield f"retries: {counted(notes.extra_attempts, 'further attempt')} in {counted(notes.retried_draws, 'draw')}; {declared}"
    yield f"transport retries: {_count(notes.provider_retries)}"
    yield f"cold starts: {_least(notes.cold, notes.cold_unknown, notes.attempts)}"
    for name, value in notes.declared:
        yield f"{name}: {'not stated' if isinstance(value, NotMeasured) else value}"


def _least(count: int, unknown: int, of: int) -> str:
    if unknown == of:
        return "not stated"
    return f"{'at least ' if unknown else ''}{count} of {of}" + (f", not recorded for {unknown}" if unknown else "")


def _share(share: Number) -> str:
    return "" if isinstance(share, NotMeasured) else f" ({three(share)})"


def _span(span: Span) -> str:
    if isinstance(span.value, NotMeasured):
        ends = "" if isinstance(span.lo, NotMeasured) else f"; {_ends(span.lo, span.hi)}"
        return f"not printed: {span.value.not_measured}{ends}"
    return f"{three(span.value)} {_ends(span.lo, span.hi)} ({span.method})"


def _ends(lo: Number, hi: Number) -> str:
    if isinstance(lo, NotMeasured) or isinstance(hi, NotMeasured):
        return "no interval"
    return f"[{three(lo)}, {three(hi)}]"


def _number(value: Number) -> str:
    return f"unknown ({value.not_measured})" if isinstance(value, NotMeasured) else three(value)


def _p(value: Number) -> str:
    """All digits of a p value: three would print 0.000 for what is small."""
    return f"unknown ({value.not_measured})" if isinstance(value, NotMeasured) else told_p(value).removeprefix("= ")


def _count(value: int | NotMeasured) -> str:
    return value.not_measured if isinstance(value, NotMeasured) else str(value)


def _names(names: tuple[str, ...]) -> str:
    if not names:
        return "none"
    return ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
