"""An audit of several runs as text: a line each, printed percentages that do not fit, bounds over all draws of any run."""

from __future__ import annotations

from collections import Counter

from denominator.publish.terminal.audit_lines import MEANT, first, folded, quoted, says
from denominator.publish.terminal.page import GREEN, RED, Page
from denominator.records.audits import Audit, RunLine, Says
from denominator.records.rows import Count, Text
from denominator.records.values import NotMeasured, counted
from denominator.stats import percent1

ODD = (Says.IMPOSSIBLE, Says.OTHER_COUNT, Says.CUT, Says.UNEXPLAINED)
PRINTED = 12


def several(page: Page, audit: Audit, brief: bool, most: int, kept: str) -> None:
    """Everything that is known of several runs together."""
    page.title(counted(len(audit.runs), "run").upper())
    if len(audit.runs) > most:
        _summed(page, audit)
    for one in audit.runs[:most]:
        _line(page, one)
    if len(audit.runs) > most:
        page.item(folded(len(audit.runs) - most))
    _odd(page, audit, most)
    _same_draws(page, audit, brief, most)
    _regraded(page, audit, most)
    if not brief:
        page.bullets("NOTED OF EVERY RUN", audit.notes)
    if kept:
        _kept(page, audit, kept, most)
    page.title("NEXT")
    page.item("denominator audit PATH --run NAME shows one run; --declare FILE says what was scheduled")
    page.item(MEANT)


def _summed(page: Page, audit: Audit) -> None:
    """How many runs came to which verdict."""
    for ended, many in Counter(map(_ended, audit.runs)).most_common():
        page.item(f"{many:>5} {ended}", hang=6)


def _ended(one: RunLine) -> str:
    blocked = f" by {' '.join(rule.partition(' ')[0] for rule in one.blocked_by)}" if one.blocked_by else ""
    return f"unreadable, exit {one.exit}" if one.why else f"{one.status} ({one.rung}){blocked}, exit {one.exit}"


def _line(page: Page, one: RunLine) -> None:
    page.item(one.name, paint=RED if one.exit else GREEN)
    if one.why:
        page.item(f"unreadable: {one.why} (exit {one.exit})", 4)
        return
    rows = f"passes {_short(one.passes)}, with a record {_short(one.recorded)}, scored {_short(one.scored)}"
    page.item(f"{rows}, scheduled {_short(one.scheduled)}", 4)
    quotes = [f"{quoted(each)} ({says(each)})" for each in one.printed[:PRINTED]]
    page.packed("  published", quotes or ["nothing that is read"])
    page.item(_ended(one), 4)


def _odd(page: Page, audit: Audit, most: int) -> None:
    """Printed percentages that the counts do not give, each with why; how many there are of all."""
    every = [(one.name, each) for one in audit.runs for each in one.printed]
    if not every:
        return
    counts = Counter(says(each) for _, each in every)
    page.title("PUBLISHED PERCENTAGES (the source's words, no result of ours)")
    page.packed("", [f"{many} {word}" for word, many in sorted(counts.items())])
    odd = [
        f"{name}: {each.metric} {quoted(each)}: {says(each)}: {each.what}"
        for word in ODD
        for name, each in every
        if each.says is word
    ]
    for line in first(odd, most):
        page.item(f"- {line}")


def _same_draws(page: Page, audit: Audit, brief: bool, most: int) -> None:
    if audit.ids is None:
        return
    union, shared = audit.ids.union, audit.ids.intersection
    apart = "percentages over their own rows have different denominators"
    page.title("THE SAME DRAWS?")
    page.item(
        f"{union} in any run, {shared} in all of them: {'the runs are of the same draws' if union == shared else apart}"
    )
    if union != shared and not brief:
        page.title("BOUNDS over all draws of any run")
        page.item("The least: all that has no score failed. The most: all of it passed. Bounds, no rate of a run.")
        for line in first([_cases(one) for one in audit.runs], most):
            page.item(line)


def _cases(one: RunLine) -> str:
    """Two ends that are one number bound nothing: what they mean is said in their place."""
    if not isinstance(one.least, str) or not isinstance(one.most, str):
        return f"{one.name}: {_text(one.least)}"
    if one.no_width:
        rate = f"{percent1(one.least)}, " if one.status == "publishable" else ""
        return f"{one.name}: {rate}{one.no_width}"
    ends = percent1(one.least), percent1(one.most)
    between = " to ".join(ends) if ends[0] != ends[1] else f"{one.least} to {one.most} of 1"
    unscored = ""
    if isinstance(one.recorded, int) and isinstance(one.scored, int) and one.recorded > one.scored:
        unscored = f", {one.recorded - one.scored} without a score"
    return f"{one.name}: {between} ({_short(one.absent)} absent{unscored})"


def _regraded(page: Page, audit: Audit, most: int) -> None:
    """Patches that several runs graded, with different verdicts: no number of one of them alone."""
    if not audit.regraded:
        return
    page.title("ONE PATCH, SEVERAL VERDICTS")
    many = counted(len(audit.regraded), "draw")
    page.item(f"{many}: the same patch was graded in several runs, which differ: a flaky test, or another grader.")
    page.item("The count of one run alone speaks for no patch; grade these again, and put what is flaky aside by name.")
    lines = [
        f"{one.task_id}: " + ", ".join(f"{name} {verdict}" for name, verdict in sorted(one.verdicts.items()))
        for one in audit.regraded
    ]
    for line in first(lines, most):
        page.item(f"- {line}", paint=RED)


def _kept(page: Page, audit: Audit, kept: str, most: int) -> None:
    """Where the runs lie, as other verbs take them."""
    page.title("KEPT")
    page.item(f"{kept}: audit.json; union.txt and shared.txt, ids for task_ids_file of --declare")
    folders = [f"{kept.rstrip('/')}/{one.kept}" for one in audit.runs if one.kept]
    for line in first(folders, most):
        page.item(line)
    if len(folders) > 1:
        page.item(f"next: denominator compare {folders[0]} {folders[1]}")


def _short(value: Count) -> str:
    return "unknown" if isinstance(value, NotMeasured) else str(value)


def _text(value: Text) -> str:
    return value.not_measured if isinstance(value, NotMeasured) else value
