"""What `verify` found, with or without a sample and patches graded again, as text for a terminal and as one JSON document."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction

from denominator.publish.terminal.bundles import WIDTH, verified_page
from denominator.publish.terminal.page import GREEN, RED, YELLOW, Page
from denominator.records.bundles import Checked
from denominator.records.events import Json
from denominator.records.regrades import AGREE, COULD_NOT, DIFFER, NEVER_GRADED, Regrade, Regraded, Sample, Verified
from denominator.records.values import NotMeasured
from denominator.stats.decimals import percent1
from denominator.wire.codec import to_json

LEAST = Fraction(1, 1000)


def found_text(found: Verified) -> str:
    """One JSON document: the check alone where nothing else was asked."""
    return json.dumps(found_json(found), indent=2, sort_keys=True) + "\n"


def found_json(found: Verified) -> Json:
    """The same as plain JSON values."""
    return to_json(found.checked if found.alone else found)


def found_page(found: Verified, page: Page | None = None) -> Page:
    """The bundle first, then the sample, then what was graded again."""
    page = page or Page(WIDTH, color=False)
    if isinstance(found.checked, Checked):
        verified_page(found.checked, page)
    else:
        page.title("NOT CHECKED")
        page.item(found.checked.not_measured)
    if isinstance(found.sample, Sample):
        _sample(page, found.sample)
    if isinstance(found.regraded, Regraded):
        _regraded(page, found.regraded)
    elif isinstance(found.sample, Sample) and found.sample.faults:
        page.title("NOT GRADED AGAIN")
        page.item(found.regraded.not_measured)
    return page


def _sample(page: Page, sample: Sample) -> None:
    page.title(f"sample: {sample.k} of {sample.n} rows")
    page.named("nonce", sample.nonce)
    page.named("root", sample.root)
    for one in sample.rows:
        page.item(f"row {one.index}" + (f"  {one.row}" if isinstance(one.row, str) else ""))
    if sample.opened:
        page.bullets("faults", (f"{one.kind}: {one.where}: {one.what}" for one in sample.faults))
        page.bullets("asked for and not opened", (f"row {one}" for one in sample.not_opened))
        if not sample.faults and not sample.not_opened:
            page.item("every row is opened, and proved under the roots of the bundle", paint=GREEN)
    page.bullets("what such a sample misses", _chances(sample))
    page.bullets("note", sample.notes)
    if not sample.opened:
        page.title("next")
        page.item(
            f"the issuer opens them: denominator bundle RUN --open {','.join(str(one.index) for one in sample.rows)}"
        )


def _chances(sample: Sample) -> Iterator[str]:
    for one in sample.chances:
        rows = "1 bad row is" if one.bad == 1 else f"{one.bad} bad rows are"
        exact = f" = {one.exact}" if len(one.exact) < 40 else ""
        missed = f"missed with a chance of {_percent(one.missed)}{exact}" if one.exact != "0/1" else "never missed"
        yield f"{rows} {missed}"
    rows = "1 bad row" if sample.found_95 == 1 else f"{sample.found_95} or more bad rows"
    yield f"{rows}: at least one is in the sample with 95 % or more"


def _percent(missed: str) -> str:
    share = Fraction(missed)
    return "below 0.1 %" if share < LEAST else percent1(share)


def _regraded(page: Page, done: Regraded) -> None:
    bad, short = done.differ, done.could_not or not done.agree
    word = "ANOTHER GRADE" if bad else "NOT ALL GRADED AGAIN" if short else "SAME GRADES"
    page.title(f"{word}  {done.agree} of {len(done.rows)} rows agree")
    page.item(_counts(done), paint=RED if bad else YELLOW if short else GREEN)
    page.bullets("differ", (_line(one) for one in done.rows if one.state == DIFFER))
    page.bullets("could not be graded again", _grouped(done, COULD_NOT))
    page.bullets("never graded, so that there is nothing to compare", _grouped(done, NEVER_GRADED))
    page.bullets("agree, and yet", (_line(one) for one in done.rows if one.state == AGREE and one.why))
    page.bullets("tests that do not hold here", (f"{name}: {why}" for name, why in done.unfit))
    page.bullets("note", done.notes)


def _counts(done: Regraded) -> str:
    said = f"{done.agree} agree, {done.differ} differ, {done.could_not} could not, {done.never_graded} never graded"
    return f"{said}; {done.baseline} gradings with the agent off came first"


def _line(one: Regrade) -> str:
    now = f"is not comparable ({one.now.not_measured})" if isinstance(one.now, NotMeasured) else f"now {one.now}"
    return f"{_name(one)}: recorded {one.recorded}, {now}" + (f": {one.why}" if one.why else "")


def _grouped(done: Regraded, state: str) -> Iterator[str]:
    """Rows that say the same stand together."""
    rows = [one for one in done.rows if one.state == state]
    for why in dict.fromkeys(one.why for one in rows):
        same = [_name(one) for one in rows if one.why == why]
        more = f" and {len(same) - 5} more" if len(same) > 5 else ""
        yield f"{', '.join(same[:5])}{more}: {why}"


def _name(one: Regrade) -> str:
    return f"row {one.index} {one.task_id} r{one.repeat} a{one.attempt}"
