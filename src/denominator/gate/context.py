"""What has to stand beside a result: why these tasks, the noise of a re-run, classes and seeds, when and where, its size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from decimal import ROUND_HALF_EVEN, Decimal

from denominator.gate.citing import CLASSES, rule_of
from denominator.gate.known import calls_no_model, dates_of, one_of_rows, seeds_of, stated, tasks_of
from denominator.gate.shape import counted, listed
from denominator.records.judgements import Sheet
from denominator.records.replays import HIDDEN, Replay
from denominator.records.values import NotMeasured
from denominator.records.words import Rung
from denominator.stats import min_discordant

REASON_MAX = 160
DATES_MAX = 3
HOSTS_MAX = 3


def short(decimal: str) -> str:
    """Three digits of a decimal string, half-even."""
    return str(Decimal(decimal).quantize(Decimal("0.001"), rounding=ROUND_HALF_EVEN))


def frame(sheet: Sheet) -> str:
    """Why these tasks: a rate speaks for others only as far as they were drawn like these."""
    why = " ".join(sheet.terms.selection.split())
    if not why:
        return "Why these tasks were chosen is not stated: it speaks for these tasks."
    cut = why if len(why) <= REASON_MAX else f"{why[: REASON_MAX - 3]}..."
    return f'It speaks for tasks like these, chosen for this reason: "{cut}".'


def rerun_noise(sheet: Sheet, rung: Rung) -> str:
    """What a fresh run of the same tasks would move; one repeat cannot say."""
    told = " ".join(_replayed(one) for one in sheet.terms.replays)
    if sheet.terms.repeats <= 1:
        return told or "Re-run noise is unknown at one repeat."
    found = sheet.estimate("flip_rate")
    named = set(sheet.terms.flaky_tasks)
    flaky = bool(named) and any(task in named for task, _, _ in sheet.placed())
    if found is None or rung is Rung.COUNTS or flaky:
        return told
    if isinstance(found.value, NotMeasured):
        return f"{told} Flip rate between repeats: unknown, {found.value.not_measured}.".strip()
    ends = "" if isinstance(found.lo, NotMeasured) else f" [{short(found.lo)}, {short(str(found.hi))}]"
    return f"{told} Flip rate between repeats: {short(found.value)}{ends}.".strip()


def _replayed(replay: Replay) -> str:
    when = f"after {counted(replay.hours, 'hour')}" if isinstance(replay.hours, int) else "at an unknown time"
    early = f" (declared: {replay.early_why})" if replay.early_why else ""
    if replay.rate == HIDDEN:
        return f"Replayed {when}{early}: flips not told, {HIDDEN.not_measured}."
    lost = f", {replay.unknown} without a verdict on one side" if replay.unknown else ""
    return f"Replayed {when}{early}: {replay.flips} of {counted(replay.draws, 'draw')} flipped{lost}."


def classes_and_seeds(sheet: Sheet) -> str:
    """Counts by failure class and the seeds, where rows name seeds or the rule of citation asks for them."""
    seeds = seeds_of(sheet)
    if not seeds and rule_of(sheet) != CLASSES:
        return ""
    counts = Counter[str]()
    for draw, many in sheet.alike("solvable"):
        counts[draw.failure_class or draw.exit] += many
    told = ", ".join(f"{name} {number}" for name, number in sorted(counts.items()))
    named = f"Seeds: {listed(map(str, seeds))}." if seeds else "Seeds: not recorded."
    return f"Classes: {told}. {named}" if told else named


def when_and_where(sheet: Sheet) -> str:
    """UTC dates, host of the endpoint, access class; what is unknown is named."""
    known: list[str] = []
    unknown: list[str] = []
    for words, found in (
        ("UTC dates", _dates(dates_of(sheet))),
        ("endpoint host", _endpoint(sheet)),
        ("access class", _access(sheet)),
    ):
        (known if found else unknown).append(found or words)
    told = "; ".join(known)
    parts = [
        f"{told[:1].upper()}{told[1:]}." if known else "",
        f"Not recorded: {', '.join(unknown)}." if unknown else "",
    ]
    return " ".join(part for part in parts if part)


def _dates(dates: tuple[str, ...]) -> str:
    if len(dates) > DATES_MAX:
        return f"On {len(dates)} UTC dates from {dates[0]} to {dates[-1]}"
    return f"On {' and '.join(dates)} (UTC)" if dates else ""


def _endpoint(sheet: Sheet) -> str:
    if calls_no_model(sheet):
        return "no model was called"
    served = sorted({host for row, _ in sheet.rows() for host in row.served_hosts})
    hosts = [stated(sheet.terms, "endpoint_host")] if stated(sheet.terms, "endpoint_host") else served
    return f"endpoint {listed(hosts, HOSTS_MAX)}" if hosts else ""


def _access(sheet: Sheet) -> str:
    if calls_no_model(sheet):
        return "no access class applies"
    found = one_of_rows(sheet, "access_class") or tuple(_some(stated(sheet.terms, "access_class")))
    return f"access class {listed(found)}" if found else ""


def _some(text: str) -> Iterable[str]:
    return (text,) if text else ()


def caveat(sheet: Sheet) -> str:
    """What the size allows; the thresholds 8, 40 and 200 are conventions, the least of discordant tasks is exact."""
    n = tasks_of(sheet)
    tasks = counted(n, "task")
    if n < 8:
        return f"{tasks}: this checks a method and orders nobody."
    if n <= 40:
        least = min_discordant()
        return f"{tasks}: directional, fewer than {least} tasks that differ one way are inside the noise; this orders nobody."
    if n < 200:
        return f"{tasks} in one pack: it speaks for tasks like these only as far as they were drawn from a frame."
    dates = len(dates_of(sheet))
    if dates < 2:
        on = "one date" if dates else "dates that are not recorded"
        return f"{tasks} on {on}: a second date is missing before it is cited."
    return f"{tasks} on {dates} dates: citable inside this envelope."
