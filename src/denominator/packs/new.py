"""`pack init`: a commented pack with two tasks that work, whose placeholders `pack lint` lists."""

from __future__ import annotations

from pathlib import Path

from denominator.errors import InputError
from denominator.packs.skeleton import FILES, PACK_TOML


def init_pack(folder: Path) -> tuple[str, ...]:
    """Write the skeleton into a new or empty folder; returns the paths written."""
    refuse_used(folder)
    for path, text in {"pack.toml": PACK_TOML.format(id=pack_id(folder)), **FILES}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return ("pack.toml", *FILES)


def refuse_used(folder: Path) -> None:
    """InputError where a folder holds something."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("the folder is not empty; nothing was written", where=str(folder), fix="name a new folder")


def pack_id(folder: Path) -> str:
    """The id of a new pack, after its folder."""
    kept = "".join(char if char.isascii() and char.isalnum() else "-" for char in folder.absolute().name.lower())
    return kept.strip("-") or "my-pack"
