"""One case of a probe: the question, every attempt with its class and contracts, and the beginning of what came, made harmless."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from denominator.publish.terminal.page import GREEN, RED, Page, visible
from denominator.publish.terminal.probe import end_line
from denominator.publish.terminal.probe_table import across_line, milliseconds
from denominator.records.probe_results import ProbeScore, Scored
from denominator.records.probe_words import Cls
from denominator.records.probes import Case
from denominator.records.rows import Text
from denominator.records.values import NotMeasured
from denominator.wire.canonical import canonical


class Shown(Protocol):
    """An attempt with the beginning of its body."""

    @property
    def scored(self) -> Scored: ...
    @property
    def body(self) -> Text: ...


def case_page(page: Page, asked: Case, attempts: Iterable[Shown], score: ProbeScore) -> None:
    """What was asked and expected, each attempt (of equal answers the first in full), what only several of them show."""
    page.item(f"CASE {asked.id} of {score.name}", 0)
    _asked(page, asked)
    seen: dict[str, str] = {}
    for shown in attempts:
        one = shown.scored
        title = f"window {one.window}, {one.mode}, attempt {one.attempt}"
        page.title(title)
        page.item(end_line(one), hang=4, paint=GREEN if one.cls == Cls.PASS else RED)
        status = one.status if isinstance(one.status, int) else one.status.not_measured
        page.item(f"status {status}, {milliseconds(one.total_us)} ms")
        kept = {verdict: [name for name, v in one.judgements.items() if v == verdict] for verdict in ("pass", "fail")}
        page.item(f"kept: {', '.join(kept['pass']) or 'none'}; broken: {', '.join(kept['fail']) or 'none'}", hang=4)
        if isinstance(shown.body, NotMeasured):
            page.item(f"({shown.body.not_measured})")
        elif (first := seen.setdefault(str(one.body_sha256), title)) != title:
            page.item(f"(the same bytes as {first})")
        else:
            _body(page, shown.body)
    page.bullets("OVER ITS ATTEMPTS", [across_line(one) for one in score.across if one.case_id == asked.id])


def _asked(page: Page, case: Case) -> None:
    """The question as it stands in the fixture, without what every request has."""
    how = "wrong on purpose" if case.control else f"{case.mode}, at most {case.max_tokens} tokens"
    page.item(f"group {case.group}, kind {case.kind}: {how}")
    for name, text in (("system", case.system), ("prompt", case.prompt)):
        if text:
            page.item(f"{name}:")
            _body(page, text)
    for name, value in (("request", case.request), ("body", case.body), ("expected", case.expect)):
        if value:
            page.item(f"{name}:")
            _body(page, value if isinstance(value, str) else canonical(value).decode())


def _body(page: Page, body: str) -> None:
    """Cut to the page's width: control characters are shown as their code, and every line is marked as foreign."""
    wide = page.width - 4
    for line in map(visible, body.rstrip("\n").split("\n")):
        page.lines.extend(f"  | {line[start : start + wide]}".rstrip() for start in range(0, max(len(line), 1), wide))
