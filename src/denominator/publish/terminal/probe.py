"""A probe as a page: the sentences, how each group ended in each window, what attempts contradict, times, every miss."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.publish.limits import limit_lines
from denominator.publish.probe_told import held_back, held_windows, told_across, told_misses
from denominator.publish.terminal.page import YELLOW, Page
from denominator.publish.terminal.probe_misses import misses
from denominator.publish.terminal.probe_table import WITHHELD, across_lines, count, milliseconds, table, word
from denominator.records.probe_results import Line, ProbeScore, Quantiles, Scored, WindowLine
from denominator.records.probe_words import INVALID, PRECEDENCE, Cls
from denominator.records.values import NotMeasured, counted

DIGITS = 12
NEVER_ASKED_MOST = 10
WORDS = "denominator explain WORD tells what a class, a reason, a flag or another word of this page means"


def probe_page(page: Page, score: ProbeScore, *, every: bool = False) -> None:
    """Everything that a score shows, without a number over two groups; of many misses the first, unless `every` is wanted."""
    head(page, score)
    page.bullets("WHAT MAY BE SAID", score.sentences)
    _histogram(page, score)
    _across(page, score)
    _times(page, score)
    _flags(page, score)
    _facts(page, score)
    misses(page, told_misses(score), every=every, left_out=held_back(score))
    if score.missing:
        page.title(f"NEVER ASKED ({len(score.missing)})")
        more = len(score.missing) - NEVER_ASKED_MOST
        page.packed("", (*score.missing[:NEVER_ASKED_MOST], *([f"and {more} more"] if more > 0 else [])))
    page.bullets("NOTES", (*score.notes, WORDS))
    page.bullets("MAY NOT BE WRITTEN", score.may_not)
    page.bullets("LIMITS", limit_lines("M7"))


def score_page(page: Page, score: ProbeScore, told: str, moved: Sequence[str]) -> None:
    """What judging again gave: the counts, and what became of the stored score."""
    head(page, score)
    page.bullets("WHAT MAY BE SAID", score.sentences)
    _histogram(page, score)
    page.bullets("MOVED", moved)
    page.bullets("NOTES", (*score.notes, told, WORDS))
    page.bullets("MAY NOT BE WRITTEN", score.may_not)


def head(page: Page, score: ProbeScore) -> None:
    """Which probe it is: endpoint, path, fixture, versions, windows."""
    page.item(f"ENDPOINT BENCH {score.name}: {score.model} at {score.url}, {score.path.told}", 0)
    page.item(
        f"fixture {score.fixture_sha256[:DIGITS]} ({counted(score.cases, 'case')}), client {score.client}, "
        f"classifier {score.classifier}, seal {score.seal_sha256[:DIGITS]}",
        0,
    )
    for one in score.windows:
        page.item(window_line(one), 0, paint="" if one.independent and not one.withheld else YELLOW)


def window_line(one: WindowLine) -> str:
    """A window as it went, in a line."""
    end = "not ended" if isinstance(one.ended_at, NotMeasured) else f"to {one.ended_at}"
    told = f"window {one.number}: {one.started_at} {end}, {one.answered} of {one.asked} attempts got a status"
    lost = f", {one.invalid} invalid" if one.invalid else ""
    apart = "" if one.number == 1 else ", independent" if one.independent else f", not independent: {one.why}"
    return f"{told}{lost}{apart}"


def _histogram(page: Page, score: ProbeScore) -> None:
    groups = list(dict.fromkeys(one.group for one in score.histogram))
    asked = list(dict.fromkeys(one.group for one in score.attempts))
    rows = [row for group in sorted(asked, key=lambda one: _place(one, groups, asked)) for row in _group(score, group)]
    if rows:
        page.title("BY GROUP: k/n attempts ended so, windows side by side")
        table(page, [f"window {one.number}" for one in score.windows], rows)


def _place(group: str, groups: Sequence[str], asked: Sequence[str]) -> int:
    return groups.index(group) if group in groups else len(groups) + asked.index(group)


def _group(score: ProbeScore, group: str) -> Iterable[tuple[str, Sequence[str]]]:
    """The passes of a group always, then what else happened in any window of it."""
    lines = [one for one in score.histogram if one.group == group]
    ended = {(one.cls, one.reason) for one in lines if one.cls != Cls.PASS}
    words = [(str(Cls.PASS), ""), *sorted(ended, key=lambda one: (PRECEDENCE.index(Cls(one[0])), one[1]))]
    for place, (cls, reason) in enumerate(words):
        name = f"{group if not place else '':<12} {word(cls, reason)}"
        yield name, [_cell(score, lines, window, group, (cls, reason)) for window in score.windows]


def _cell(score: ProbeScore, lines: Iterable[Line], window: WindowLine, group: str, ended: tuple[str, str]) -> str:
    if window.withheld and ended not in INVALID:
        return WITHHELD
    n = sum((one.window, one.group) == (window.number, group) for one in score.attempts)
    k = sum(one.k for one in lines if one.window == window.number and (one.cls, one.reason) == ended)
    return count(k, n) if n else "none asked"


def _across(page: Page, score: ProbeScore) -> None:
    found = across_lines(one for one in score.across if told_across(one, held_windows(score)))
    if found:
        page.title("OVER SEVERAL ATTEMPTS OF A CASE")
    for line in found:
        page.item(line, hang=4)


def _times(page: Page, score: ProbeScore) -> None:
    if not score.latency:
        return
    kinds = " and ".join(dict.fromkeys(one.kind.replace("_", " ") for one in score.latency))
    page.title(f"TIMES: {kinds} of completed exchanges of good requests, milliseconds")
    rows = [
        (
            f"window {one.window} {one.mode} {one.of.replace('_', ' ')}",
            [
                str(one.n),
                *map(milliseconds, (one.p50, one.p95, one.max)),
                str(one.censored),
            ],
        )
        for one in score.latency
    ]
    table(page, ("n", "p50", "p95", "max", "censored"), rows)
    for rule in dict.fromkeys(one.rule for one in score.latency):
        page.item(f"{rule}; censored: did not complete, so there is no time")
    for line in _time_notes(score.latency):
        page.item(line)


def _time_notes(latency: Sequence[Quantiles]) -> Iterable[str]:
    """What is to be known of the times; what is not of all of them says of which window and way of asking it is."""
    noted: dict[str, list[str]] = {}
    for one in latency:
        for note in filter(None, one.note.split("; ")):
            noted.setdefault(note, []).append(f"window {one.window} {one.mode}")
    every = {f"window {one.window} {one.mode}" for one in latency}
    for note, where in noted.items():
        yield note if set(where) == every else f"{', '.join(dict.fromkeys(where))}: {note}"


def _flags(page: Page, score: ProbeScore) -> None:
    """Oddities by group; they break no promise."""
    seen = list(dict.fromkeys((one.group, flag) for one in score.attempts for flag in one.flags))
    if seen:
        page.title("FLAGS (they break no promise): k/n attempts")
    rows = []
    for group, flag in sorted(seen):
        cells = []
        for window in score.windows:
            here = [one for one in score.attempts if (one.window, one.group) == (window.number, group)]
            cells.append(count(sum(flag in one.flags for one in here), len(here)))
        rows.append((f"{group:<12} {flag}", cells))
    table(page, [f"window {one.number}" for one in score.windows], rows)


def _facts(page: Page, score: ProbeScore) -> None:
    facts = score.facts
    page.title("HEARD OF THE ENDPOINT")
    for name, words in (
        ("models", facts.models),
        ("finish reasons", facts.finish_reasons),
        ("usage as", facts.usage_conventions),
        ("fingerprints", facts.fingerprints),
    ):
        page.item(f"{name}: {', '.join(words) or 'none'}", hang=4)
    for name, flag in (("usage in plain answers", facts.usage_plain), ("in streams that ask", facts.usage_on_stream)):
        told = flag.not_measured if isinstance(flag, NotMeasured) else "always" if flag else "not always"
        page.item(f"{name}: {told}")


def end_line(one: Scored) -> str:
    """What an attempt is, what shows it, what else holds, and the digest of its bytes."""
    what = word(one.cls, one.reason) + (f": {one.note}" if one.note else "")
    also = f"; also {', '.join(one.also)}" if one.also else ""
    flags = f"; {', '.join(one.flags)}" if one.flags else ""
    body = one.body_sha256[:DIGITS] if isinstance(one.body_sha256, str) else "no body"
    return f"{what}{also}{flags} [{body}]"
