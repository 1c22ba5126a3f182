"""Times that people and other programs wrote."""

from __future__ import annotations

from datetime import UTC, datetime


def read_time(text: str) -> datetime | None:
    """An ISO 8601 time, or None when it is none; one without a zone is UTC."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
