"""Where a pack is: a built-in name or a path."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from denominator.errors import InputError
from denominator.packs.layout import PACK_FILE


def builtin_packs() -> dict[str, Path]:
    """The packs that come with the package, by name."""
    root = Path(str(files("denominator") / "data" / "packs"))
    if not root.is_dir():
        return {}
    return {entry.name: entry for entry in sorted(root.iterdir()) if (entry / PACK_FILE).is_file()}


def find_pack(name: str, base: Path | None = None) -> Path:
    """A folder that holds a pack.toml (relative paths start at `base`, else here), or the name of a built-in pack.

    A folder wins over a built-in name only when written as a path (`./holdout16`), so that a name means one thing.
    """
    if "/" not in name and name not in (".", "..") and (built_in := builtin_packs().get(name)):
        return built_in
    folder = (base or Path()) / Path(name).expanduser()
    if (folder / PACK_FILE).is_file():
        return folder
    known = ", ".join(builtin_packs()) or "none"
    raise InputError(
        f'no pack "{name}": neither a folder with a {PACK_FILE} nor a built-in name (built in: {known})',
        where=str(folder),
        fix="denominator pack init " + name,
    )
