"""The report of an endpoint bench as one page: the sentences, what each group did in each window, times, every failing attempt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.publish.html.frame import document
from denominator.publish.html.parts import Cell, Markup, bar, bullets, code, heading, paragraph, said, table
from denominator.publish.limits import limit_lines
from denominator.publish.probe_told import held_back, held_windows, told_across, told_misses
from denominator.records.probe_results import Line, ProbeScore, Quantiles, Scored, WindowLine
from denominator.records.probe_words import INVALID, PRECEDENCE, Cls, Group
from denominator.records.values import NotMeasured, counted


def probe_html(score: ProbeScore) -> str:
    """The whole page. It holds no text of any answer: classes, counts, digests."""
    return document(f"Endpoint bench {score.name}", _parts(score))


def _parts(score: ProbeScore) -> Iterable[str]:
    yield heading(1, f"Endpoint bench {score.name}")
    yield paragraph(f"{score.model} at {score.url}, {score.path.told}", "soft")
    yield said(score.sentences or ("Nothing may be said yet.",))
    yield from _warnings(score)
    yield from _conditions(score)
    yield from _histogram(score)
    yield from _across(score)
    yield from _latency(score)
    yield from _facts(score)
    yield from _failing(score)
    yield heading(2, "What this does not say")
    yield bullets((*score.may_not, *limit_lines("M7")))


def _warnings(score: ProbeScore) -> Iterable[str]:
    lines = [*score.notes]
    if score.missing:
        lines.insert(0, f"{counted(len(score.missing), 'planned attempt')} missing: {', '.join(score.missing[:10])}")
    if lines:
        yield heading(2, "To be read first")
        yield bullets(lines)


def _conditions(score: ProbeScore) -> Iterable[str]:
    terms = score.terms
    yield heading(2, "Conditions")
    pace = f"{terms.rate} requests a second, due whatever others do" if terms.rate else "one request after the other"
    rows: list[Sequence[Cell]] = [
        ("fixture", Markup(f"{code(score.fixture_sha256).html} ({counted(score.cases, 'case')})")),
        ("seal", code(score.seal_sha256)),
        ("client", f"{score.client}, classifier {score.classifier}"),
        ("path", score.path.told),
        ("attempts of a case", f"{terms.attempts} a window, order shuffled by seed {terms.seed}, none tried again"),
        ("pace", pace),
        (
            "limits",
            f"{terms.deadline_ms} ms in all, {terms.gap_ms} ms of silence in a stream, {terms.body_bytes_max} bytes",
        ),
    ]
    yield table("What every attempt had in common", ("what", "value"), rows)
    windows = (
        (str(one.number), one.started_at, one.ended_at, f"{one.answered} of {one.asked}", _independent(one))
        for one in score.windows
    )
    yield table("Windows", ("window", "started", "ended", "answered", "independent of the first"), windows)


def _independent(one: WindowLine) -> str:
    return one.why or ("the first" if one.number == 1 else "yes, by both clocks")


def _histogram(score: ProbeScore) -> Iterable[str]:
    yield heading(2, "By group, windows side by side")
    yield from by_group(score.windows, score.histogram)


def by_group(windows: Sequence[WindowLine], found: Sequence[Line], which: str = "") -> Iterable[str]:
    """A table a group: the classes down, the windows across. No number is over two groups. `which` probe, if there are more."""
    for group in Group:
        lines = [one for one in found if one.group == group]
        if not lines:
            continue
        yield heading(3, group)
        if group is Group.MALFORMED:
            yield paragraph(
                "Requests that are wrong on purpose, counted apart: a pass is a structured refusal.", "soft"
            )
        kinds = sorted({(str(Cls.PASS), ""), *((one.cls, one.reason) for one in lines)}, key=_by_precedence)
        rows = ((_word(cls, reason), *(_count(lines, one, cls, reason) for one in windows)) for cls, reason in kinds)
        caption = f"{group}: attempts by class{f', probe {which}' if which else ''}"
        yield table(caption, ("class", *(f"window {one.number}" for one in windows)), rows)


def _by_precedence(end: tuple[str, str]) -> tuple[bool, int, str]:
    return end[0] != Cls.PASS, PRECEDENCE.index(Cls(end[0])), end[1]


def _word(cls: str, reason: str) -> str:
    return f"{cls}: {reason}" if reason else cls


def _count(lines: Iterable[Line], window: WindowLine, cls: str, reason: str) -> Cell:
    here = [one for one in lines if one.window == window.number]
    if window.withheld and (cls, reason) not in INVALID:
        return NotMeasured(window.withheld)
    if not here:
        return NotMeasured("nothing of this group was asked")
    n = here[0].n
    k = sum(one.k for one in here if (one.cls, one.reason) == (cls, reason))
    return bar(k, n, "pass" if cls == Cls.PASS else "fail", f"{k} of {n}")


def _across(score: ProbeScore) -> Iterable[str]:
    found = [one for one in score.across if told_across(one, held_windows(score))]
    if not found:
        return
    yield heading(2, "Over several attempts of a case")
    rows = (
        (one.case_id, str(one.window or "between"), _word(one.cls, one.reason), f"{one.k} of {one.n}", one.note)
        for one in found
    )
    yield table("Found by setting attempts beside each other", ("case", "window", "what", "count", "shown by"), rows)


def _latency(score: ProbeScore) -> Iterable[str]:
    if not score.latency:
        return
    yield heading(2, "Times")
    yield paragraph(
        "Completed exchanges of good requests, in milliseconds. Censored: no whole answer, so no time.", "soft"
    )
    heads = ("what", "window", "kind", "n", "p50", "p95", "max", "censored", "note")
    rows = (
        (
            f"{one.of.replace('_', ' ')}, {one.mode}",
            str(one.window),
            one.kind.replace("_", " "),
            str(one.n),
            *_times(one),
            str(one.censored),
            one.note,
        )
        for one in score.latency
    )
    rule = next((one.rule for one in score.latency if one.rule), "nearest rank")
    yield table(f"Quantiles by {rule}", heads, rows, (3, 4, 5, 6, 7))


def _times(one: Quantiles) -> tuple[Cell, Cell, Cell]:
    return _ms(one.p50), _ms(one.p95), _ms(one.max)


def _ms(value: int | NotMeasured) -> Cell:
    return value if isinstance(value, NotMeasured) else f"{value // 1000}.{value % 1000 // 100}"


def _facts(score: ProbeScore) -> Iterable[str]:
    facts = score.facts
    yield heading(2, "What a run may rely on")
    rows: list[Sequence[Cell]] = [
        ("model, as echoed", ", ".join(facts.models) or NotMeasured("no answer named one")),
        ("finish reasons", ", ".join(facts.finish_reasons) or NotMeasured("none was given")),
        ("usage conventions", ", ".join(facts.usage_conventions) or NotMeasured("no usage was read")),
        ("fingerprints", ", ".join(facts.fingerprints) or NotMeasured("none was given")),
        ("usage in plain answers", _flag(facts.usage_plain)),
        ("usage in streams, when asked", _flag(facts.usage_on_stream)),
    ]
    yield table("Heard from the endpoint", ("what", "value"), rows)


def _flag(value: bool | NotMeasured) -> Cell:
    return value if isinstance(value, NotMeasured) else "always" if value else "not always"


def _failing(score: ProbeScore) -> Iterable[str]:
    order = list(Group)
    left_out = held_back(score)
    broken = sorted(
        told_misses(score),
        key=lambda one: (order.index(Group(one.group)), one.case_id, one.window, one.mode, one.attempt),
    )
    flagged = [one for one in score.attempts if one.cls == Cls.PASS and one.flags] if not left_out else []
    yield heading(2, "Attempts that did not pass")
    if left_out:
        yield paragraph(left_out)
    elif not broken:
        yield paragraph("None.")
    if broken:
        heads = ("case", "window", "mode", "attempt", "class", "shown by", "also", "answer (sha256)")
        yield table("By group and case", heads, (_attempt(one) for one in broken))
    if flagged:
        yield heading(2, "Passes with an oddity")
        rows = ((one.case_id, str(one.window), one.mode, str(one.attempt), ", ".join(one.flags)) for one in flagged)
        yield table("Flags break no promise", ("case", "window", "mode", "attempt", "flags"), rows)


def _attempt(one: Scored) -> Sequence[Cell]:
    body: Cell = code(one.body_sha256[:12]) if isinstance(one.body_sha256, str) else one.body_sha256
    also = ", ".join((*one.also, *one.flags))
    return (one.case_id, str(one.window), one.mode, str(one.attempt), _word(one.cls, one.reason), one.note, also, body)
