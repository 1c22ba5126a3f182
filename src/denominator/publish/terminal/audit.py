"""An audit as text: how it was read, what is printed and what the rows say of it, endings, what cannot be told, the sentence."""

from __future__ import annotations

from collections import Counter

from denominator.publish.terminal.findings import finding_line
from denominator.publish.terminal.page import GREEN, RED, YELLOW, Page
from denominator.records.audits import Audit, AuditedRun, EndingLine, PublishedLine, RunLine, Says
from denominator.records.rows import Count, Text
from denominator.records.values import NotMeasured, counted
from denominator.stats import percent1

MOST = 12
ODD = (Says.CUT, Says.OTHER_COUNT, Says.UNEXPLAINED, Says.IMPOSSIBLE)
PAINT = {
    Says.GIVEN: GREEN,
    Says.AGREES: GREEN,
    Says.CUT: YELLOW,
    Says.OTHER_COUNT: RED,
    Says.IMPOSSIBLE: RED,
    Says.UNEXPLAINED: YELLOW,
    Says.DISAGREES: RED,
}


def add_audit(page: Page, audit: Audit, brief: bool = False) -> None:
    """The whole document, or with `brief` the verdict, what is printed, and the sentence."""
    page.item(f"{audit.format}: {audit.title}", 0)
    page.item(f"because {audit.why}", 0)
    if audit.run is not None:
        _run(page, audit, audit.run, brief)
    else:
        _runs(page, audit, brief)


def _run(page: Page, audit: Audit, run: AuditedRun, brief: bool) -> None:
    verdict = run.verdict
    page.item(f"run {run.run_id or run.name or 'without id'}, manifest {run.digest[:12]}", 0)
    page.item(f"{verdict.status.upper()} ({verdict.rung})", 0, paint=RED if verdict.exit else GREEN)
    if not brief:
        _read(page, audit)
    _counts(page, run)
    _published(page, run.published)
    if not brief:
        _endings(page, run.endings)
        _unknown(page, run)
        page.bullets(
            "DEFECTS",
            _first([f"{one.kind}{'' if one.blocks else ' (a note)'}: {one.what} [{one.where}]" for one in run.defects]),
        )
    _findings(page, run)
    page.title("THE SENTENCE")
    page.item(verdict.sentence, hang=0)
    if not brief:
        page.bullets("YOU MAY NOT", verdict.may_not)
        page.bullets("WHAT WOULD LIFT IT", verdict.lifts)


def _read(page: Page, audit: Audit) -> None:
    page.title("READ")
    for line in _first([f"{name}: {role}" for name, role in audit.files.items()]):
        page.item(line)
    for note in audit.notes:
        page.item(note)


def _counts(page: Page, run: AuditedRun) -> None:
    page.title("THE ROWS")
    page.item(f"{'passes':<17} {_number(run.passes)}", hang=18)
    for one in run.counts:
        page.item(f"{one.name:<17} {_number(one.n)}", hang=18)


def _published(page: Page, lines: tuple[PublishedLine, ...]) -> None:
    page.title("PUBLISHED (the source's words, no result of ours)")
    if not lines:
        page.item("nothing that is read")
    shown = [one for one in lines if not _is_aside(one)]
    for one in shown:
        of = f" of {one.of}" if one.of else ""
        place = f" [{one.where}]" if one.where else ""
        page.item(f'{one.metric}{of}: "{_printed(one)}"{place}')
        page.item(f"{_says(one)}: {one.what}", 4, paint=PAINT.get(one.says, ""))
    if aside := len(lines) - len(shown):
        more = f"{counted(aside, 'more number') if shown else counted(aside, 'number')} {'is' if aside == 1 else 'are'}"
        page.item(f"{more} printed and not held against the rows (--json lists them)")


def _is_aside(one: PublishedLine) -> bool:
    """Tokens, errors of means, costs: numbers that are of no count of rows."""
    return one.says is Says.UNCHECKED and one.role in ("other", "cost")


def _endings(page: Page, lines: tuple[EndingLine, ...]) -> None:
    if not lines:
        return
    page.title("ENDINGS (the format's word: what we make of it, how many attempts)")
    for one in lines:
        made = ", ".join(part for part in (one.outcome, one.origin, one.reason) if part) or "no verdict"
        by = " by the source's word alone" if one.judged else ""
        page.item(f"{one.n:>6}  {one.word or 'unknown'}: {made}{by}", hang=8)


def _unknown(page: Page, run: AuditedRun) -> None:
    page.title("CONDITIONS")
    for by in ("recorded", "declared", "derived"):
        names = [name for name, who in run.conditions.items() if who == by]
        if names:
            page.packed(by, sorted(names))
    for name, why in run.unknown.items():
        page.item(f"unknown   {name}: {why}", hang=10, paint=YELLOW)
    if run.missing:
        page.item(f"not stated, and needed: {', '.join(run.missing)}", hang=2, paint=YELLOW)


def _findings(page: Page, run: AuditedRun) -> None:
    found = [one for one in run.verdict.findings if one.severity in ("block", "unknown")]
    if found:
        page.title("BLOCKS")
        for one in found:
            page.item(finding_line(one), hang=6, paint=RED)


def _runs(page: Page, audit: Audit, brief: bool) -> None:
    page.title(counted(len(audit.runs), "run").upper())
    for one in audit.runs:
        _line(page, one)
    _odd(page, audit)
    if audit.ids is not None:
        ids = audit.ids
        page.title("THE SAME DRAWS?")
        same = ids.union == ids.intersection
        page.item(
            f"{ids.union} in any run, {ids.intersection} in all of them: "
            + (
                "the runs are of the same draws"
                if same
                else "percentages over their own rows have different denominators"
            )
        )
        if not same and not brief:
            _bounds(page, audit)
    _regraded(page, audit)
    if not brief:
        page.bullets("NOTED OF EVERY RUN", audit.notes)
    page.title("NEXT")
    page.item("denominator audit PATH --run NAME shows one run; --declare FILE says what was scheduled")


def _regraded(page: Page, audit: Audit) -> None:
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
    for line in _first(lines):
        page.item(f"- {line}", paint=RED)


def _line(page: Page, one: RunLine) -> None:
    page.item(one.name, paint=RED if one.exit else GREEN)
    if one.why:
        page.item(f"unreadable: {one.why} (exit {one.exit})", 4)
        return
    rows = f"passes {_short(one.passes)}, with a record {_short(one.recorded)}, scored {_short(one.scored)}"
    page.item(f"{rows}, scheduled {_short(one.scheduled)}", 4)
    page.packed(
        "  published",
        [f'"{_printed(each)}" ({_says(each)})' for each in one.printed[:MOST]] or ["nothing that is read"],
    )
    blocked = f" by {' '.join(rule.partition(' ')[0] for rule in one.blocked_by)}" if one.blocked_by else ""
    page.item(f"{one.status} ({one.rung}){blocked}, exit {one.exit}", 4)


def _odd(page: Page, audit: Audit) -> None:
    """Printed percentages that the counts do not give, each with why; how many there are of all."""
    every = [(one.name, each) for one in audit.runs for each in one.printed]
    if not every:
        return
    counts = Counter(_says(each) for _, each in every)
    page.title("PUBLISHED PERCENTAGES (the source's words, no result of ours)")
    page.packed("", [f"{many} {says}" for says, many in sorted(counts.items())])
    odd = [
        f'{name}: {each.metric} "{_printed(each)}": {_says(each)}: {each.what}'
        for name, each in every
        if each.says in ODD
    ]
    for line in _first(odd, 4 * MOST):
        page.item(f"- {line}")


def _bounds(page: Page, audit: Audit) -> None:
    page.title("WORST AND BEST CASE over all draws of any run")
    page.item("What has no score failed in the one and passed in the other: bounds, no rate of a run.")
    for one in audit.runs:
        if isinstance(one.least, str) and isinstance(one.most, str):
            page.item(f"{one.name}: {percent1(one.least)} to {percent1(one.most)} ({_short(one.absent)} absent)")
        else:
            page.item(f"{one.name}: {_text(one.least)}")


def _printed(one: PublishedLine) -> str:
    return f"{one.printed} %" if one.unit == "percent" else one.printed


def _says(one: PublishedLine) -> str:
    return one.says.replace("_", " ")


def _first(lines: list[str], most: int = MOST) -> list[str]:
    rest = len(lines) - most
    return [*lines[:most], f"and {rest} more (--json lists them)"] if rest > 0 else lines


def _number(value: Count) -> str:
    return f"not known: {value.not_measured}" if isinstance(value, NotMeasured) else str(value)


def _short(value: Count) -> str:
    return "unknown" if isinstance(value, NotMeasured) else str(value)


def _text(value: Text) -> str:
    return value.not_measured if isinstance(value, NotMeasured) else value
