"""May two slips be set side by side, and by how much do they differ?"""

from __future__ import annotations

from dataclasses import fields
from fractions import Fraction

from denominator.quote.shape import number_of
from denominator.quote.values import share_of
from denominator.records.slips import Slip, SlipStanding
from denominator.records.values import values_agree

NOT_BOX = ("git_commit", "shared", "reclaimable")


def apart(old: Slip, new: Slip) -> tuple[str, ...]:
    """The fields that keep two slips from being compared: pack, harness, budget, box. Model and agent may differ."""
    pairs = [
        ("harness.digest", old.harness.digest, new.harness.digest),
        ("budget.tokens_limit", old.budget.tokens_limit, new.budget.tokens_limit),
    ]
    pairs += [
        (f"pack.{name}", getattr(old.pack, name), getattr(new.pack, name))
        for name in ("digest", "task_ids_sha256", "tasks", "repeats")
    ]
    pairs += [
        (f"box.{one.name}", getattr(old.box, one.name), getattr(new.box, one.name))
        for one in fields(old.box)
        if one.name not in NOT_BOX
    ]
    return tuple(name for name, left, right in pairs if not values_agree(left, right))


def difference(old: SlipStanding, new: SlipStanding, metric: str) -> Fraction | None:
    """New minus old, as a share; None where one of them has no such value."""
    left, right = number_of(old, metric), number_of(new, metric)
    shares = [share_of(one) if one is not None else None for one in (left, right)]
    return None if shares[0] is None or shares[1] is None else shares[1] - shares[0]
