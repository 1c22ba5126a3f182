"""Sentences of slips: audiences, footnotes, the line to copy, and what no tier allows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from denominator.records.decisions import BINDS
from denominator.records.slips import ID_DIGITS, Slip, SlipOrigin, Tier
from denominator.records.values import NotMeasured
from denominator.records.words import Rung
from denominator.slips.fields import headline_of
from denominator.stats import percent1

NEVER = "never a contract, an SLA or a price"
AUDIENCE: Mapping[Tier, str] = {
    Tier.NONE: f"nobody: do not quote it; {NEVER}",
    Tier.INTERNAL: f"your own team, with the fields named below; {NEVER}",
    Tier.EXTERNAL: f"docs and posts; {NEVER}",
    Tier.QUOTABLE: f"decks and customers; {NEVER}",
}
AUDIENCES: Mapping[str, Tier] = {
    "team": Tier.INTERNAL,
    "docs": Tier.EXTERNAL,
    "posts": Tier.EXTERNAL,
    "deck": Tier.QUOTABLE,
    "customers": Tier.QUOTABLE,
}
"""The least tier that an audience asks for."""
REFUSED = "no number of a pack carries a contract, an SLA, a price or a purchase, whatever its tier"
PLACES = 12
FEW = 8


def binds(text: str) -> bool:
    """Does a text ask for what no slip gives: a contract, a service level, a price?"""
    low = text.lower()
    return BINDS.search(text) is not None or "contract" in low or "sla" in low.replace("-", " ").split()


def footnote(tier: Tier, slip: Slip, again: Sequence[Slip], why: Sequence[str]) -> str:
    """The words that must stand beside the number at this tier."""
    if tier == Tier.NONE:
        return ""
    if tier == Tier.INTERNAL:
        return f"internal: {'; '.join(dict.fromkeys(why))}"
    named = external(slip)
    if tier == Tier.EXTERNAL or not again:
        return named
    runs = " and ".join(sorted({slip.run_id, again[-1].run_id}))
    spread = next((one.re_run_spread for one in (slip, *reversed(again)) if isinstance(one.re_run_spread, str)), "")
    return f"{named}; lineage {slip.lineage[:PLACES]}, runs {runs}, re-run spread {spread}"


def external(slip: Slip) -> str:
    """Model, harness digest, tokens used of their limit; what was waived, declared, or is stamped across the result."""
    budget = slip.budget
    parts = [
        f"model {_shown(slip.model.id)}",
        f"harness {_shown(slip.harness.digest)[:PLACES]}",
        f"tokens {_shown(budget.tokens_used)}/{_shown(budget.tokens_limit)}",
    ]
    found = headline_of(slip)
    if found is not None and found.declared:
        parts.append("declared by hand, judged by no gate")
    if slip.gate.waived:
        parts.append(f"waived: {', '.join(slip.gate.waived)}")
    if slip.origin != SlipOrigin.HAND:
        parts += slip.notes
    if slip.days:
        parts.append(f"as of {slip.days[-1]}")
    return ", ".join(parts)


def _shown(value: object) -> str:
    return f"unknown ({value.not_measured})" if isinstance(value, NotMeasured) else str(value)


def tag(slip_id: str) -> str:
    """What a document cites."""
    return f"[slip:{slip_id[:ID_DIGITS]}]"


def rate_allowed(slip: Slip) -> bool:
    """May a percentage be written? The gate says so; of what no gate judged, not below eight (METHODS M11)."""
    found = headline_of(slip)
    few = slip.origin == SlipOrigin.HAND and found is not None and isinstance(found.n, int) and found.n < FEW
    return not few and slip.gate.rung not in (Rung.REFUSED, Rung.COUNTS)


def number_words(slip: Slip) -> str:
    """`71.4% (10/14)`; `10/14` where only counts may be written; a score with its n; "" without a number."""
    found = headline_of(slip)
    if found is None:
        return ""
    if isinstance(found.k, int) and isinstance(found.n, int) and found.n > 0:
        counts = f"{found.k}/{found.n}"
        rate = percent1(Fraction(found.k, found.n)).replace(" ", "")
        return f"{rate} ({counts})" if rate_allowed(slip) else counts
    if isinstance(found.score, str):
        return f"{found.score} (n = {_shown(found.n)})"
    return ""


def copy_line(slip_id: str, slip: Slip, tier: str) -> str:
    """The line to paste into a document; "" where the tier allows none."""
    words = number_words(slip)
    return f"{words} {tag(slip_id)}" if words and tier != Tier.NONE else ""
