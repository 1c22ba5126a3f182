"""Two or more arms in one window."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.errors import InputError
from denominator.records.keys import DrawKey
from denominator.records.seals import Plan


def interleave(plans: Mapping[str, Plan]) -> tuple[tuple[str, DrawKey], ...]:
    """(arm label, draw) in start order: every arm does one draw before any arm does the next.

    The arm that goes first rotates from draw to draw, so that no arm always meets the warmer or the busier machine. All
    arms must have one order; else what is compared would be the order.
    """
    digests = {label: plan.order_digest for label, plan in plans.items()}
    if len(set(digests.values())) > 1:
        shown = ", ".join(f"{label} {value[:12]}" for label, value in digests.items())
        raise InputError(
            f"arms do not share one task order: {shown}",
            where="--arms",
            fix="give both envelopes the same pack, budget.repeats and run.order_seed",
        )
    labels = list(plans)
    draws = [declared.draw for declared in plans[labels[0]].draws] if labels else []
    return tuple(
        (labels[(at + turn) % len(labels)], draw) for at, draw in enumerate(draws) for turn in range(len(labels))
    )
