"""A slip without a score keeper's verdict.

Why it matters: whoever made a number is not the one who says what it may be used for.

Bad: a slip fresh from the run. Good: one with a line "external, ...: one box, one day".
Fix: `slip verdict` by somebody who keeps scores.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.quote.shape import Rule, Said, Sheet, at, cited_slips, short
from denominator.records.slips import Role, SlipStanding


def check(sheet: Sheet) -> Iterable[Said]:
    """Every tag."""
    for scope, one, slip in cited_slips(sheet):
        if not _judged(slip):
            what = f"no score keeper has given a verdict on slip {short(slip.id)}"
            yield at(scope, one.tag.start, one.tag.text, what, f"denominator slip verdict {short(slip.id)}")


def _judged(slip: SlipStanding) -> bool:
    return any(line.what == "verdict" and line.role == Role.SCORE_KEEPER for line in slip.lines)


RULE = Rule(Entry("Q012", "no-verdict", "0.1.0", "quote", __doc__ or ""), check)
