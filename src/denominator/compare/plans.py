"""What was decided about a comparison before the run: the pair, its family, the question, the test."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from denominator.records.comparisons import Comparability, Side
from denominator.records.envelopes import Comparison as Sealed
from denominator.stats.discordant import ALPHA

MARGIN_QUESTIONS = ("non_inferior", "equivalent")
NO_SEAL = "a side without a seal cannot show what was declared before its run"


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of one pair. `why` says why nothing was declared (empty: it was); `no_p` why no p value may be printed.

    `margin` is 0 where none was sealed. `b_second`: the margin is about the second arm as given here (sealed: the
    second label of the pair against the first). `looks` is how often a running comparison was looked at, within the
    number that was sealed.
    """

    why: str
    no_p: str
    role: str = ""
    alpha: Fraction = ALPHA
    midp: bool = False
    question: str = "difference"
    margin: Fraction = Fraction(0)
    b_second: bool = True
    family: int = 1
    looks: int = 0
    treatment: tuple[str, ...] = ()
    selection: str = ""

    @property
    def declared(self) -> bool:
        """Was this comparison declared before the run?"""
        return not self.why


def plan_of(a: Side, b: Side, found: Comparability, looks: int = 0) -> Plan:
    """The plan that both seals agree on, or why there is none. `looks` adds looks that the caller tells of."""
    ours, theirs = a.sheet.terms.comparison, b.sheet.terms.comparison
    selection = a.sheet.terms.selection or b.sheet.terms.selection
    why = _undeclared(a, b, ours, theirs)
    taken = max(len(a.sheet.terms.looks), len(b.sheet.terms.looks)) + looks
    allowed = min(ours.looks, theirs.looks)
    late = (
        f"it was looked at {times(taken)} before its end and {times(allowed)} were declared" if taken > allowed else ""
    )
    if why:
        no_p = late or _outside(a, b, ours, theirs)
        return _stated(Plan(why, no_p, treatment=found.treatment, selection=selection), a, b)
    role, b_second = _role(ours, a.sheet.terms.arm, b.sheet.terms.arm)
    return Plan(
        "",
        late,
        role=role,
        alpha=Fraction(ours.alpha),
        midp=ours.test == "midp",
        question=ours.question,
        margin=Fraction(ours.margin) if ours.margin else Fraction(0),
        b_second=b_second,
        family=1 + len(ours.family),
        looks=taken,
        treatment=found.treatment,
        selection=selection,
    )


def _stated(plan: Plan, a: Side, b: Side) -> Plan:
    """A margin that both documents state is shown with its interval; without a seal it establishes nothing."""
    ours, theirs = a.sheet.terms.comparison, b.sheet.terms.comparison
    if ours != theirs or ours.question not in MARGIN_QUESTIONS or not ours.margin:
        return plan
    role, b_second = _role(ours, a.sheet.terms.arm, b.sheet.terms.arm)
    margin = Fraction(ours.margin)
    return replace(plan, question=ours.question, margin=margin, b_second=b_second if role else True)


def times(count: int) -> str:
    """ "once", "2 times"."""
    return {0: "none", 1: "once"}.get(count, f"{count} times")


def pairs_of(sealed: Sealed) -> tuple[tuple[str, str], ...]:
    """Every pair of the declared family, the primary one first, as (first, second): the second against the first."""
    primary = ((sealed.primary[0], sealed.primary[1]),) if len(sealed.primary) == 2 else ()
    others = tuple((one.split(":", 1)[0], one.split(":", 1)[1]) for one in sealed.family if ":" in one)
    return (*primary, *others)


def _undeclared(a: Side, b: Side, ours: Sealed, theirs: Sealed) -> str:
    """Why nothing was declared beforehand about this pair."""
    if {a.sheet.terms.origin, b.sheet.terms.origin} != {"seal"}:
        return NO_SEAL
    if len(ours.primary) != 2 or len(theirs.primary) != 2:
        return "no primary comparison was sealed"
    if ours != theirs:
        return "the two seals declare different comparisons"
    if _role(ours, a.sheet.terms.arm, b.sheet.terms.arm)[0] == "":
        return "the sealed comparison is of other arms"
    return ""


def _outside(a: Side, b: Side, ours: Sealed, theirs: Sealed) -> str:
    """A family was sealed and this pair is not in it: a p value of it would be one of many that nobody counted."""
    sealed = next((one for one in (ours, theirs) if len(one.primary) == 2), None)
    if sealed is None or {a.sheet.terms.origin, b.sheet.terms.origin} != {"seal"}:
        return ""
    return "" if _role(sealed, a.sheet.terms.arm, b.sheet.terms.arm)[0] else "this pair is not of the declared family"


def _role(sealed: Sealed, arm_a: str, arm_b: str) -> tuple[str, bool]:
    """primary, family or nothing; and whether the second arm here is the second of the sealed pair."""
    for place, (first, second) in enumerate(pairs_of(sealed)):
        if (first, second) in ((arm_a, arm_b), (arm_b, arm_a)):
            return ("family" if place else "primary"), second == arm_b
    return "", True
