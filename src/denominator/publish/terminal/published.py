"""Our run beside a published score as text: the fingerprint, the verdict, the sentence, what to do next."""

from __future__ import annotations

from denominator.publish.terminal.page import GREEN, RED, YELLOW, Page
from denominator.records.estimates import Estimate
from denominator.records.published import PublishedDiff, Told
from denominator.records.values import NotMeasured

NAME = 24
PAINT = {"same": "", "moved": RED, "unknown": YELLOW}


def published_diff(page: Page, diff: PublishedDiff) -> None:
    """Everything of the document; the fingerprint comes before any number."""
    page.title("FINGERPRINT")
    for one in diff.fingerprint:
        told = str(one.ours) if one.state == "same" else f"published {_known(one.published)}; ours {_known(one.ours)}"
        _line(page, one.name, f"{one.state}: {told}", PAINT[one.state])
    page.title("VERDICT")
    page.item(diff.verdict.replace("_", " "), paint=GREEN if diff.exit == 0 else YELLOW if diff.exit == 3 else RED)
    for reason in diff.reasons:
        page.item(f"- {reason}")
    _numbers(page, diff)
    page.title("THE SENTENCE")
    page.item(diff.sentence, hang=0)
    page.bullets("LIKELY CAUSE, in order of known effect", diff.likely if diff.verdict == "outside_noise" else ())
    page.bullets("YOU MAY NOT", diff.may_not)
    page.title("NEXT")
    page.item(diff.next)


def _numbers(page: Page, diff: PublishedDiff) -> None:
    page.title("NUMBERS")
    _line(page, f"published: {diff.published.name}"[:NAME], _told(diff.published))
    _line(page, "ours", _told(diff.ours))
    if isinstance(diff.difference, str):
        p = f", p {diff.p}" if isinstance(diff.p, str) else ""
        _line(page, "ours minus published", f"{diff.difference} [{diff.lo}, {diff.hi}]{p}")
    elif isinstance(diff.lo, str):
        _line(page, "ours minus published", f"[{diff.lo}, {diff.hi}]: {diff.difference.not_measured}")
    elif diff.method:
        _line(page, "ours minus published", diff.difference.not_measured)
    if diff.method:
        _line(page, "method", diff.method)
    _line(page, "tokens_per_solved", _estimate(diff.tokens_per_solved))
    _line(page, "p50 wall", _estimate(diff.wall_p50))


def _told(told: Told) -> str:
    if isinstance(told.least, NotMeasured):
        return told.least.not_measured
    count = f"{told.least}" if told.least == told.most else f"{told.least} to {told.most!s}"
    n = told.n.not_measured if isinstance(told.n, NotMeasured) else str(told.n)
    return f"{count} of {n}" + (f" (printed {told.printed})" if told.printed else "")


def _estimate(found: Estimate | NotMeasured) -> str:
    if isinstance(found, NotMeasured):
        return found.not_measured
    return found.value.not_measured if isinstance(found.value, NotMeasured) else f"{found.value} {found.unit}"


def _known(value: str | NotMeasured) -> str:
    return f"unknown ({value.not_measured})" if isinstance(value, NotMeasured) else value


def _line(page: Page, name: str, text: str, paint: str = "") -> None:
    page.item(f"{name:<{NAME}} {text}", hang=NAME + 1, paint=paint)
