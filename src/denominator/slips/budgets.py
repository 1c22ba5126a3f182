"""Tokens that a run used, and how many it was allowed: whole numbers, and their quotient as decimal text."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from denominator.records.judgements import Judged
from denominator.records.rows import Count, Ledger
from denominator.records.seals import Seal, Terms
from denominator.records.slips import SlipBudget
from denominator.records.values import NotMeasured
from denominator.slips.fields import NO_MODEL
from denominator.slips.harness import said
from denominator.stats import decimal6

NO_LIMIT = NotMeasured("no token budget is stated")
SILENT = NotMeasured("no model is called, so nothing may be used and nothing is")
FREE_OF_TOKENS = SlipBudget(tokens_used=0, tokens_limit=0, ratio=SILENT, over_budget=False)


def budget_of(ledger: Ledger, terms: Terms, judged: Judged, seal: Seal | None) -> SlipBudget:
    """Of every attempt of every slice, warm-ups and probes apart; the limit is the sealed one, or what a source states."""
    if said(terms.conditions, "model_id") == NO_MODEL and seal is not None:
        return FREE_OF_TOKENS
    return made(_used(ledger, judged), _limit(ledger, terms))


def made(used: Count, limit: Count) -> SlipBudget:
    """A budget of two counts, with what follows from them."""
    if isinstance(limit, NotMeasured):
        why = NotMeasured("there is no limit to hold it against")
        return SlipBudget(tokens_used=used, tokens_limit=limit, ratio=why, over_budget=why)
    if isinstance(used, NotMeasured):
        why = NotMeasured(f"tokens used: {used.not_measured}")
        return SlipBudget(tokens_used=used, tokens_limit=limit, ratio=why, over_budget=why)
    ratio = decimal6(Fraction(used, limit)) if limit else NotMeasured("the limit is 0")
    return SlipBudget(tokens_used=used, tokens_limit=limit, ratio=ratio, over_budget=used > limit)


def _used(ledger: Ledger, judged: Judged) -> Count:
    if judged.sheet.like_rows:
        return _solvable(judged)
    spent = [(row.usage.prompt, row.usage.completion) for row in ledger.rows if row.started]
    unknown = sum(isinstance(a, NotMeasured) or isinstance(b, NotMeasured) for a, b in spent)
    if unknown:
        return NotMeasured(f"usage of {unknown} of {len(spent)} attempts is unknown")
    return sum(_known(spent))


def _known(pairs: Iterable[tuple[Count, Count]]) -> Iterable[int]:
    return (one for pair in pairs for one in pair if isinstance(one, int))


def _solvable(judged: Judged) -> Count:
    """Rows that are held by kind have their sum in the metric, of the solvable slice."""
    found = judged.estimate("total_tokens")
    value = found.value if found is not None else NotMeasured("not computed")
    return value if isinstance(value, NotMeasured) else int(Fraction(value))


def _limit(ledger: Ledger, terms: Terms) -> Count:
    """A task's budget over all declared attempts, or the cap of the whole run where that is less."""
    each, cap = (
        _count(said(terms.conditions, "budget_tokens_per_task")),
        _count(said(terms.conditions, "run_cap_tokens")),
    )
    tries = ledger.declared_n if isinstance(ledger.declared_n, int) else None
    whole = each * tries * terms.attempts if each is not None and tries is not None else None
    limits = [one for one in (whole, cap) if one is not None]
    return min(limits) if limits else NO_LIMIT


def _count(text: str | NotMeasured) -> int | None:
    return int(text) if isinstance(text, str) and text.isascii() and text.isdigit() else None
