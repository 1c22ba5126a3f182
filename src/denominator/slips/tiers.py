"""The tier of a slip: computed of its fields, of the slips beside it and of what people said; never typed.

Every ceiling is one sentence with what lifts it. The tier is the lowest ceiling that holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields

from denominator.records.slips import Slip, SlipLine, SlipOrigin, SlipStanding, Tier, TierLine
from denominator.records.values import NotMeasured
from denominator.records.words import Rung
from denominator.slips.fields import PROMISES, headline_of
from denominator.slips.harness import NOTHING
from denominator.slips.lineage import is_again, is_box, others_of, told
from denominator.slips.words import AUDIENCE, footnote

PUBLISHABLE, DECLARED = "publishable", "declared"
ORDER = tuple(Tier)
VERDICT, SIGNOFF, REJECTION, REVOKED = "verdict", "signoff", "rejection", "revoked"


@dataclass(frozen=True, slots=True)
class Entry:
    """A slip of the store with the lines beside it."""

    id: str
    slip: Slip
    lines: tuple[SlipLine, ...] = field(default=())

    @property
    def revoked(self) -> str:
        """Why it was revoked; "" while it stands."""
        return next((line.caveat for line in self.lines if line.what == REVOKED), "")

    def last(self, *what: str) -> SlipLine | None:
        """The last line of such kinds."""
        return next((line for line in reversed(self.lines) if line.what in what), None)


@dataclass(frozen=True, slots=True)
class Ceiling:
    """No higher than this, why, and what would lift it."""

    tier: Tier
    why: str
    lift: str


def lower(*tiers: str) -> Tier:
    """The lowest of some tiers."""
    return min((Tier(one) for one in tiers), key=ORDER.index)


def standing_of(one: Entry, store: Sequence[Entry]) -> SlipStanding:
    """A slip as it stands among all others of its store."""
    others = [other for other in store if other.id != one.id]
    return SlipStanding(
        id=one.id,
        slip=one.slip,
        tier=tier_of(one, others),
        lines=one.lines,
        superseded_by=_superseded(one, others),
        revoked=one.revoked,
        signed_off=_signed_off(one),
    )


def tier_of(one: Entry, others: Sequence[Entry]) -> TierLine:
    """The tier with its reasons; `others` are the slips beside it, in any order."""
    again = twins(one, others)
    ceilings = [*_of_number(one), *_of_moves(one.slip, again), *_of_box(one.slip), *_of_budget(one.slip)]
    ceilings += [*_of_naming(one.slip), *_of_pair(one.slip, again)]
    ceilings += _of_people(one, lower(Tier.QUOTABLE, *(ceiling.tier for ceiling in ceilings)))
    tier = lower(Tier.QUOTABLE, *(ceiling.tier for ceiling in ceilings))
    deciding = [ceiling for ceiling in ceilings if ceiling.tier == tier]
    return TierLine(
        tier=str(tier),
        why=tuple(dict.fromkeys(ceiling.why for ceiling in deciding)),
        lifts=tuple(dict.fromkeys(ceiling.lift for ceiling in deciding)),
        audience=AUDIENCE[tier],
        footnote=footnote(tier, one.slip, [other.slip for other in again], [ceiling.why for ceiling in deciding]),
    )


def has_number(one: Entry) -> bool:
    """Does a slip stand with a number that may be printed?"""
    return not any(True for _ in _of_number(one))


def twins(one: Entry, others: Sequence[Entry]) -> list[Entry]:
    """The slips that are the same measurement made again and stand themselves, in the order in which they were made."""
    fresh = [other for other in others if not _played(one.slip) and not _played(other.slip)]
    found = [other for other in fresh if is_again(one.slip, other.slip) and has_number(other)]
    kept = [other for other in found if other.slip.budget.over_budget is False]
    return sorted(kept, key=lambda other: (other.slip.made_at, other.id))


def _played(slip: Slip) -> bool:
    """Did a recording answer in the provider's place? Then no draw is a new one, and a second run shows nothing more."""
    return slip.harness.covers.get("cassette", NOTHING) != NOTHING


def _of_number(one: Entry) -> Iterator[Ceiling]:
    """Without a number that may be printed there is nothing to show anybody."""
    slip, gate = one.slip, one.slip.gate
    if one.revoked:
        yield Ceiling(Tier.NONE, f"revoked: {one.revoked}", "nothing: make a new slip")
    if gate.status != PUBLISHABLE and not (slip.origin == SlipOrigin.HAND and gate.status == DECLARED):
        by = f" by {', '.join(gate.blocked_by)}" if gate.blocked_by else ""
        yield Ceiling(Tier.NONE, f"the gate says {gate.status or 'nothing'}{by}", "clear what blocks, then a new slip")
    found = headline_of(slip)
    if found is None or (isinstance(found.k, NotMeasured) and isinstance(found.score, NotMeasured)):
        yield Ceiling(Tier.NONE, f"it pins no number called {slip.headline}", "a run whose number may be printed")
    if gate.rung == Rung.REFUSED:
        yield Ceiling(Tier.NONE, "the gate allows no sentence", "clear what blocks, then a new slip")


def _of_moves(slip: Slip, again: Sequence[Entry]) -> Iterator[Ceiling]:
    """Once a second slip matches, what moved since an earlier one is history."""
    if again or not slip.moved:
        return
    since = f"since slip {slip.previous[:8]}"
    if others := others_of(slip.moved):
        lift = "put it back, or run again under these conditions and make a second slip of this lineage"
        yield Ceiling(Tier.NONE, f"moved {since}: {', '.join(others)}", lift)
    if box := tuple(name for name in slip.moved if is_box(name)):
        lift = "run on the earlier box, or run again on this one and make a second slip"
        yield Ceiling(Tier.INTERNAL, f"the box moved {since}: {', '.join(box)}", lift)


def _of_box(slip: Slip) -> Iterator[Ceiling]:
    unknown: dict[str, list[str]] = {}
    for one in fields(slip.box):
        value = getattr(slip.box, one.name)
        if one.name in PROMISES:
            yield from _promise(one.name, value)
        elif isinstance(value, NotMeasured):
            unknown.setdefault(told(value), []).append(f"box.{one.name}")
    for why, names in unknown.items():
        several = len(names) > 1
        fields_ = (
            f"{', '.join(names)} {'are' if several else 'is'} {why}; {'they match' if several else 'it matches'} no box"
        )
        lift = f"run where {'they' if several else names[0]} can be read, or declare {'them' if several else 'it'}"
        yield Ceiling(Tier.INTERNAL, fields_, lift)


def _promise(name: str, value: object) -> Iterator[Ceiling]:
    """A box that others slow down, or that can be taken away, stays at external; so does one of which nobody says so."""
    lift = "run on a box of its own that nobody takes away"
    if value is True:
        yield Ceiling(Tier.EXTERNAL, f"the box is {name}", lift)
    elif isinstance(value, NotMeasured):
        setting = f'box_{name} = "no" in denominator.toml, or {name} in the hand file, where that is so'
        yield Ceiling(Tier.EXTERNAL, f"box.{name} is {told(value)}", setting)


def _of_budget(slip: Slip) -> Iterator[Ceiling]:
    over = slip.budget.over_budget
    if isinstance(over, NotMeasured):
        lift = "a budget in the envelope, and usage of every attempt"
        yield Ceiling(Tier.INTERNAL, f"whether the budget was kept is {told(over)}", lift)
    elif over:
        used = f"{told_count(slip.budget.tokens_used)} tokens of {told_count(slip.budget.tokens_limit)}"
        yield Ceiling(Tier.INTERNAL, f"the budget was not kept: {used}", "a run within its budget")


def _of_naming(slip: Slip) -> Iterator[Ceiling]:
    """What must stand beside an external number has to be known."""
    named = (("model.id", slip.model.id), ("harness.digest", slip.harness.digest))
    counts = (("budget.tokens_used", slip.budget.tokens_used), ("budget.tokens_limit", slip.budget.tokens_limit))
    for name, value in (*named, *counts):
        if isinstance(value, NotMeasured):
            why = f"{name} is {told(value)}, and must stand beside an external number"
            yield Ceiling(Tier.INTERNAL, why, f"a run or a declaration that says {name}")


def _of_people(one: Entry, computed: Tier) -> Iterator[Ceiling]:
    """A score keeper may say less than the fields allow, never more; a reviewer may say no."""
    said = one.last(VERDICT)
    if said is not None and said.tier in ORDER and lower(said.tier, computed) != computed:
        why = f"the score keeper {said.who} said {said.tier}: {said.caveat}"
        yield Ceiling(Tier(said.tier), why, "a later verdict of the score keeper")
    answer = one.last(SIGNOFF, REJECTION)
    if answer is not None and answer.what == REJECTION:
        why = f"the quote reviewer {answer.who} rejected it: {answer.field} is missing"
        yield Ceiling(Tier.INTERNAL, why, "a later sign-off of the quote reviewer")


def _of_pair(slip: Slip, again: Sequence[Entry]) -> Iterator[Ceiling]:
    """One run is one draw of what the measurement gives."""
    if slip.origin == SlipOrigin.HAND:
        yield Ceiling(Tier.EXTERNAL, "it was declared by hand and judged by no gate", "import the rows")
    if _played(slip):
        yield Ceiling(
            Tier.EXTERNAL, "a recording answered, so that no draw is a new one", "a run that asks the provider"
        )
    elif not again:
        yield Ceiling(Tier.EXTERNAL, "no second slip of this lineage matches it", "run the same again, then slip new")
    elif isinstance(spread_of(slip, again), NotMeasured):
        why = f"the re-run spread is {told(spread_of(slip, again))}"
        yield Ceiling(Tier.EXTERNAL, why, "slip new of a later run while the rows of both are there")


def spread_of(slip: Slip, again: Sequence[Entry]) -> str | NotMeasured:
    """The re-run spread that the slip or the last of its twins knows."""
    told_by = (slip, *(other.slip for other in reversed(again)))
    return next((one.re_run_spread for one in told_by if isinstance(one.re_run_spread, str)), slip.re_run_spread)


def told_count(value: int | NotMeasured) -> str:
    """A count, or that it is unknown."""
    return told(value if isinstance(value, NotMeasured) else str(value))


def _superseded(one: Entry, others: Sequence[Entry]) -> str:
    """The last later slip of the lineage that has a number and stands; the last one made speaks for its lineage."""
    mine = (one.slip.made_at, one.id)
    later = [
        (other.slip.made_at, other.id)
        for other in others
        if other.slip.lineage == one.slip.lineage and (other.slip.made_at, other.id) > mine and has_number(other)
    ]
    return max(later)[1] if later else ""


def _signed_off(one: Entry) -> bool:
    """A sign-off is of the verdict before it: a later verdict or rejection ends it."""
    last = one.last(VERDICT, SIGNOFF, REJECTION, REVOKED)
    return last is not None and last.what == SIGNOFF
