"""Until when a pack holds: hidden tests with dates in them turn red one day, for every agent alike."""

from __future__ import annotations

from datetime import date

from denominator.errors import BlockedError
from denominator.records.packs import FoundPack, Pack


def expiry_problem(pack: Pack) -> str:
    """What is wrong with the way `expires` is written, or nothing."""
    if not pack.expires:
        return ""
    try:
        written = date.fromisoformat(pack.expires)
    except ValueError:
        written = None
    if written is None or written.isoformat() != pack.expires:
        return f"expires is {pack.expires!r}, which is no date such as 2027-01-31"
    return ""


def days_left(pack: Pack, now: str) -> int | None:
    """Days from `now` (UTC, ISO 8601) to the last day of the pack: 0 on that day, negative after it; None without one."""
    if not pack.expires or expiry_problem(pack):
        return None
    return (date.fromisoformat(pack.expires) - date.fromisoformat(now[:10])).days


def refuse_expired(found: FoundPack, now: str) -> None:
    """Nothing is run with a pack after its last day, nor with one whose last day cannot be read."""
    left, problem = days_left(found.pack, now), expiry_problem(found.pack)
    if problem or (left is not None and left < 0):
        raise BlockedError(
            problem or f"pack_expired: the pack holds until {found.pack.expires}, and today is {now[:10]} (UTC)",
            where=found.root + "/pack.toml",
            fix="denominator pack verify shows what still holds; then set a later `expires`, raise the version, lock again",
        )
