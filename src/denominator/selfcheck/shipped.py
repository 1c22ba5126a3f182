"""What ships for the check: cases of rules, a pack, rows of others, one example of each format that is imported."""

from __future__ import annotations

import json
import shutil
import tomllib
import zipfile
from collections.abc import Iterator
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from denominator.packs import LOCK_FILE, load_pack, make_lock
from denominator.records.packs import FoundPack
from denominator.testing.importer_suite import Example
from denominator.wire.canonical import canonical

DATA = files("denominator") / "data" / "selfcheck"


def rule_cases(family: str) -> dict[str, list[dict[str, Any]]]:
    """The cases of each rule of a family (`gate`, `labels`), by the rule's name."""
    found = {}
    for file in (DATA / family).iterdir():
        if file.name.endswith(".toml"):
            read = tomllib.loads(file.read_text(encoding="utf-8"))
            found[str(read["rule"])] = list(read["case"])
    return found


def lay(name: str, folder: Path) -> Path:
    """A copy of a shipped folder below `folder`."""
    with as_file(DATA / name) as given:
        shutil.copytree(given, folder / name)
    return folder / name


def lay_pack(folder: Path) -> FoundPack:
    """The pack of the check, locked where it lies."""
    root = lay("pack", folder)
    (root / LOCK_FILE).write_bytes(canonical(make_lock(load_pack(root), None, "selfcheck")) + b"\n")
    return load_pack(root)


def lay_examples(folder: Path) -> Iterator[tuple[str, Example]]:
    """(importer, its example) of each format, written below `folder`."""
    with as_file(DATA / "imports.zip") as given, zipfile.ZipFile(given) as packed:
        packed.extractall(folder)
    for one in json.loads((folder / "index.json").read_bytes()):
        path = folder / one["importer"] / one["path"]
        yield one["importer"], Example(path=path, part=one["part"], rows=one["rows"])
