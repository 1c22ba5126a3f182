"""The spend ledger as text: every arm's account by itself, then what may be set side by side, then the limits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.publish.terminal.page import GREEN, RED, YELLOW, Page
from denominator.publish.terminal.rates import three
from denominator.publish.terminal.spread import NEXT
from denominator.records.estimates import Estimate
from denominator.records.spends import (
    NOT_ASKED,
    Allowance,
    ArmSpend,
    CallSpend,
    Censored,
    Money,
    OwnCheck,
    PairSpend,
    Part,
    SlicePart,
    SpendReport,
)
from denominator.records.values import NotMeasured, counted

SHOWN = 12
WIDE = 26
SHARES = ("headline", "acceptance", "accepted_within_k", "first_try_share", "retry_tax", "retry_overhead", "dead_spend")
OF_TOKENS = ("tokens_per_accepted", "retry_tax", "retry_overhead", "dead_spend")
"""Without a value their two sums are no fraction of anything: some of the tokens are missing."""
LABELS = {
    "tokens_per_accepted": "tokens per accepted (QAP)",
    "tokens_per_solved_median": "median of a solved task",
}
INSIDE = {"cached_read": "of the prompt", "cache_write": "of the prompt", "reasoning": "of the completion"}
COLUMN = 18


def spend_page(page: Page, report: SpendReport) -> None:
    """The whole report."""
    for arm in report.arms:
        _arm(page, arm)
    if report.pairs:
        _across(page, report)
    page.bullets("LIMITS", report.limits)


class _Rows(Page):
    """The same account as pairs of name and text."""

    def __init__(self) -> None:
        super().__init__(80, color=False)
        self.rows: list[tuple[str, str]] = []

    def item(self, text: str, *_: object, **__: object) -> None:
        """A line without a name."""
        self.rows.append(("", text))


def spend_rows(arm: ArmSpend) -> tuple[tuple[str, str], ...]:
    """What the report says of one arm, as (name, text); a line that goes on with the one before has no name."""
    page = _Rows()
    _arm(page, arm)
    return tuple(page.rows)


def _arm(page: Page, arm: ArmSpend) -> None:
    page.title(f"{arm.name}  (run {arm.run_id or 'without id'})")
    word = arm.status.upper()
    page.item(word if not arm.estimator else f"{word}; tokens are {arm.estimator}", paint=_paint(arm))
    if arm.withheld:
        page.item(f"withheld by {', '.join(arm.withheld)}", paint=RED)
    for what in arm.blocks:
        page.item(f"- {what}", hang=4, paint=RED)
    for one in arm.figures:
        _figure(page, one, bool(arm.withheld))
    _tokens(page, arm.parts, arm.conventions, arm.sources)
    _slices(page, arm.slices, arm.floor_overhead)
    _calls(page, arm.calls)
    _censored(page, arm.censored)
    _own(page, arm.own)
    _row(page, "reading", f"{arm.reading}: {arm.reading_why}", paint=YELLOW)
    _money(page, arm.money)
    _allowance(page, arm.allowance)


def _row(page: Page, name: str, text: str, paint: str = "", hang: int = 4) -> None:
    """One line of an account: its name, then what is known of it."""
    if isinstance(page, _Rows):
        page.rows.append((name, text))
        return
    page.item(f"{name:<{WIDE}} {text}", hang=hang, paint=paint)


def _paint(arm: ArmSpend) -> str:
    return RED if arm.exit else GREEN


def _figure(page: Page, one: Estimate, quiet: bool) -> None:
    if one.withheld_by and quiet and not _counts(one):
        return
    _row(page, LABELS.get(one.metric, one.metric), told(one))


def told(one: Estimate) -> str:
    """An estimate on one line: what was counted, the number, its interval, or why there is none."""
    seen = f"{one.numerator}/{one.denominator} " if _counts(one) else ""
    if isinstance(one.value, NotMeasured):
        why = one.value.not_measured
        cut = why.startswith("censored") or (one.metric in OF_TOKENS and not why.startswith("withheld"))
        least = (
            _ends(one) if isinstance(one.hi, str) else f"; >= {_short(one, one.lo)}" if isinstance(one.lo, str) else ""
        )
        return f"not printed: {why}{least}" + (f" ({seen.strip()})" if seen and not cut else "")
    bare = one.metric == "tokens_per_accepted"
    no_ends = f" (no interval: {one.lo.not_measured})" if bare and isinstance(one.lo, NotMeasured) else ""
    return f"{seen}{_short(one, one.value)}{_ends(one)} {one.unit}{no_ends}"


def _ends(one: Estimate) -> str:
    if not isinstance(one.lo, str) and not isinstance(one.hi, str):
        return ""
    return f" [{_short(one, one.lo)}, {_short(one, one.hi)}]"


def _counts(one: Estimate) -> bool:
    return isinstance(one.numerator, int) and isinstance(one.denominator, int)


def _short(one: Estimate, value: str | NotMeasured) -> str:
    if isinstance(value, NotMeasured):
        return "-"
    return three(value) if one.metric in SHARES or one.metric == "spend_ratio" else _amount(value)


def _amount(value: str) -> str:
    """A number of tokens without zeros behind the point."""
    return value.rstrip("0").rstrip(".") if "." in value else value


def _tokens(
    page: Page, parts: Sequence[Part], conventions: Sequence[tuple[str, int]], sources: Sequence[tuple[str, int]]
) -> None:
    for part in parts:
        inside = f" ({INSIDE[part.name]})" if part.name in INSIDE else ""
        _row(page, f"{part.name} tokens", f"{_known(part.known, part.unknown, part.attempts)}{inside}")
    _row(page, "usage from", _listed(sources))
    if conventions:
        _row(page, "read by convention", f"{_listed(conventions)}; all kept as cached inside the prompt")


def _known(known: int, unknown: int, of: int) -> str:
    if not of:
        return "no attempt"
    if unknown == of:
        return "unknown"
    return f"{'>= ' if unknown else ''}{known}" + (f", unknown for {unknown} of {of} attempts" if unknown else "")


def _listed(pairs: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name} {many}" for name, many in pairs) or "nobody: nothing was counted"


def _slices(page: Page, slices: Sequence[SlicePart], floor: str | NotMeasured) -> None:
    for one in slices:
        text = f"{_known(one.known, one.unknown, one.attempts)} tokens in {counted(one.attempts, 'attempt')}"
        _row(page, f"{one.name} slice", f"{text} of {counted(one.draws, 'draw')}")
    said = (
        f"unknown: {floor.not_measured}" if isinstance(floor, NotMeasured) else f"{_amount(floor)} tokens a floor draw"
    )
    _row(page, "harness overhead", said)


def _calls(page: Page, calls: CallSpend | NotMeasured) -> None:
    if isinstance(calls, NotMeasured):
        _row(page, "calls", f"unknown: {calls.not_measured}")
        return
    retries = f"{counted(calls.retries, 'retry', 'retries')} by the gateway"
    _row(page, "calls", f"{calls.made} made, {retries}, {calls.paused_ms} ms paused by the provider")
    if calls.resent:
        _row(page, "", f"sent again by the agent's client: {_names(calls.resent, 'call')}")
    if calls.injected or calls.played:
        _row(page, "", f"{calls.injected} with a made fault, {calls.played} played from a recording")
    _row(page, "spend unknown", _names(calls.unknown, "call"), paint=RED if calls.unknown else "")
    _row(page, "refused by a budget", _names(calls.refused, "call"))
    replayed = f"{'>= ' if calls.replayed_unknown else ''}{calls.replayed_tokens}"
    _row(page, "replay cost", f"{replayed} tokens in {calls.replayed_calls} calls of dead incarnations")
    for unit, cost in calls.reported:
        _row(page, "cost by the provider", f"{cost} {unit}, as it says itself")


def _names(names: Sequence[str], noun: str) -> str:
    if not names:
        return "none"
    rest = len(names) - SHOWN
    return f"{counted(len(names), noun)}: {', '.join(names[:SHOWN])}" + (
        f" and {rest} more (--json)" if rest > 0 else ""
    )


def _censored(page: Page, found: Censored) -> None:
    if not found.any:
        none = f"unknown: {found.unnamed.not_measured}" if isinstance(found.unnamed, NotMeasured) else "no draw"
        _row(page, "censored", none)
        return
    parts = [f"cut while it ran: {_names(found.cut, 'task')}"] * bool(found.cut)
    parts += [f"never started: {_names(found.never_started, 'task')}"] * bool(found.never_started)
    if isinstance(found.unnamed, int) and found.unnamed:
        parts.append(f"never started, ids not declared: {counted(found.unnamed, 'draw')}")
    if isinstance(found.owed, NotMeasured):
        parts.append(f"owed further attempts: {found.owed.not_measured}")
    elif found.owed:
        parts.append(f"owed further attempts: {_names(found.owed, 'task')}")
    _row(page, "censored", f"{'; '.join(parts)}; no rate, and the arm leaves the table", paint=RED)


def _own(page: Page, own: OwnCheck | NotMeasured) -> None:
    if isinstance(own, NotMeasured):
        _row(page, "own account", f"unknown: {own.not_measured}")
        return
    sign = "+" if own.difference > 0 else ""
    text = f"the agent says {own.own}, recorded {own.wire}: {sign}{own.difference} tokens over {counted(own.attempts, 'attempt')}"
    alone = f"; {counted(own.alone, 'attempt')} of which only the agent speaks" if own.alone else ""
    where = f"; they differ in {_names(own.differing, 'task')}" if own.differing else ""
    _row(page, "own account", f"{text}{where}{alone}; the recorded counts stand", paint=RED if own.difference else "")


def _money(page: Page, money: Money | NotMeasured) -> None:
    if isinstance(money, NotMeasured):
        if money != NOT_ASKED:
            _row(page, "money", money.not_measured)
        return
    _row(page, "money", f"{_cost(money.total, money.unit)}; per accepted patch {_cost(money.per_accepted, money.unit)}")
    for model, cost in money.of_models:
        _row(page, "", f"{model}: {_cost(cost, money.unit)}", hang=WIDE + 1)
    table = f"{money.table} {money.version}, sha256 {money.digest[:12]}"
    _row(page, "", f"prices: {table}; a quota is no price", hang=WIDE + 1)


def _cost(value: str | NotMeasured, unit: str) -> str:
    return f"unknown ({value.not_measured})" if isinstance(value, NotMeasured) else f"{value} {unit}"


def _allowance(page: Page, found: Allowance | NotMeasured) -> None:
    if isinstance(found, NotMeasured):
        if found != NOT_ASKED:
            _row(page, "allowance", found.not_measured)
        return
    buys = f"{found.tokens} tokens buy {found.accepted} accepted patches ({found.tasks} tasks)"
    runs = f"at {found.tasks_per_day} tasks a day they run out on day {found.day}"
    _row(page, "allowance", f"{buys}; {runs}")


def _across(page: Page, report: SpendReport) -> None:
    page.title("SIDE BY SIDE")
    if report.refusals:
        page.item("NOT COMPARABLE: no number of one arm is set beside another", paint=RED)
        for reason in report.refusals:
            page.item(f"- {reason}", hang=4)
        page.bullets("NEXT", NEXT)
        return
    staying = [arm for arm in report.arms if not arm.leaves]
    for arm in report.arms:
        if arm.leaves:
            page.item(f"{arm.name} leaves the table: {'; '.join(arm.leaves)}", hang=4, paint=YELLOW)
    if len(staying) > 1:
        _table(page, staying)
    for pair in report.pairs:
        _ratio(page, pair)


def _table(page: Page, arms: Sequence[ArmSpend]) -> None:
    """One line a figure, one column an arm, in the order in which they were named; narrow pages take fewer columns."""
    fits = max((page.width - WIDE - 3) // (COLUMN + 1), 1)
    for start in range(0, len(arms), fits):
        some = arms[start : start + fits]
        page.item(_line("", _heads(page, some, start)), hang=4)
        for metric in (one.metric for one in some[0].figures):
            values = [next((one for one in arm.figures if one.metric == metric), None) for arm in some]
            page.item(_line(LABELS.get(metric, metric), [_cell(one) for one in values]), hang=4)
        if any(isinstance(arm.money, Money) for arm in some):
            page.item(_line("money", [_cell_money(arm) for arm in some]), hang=4)


def _heads(page: Page, arms: Sequence[ArmSpend], start: int) -> list[str]:
    """Names over the columns; where one is too long for its column, numbers that a line above explains."""
    if all(len(arm.name) <= COLUMN for arm in arms):
        return [arm.name for arm in arms]
    for at, arm in enumerate(arms, start + 1):
        page.item(f"[{at}] {arm.name}", hang=4)
    return [f"[{at}]" for at in range(start + 1, start + len(arms) + 1)]


def _line(name: str, cells: Iterable[str]) -> str:
    return f"{name:<{WIDE}} " + " ".join(f"{cell[:COLUMN]:>{COLUMN}}" for cell in cells)


def _cell(one: Estimate | None) -> str:
    return "-" if one is None or isinstance(one.value, NotMeasured) else _short(one, one.value)


def _cell_money(arm: ArmSpend) -> str:
    return "-" if isinstance(arm.money, NotMeasured) or isinstance(arm.money.total, NotMeasured) else arm.money.total


def _ratio(page: Page, pair: PairSpend) -> None:
    a, b = pair.names
    said = f"not printed: {pair.ratio.not_measured}" if isinstance(pair.ratio, NotMeasured) else told(pair.ratio)
    page.item(f"tokens per accepted patch, {a} over {b}: {said}", hang=4)
    for note in pair.comparability.notes:
        page.item(f"- {note}", 4)
