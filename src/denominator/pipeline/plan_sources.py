"""Inputs of a plan that were not typed: what an envelope states, what runs showed. Each says where it comes from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from denominator.compare.spread import spread_arm
from denominator.envelopes.read import read_envelope
from denominator.errors import BlockedError, NotComparableError
from denominator.packs import load_pack
from denominator.packs.find import find_pack
from denominator.pipeline.results import Result
from denominator.pipeline.sides import side_of
from denominator.pipeline.spreading import shown_headline, spread_of
from denominator.records.designs import Count, Given, Number
from denominator.records.spreads import ArmSpread, PairSpread, Spread
from denominator.records.values import NotMeasured
from denominator.records.words import Slice
from denominator.stats import decimal6

Inputs = dict[str, Given]
MOST_FLIPS = Fraction(1, 2)
PLAIN_SHARE = re.compile(r"0?\.[0-9]{1,6}")


def given(name: str, value: Number, by: str) -> tuple[str, Given]:
    """One input under its name."""
    return name, Given(name=name, value=value, by=by)


def of_envelope(path: Path) -> Inputs:
    """Size, budget and test as an envelope has them; what it leaves open stays open."""
    envelope = read_envelope(path)
    comparison, budget = envelope.comparison, envelope.budget
    asks = comparison.question != "difference"
    told: dict[str, str] = {
        "alpha": comparison.alpha,
        "test": comparison.test,
        "margin": comparison.margin if asks else "",
        "question": comparison.question if asks else "",
        "repeats": str(budget.repeats) if isinstance(budget.repeats, int) else "",
        "tokens_per_attempt": str(budget.tokens) if isinstance(budget.tokens, int) and budget.tokens else "",
    }
    if isinstance(envelope.pack, str):
        tasks = load_pack(find_pack(envelope.pack, path.parent)).pack.tasks
        told["tasks"] = str(sum(task.slice == Slice.SOLVABLE for task in tasks))
    by = f"envelope {path}"
    named = {name: by if name != "tokens_per_attempt" else f"{by}: at most" for name in told}
    pairs = 1 + len(comparison.family)
    if pairs > 1 and PLAIN_SHARE.fullmatch(comparison.alpha):
        told["alpha"] = decimal6(Fraction(int(Fraction(comparison.alpha) / pairs * 10**6), 10**6))
        named["alpha"] = f"{by}: {comparison.alpha} shared out over {pairs} declared pairs"
    return dict(given(name, value, named[name]) for name, value in told.items() if value)


def of_runs(named: Sequence[tuple[str, Result]]) -> Inputs:
    """Flip rate and tokens of one run; the discordant share and the variance between tasks take two comparable ones."""
    results = [result for _, result in named]
    arms = [_arm(name, result) for name, result in named]
    by = f"run {' and '.join(arm.name for arm in arms)}"
    flips = [Fraction(arm.flip.value) for arm in arms if isinstance(arm.flip.value, str)]
    found: Inputs = {}
    if len(flips) == len(arms):
        seen = sum(flips, Fraction(0)) / len(flips)
        how = (
            f"{by}: flip rate"
            if seen <= MOST_FLIPS
            else f"{by}: flip rate {decimal6(seen)}, and no true one is above 0.5"
        )
        found |= dict(given(name, decimal6(min(seen, MOST_FLIPS)), how) for name in ("flip", "discordant"))
    tokens = tokens_of(results)
    found |= dict(
        [given("tokens_per_attempt", tokens if isinstance(tokens, NotMeasured) else str(tokens), f"{by}: mean")]
    )
    if len(arms) == 2:
        found |= _of_pair(named, arms, flips, by)
    return found


def _arm(name: str, result: Result) -> ArmSpread:
    called = result.terms.arm or result.ledger.run_id or name
    arm = spread_arm(side_of(called, result), shown_headline(result))
    if arm.withheld:
        raise BlockedError(
            f"nothing is planned from it: {'; '.join(arm.withheld)}",
            where=name or called,
            fix=f"denominator spread {name}".strip(),
        )
    return arm


def _of_pair(
    named: Sequence[tuple[str, Result]], arms: Sequence[ArmSpread], flips: Sequence[Fraction], by: str
) -> Inputs:
    found = spread_of(named).spread
    if isinstance(found, Spread) and not isinstance(found.pair, PairSpread):
        raise BlockedError(
            "; ".join(found.refusals), where="--from", fix="name one run, or see: denominator spread A B"
        )
    if not isinstance(found, Spread) or not isinstance(found.pair, PairSpread):
        raise NotComparableError(
            "the two runs are not comparable", where="--from", fix="name one run, or see: denominator spread A B"
        )
    repeats, n = found.pair.repeats, found.pair.tasks
    second = {one.task_id: one.passes for one in arms[1].per_task}
    both = [(one.passes, second[one.task_id]) for one in arms[0].per_task]
    apart = sum(a * (repeats - b) + b * (repeats - a) for a, b in both)
    share = Fraction(apart, n * repeats * repeats)
    told = dict([given("discordant", decimal6(share), f"{by}: chance that a draw of one and of the other differ")])
    if repeats > 1 and n > 1 and len(flips) == 2:
        mean = Fraction(sum(a - b for a, b in both), n * repeats)
        spread = sum((Fraction(a - b, repeats) - mean) ** 2 for a, b in both) / (n - 1)
        left = max(Fraction(0), spread - sum(flips) / 2 / repeats)
        told |= dict([given("omega2", decimal6(left), f"{by}: variance of task differences less that of repeats")])
    return told


def tokens_of(results: Sequence[Result]) -> Count:
    """Mean tokens of an attempt, rounded up; unknown as soon as one attempt's are not known whole."""
    rows = [row for one in results for draw in one.judged.sheet.of_slice("solvable") for row in draw.tries]
    if not rows:
        return NotMeasured("no attempt was made")
    total = missing = 0
    for row in rows:
        usage = row.usage
        if isinstance(usage.prompt, int) and isinstance(usage.completion, int) and usage.complete is not False:
            total += usage.prompt + usage.completion
        else:
            missing += 1
    return (
        NotMeasured(f"the usage of {missing} of {len(rows)} attempts is not known")
        if missing
        else -(-total // len(rows))
    )
