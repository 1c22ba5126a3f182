"""One case of a probe: every attempt with its class, every contract, and the beginning of what came, made harmless."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from denominator.publish.terminal.page import GREEN, RED, Page, visible
from denominator.publish.terminal.probe import end_line
from denominator.publish.terminal.probe_table import across_line, milliseconds
from denominator.records.probe_results import ProbeScore, Scored
from denominator.records.probe_words import Cls
from denominator.records.rows import Text
from denominator.records.values import NotMeasured


class Shown(Protocol):
    """An attempt with the beginning of its body."""

    @property
    def scored(self) -> Scored: ...
    @property
    def body(self) -> Text: ...


def case_page(page: Page, case_id: str, attempts: Iterable[Shown], score: ProbeScore) -> None:
    """The attempts in the order of the score, then what only several of them show."""
    page.item(f"CASE {case_id} of {score.name}", 0)
    for shown in attempts:
        one = shown.scored
        page.title(f"window {one.window}, {one.mode}, attempt {one.attempt}")
        page.item(end_line(one), hang=4, paint=GREEN if one.cls == Cls.PASS else RED)
        status = one.status if isinstance(one.status, int) else one.status.not_measured
        page.item(f"status {status}, {milliseconds(one.total_us)} ms")
        kept = {verdict: [name for name, v in one.judgements.items() if v == verdict] for verdict in ("pass", "fail")}
        page.item(f"kept: {', '.join(kept['pass']) or 'none'}; broken: {', '.join(kept['fail']) or 'none'}", hang=4)
        if isinstance(shown.body, NotMeasured):
            page.item(f"({shown.body.not_measured})")
        else:
            _body(page, shown.body)
    page.bullets("OVER ITS ATTEMPTS", [across_line(one) for one in score.across if one.case_id == case_id])


def _body(page: Page, body: str) -> None:
    """Cut to the page's width: control characters are shown as their code, and every line is marked as foreign."""
    shown, wide = visible(body), page.width - 4
    page.lines.extend(f"  | {shown[start : start + wide]}" for start in range(0, len(shown), wide))
