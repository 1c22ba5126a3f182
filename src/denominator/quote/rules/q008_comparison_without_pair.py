"""A ranking or a difference without a pair of slips that may be compared.

Why it matters: two numbers of different tasks, budgets or referees differ for reasons that nobody can name.

Bad: "It beats the old one, +12 pp." Good: the same with `[cmp:0a1b2c3d..ab12cd34]`, old slip first, where only the model or the
agent moved; a printed difference must be that of the two. Whether it is more than noise is said by `denominator compare`.
Fix: cite the pair, or write down the two results without an order.
"""

from __future__ import annotations

from collections.abc import Iterable

from denominator.catalog import Entry
from denominator.quote.citing import speaks_of_results
from denominator.quote.finding import Kind, Seen
from denominator.quote.pairs import apart, difference
from denominator.quote.scopes import Cited, Scope
from denominator.quote.shape import Rule, Said, Sheet, at, rate_allowed, short
from denominator.quote.values import percent_text, printed, rounds_to
from denominator.records.documents import SpanKind
from denominator.records.slips import SlipStanding, Tier

FIX = "cite the pair as [cmp:OLD..NEW], or write the two results without an order"


def check(sheet: Sheet) -> Iterable[Said]:
    """Every scope that ranks; a difference always, words only where results are spoken of."""
    for scope in sheet.read.scopes:
        if scope.span.kind == SpanKind.HIDDEN:
            continue
        deltas = [one for one in scope.seen if one.kind == Kind.DELTA and (one.result or sheet.strict or scope.own)]
        words = scope.rankings if speaks_of_results(scope) or deltas else ()
        if not scope.pairs:
            yield from (at(scope, one.start, one.text, "a difference without a pair", FIX) for one in deltas)
            if words and not deltas:
                yield at(scope, words[0][0], words[0][2], "a ranking without a pair", FIX)
        for pair in scope.pairs:
            yield from _unlike(scope, pair)
        if scope.pairs:
            yield from (
                at(scope, one.start, one.text, what, FIX) for one in deltas for what in _other(one, scope.pairs)
            )


def _unlike(scope: Scope, pair: Cited) -> Iterable[Said]:
    old, new = pair.found, pair.newer
    moved = apart(old.slip, new.slip) if isinstance(old, SlipStanding) and isinstance(new, SlipStanding) else ()
    if moved:
        what = f"the two may not be compared, these moved or are unknown: {', '.join(moved)}"
        yield at(scope, pair.tag.start, pair.tag.text, what, FIX)


def _other(seen: Seen, pairs: Iterable[Cited]) -> Iterable[str]:
    """A difference that no pair gives."""
    said = []
    for pair in pairs:
        if isinstance(pair.found, SlipStanding) and isinstance(pair.newer, SlipStanding):
            exact = difference(pair.found, pair.newer, pair.tag.metric)
            if exact is None:
                said.append(f"{short(pair.found.id)} and {short(pair.newer.id)} give no difference")
                continue
            signed = -1 if seen.sign == "-" else 1 if seen.sign == "+" else 0
            wanted = exact * signed if signed else abs(exact)
            if wanted >= 0 and rounds_to(wanted * 100, printed(seen.value)):
                return
            shown = all(one.tier.tier != Tier.NONE and rate_allowed(one) for one in (pair.found, pair.newer))
            text = f"{percent_text(exact)[:-1]} pp" if shown else "another"
            said.append(f"{short(pair.found.id)} to {short(pair.newer.id)} is {text}")
    yield from said


RULE = Rule(Entry("Q008", "comparison-without-pair", "0.1.0", "quote", __doc__ or ""), check)
