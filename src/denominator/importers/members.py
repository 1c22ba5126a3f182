"""Members of a source by the folder in which they lie."""

from __future__ import annotations

from bisect import bisect_left

from denominator.wire.sources import Source


def member_in(files: Source, folder: str) -> str:
    """The first member of a folder, or "" where it has none. Names are sorted, so nothing is walked through."""
    names, before = files.names(), f"{folder}/" if folder else ""
    place = bisect_left(names, before)
    return names[place] if place < len(names) and names[place].startswith(before) else ""
