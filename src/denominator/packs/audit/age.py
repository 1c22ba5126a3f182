"""How long ago did a person last look at the pack? A task that was fresh may be in every model's training by now."""

from __future__ import annotations

from datetime import date

from denominator.packs.audit.items import Said
from denominator.records.packs import FoundPack
from denominator.records.values import counted, is_placeholder

DAYS_MAX = 366


def looked_at(found: FoundPack, now: str) -> Said:
    """Within a year before `now` (an ISO time): `audit.reviewed`, else `provenance.created`. Without a date it is not known."""
    pack = found.pack
    name, told = (
        ("audit.reviewed", pack.audit.reviewed) if pack.audit.reviewed else ("created", pack.provenance.created)
    )
    if not told or is_placeholder(told):
        return Said(unknown=("no date: state [audit] reviewed in pack.toml",))
    try:
        days = (date.fromisoformat(now[:10]) - date.fromisoformat(told[:10])).days
    except ValueError:
        return Said(unknown=(f"{name} = {told!r} is no date: write it as 2026-11-29",))
    if days < 0:
        return Said(problems=(f"{name} = {told} is a day that has not come",))
    said = f"{name} {told}, {counted(days, 'day')} before"
    if days > DAYS_MAX:
        fix = "look at the pack again, and state [audit] reviewed in pack.toml"
        return Said(result=said, problems=(f"nobody has looked at it for {days} days: {fix}",))
    return Said(result=said)
