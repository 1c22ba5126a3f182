"""The rate of a locked contract as text: counts, the truth of each clause, the probe beside it."""

from __future__ import annotations

from denominator.publish.terminal.page import RED, YELLOW, Page
from denominator.records.contracts import ClauseRow, Rate
from denominator.records.values import NotMeasured

NAME = 20


def contract_rate(page: Page, rate: Rate) -> None:
    """Everything of `rate.json` but its rows, which are counted by clause."""
    page.title("CONTRACT")
    _line(page, "sha256", rate.contract_sha256)
    if not rate.pinned:
        _line(page, "not pinned", "the contract carries no sha256; this one is of the document as read")
    _line(page, "locked", f"{rate.locked_at} as {rate.contract_run_id or 'no run id'}")
    _line(page, "scored", rate.scored)
    _line(page, "pass", " AND ".join(rate.metric) or "as the rows say (task_pass)")
    if not isinstance(rate.timeout_s, NotMeasured):
        _line(page, "timeout", f"{rate.timeout_s} s, measured again; what exceeds it stays in n")
    shown = f"{rate.k} of {rate.n}" if isinstance(rate.k, int) else f"{rate.k.not_measured}; n is {rate.n!s}"
    _line(page, "k of n", shown, RED if rate.status == "blocked" else "")
    if isinstance(rate.rows, NotMeasured):
        _line(page, "clauses", rate.rows.not_measured)
    else:
        for name in rate.metric:
            _line(page, name, _truths(rate.rows, name))
    probe = rate.narration_probe
    _line(page, "narration probe", f"{probe.state}: {probe.why}" if probe.why else probe.state, _paint(probe.state))
    _line(page, "contamination", rate.contamination)


def _truths(rows: tuple[ClauseRow, ...], name: str) -> str:
    truths = [row.clauses.get(name) for row in rows]
    broken = [row.task_id for row in rows if row.clauses.get(name) is False]
    unknown = sum(isinstance(truth, NotMeasured) for truth in truths)
    named = f" ({', '.join(broken[:8])}{' ...' if len(broken) > 8 else ''})" if broken else ""
    return f"true {sum(truth is True for truth in truths)}, false {len(broken)}{named}, unknown {unknown}"


def _paint(state: str) -> str:
    return {"violated": RED, "inconclusive": YELLOW}.get(state, "")


def _line(page: Page, name: str, text: str, paint: str = "") -> None:
    page.item(f"{name:<{NAME}} {text}", hang=NAME + 1, paint=paint)
