"""Which run reports come from the hosted evaluation: by the name that its client gives them, or by what only it writes."""

from __future__ import annotations

import re

from denominator.errors import InputError
from denominator.importers.swebench.lists import REPORT_BYTES
from denominator.records.foreign import Published
from denominator.wire.sources import Source, loose_json

NAMED = re.compile(r"(swe-?bench[^/]*?)__(dev|test|train)__(.+?)(-\d+)?(\.response)?\Z", re.IGNORECASE)
PERCENT = re.compile(rb"Resolved \((total|submitted)\):?\s*([0-9]+(?:\.[0-9]+)?)\s*%")
ONLY_HOSTED = ("pending_instances", "failed_instances", "pending_ids", "failed_ids")


def is_hosted(files: Source, name: str) -> bool:
    """Is this run report one of sb-cli?"""
    if NAMED.search(name.rpartition("/")[2].removesuffix(".json")):
        return True
    try:
        found = loose_json(files.read(name, REPORT_BYTES), name)
    except InputError:
        return False
    return isinstance(found, dict) and any(key in found for key in ONLY_HOSTED)


def printed_percents(data: bytes, where: str) -> list[Published]:
    """What sb-cli prints on the screen: resolved of all, and resolved of those that were handed in."""
    return [
        Published(
            metric=f"Resolved ({found[1].decode()})", value=found[2].decode(), unit="percent", role="rate",
            of=f"{found[1].decode()}_instances", where=where, unit_of="draws",
        )
        for found in PERCENT.finditer(data)
    ]  # fmt: skip
