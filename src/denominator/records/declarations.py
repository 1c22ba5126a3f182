"""`declared.json`: which draws were promised, in a few lines for any number of them."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.records.rows import Count, Defect


@dataclass(frozen=True, slots=True, kw_only=True)
class DeclaredTasks:
    """Tasks that were declared alike: each of them `repeats` times, in one slice, as one control, in one stratum."""

    tasks: tuple[str, ...]
    repeats: int = 1
    slice: str = "solvable"
    control: str = ""
    stratum: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """The declared draws beside a ledger file. Without `tasks` only their number is known, and that only if it was stated.

    `shape` and `defects` are of an import: what the rows were read from, and what was wrong with them.
    """

    run_id: str
    declared_n: Count
    tasks: tuple[DeclaredTasks, ...] = ()
    shape: str = ""
    defects: tuple[Defect, ...] = ()
    schema_version: int = 1
