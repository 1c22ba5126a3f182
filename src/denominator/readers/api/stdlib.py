"""The standard library as a frozen table: what it defines does not depend on the interpreter that reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from denominator.readers.api.shape import Origin
from denominator.readers.api.values import Answer, Cls, Found, Missing, Mod, Open, Std

PINNED = "3.11"
"""The Python version that has a table (scripts/make_stdlib_table.py makes one)."""
CLOSE = frozenset(f"3.{minor}" for minor in range(8, 16))
"""Versions whose library is mostly the same: what the table lists is taken as known, what it lacks as unknown."""
OTHER_TOPS = frozenset(
    "annotationlib compression profiling dummy_threading formatter macpath parser symbol _bootlocale _strptime".split()  # noqa: SIM905
)
"""Top-level modules that other versions in `CLOSE` have and the table does not."""


@dataclass(frozen=True, eq=False)
class TableModule:
    """One module of the standard library."""

    table: Table
    name: str
    parts: Mapping[str, Any]
    closed: bool = True

    @cached_property
    def names(self) -> frozenset[str]:
        """Names that are neither classes nor modules of the table."""
        return frozenset(str(self.parts.get("names", "")).split())

    def member(self, name: str) -> Answer:
        """A name of this module."""
        full = f"{self.name}.{name}"
        origin = Origin("stdlib", full)
        alias = self.parts.get("aliases", {}).get(name)
        if alias is not None:
            return self.table.target(alias, origin)
        if name in self.parts.get("classes", {}):
            return self.table.target(f"{self.name}:{name}", origin)
        if full in self.table.modules:
            return Found((Mod(self.table.modules[full]),), origin)
        if name in self.names:
            return Found((Std(full),), origin)
        if self.table.other:
            return Open(self.table.other)
        if self.parts.get("open") or not self.table.covers(full):
            return Open(f"the table of the standard library does not list {self.name} in full")
        return Missing(self.name, (Mod(self),))


@dataclass(frozen=True, eq=False)
class TableClass:
    """One class of the standard library."""

    table: Table
    module: str
    name: str
    row: tuple[str, str, int]

    @property
    def full(self) -> str:
        """Module and name."""
        return f"{self.module}.{self.name}"

    @cached_property
    def lineage(self) -> tuple[TableClass, ...]:
        """This class and all that it is made from."""
        out: list[TableClass] = [self]
        for base in self.row[0].split():
            module, _, name = base.rpartition(".")
            found = self.table.classes(module, name)
            out += [c for c in (found.lineage if found else ()) if c not in out]
        return tuple(out)

    @cached_property
    def members(self) -> frozenset[str]:
        """Own and inherited members, special names left out."""
        return frozenset(name for cls in self.lineage for name in cls.row[1].split())

    @cached_property
    def open(self) -> bool:
        """Must any member be expected?"""
        return any(cls.row[2] for cls in self.lineage)

    def member(self, name: str) -> Answer:
        """A member of the class or of an object of it."""
        full = f"{self.full}.{name}"
        if name in self.members:
            return Found((Std(full),), Origin("stdlib", full))
        if self.table.other:
            return Open(self.table.other)
        return Open(f"{self.full} may answer to any name") if self.open else Missing(self.full)


class Table:
    """All modules of one Python version. `other` says that the program runs under another one, or is ""."""

    def __init__(self, data: Mapping[str, Any], other: str = "") -> None:
        self.other = other
        self.python = str(data["python"])
        self.stubs = str(data["stubs"])
        self.modules = {name: TableModule(self, name, parts) for name, parts in data["modules"].items()}
        self.others = frozenset(str(data["other_modules"]).split()) | (OTHER_TOPS if other else frozenset())
        self.unlisted = frozenset(str(data.get("unlisted", "")).split())
        self._classes: dict[tuple[str, str], TableClass] = {}

    def covers(self, full: str) -> bool:
        """Is a module of this name one that the table would list?"""
        return full not in self.unlisted and not any(part.startswith("_") for part in full.split("."))

    def classes(self, module: str, name: str) -> TableClass | None:
        """A class by module and name."""
        if (module, name) not in self._classes:
            found = self.modules.get(module)
            row = found.parts.get("classes", {}).get(name) if found else None
            if row is None:
                return None
            self._classes[module, name] = TableClass(self, module, name, (row[0], row[1], row[2]))
        return self._classes[module, name]

    def target(self, alias: str, origin: Origin) -> Answer:
        """What `module:Class` or `module:` stands for."""
        module, _, name = alias.partition(":")
        cls = self.classes(module, name) if name else None
        if cls is not None:
            return Found((Cls(cls),), origin)
        if not name and module in self.modules:
            return Found((Mod(self.modules[module]),), origin)
        return Found((Std(alias.replace(":", ".")),), origin)


@cache
def table_for(python: str) -> Table | None:
    """The table for a Python version ("3.11" or "3.11.7"); nothing for a version whose library is quite another."""
    short = ".".join(python.split(".")[:2])
    if short != PINNED and short not in CLOSE:
        return None
    name = f"stdlib_{PINNED.replace('.', '_')}.json"
    other = "" if short == PINNED else f"the table is of Python {PINNED}, not of {short}"
    return Table(json.loads((files("denominator.readers.api") / "data" / name).read_bytes()), other)
