"""Lines of a ledger that are the same but for numbers, digests and places that no label reads: seen on the bytes alone.

A line whose masked bytes were seen before is the same JSON in everything else, for only whole values of their own kind are
masked (a number for a number, a digest for a digest, a plain name for a plain name); so it needs no second reading. What
the masks hide and a label may read all the same (which of two times is longer, whether two trees are equal, whether a patch
has bytes, which task it is when the terms name it) stands beside the masked bytes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b

NUMBERS = (
    "queue_wait_ms", "setup_ms", "agent_ms", "grade_ms", "wall_ms", "paused_ms", "working_ms", "time_to_first_green_ms",
    "seq", "seed", "line", "offset", "length", "first", "used", "with_results", "prompt", "completion", "cached_read",
    "cache_write", "reasoning", "calls",
)  # fmt: skip
DIGESTS = ("sha256", "report_sha", "grader_sha", "applied_tree", "base_tree", "final_tree", "baseline_ref")
_NUMBER = re.compile(rb'"(%b)":(?:0|[1-9][0-9]{0,17})(?=[,}])' % "|".join(NUMBERS).encode())
_BYTES = re.compile(rb'"bytes":[1-9][0-9]{0,17}(?=[,}])')
_DIGEST = re.compile(rb'"(%b)":"[0-9a-f]{64}"(?=[,}])' % "|".join(DIGESTS).encode())
_PLACE = re.compile(
    rb'"key":\{"attempt":([0-9]{1,9}),"repeat":([0-9]{1,9}),"run_id":"([ !#-\[\]-~]{1,200})","task_id":"([ !#-\[\]-~]{1,200})"\}'
)
_PAUSED, _WORKING = re.compile(rb'"paused_ms":([0-9]+)'), re.compile(rb'"working_ms":([0-9]+)')
_BASE, _FINAL = re.compile(rb'"base_tree":"([0-9a-f]{64})"'), re.compile(rb'"final_tree":"([0-9a-f]{64})"')


@dataclass(frozen=True, slots=True)
class Masked:
    """A line as its mask and the JSON text of its place, keys sorted."""

    digest: bytes
    place: str


def mask(raw: bytes, named: frozenset[str]) -> Masked | None:
    """The mask of a line in canonical form; nothing for a line in another form. `named` are tasks that the terms speak of."""
    found = _PLACE.search(raw)
    if found is None or raw.count(b'"key":{') != 1:
        return None
    attempt, repeat, run_id, task_id = found.groups()
    if (len(attempt) > 1 and attempt[:1] == b"0") or (len(repeat) > 1 and repeat[:1] == b"0"):
        return None
    rest = raw[: found.start()] + b'"key"' + raw[found.end() :]
    bare = _DIGEST.sub(rb'"\1":"h"', _BYTES.sub(b'"bytes":+', _NUMBER.sub(rb'"\1":n', rest)))
    task = task_id.decode("ascii")
    beside = f"{_longer(raw)} {_same_tree(raw)} {task if task in named else ''}"
    digest = blake2b(bare, digest_size=20, key=beside.encode()[:64]).digest() + beside.encode()
    place = f'"attempt":{attempt.decode()},"repeat":{repeat.decode()},"run_id":"{run_id.decode()}","task_id":"{task}"'
    return Masked(digest, place)


def _longer(raw: bytes) -> bool | None:
    """Which of the two times is longer, where both are known."""
    paused, working = _PAUSED.search(raw), _WORKING.search(raw)
    return int(paused[1]) > int(working[1]) if paused and working else None


def _same_tree(raw: bytes) -> bool | None:
    """Did the patch leave the tree as it was, where both digests are known?"""
    base, final = _BASE.search(raw), _FINAL.search(raw)
    return base[1] == final[1] if base and final else None
