"""`pack verify` as text."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from denominator.packs.checking import flake_upper
from denominator.records.checks import PackCheck, TaskCheck, TreeCheck
from denominator.records.values import NotMeasured
from denominator.stats.decimals import percent1

CLEAN_FOR_5_PERCENT = 59
"""The least n with 1 - 0.05^(1/n) under 5 %."""


def render_check(check: PackCheck) -> str:
    """The state of the files, then one line a task, what else is known of those that are not stable, and the bound."""
    lines = [f"{check.pack_id} {check.pack_version}  digest {check.digest[:12]}", *_files(check)]
    if check.tasks:
        times = f"{check.repeats} repeat{'s' if check.repeats > 1 else ''}"
        width = max(len("task"), *(len(task.task_id) for task in check.tasks))
        lines += ["", f"agent off, {times}, {check.concurrency} at a time"]
        lines.append(f"{'task':<{width}}  {'base':<14} {'gold':<14} {'flake rate up to':<17} verdict")
        lines += [_row(task, width) for task in check.tasks]
        lines += ["", *_details(check.tasks), *_bounds(check)]
    return "\n".join(lines)


def _files(check: PackCheck) -> list[str]:
    lines = [f"  {problem}" for problem in check.changed]
    state = (
        "CHANGED since it was locked; nothing was graded"
        if check.changed and check.repeats
        else "CHANGED since it was locked"
    )
    lines.insert(0, state if check.changed else "files as locked" if check.locked else "not locked")
    if check.expired:
        lines.append(f"pack_expired: it holds until {check.expires}")
    elif check.expires:
        lines.append(f"holds until {check.expires}")
    return lines


def _row(task: TaskCheck, width: int) -> str:
    trees = {tree.on: tree for tree in task.trees}
    cells = [_cell(trees.get(on)) for on in ("base", "gold")]
    return f"{task.task_id:<{width}}  {cells[0]:<14} {cells[1]:<14} {_worst(task):<17} {task.verdict}"


def _cell(tree: TreeCheck | None) -> str:
    if tree is None:
        return "-"
    counts = {"green": tree.green, "red": tree.red, "none": tree.none}
    return " ".join(f"{word} {count}" for word, count in counts.items() if count)


def _worst(task: TaskCheck) -> str:
    uppers = [tree.flake_rate_upper for tree in task.trees]
    known = [Fraction(one) for one in uppers if not isinstance(one, NotMeasured)]
    return percent1(max(known)) if known and len(known) == len(uppers) else "not known"


def _details(tasks: tuple[TaskCheck, ...]) -> list[str]:
    lines = []
    for task in tasks:
        if task.verdict != "stable":
            lines.append(f"{task.task_id}: {task.verdict}: {task.why}" + (f" ({task.detail})" if task.detail else ""))
        for tree in task.trees:
            if tree.unstable:
                lines.append(f"{task.task_id}: on {tree.on} these tests passed and failed: {', '.join(tree.unstable)}")
    return lines


def _bounds(check: PackCheck) -> list[str]:
    counts = Counter(task.verdict for task in check.tasks)
    upper = flake_upper(0, check.repeats)
    bound = "" if isinstance(upper, NotMeasured) else percent1(upper)
    return [
        ", ".join(f"{count} {word}" for word, count in counts.items()),
        f"{_clean(check.repeats)} a flake rate of up to {bound}",
        f"(exact, one-sided 95 %); under 5 % takes {CLEAN_FOR_5_PERCENT}",
    ]


def _clean(repeats: int) -> str:
    """The subject of the sentence about what clean repeats leave open."""
    return f"{repeats} clean repeats of a tree still allow" if repeats > 1 else "1 clean repeat of a tree still allows"
