"""Tags that cite: `slip:` and 8 to 64 hex digits [+ `#metric`], and `cmp:` with two of them, with or without brackets."""

from __future__ import annotations

import re
from dataclasses import dataclass

SLIP = re.compile(r"(?<![\w/])slip:(?P<id>[0-9A-Fa-f]{8,64})(?![0-9A-Za-z])(?:#(?P<metric>[\w@][\w@.\-]*))?", re.ASCII)
PAIR = re.compile(
    r"(?<![\w/])cmp:(?P<old>[0-9A-Fa-f]{8,64})\.\.(?P<new>[0-9A-Fa-f]{8,64})(?![0-9A-Za-z])"
    r"(?:#(?P<metric>[\w@][\w@.\-]*))?",
    re.ASCII,
)
LOOSE = re.compile(r"(?<![\w/])(?:slip|cmp):[\w#.@\-]{0,200}|\[(?:slip|cmp):[^\]\s]{0,200}\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag of a text: from `start` to `end`. A pair has `other`, the newer slip. What is malformed has no id."""

    start: int
    end: int
    id: str
    metric: str = ""
    other: str = ""
    text: str = ""

    @property
    def pair(self) -> bool:
        """Is it of two slips?"""
        return bool(self.other)


def tags_in(text: str) -> tuple[Tag, ...]:
    """Every tag in order, malformed ones too."""
    found = {}
    for kind in (SLIP, PAIR):
        for one in kind.finditer(text):
            metric = (one["metric"] or "").rstrip(".-")
            end = one.end() - len(one["metric"] or "") + len(metric)
            ids = (one["id"], "") if kind is SLIP else (one["old"], one["new"])
            found[one.start()] = Tag(one.start(), end, ids[0].lower(), metric, ids[1].lower(), text[one.start() : end])
    for one in LOOSE.finditer(text):
        start = one.start() + one[0].startswith("[")
        if start not in found and one[0].lower().strip("[]") not in ("slip:", "cmp:"):
            found[start] = Tag(start, one.end(), "", text=one[0])
    return tuple(found[at] for at in sorted(found))
