"""A comparison as text: the sentence first, then what it stands on, what nobody may write, what would lift it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from denominator.publish.terminal.page import GREEN, RED, YELLOW, Page
from denominator.records.comparisons import ArmLine, Comparison, FieldVerdict, PairTest, TaskPair
from denominator.records.estimates import Estimate
from denominator.records.values import NotMeasured, counted, told_p

MOST = 20


def add_comparison(page: Page, found: Comparison, verbose: bool = False) -> None:
    """The whole page of one pair."""
    word = found.comparability.status.replace("_", " ").upper()
    rung = found.verdict.rung.replace("_", " ")
    refused = found.verdict.rung == "refused"
    paint = RED if found.verdict.exit else GREEN
    blocked = refused and found.verdict.exit == 1
    page.item("BLOCKED (refused)" if blocked else word if refused else f"{word} ({rung})", 0, paint=paint)
    page.item(found.verdict.sentence, 0, 0)
    page.title("ARMS, each over its own declared draws")
    for arm in (found.a, found.b):
        add_arm(page, arm)
    _shared(page, found)
    _fields(page, found.comparability.fields, verbose)
    page.bullets("WHY NOT COMPARABLE", found.comparability.reasons)
    _missing(page, found)
    _numbers(page, found)
    _tasks(page, found, verbose)
    _rows(page, found)
    page.bullets("NOTES", found.notes)
    page.bullets("YOU MAY NOT", found.verdict.may_not)
    page.bullets("WHAT WOULD LIFT IT", found.verdict.lifts)


def add_arm(page: Page, arm: ArmLine) -> None:
    """One arm by itself."""
    if not arm.rows:
        page.item(f"{arm.name}: a manifest without rows")
        return
    of = "seen; how many were declared is not known" if isinstance(arm.declared, NotMeasured) else "declared"
    page.item(f"{arm.name}: {equation(arm.exits)} {of}")
    if arm.blocked_by:
        page.item(f"blocked by {', '.join(arm.blocked_by)}", 4, paint=RED)
    if arm.capped_by:
        page.item(f"lowered by {', '.join(arm.capped_by)}", 4, paint=YELLOW)
    if arm.never_started:
        page.item(f"never started: {listed(arm.never_started)}", 4)
    if arm.after_cap:
        page.item(f"ended after their own budget: {listed(arm.after_cap)}", 4)


def equation(exits: Mapping[str, int]) -> str:
    """ "pass 6 + fail 2 + ... = 8"."""
    terms = " + ".join(f"{name.replace('_', ' ')} {count}" for name, count in exits.items())
    return f"{terms} = {sum(exits.values())}"


def listed(names: Iterable[str], most: int = MOST) -> str:
    """Names up to a limit, then how many more."""
    found = list(names)
    rest = len(found) - most
    return ", ".join(found[:most]) + (f" and {rest} more" if rest > 0 else "")


def _shared(page: Page, found: Comparison) -> None:
    """Where task sets differ: who lacks what, and the counts on what both know, as context."""
    if isinstance(found.a.shared, NotMeasured) or isinstance(found.b.shared, NotMeasured):
        return
    page.title("TASK SETS DIFFER")
    for arm, only in ((found.a, found.comparability.only_a), (found.b, found.comparability.only_b)):
        if only:
            page.item(f"only in {arm.name}: {listed(only)}")
    page.item("on the tasks that both know (context for the counts, never a comparison):")
    for arm, shared in ((found.a, found.a.shared), (found.b, found.b.shared)):
        page.item(f"{arm.name}: {equation(shared)}", 4)


def _fields(page: Page, fields: Iterable[FieldVerdict], verbose: bool) -> None:
    fields = tuple(fields)
    shown = [one for one in fields if verbose or one.verdict == "treatment" or _moved(one) or _half(one)]
    silent = [one.name for one in fields if one.blocks and one not in shown]
    if not shown and not silent:
        return
    page.title("FIELDS" if verbose else "FIELDS THAT MOVED")
    for one in shown:
        mark = "blocks" if one.blocks else one.verdict
        kind = f"{one.verdict}: " if one.blocks else ""
        values = _value(one.a) if one.verdict == "same" else f"{_value(one.a)} | {_value(one.b)}"
        page.item(f"{mark:<10}{one.name}: {kind}{values}", hang=10, paint=RED * one.blocks)
    if silent:
        page.item(f"{'blocks':<10}unknown on both sides: {', '.join(silent)}", hang=10, paint=RED)


def _half(one: FieldVerdict) -> bool:
    """Does it block because one side does not state it?"""
    return one.blocks and isinstance(one.a, NotMeasured) != isinstance(one.b, NotMeasured)


def _moved(one: FieldVerdict) -> bool:
    known = not isinstance(one.a, NotMeasured) and not isinstance(one.b, NotMeasured)
    return known and one.a != one.b


def _value(value: str | NotMeasured) -> str:
    return f"unknown ({value.not_measured})" if isinstance(value, NotMeasured) else value


def _missing(page: Page, found: Comparison) -> None:
    """What a blocked side's own gate says, so that nobody has to ask it again."""
    page.bullets("BLOCKS", (f"{one.code} {one.allow_name}: {one.what}" for one in found.verdict.findings))


def _numbers(page: Page, found: Comparison) -> None:
    if not found.estimates:
        return
    page.title("NUMBERS")
    measured = [one for one in found.estimates if not isinstance(one.value, NotMeasured)]
    for one in measured:
        page.item(f"{one.metric:<26} {_estimate(one)}", hang=27)
    for one in found.estimates:
        if isinstance(one.value, NotMeasured):
            page.item(f"{one.metric}: {one.value.not_measured}", hang=4)
    _test(page, found.test)
    if not isinstance(found.worst, NotMeasured) and (found.worst.unseen_a or found.worst.unseen_b):
        bounds = found.worst
        ends = f"A - B {bounds.difference_lo} to {bounds.difference_hi}  [{bounds.lo}, {bounds.hi}]"
        page.item(f"{'worst case':<26} {ends}", hang=27)
    _spread(page, found)


def _estimate(one: Estimate) -> str:
    of = "" if isinstance(one.numerator, NotMeasured) else f"{one.numerator}/{one.denominator}  "
    ends = "" if isinstance(one.lo, NotMeasured) else f"  [{one.lo}, {one.hi}] at {one.level}"
    return f"{of}{one.value}{ends}  {one.unit}"


def _test(page: Page, test: PairTest | NotMeasured) -> None:
    if isinstance(test, NotMeasured):
        return
    if isinstance(test.p, NotMeasured):
        page.item(f"no p value: {test.p.not_measured}")
        if not isinstance(test.e_value, NotMeasured):
            page.item(f"{'e-value':<26} {test.e_value}", hang=27)
        return
    rows = [(test.name, test.p), ("exact", test.p_exact), ("mid-p", test.p_mid), ("sign test", test.sign_p)]
    rows += [("these tasks, stratified", test.stratified_p)]
    rows += [(f"for {test.family} declared pairs", test.adjusted)] if test.adjusted != test.p else []
    for name, value in rows:
        if not isinstance(value, NotMeasured):
            page.item(f"{name:<26} p {told_p(value)}", hang=27)


def _spread(page: Page, found: Comparison) -> None:
    if isinstance(found.spread, NotMeasured):
        return
    one = found.spread
    if not isinstance(one.leave_one_out, NotMeasured):
        page.item(f"{'leave one task out':<26} A - B {one.leave_one_out[0]} to {one.leave_one_out[1]}", hang=27)
    if not isinstance(one.top3_share, NotMeasured):
        page.item(f"{'share of the 3 largest':<26} {one.top3_share} of all differences", hang=27)
    page.item(f"{'pinned in both arms':<26} {one.pinned}/{found.tasks}  {one.pinned_share}  tasks", hang=27)


def _tasks(page: Page, found: Comparison, verbose: bool) -> None:
    """Discordant tasks by name; with -v every task."""
    if not found.table:
        return
    page.title("TASKS")
    for arm, names in ((found.a, found.more_a), (found.b, found.more_b)):
        page.item(f"more passes in {arm.name} ({len(names)}): {listed(names, 1000 if verbose else MOST) or 'none'}")
    rows = found.table if verbose else tuple(row for row in found.table if row.passes_a != row.passes_b)
    for row in rows if verbose or found.repeats != 1 else ():
        page.item(_task(row, found), 4, 4)


def _task(row: TaskPair, found: Comparison) -> str:
    unseen = f"  without a verdict {row.unseen_a} | {row.unseen_b}" if row.unseen_a or row.unseen_b else ""
    group = "".join(f"  {one}" for one in (row.cluster if found.unit == "family" else "", row.stratum) if one)
    return f"{row.task_id}: {row.passes_a} | {row.passes_b} of {found.repeats}{unseen}{group}"


def _rows(page: Page, found: Comparison) -> None:
    if found.transitions:
        page.title(f"TRANSITIONS, {found.a.name} -> {found.b.name}")
        for move in found.transitions:
            same = move.a == move.b and move.a in ("pass", "fail")
            names = "" if same else f": {listed(move.draws)}"
            page.item(f"{move.a} -> {move.b}  {move.count}{names}")
    page.bullets(
        "STRATA (counts only)",
        (
            f"{one.name}: {counted(one.tasks, 'task')}, passes {one.passes_a} | {one.passes_b} of {one.draws}, "
            f"more in {found.a.name} {one.more_a}, more in {found.b.name} {one.more_b}"
            for one in found.strata
        ),
    )
    page.bullets("WHOSE", (f"{one.origin}: {one.a} | {one.b}" for one in found.origins))
