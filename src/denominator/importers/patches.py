"""What a foreign row says of its patch: digest and size, trees and untracked files, who made it, how applying it ended."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from denominator.importers.columns import Cells
from denominator.records.rows import Count, PatchFacts
from denominator.records.values import NotMeasured

EMPTY_SHA = hashlib.sha256(b"").hexdigest()
ONLY_DIGEST = NotMeasured("only its digest is recorded")
NO_SIZE = NotMeasured("the source lists changes without their size")
UNSAID = "a path outside the allow-list, not named by the source"
MAKERS = {"agent": "agent_text", "agent_text": "agent_text", "model": "agent_text", "harness": "harness"}


def patch_facts(cells: Cells) -> dict[str, object]:
    """The patch as far as the source records it; 0 bytes have a known digest, a size that nobody states stays unknown."""
    body, size = cells.known.get("patch"), cells.number("patch_bytes")
    digest = cells.text("patch_sha256")
    if isinstance(body, str):
        data = body.encode("utf-8", "surrogatepass")
        size, digest = len(data), hashlib.sha256(data).hexdigest()
    outside = _outside(cells)
    if size is None and not digest and not outside:
        return _by_trees(cells)
    if size == 0 and not digest:
        digest = EMPTY_SHA
    if size is None and not outside:
        cells.extra.setdefault("patch_sha256", f'"{digest}"')
        return {"patch": ONLY_DIGEST}
    return {"patch": PatchFacts(sha256=digest, bytes=NO_SIZE if size is None else size, outside=outside)}


def apply_facts(cells: Cells) -> dict[str, object]:
    """patch_made_by, apply_exit and already_applied, where the row says them."""
    found: dict[str, object] = {}
    if maker := cells.text("made_by"):
        found["patch_made_by"] = MAKERS.get(maker, maker)
    if (status := cells.number("apply_exit")) is not None:
        found["apply_exit"] = status
    if equals := cells.text("tree_digest_equals"):
        found["already_applied"] = equals.lower() in ("after", "final", "patched", "applied")
    return found


def _by_trees(cells: Cells) -> dict[str, object]:
    """The base tree against the final one: work tree, index, untracked files and commits since the base together."""
    if not {"git_diff_bytes", "base_to_head_bytes", "untracked"} & cells.known.keys():
        return {}
    paths = cells.names("untracked")
    parts = {
        "the work tree's difference": cells.number("git_diff_bytes"),
        "the commits since the base": _committed(cells),
        "untracked files": None if paths is None else (0 if not paths else NO_SIZE),
        "the index": cells.number("staged_bytes") or 0,
    }
    unknown = [what for what, size in parts.items() if size is None]
    if unknown and not any(size is not None and size != 0 for size in parts.values()):
        return {"patch": NotMeasured(f"not recorded: {', '.join(unknown)}")}
    size = _sum(parts.values())
    return {"patch": PatchFacts(sha256=EMPTY_SHA if size == 0 else "", bytes=size, touched=paths or ())}


def _committed(cells: Cells) -> Count | None:
    """Bytes of the commits since the base: none where the head stayed; unknown where it moved and nobody measured."""
    stated, base, head = cells.number("base_to_head_bytes"), cells.text("base_commit"), cells.text("head_commit")
    if stated is not None:
        return stated
    if not base or not head:
        return None
    return 0 if base == head else NO_SIZE


def _sum(parts: Iterable[Count | None]) -> Count:
    """The size where one part alone says it; parts that overlap, or that nobody measured, leave it unknown."""
    told = [part for part in parts if part != 0]
    if not told:
        return 0
    only = told[0]
    return only if len(told) == 1 and isinstance(only, int) else NO_SIZE


def _outside(cells: Cells) -> tuple[str, ...]:
    value = cells.known.get("outside_allowlist")
    if isinstance(value, list) and all(isinstance(path, str) for path in value):
        return tuple(str(path) for path in value)
    if value is True:
        return (UNSAID,)
    if value not in (None, False):
        cells.problems.append("outside_allowlist: neither true, false nor a list of paths")
    return ()
