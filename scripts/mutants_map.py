"""Which tests meet which changed rule: by names alone (`close`), by what each was seen to call (`order`), and that kept (`Kept`).

What was seen is kept outside the tree, in `denominator-mutants` of the user's cache folder, under the digest of every file of the
package and of its tests: where one byte differs, the tests are looked at again.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FIRST = "test_rule_cases.py"
MOST = 12
"""So many maps are kept, the newest."""


@dataclass(frozen=True, slots=True)
class Calls:
    """What one test did: its file, how long it took while it was looked at, whose functions it called."""

    file: str
    seconds: float
    called: set[tuple[str, str]]


def dotted(module: str) -> str:
    """`denominator.gate.few_tasks` of `gate/few_tasks.py`."""
    return "denominator." + module.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def rule_of(module: str) -> str:
    """The rule whose cases are named `[few-tasks: ...]`."""
    return Path(module).stem.replace("_", "-")


def order(items: Sequence[Any], calls: Sequence[Calls], module: str, names: Sequence[str]) -> list[int]:
    """Which tests, as numbers: those that call it, then the rest of their files.

    The cases of the rule come first, then other cases, then quick files before slow ones.
    """
    wanted = {(module, name) for name in names}
    direct = {at for at, one in enumerate(calls) if wanted & one.called}
    files: dict[str, float] = {}
    for at in direct:
        files[calls[at].file] = files.get(calls[at].file, 0) + calls[at].seconds
    ranked = sorted(files, key=lambda file: (not file.endswith(FIRST), files[file], file))
    rank = {file: at for at, file in enumerate(ranked)}
    chosen = (at for at in range(len(calls)) if calls[at].file in rank)
    case = f"[{rule_of(module)}: "
    return sorted(chosen, key=lambda at: (case not in items[at].name, at not in direct, rank[calls[at].file], at))


def close(items: Sequence[Any], modules: Sequence[str]) -> list[Any]:
    """The tests that are about these modules by their names alone.

    The cases of a rule; the files that take something from the module or bear its name; where there are neither, the files
    below the folder of tests that is named as the module's.
    """
    found: dict[int, Any] = {}
    for module in dict.fromkeys(modules):
        cases = [at for at, one in enumerate(items) if f"[{rule_of(module)}: " in one.name]
        about = [at for at, one in enumerate(items) if names(one.path, module)]
        folder = f"/{Path(module).parent.as_posix()}/"
        mine = cases + about or [at for at, one in enumerate(items) if folder in one.path.as_posix()]
        found |= {at: items[at] for at in mine}
    return list(found.values())


@functools.cache
def names(path: Path, module: str) -> bool:
    """Does the file of tests take something from the module, or bear its name?"""
    name, package = dotted(module), dotted(module).rpartition(".")
    taken = rf"\b{re.escape(name)}\b|from {re.escape(package[0])} import [^\n]*\b{package[2]}\b"
    return path.stem == f"test_{Path(module).stem}" or bool(re.search(taken, path.read_text(encoding="utf-8")))


@dataclass(frozen=True, slots=True)
class Kept:
    """One map in the cache; a file that cannot be read or written is as none."""

    path: Path

    @classmethod
    def of(cls, source: Path, modules: Sequence[str], tests: Sequence[str]) -> Kept:
        """The place for what these tests call of these modules, all files as they are."""
        said = hashlib.sha256(json.dumps([sys.version, sorted(set(modules)), list(tests)]).encode())
        for place in (source, source.parents[1] / "tests", Path(__file__).parent):
            for one in sorted(place.rglob("*")):
                if one.is_file() and "__pycache__" not in one.parts:
                    said.update(f"\0{one.relative_to(place)}\0".encode(errors="surrogateescape"))
                    said.update(hashlib.sha256(one.read_bytes()).digest())
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        return cls(home / "denominator-mutants" / f"{said.hexdigest()}.json")

    def read(self, items: Sequence[Any]) -> list[Calls] | None:
        """What was seen of exactly these tests, or None."""
        try:
            rows = json.loads(self.path.read_text(encoding="utf-8"))
            found = [Calls(row["file"], row["seconds"], {(one, name) for one, name in row["called"]}) for row in rows]
            same = [row["test"] for row in rows] == [one.nodeid for one in items]
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return found if same else None

    def write(self, items: Sequence[Any], calls: Sequence[Calls]) -> None:
        """Put it there whole, and let the oldest go."""
        rows = [
            {"test": item.nodeid, "file": one.file, "seconds": one.seconds, "called": sorted(one.called)}
            for item, one in zip(items, calls, strict=True)
        ]
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            made = self.path.with_suffix(f".{os.getpid()}")
            made.write_text(json.dumps(rows), encoding="utf-8")
            made.replace(self.path)
            aged = sorted(self.path.parent.glob("*.json"), key=lambda one: one.stat().st_mtime, reverse=True)
            for one in aged[MOST:]:
                one.unlink(missing_ok=True)
