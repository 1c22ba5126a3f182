"""The difference between two trees, as whole files by digest."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

from denominator.errors import UnknownStateError
from denominator.records.trees import Change, Patch, Refused, Tree, TreeEntry
from denominator.wire.trees.globs import matches
from denominator.wire.trees.read import DEFAULT_LIMITS, TreeLimits, read_file, tree_digest

Keep = Callable[[Change], bool]


def diff_trees(
    base: Tree, final_root: Path, final: Tree, limits: TreeLimits = DEFAULT_LIMITS
) -> tuple[Patch, dict[str, bytes]]:
    """The patch base -> final and the bytes it names. Links and devices are in `refused`, never taken."""
    old, new = base.by_path(), final.by_path()
    changes, refused = [], [item for item in final.refused if item not in base.refused]
    for path in sorted(old.keys() | new.keys()):
        change = _change(old.get(path), new.get(path))
        if change is None or (change.op == "delete" and _hidden(path, final.refused)):
            continue
        if change.op != "delete" and change.kind != "file":
            refused.append(Refused(path=path, why="is a link" if change.kind == "link" else "is no regular file"))
        else:
            changes.append(change)
    changes, over = _within(changes, limits.patch_bytes)
    refused += over
    blobs = {c.blob: _read(final_root, c, limits) for c in changes if c.blob and c.op != "chmod"}
    notes = tuple(sorted(f"{item.path}: {item.why}" for item in refused))
    patch = Patch(base_tree=base.digest, final_tree=final.digest, changes=tuple(_renames(changes, old)), refused=notes)
    return patch, blobs


def touched(patch: Patch, ignore: Iterable[str] = ()) -> tuple[str, ...]:
    """Every path that differs, refused ones included, but for those that match `ignore`."""
    globs = tuple(ignore)
    paths = {change.path for change in patch.changes} | {note.rpartition(": ")[0] for note in patch.refused}
    return tuple(sorted(path for path in paths if not matches(globs, path)))


def patched_tree(base: Tree, patch: Patch, keep: Keep | None = None) -> Tree:
    """What `apply_patch` will leave, computed from digests alone (an intent names it before the effect)."""
    entries = base.by_path()
    chosen = [change for change in patch.changes if keep is None or keep(change)]
    for change in chosen:
        if change.op == "delete":
            entries.pop(change.path, None)
    for change in chosen:
        if change.op != "delete":
            entries[change.path] = TreeEntry(
                path=change.path, kind="file", mode=change.mode, size=change.size, sha256=change.blob
            )
    ordered = tuple(sorted(entries.values(), key=lambda entry: entry.path))
    return Tree(entries=ordered, digest=tree_digest(ordered))


def _change(old: TreeEntry | None, new: TreeEntry | None) -> Change | None:
    if new is None:
        assert old is not None  # the path is in one of the two
        return Change(path=old.path, op="delete", kind=old.kind, mode=old.mode, size=0, blob="")
    if new == old:
        return None
    if old is None:
        op = "add"
    elif old.kind != new.kind:
        op = "retype"
    else:
        op = "chmod" if old.sha256 == new.sha256 else "modify"
    return Change(path=new.path, op=op, kind=new.kind, mode=new.mode, size=new.size, blob=new.sha256)


def _hidden(path: str, refused: Iterable[Refused]) -> bool:
    """Was the path, or a folder above it, seen and not read? Then its absence proves nothing."""
    return any(r.path in ("", path) or path.startswith(f"{r.path}/") for r in refused)


def _within(changes: list[Change], patch_bytes: int) -> tuple[list[Change], list[Refused]]:
    taken, over, room = [], [], patch_bytes
    for change in changes:
        if change.size > room and change.op not in ("delete", "chmod"):
            over.append(Refused(path=change.path, why=f"the patch is larger than {patch_bytes} bytes"))
            continue
        room -= change.size if change.op != "chmod" else 0
        taken.append(change)
    return taken, over


def _read(root: Path, change: Change, limits: TreeLimits) -> bytes:
    try:
        data = read_file(root, change.path, limits.file_bytes)
    except OSError as error:
        raise UnknownStateError(f"can no longer be read ({error})", where=change.path) from None
    have = hashlib.sha256(data).hexdigest()
    if have != change.blob:
        what = f"changed while the patch was made: was {change.blob}, is {have}"
        raise UnknownStateError(what, where=change.path, fix="end what still writes there and look at the tree")
    return data


def _renames(changes: list[Change], old: dict[str, TreeEntry]) -> list[Change]:
    """A new file that equals a deleted one says so; each deleted one is used once, of the same name first."""
    gone: dict[str, list[str]] = {}
    for change in changes:
        if change.op == "delete" and old[change.path].size and old[change.path].kind == "file":
            gone.setdefault(old[change.path].sha256, []).append(change.path)
    out = []
    for change in changes:
        if change.op == "add" and change.size and (same := gone.get(change.blob)):
            name = change.path.rpartition("/")[2]
            first = next((path for path in same if path.rpartition("/")[2] == name), same[0])
            same.remove(first)
            change = _with_origin(change, first)
        out.append(change)
    return out


def _with_origin(change: Change, path: str) -> Change:
    return Change(
        path=change.path,
        op=change.op,
        kind=change.kind,
        mode=change.mode,
        size=change.size,
        blob=change.blob,
        renamed_from=path,
    )
