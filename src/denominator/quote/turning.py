"""Words right beside a number that turn what it says: "more than 75%" is not 75%, and "75% fail" is not 75% pass."""

from __future__ import annotations

import re
from fractions import Fraction

from denominator.quote.finding import Kind, Seen
from denominator.quote.values import printed, share_of
from denominator.records.slips import Number

REACH = 48
NOUNS = r"(?:tasks|runs|attempts|draws|problems|instances|issues|cases)"
MORE = re.compile(
    r"(?:\bmore than|\bgreater than|\bhigher than|\bover|\babove|\bbeyond|\bexceed(?:s|ed|ing)?|>)\s*$", re.IGNORECASE
)
LESS = re.compile(
    r"(?:\b(?:less|fewer|lower) than|\b(?:just )?under|\bbelow|\bnearly|\balmost|\bnot quite|\bshy of|<)\s*$",
    re.IGNORECASE,
)
FAILS_BEFORE = re.compile(
    r"(?:\bfail(?:s|ed|ing)?|\bfailure rate|\b(?:not|never|n't|n’t|cannot) (?:pass|solve|resolve)|\bunsolved|\bunresolved)"
    r"(?:\s(?:of|is|was|at|in|on|for))?[\s:=*(]*$",
    re.IGNORECASE,
)
FAILS_BEHIND = re.compile(
    rf"[\s)*]*(?:\([^()]{{0,24}}\)\s*)?(?:of\s)?(?:(?:the|all|its|our)\s){{0,2}}(?:{NOUNS}\s)?(?:\[[^\]]{{0,99}}\]\s?)?"
    r"(?:(?:have|has|had|were|are|is|still|also)\s){0,2}"
    r"(?:fail(?:s|ed|ing)?|unsolved|unresolved|not (?:pass|solv|resolv)\w*"
    r"|(?:do|does|did)(?: not|n't|n’t) (?:pass|solve|resolve))\b",
    re.IGNORECASE,
)
PASSES = re.compile(r"headline|pass|resolv|solv", re.IGNORECASE)
FAILING = re.compile(r"fail|false|abstain|unres|invalid", re.IGNORECASE)


def turned(text: str, seen: Seen, number: Number) -> str:
    """Why a number that equals the slip's says something else all the same, or nothing. `text` is the sentence."""
    before, behind = text[max(0, seen.start - REACH) : seen.start], text[seen.end : seen.end + 2 * REACH]
    for words, wrong in ((MORE, _not_above(seen, number)), (LESS, _not_below(seen, number))):
        found = words.search(before)
        if found and wrong:
            return f"it is not {found[0].strip()} that"
    passes = PASSES.search(number.metric) and not FAILING.search(number.metric)
    if passes and seen.kind != Kind.END and (FAILS_BEFORE.search(before) or FAILS_BEHIND.match(behind)):
        return "that is what passes"
    return ""


def _not_above(seen: Seen, number: Number) -> bool:
    share, shown = share_of(number), _shown(seen)
    return share is not None and any(share <= one for one in shown)


def _not_below(seen: Seen, number: Number) -> bool:
    share, shown = share_of(number), _shown(seen)
    return share is not None and any(share >= one for one in shown)


def _shown(seen: Seen) -> tuple[Fraction, ...]:
    """The share that is printed; none of what is no rate."""
    if seen.kind in (Kind.FRACTION, Kind.WORDS) and not seen.value:
        return (Fraction(seen.k, seen.n),) if seen.n > 0 else ()
    if seen.kind in (Kind.PERCENT, Kind.WORDS):
        return (printed(seen.value).value / 100,)
    if seen.kind in (Kind.DECIMAL, Kind.BARE):
        value = printed(seen.value).value
        return (value if value <= 1 else value / 100,)
    return ()
