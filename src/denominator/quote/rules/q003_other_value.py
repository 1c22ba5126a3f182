"""A number that is not the one its slip pins.

Why it matters: digits change while text is edited, and a document keeps the numbers of the run before. A percentage must
be 100 k/n rounded to the decimals that are printed (half-even or half-up); k and n must be the slip's own; the ends of an
interval its ends; a range is that interval, or the two rates of a pair; words ("three quarters") are the exact share.
A word beside it must not turn it: "more than 75%" of 6/8 is wrong, and so is "75% fail".

Bad: "62% (10/14) [slip:ab12cd34]" of a slip that says 10/14. Good: "71.4% (10/14) [slip:ab12cd34]".
Fix: print what the slip says, or cite the slip that the number is of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction

from denominator.catalog import Entry
from denominator.quote.citing import Quote
from denominator.quote.finding import Kind
from denominator.quote.shape import Rule, Said, Sheet, about, rate_allowed, short, standings
from denominator.quote.turning import turned
from denominator.quote.values import EXACT_DIGITS, fraction_of, percent_text, printed, rounds_to, share_of, told
from denominator.records.documents import SpanKind
from denominator.records.slips import Number, SlipStanding, Tier

SOLVED = re.compile(r"\W*(?:tasks )?(?:passed|passes|solved|resolved)\b(?!\s*(?:[(\[]?%|rate|share))", re.IGNORECASE)
"""The head of a column of counts, or of rates."""
TURNED = "say what the number is, without the word beside it"
FIX = "print what the slip says, or cite another slip"


def check(sheet: Sheet) -> Iterable[Said]:
    """Every number that a tag covers. Where the tag is of a pair, one of its two slips must say it."""
    for quote in sheet.read.quotes:
        if quote.seen.kind == Kind.DELTA:
            continue
        found = standings(quote.cited)
        numbers = [number for _, number in found]
        said = " and ".join(_says(quote, slip, number) for slip, number in found)
        agreeing = [number for number in numbers if _agrees(quote, number)]
        if found and not (agreeing or _spans(quote, numbers)):
            yield about(quote, said, FIX)
        elif agreeing and all(turned(quote.scope.text, quote.seen, number) for number in agreeing):
            yield about(quote, f"{said}: {turned(quote.scope.text, quote.seen, agreeing[0])}", TURNED)


def _says(quote: Quote, slip: SlipStanding, number: Number) -> str:
    if slip.tier.tier == Tier.NONE:
        return f"slip {short(slip.id)} says another, and its number may be shown to nobody"
    text = told(number, rate_allowed(slip))
    if quote.seen.kind in (Kind.END, Kind.RANGE):
        ends = [fraction_of(number.lo), fraction_of(number.hi)]
        text = " to ".join(percent_text(end) for end in ends if end is not None) or "no interval"
        text = text if rate_allowed(slip) else "counts only"
    return f"slip {short(slip.id)} says {text} ({number.metric})"


def _spans(quote: Quote, numbers: Sequence[Number]) -> bool:
    """Is a range that of an interval, or from one rate of a pair to the other?"""
    if quote.seen.kind != Kind.RANGE:
        return False
    shown = [printed(text) for text in (quote.seen.value, quote.seen.upper)]
    ends = [(fraction_of(number.lo), fraction_of(number.hi)) for number in numbers]
    shares = [share_of(number) for number in numbers]
    ends += [(shares[0], shares[1]), (shares[1], shares[0])] if len(shares) == 2 else []
    return any(
        lo is not None and hi is not None and rounds_to(lo * 100, shown[0]) and rounds_to(hi * 100, shown[1])
        for lo, hi in ends
    )


def _agrees(quote: Quote, number: Number) -> bool:
    seen = quote.seen
    if seen.kind == Kind.FRACTION:
        return (seen.k, seen.n or number.n) == (number.k, number.n)
    if seen.kind == Kind.END:
        ends = [end for end in (fraction_of(number.lo), fraction_of(number.hi)) if end is not None]
        return any(_either(end, seen.value, 0) for end in ends)
    share = share_of(number)
    if share is None or seen.kind == Kind.RANGE:
        return False
    if seen.kind == Kind.WORDS and not seen.value:
        return share == Fraction(seen.k, seen.n)
    shown = printed(seen.value)
    if seen.kind in (Kind.PERCENT, Kind.WORDS):
        return rounds_to(share * 100, shown)
    if seen.kind == Kind.DECIMAL:
        return rounds_to(share, shown)
    if SOLVED.match(quote.scope.span.context) and seen.value == str(number.k):
        return True
    return _either(share, seen.value, EXACT_DIGITS if quote.scope.span.kind == SpanKind.CHART else 0)


def _either(share: Fraction, text: str, most: int) -> bool:
    """A number without a sign is a share or a percentage."""
    shown = printed(text)
    return (
        rounds_to(share * 100, shown, most)
        or (shown.decimals > 0 and rounds_to(share, shown, most))
        or (shown.decimals == 0 and share == shown.value)
    )


RULE = Rule(Entry("Q003", "other-value", "0.1.0", "quote", __doc__ or ""), check)
