"""What stands in the way of figures about tokens, asked by every metric of the family."""

from __future__ import annotations

from fractions import Fraction

from denominator.metrics.reading import Reading
from denominator.metrics.shape import About
from denominator.records.estimates import Estimate
from denominator.records.usage_sources import mixes_sources, owed_attempts
from denominator.records.values import NotMeasured

UNFIT = ("model", "person")
MOST = 20
NO_INTERVAL = NotMeasured("no interval is stated for a share of tokens")
METHOD = "sums over all attempts of the solvable slice"


def refused(read: Reading, *, tokens: bool = False) -> NotMeasured | None:
    """Why acceptance is no fact of this run: a person or a model accepts, or draws did not get their attempts.

    With `tokens` an unknown usage stands in the way too.
    """
    if read.terms.scorer in UNFIT:
        return NotMeasured(f"a {read.terms.scorer} accepts, no test")
    if read.cut_off:
        of = f" of {read.declared} declared" if isinstance(read.declared, int) else ""
        return NotMeasured(f"censored: {read.cut_off}{of} draws did not get all their attempts")
    if owed := owed_attempts(read.sheet):
        return NotMeasured(f"censored: {len(owed)} tasks were owed further attempts: {', '.join(owed[:MOST])}")
    return unknown_usage(read) if tokens else None


def unknown_usage(read: Reading) -> NotMeasured | None:
    """Why the tokens of the run are not known, if they are not."""
    total = read.tally.attempts
    if not total:
        return NotMeasured("no attempt was started")
    if read.tally.uncounted == total:
        return NotMeasured("usage was not recorded")
    if (several := several_sources(read)) is not None:
        return several
    if read.tally.uncounted:
        return NotMeasured(f"usage of {read.tally.uncounted} of {total} attempts is unknown")
    return None


def several_sources(read: Reading) -> NotMeasured | None:
    """Why the tokens of the run have no sum, if they have none: a provider's counts and an estimate are two things."""
    mixed = mixes_sources(read.sheet)
    return NotMeasured(f"usage from several sources is not added up: {', '.join(mixed)}") if mixed else None


def token_share(about: About, part: int) -> Estimate:
    """A part of all tokens of the solvable slice, exactly; nothing spent has no shares."""
    read, total = about.read, about.read.tally.spend.total
    if (mixed := several_sources(read)) is not None:
        return about.missing(mixed, mixed, mixed)
    if (why := refused(read, tokens=True)) is not None:
        return about.missing(why, part, total)
    if not total:
        return about.missing(NotMeasured("no tokens were spent"), part, total)
    return about.number(part, total, Fraction(part, total), (NO_INTERVAL, NO_INTERVAL), METHOD)
