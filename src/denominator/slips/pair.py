"""`slip check`: are two slips of one measurement? The fields that moved first; a difference only where it may be shown."""

from __future__ import annotations

from fractions import Fraction

from denominator.errors import Exit
from denominator.records.slips import PairVerdict, Slip, Tier
from denominator.records.values import NotMeasured
from denominator.slips.fields import headline_of
from denominator.slips.lineage import moved_between, others_of
from denominator.slips.tiers import Entry, lower, tier_of
from denominator.slips.words import number_words, rate_allowed
from denominator.stats import decimal6

SAME, BOX_MOVED, OTHER_MOVED = "same", "box_moved", "other_moved"


def check(old: Entry, new: Entry) -> PairVerdict:
    """The verdict of two slips. Exit 3 where anything moved, 1 where one of them has no number to show, else 0."""
    moved = moved_between(old.slip, new.slip)
    if others_of(name for name, _, _ in moved):
        return PairVerdict(status=OTHER_MOVED, moved=moved, tier=str(Tier.NONE), exit=int(Exit.NOT_COMPARABLE))
    mine = lower(tier_of(new, [old]).tier, tier_of(old, [new]).tier)
    if moved:
        tier = lower(mine, Tier.INTERNAL)
        return PairVerdict(status=BOX_MOVED, moved=moved, tier=str(tier), exit=int(Exit.NOT_COMPARABLE))
    code = Exit.BLOCKED if mine == Tier.NONE else Exit.DONE
    return PairVerdict(status=SAME, moved=(), tier=str(mine), exit=int(code))


def delta(old: Slip, new: Slip, verdict: PairVerdict) -> str:
    """The two numbers and their difference, in words; "" where the verdict lets nobody see it."""
    if verdict.status == OTHER_MOVED or verdict.tier == Tier.NONE:
        return ""
    one, other = headline_of(old), headline_of(new)
    if one is None or other is None:
        return ""
    told = f"{new.headline}: {number_words(old)} then {number_words(new)}"
    if isinstance(one.k, NotMeasured) or isinstance(other.k, NotMeasured) or isinstance(other.n, NotMeasured):
        return told
    many = other.k - one.k
    points = (
        f", {_signed(decimal6(Fraction(100 * many, other.n)))} points"
        if rate_allowed(old) and rate_allowed(new)
        else ""
    )
    scope = " (your own team only: the box moved)" if verdict.status == BOX_MOVED else ""
    return f"{told}: {many:+d} of {other.n}{points}{scope}"


def _signed(text: str) -> str:
    return text if text.startswith("-") else f"+{text}"
