"""Where the tokens of a sheet are from, by which convention they were read, and draws that were owed further attempts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from denominator.records.draws import JudgedDraw
from denominator.records.judgements import Sheet
from denominator.records.rows import AttemptRow, CallRow

PROVIDER, ESTIMATED, NOWHERE, UNSTATED = "provider", "estimated:", "none", "not stated"
OF_STREAM = "provider_stream_last"
"""The last usage of a stream: the provider's own word too."""
SPEND_ROWS = "rows/spend"
FREE = ("listing", "warmup", "probe")


def usage_sources(sheet: Sheet) -> Mapping[str, int]:
    """How many calls (attempts, where no calls are recorded) have their usage from where: provider, agent, estimated:NAME@VERSION.

    What nobody names is `not stated`; what has no usage is nowhere.
    """
    if sheet.ledger.calls:
        return _counted((_of_call(one), 1) for one in sheet.ledger.calls if one.purpose not in FREE)
    return _counted((_of_row(row, "usage_source"), many) for row, many in sheet.rows() if _has_usage(row))


def usage_conventions(sheet: Sheet) -> Mapping[str, int]:
    """By which conventions the usage of how many calls (or attempts) was read; all are normalised to one."""
    if sheet.ledger.calls:
        named = ((one.usage_convention, 1) for one in sheet.ledger.calls if one.purpose not in FREE)
        return _counted((name, many) for name, many in named if isinstance(name, str))
    return _counted((_of_row(row, "usage_convention"), many) for row, many in sheet.rows() if _has_usage(row))


def mixes_sources(sheet: Sheet) -> tuple[str, ...]:
    """The sources that an arm adds up although they are of two kinds; empty where there is one.

    An estimate beside counts of which nobody says where they are from is such a mixture too.
    """
    found = [name for name in usage_sources(sheet) if name != NOWHERE]
    named = [name for name in found if name != UNSTATED]
    estimated = any(name.startswith(ESTIMATED) for name in named)
    mixed = len(named) > 1 or (estimated and UNSTATED in found)
    return tuple(sorted(found)) if mixed else ()


def owed_attempts(sheet: Sheet) -> tuple[str, ...]:
    """Tasks whose last attempt failed before the declared number of attempts, where red verdicts are tried again.

    A run of ours retries no verdict. Rows of spend are of a loop that tries until the checker accepts; other foreign rows
    are where some draw has a further attempt after a fail.
    """
    most = sheet.terms.attempts
    if most < 2 or sheet.terms.origin == "seal":
        return ()
    if sheet.ledger.shape != SPEND_ROWS and not sheet.count(_retried):
        return ()

    def owed(draw: JudgedDraw) -> bool:
        ended = draw.outcomes[-1] if draw.outcomes else ""
        return ended == "fail" and "pass" not in draw.outcomes and len(draw.tries) < most

    return tuple(dict.fromkeys(task for task, _, _ in sheet.placed(owed)))


def _retried(draw: JudgedDraw) -> bool:
    return "fail" in draw.outcomes[:-1]


def _has_usage(row: AttemptRow) -> bool:
    """Did somebody count something? An agent that called no model has no usage to be from anywhere."""
    if row.usage.calls == 0:
        return False
    counted = isinstance(row.usage.prompt, int) or isinstance(row.usage.completion, int)
    return counted or _of_row(row, "usage_source") != UNSTATED


def _of_row(row: AttemptRow, column: str) -> str:
    """What a foreign row names; a row of ours without its calls was read by the gateway."""
    stated = row.extra.get(column, "").strip('"')
    return (
        _plain(stated) if stated else (PROVIDER if row.source.kind == "own" and column == "usage_source" else UNSTATED)
    )


def _of_call(call: CallRow) -> str:
    return _plain(call.usage_source) if isinstance(call.usage_source, str) else NOWHERE


def _plain(source: str) -> str:
    return PROVIDER if source == OF_STREAM else source


def _counted(pairs: Iterable[tuple[str, int]]) -> Mapping[str, int]:
    found: Counter[str] = Counter()
    for name, many in pairs:
        found[name] += many
    return dict(sorted(found.items()))
