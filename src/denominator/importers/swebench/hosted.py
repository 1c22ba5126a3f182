"""Which run reports come from the hosted evaluation: by the name that its client gives them, or by what only it writes."""

from __future__ import annotations

import re

from denominator.errors import InputError
from denominator.importers.swebench.lists import REPORT_BYTES
from denominator.wire.sources import Source, loose_json

NAMED = re.compile(r"(swe-?bench[^/]*?)__(dev|test|train)__(.+?)(-\d+)?(\.response)?\Z", re.IGNORECASE)
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
