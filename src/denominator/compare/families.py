"""Several arms: one declared primary comparison, Holm over the declared family, and which pairs separate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from denominator.compare.measured import result_of
from denominator.compare.pair import COMPARABLE, compare_sides
from denominator.compare.paired import pair_up
from denominator.compare.plans import pairs_of, plan_of
from denominator.compare.standing import arm_line, standing_of
from denominator.records.comparisons import Comparability, Comparison, Grid, GridLine, Side
from denominator.records.envelopes import Comparison as Sealed
from denominator.records.values import NotMeasured
from denominator.records.words import Rung
from denominator.stats import holm

Pair = tuple[int, int]
Ask = Callable[[Side, Side], Comparability]
UNDECLARED = "no family of comparisons was declared for these arms"
IN_PAIRS = "tokens and times are compared for two arms at a time"
OUTSIDE = "this pair is not of the declared family"
NO_SEPARATION = NotMeasured("without a declared family no pair is said to separate")


@dataclass(frozen=True, slots=True)
class Family:
    """The declared pairs among the given arms, primary first; `size` counts those too of which an arm is missing."""

    roles: Mapping[Pair, str]
    size: int
    why: str


def several(sides: Sequence[Side], ask: Ask, looks: int = 0) -> Grid:
    """Every pair of the arms. Without a declared family no p value is made and nothing is said to separate."""
    found = {pair: ask(sides[pair[0]], sides[pair[1]]) for pair in combinations(range(len(sides)), 2)}
    family = family_of(sides)
    adjusted = _holm(sides, found, family, looks)
    made = {
        pair: compare_sides(
            sides[pair[0]],
            sides[pair[1]],
            comparable,
            looks=looks,
            holm=adjusted.get(pair),
            no_p="" if pair in family.roles else family.why or OUTSIDE,
            unfit={"spend": IN_PAIRS, "time": IN_PAIRS},
        )
        for pair, comparable in found.items()
    }
    order = sorted(made, key=lambda pair: (_rank(family.roles.get(pair, "")), pair))
    lines = tuple(_line(made[pair], family.roles.get(pair, "undeclared")) for pair in order)
    return Grid(
        schema_version=1,
        arms=tuple(arm_line(side) for side in sides),
        pairs=lines,
        comparisons=tuple(made[pair] for pair in order),
        family=family.size,
        sentence=_sentence(lines, family),
        may_not=_may_not(family),
        lifts=(f"declare a primary comparison and its family before the run: {family.why}",) if family.why else (),
        exit=max(one.verdict.exit for one in made.values()),
    )


def family_of(sides: Sequence[Side]) -> Family:
    """What all seals declare, in terms of the given arms."""
    sealed = sides[0].sheet.terms.comparison
    if any(side.sheet.terms.origin != "seal" for side in sides):
        return Family({}, 0, "a side without a seal cannot show what was declared before its run")
    if len(sealed.primary) != 2:
        return Family({}, 0, UNDECLARED)
    if any(side.sheet.terms.comparison != sealed for side in sides):
        return Family({}, 0, "the seals declare different comparisons")
    return Family(_roles(sides, sealed), len(pairs_of(sealed)), "")


def _roles(sides: Sequence[Side], sealed: Sealed) -> dict[Pair, str]:
    place = {side.sheet.terms.arm: number for number, side in enumerate(sides)}
    roles: dict[Pair, str] = {}
    for number, (first, second) in enumerate(pairs_of(sealed)):
        if first in place and second in place:
            low, high = sorted((place[first], place[second]))
            roles.setdefault((low, high), "family" if number else "primary")
    return roles


def _holm(
    sides: Sequence[Side], found: Mapping[Pair, Comparability], family: Family, looks: int
) -> dict[Pair, Fraction]:
    """Adjusted p values of the family. While one of its pairs has no p, each counts for the whole family (Bonferroni)."""
    raw: dict[Pair, Fraction] = {}
    for pair in family.roles:
        a, b = sides[pair[0]], sides[pair[1]]
        p = _raw_p(a, b, found[pair], looks)
        if p is not None:
            raw[pair] = p
    if len(raw) < family.size:
        return {pair: min(Fraction(1), p * family.size) for pair, p in raw.items()}
    return dict(zip(raw, holm(list(raw.values())), strict=True))


def _raw_p(a: Side, b: Side, found: Comparability, looks: int) -> Fraction | None:
    if found.status != COMPARABLE or standing_of(a).blocked_by or standing_of(b).blocked_by:
        return None
    paired = pair_up(a.sheet, b.sheet)
    if isinstance(paired, NotMeasured):
        return None
    plan = plan_of(a, b, found, looks)
    result = result_of(paired, plan.alpha, midp=plan.midp)
    return None if isinstance(result, NotMeasured) or plan.no_p or plan.looks else result.p


def _rank(role: str) -> int:
    return ("primary", "family", "").index(role)


def _line(made: Comparison, role: str) -> GridLine:
    difference = next((one for one in made.estimates if one.metric == "difference"), None)
    none = NotMeasured("not comparable" if made.verdict.exit == 3 else "counts only or refused")
    adjusted = made.test if isinstance(made.test, NotMeasured) else made.test.adjusted
    declared = role != "undeclared"
    separates = made.verdict.rung == Rung.TASKS_LIKE_THESE if difference is not None else none
    return GridLine(
        a=made.a.name,
        b=made.b.name,
        role=role,
        status=made.comparability.status if made.verdict.exit != 1 else "refused",
        difference=difference if difference is not None else none,
        adjusted=adjusted,
        separates=separates if declared else NO_SEPARATION,
        rung=made.verdict.rung,
    )


def _sentence(lines: Sequence[GridLine], family: Family) -> str:
    if family.why:
        return f"{len(lines)} pairs, none declared: {family.why}. No p value, and no pair is said to separate."
    apart = [f"{line.a} and {line.b}" for line in lines if line.separates is True]
    told = "; ".join(apart) or "none"
    return f"Holm over {family.size} declared pairs. Pairs that separate for tasks like these: {told}."


def _may_not(family: Family) -> tuple[str, ...]:
    lines = ["rank the arms, or set them in an order", "read a pair that does not separate as equality"]
    return ("quote one pair out of the others", *lines) if family.why else tuple(lines)
