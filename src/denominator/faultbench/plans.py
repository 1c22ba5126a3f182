"""Fault plans: from the command line, a file or the environment; every mistake of a plan is told in one pass."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from denominator.errors import InputError, Problem
from denominator.records.faults import CHECKPOINTS, Fault, FaultKind, FaultPlan, fault_of
from denominator.wire.bounded import read_text
from denominator.wire.toml import toml_values

VARIABLE = "DENOMINATOR_FAULTS"
REPEATS = 3
REPEATS_MAX = 1000
QUICK_TASKS = 5
QUICK_POINTS = 2
QUICK_REPEATS = 3
QUICK = ("patch_drafted:kill", "patch_applied:kill")
"""What `--quick` plans where nobody names faults: on both sides of the application."""
PLAIN = (FaultKind.KILL, FaultKind.HARD_EXIT, FaultKind.SIGTERM, FaultKind.DISK_FULL, FaultKind.OOM)
"""Kinds without a number: one that is written behind them would be ignored."""
KEYS = ("schema_version", "name", "fault", "repeats", "seed")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What somebody asked for: faults as texts, a file, and numbers that the file may hold too (None: not said)."""

    faults: tuple[str, ...] = ()
    file: Path | None = None
    repeats: int | None = None
    seed: int | None = None
    quick: bool = False
    name: str = ""


def default_faults() -> tuple[str, ...]:
    """What is planned where nobody names faults: a kill at each checkpoint, every other kind at one that it can hit."""
    early = (FaultKind.PROVIDER_429, FaultKind.PROVIDER_5XX, FaultKind.STREAM_CUT, FaultKind.SLOW)
    late = (FaultKind.HARD_EXIT, FaultKind.SIGTERM, FaultKind.DISK_FULL, FaultKind.OOM, FaultKind.CLOCK_JUMP)
    kills = tuple(f"{point}:{FaultKind.KILL}" for point in CHECKPOINTS)
    return (
        *kills,
        *(f"context_loaded:{kind}" for kind in early),
        *(f"{point}:{kind}" for kind in late for point in ("patch_drafted", "patch_applied")),
    )


def read_plan(asked: Asked, environ: Mapping[str, str], default: Sequence[str] | None = None) -> FaultPlan:
    """The plan that was asked for. Faults of the command line and of the file are one list; without any the
    environment's are taken, else the default ones. InputError lists every mistake.
    """
    table = _file(asked.file) if asked.file else {}
    given = [("--fault", text) for text in asked.faults]
    given += [(f"{asked.file}: fault {at}", text) for at, text in enumerate(table.get("fault", ()), start=1)]
    if not given:
        texts = environ.get(VARIABLE, "").replace("\n", ",").split(",")
        given = [(VARIABLE, text.strip()) for text in texts if text.strip()]
    if not given:
        chosen = QUICK if asked.quick else default_faults() if default is None else default
        given = [("the default plan", text) for text in chosen]
    faults, problems = _faults(given)
    repeats = _number(asked.repeats, table, "repeats", QUICK_REPEATS if asked.quick else REPEATS)
    if not 1 <= repeats <= REPEATS_MAX:
        problems.append(Problem("repeats", f"{repeats} is not between 1 and {REPEATS_MAX}"))
    if asked.quick and len(faults) > QUICK_POINTS and not problems:
        faults = faults[:QUICK_POINTS]
    if problems:
        raise InputError("the fault plan cannot be used", problems=problems, fix="denominator faultbench list")
    return FaultPlan(
        name=asked.name or str(table.get("name", "")) or ("quick" if asked.quick else "plan"),
        faults=tuple(faults),
        repeats=repeats,
        seed=_number(asked.seed, table, "seed", 0),
        quick=asked.quick,
    )


def _number(said: int | None, table: Mapping[str, Any], key: str, otherwise: int) -> int:
    return said if said is not None else int(table.get(key, otherwise))


def _faults(given: Iterable[tuple[str, str]]) -> tuple[list[Fault], list[Problem]]:
    """Faults in the order named, and everything that is wrong with them."""
    faults: list[Fault] = []
    problems: list[Problem] = []
    for where, text in given:
        try:
            faults.append(fault_of(text))
        except InputError as error:
            problems.append(Problem(where, error.what, error.fix))
    problems += [Problem(f"{text}", "is planned twice") for text, n in Counter(f.text for f in faults).items() if n > 1]
    problems += [
        Problem(fault.text, "@nth is of failpoints: a checkpoint is reached once in an attempt")
        for fault in faults
        if fault.at_checkpoint and fault.nth
    ]
    problems += [
        Problem(fault.text, f"{fault.kind} takes no value", f"{fault.at}:{fault.kind}")
        for fault in faults
        if fault.at_checkpoint and fault.value and fault.kind in PLAIN
    ]
    return faults, problems


def _file(path: Path) -> dict[str, Any]:
    """The table of a plan file: TOML, or one fault a line (`#` begins a comment)."""
    text = read_text(path, fix="--plan names a text file")
    lines = [line.partition("#")[0].strip() for line in text.splitlines()]
    if _is_toml(text):
        return _checked(toml_values(text, str(path)), str(path))
    return {"fault": [line for line in lines if line]}


def _is_toml(text: str) -> bool:
    """Is it a TOML table of a plan? `name=action` alone is no TOML, because its value has no quotes."""
    try:
        return any(key in KEYS for key in tomllib.loads(text))
    except ValueError:
        return any(line.split("=")[0].strip() in KEYS for line in text.splitlines() if "=" in line)


def _checked(table: dict[str, Any], where: str) -> dict[str, Any]:
    problems = list(_wrong(table))
    if problems:
        raise InputError(
            "the plan file cannot be used", where=where, problems=problems, fix="docs/formats/faultbench-run.md"
        )
    return table


def _wrong(table: Mapping[str, Any]) -> Iterator[Problem]:
    for key, value in table.items():
        if key not in KEYS:
            yield Problem(key, "unknown key", f"one of: {', '.join(KEYS)}")
        elif key in ("repeats", "seed", "schema_version") and (not isinstance(value, int) or isinstance(value, bool)):
            yield Problem(key, "is no whole number")
        elif key == "name" and not isinstance(value, str):
            yield Problem(key, "is no text")
        elif key == "fault" and not (isinstance(value, list) and all(isinstance(one, str) for one in value)):
            yield Problem(key, "is no list of texts", 'fault = ["patch_applied:kill"]')
    if table.get("schema_version", 1) != 1:
        yield Problem("schema_version", "is not 1", "use the program version that wrote it")


def without(plan: FaultPlan, faults: Iterable[Fault]) -> FaultPlan:
    """The plan without some of its faults."""
    gone = frozenset(faults)
    return replace(plan, faults=tuple(fault for fault in plan.faults if fault not in gone))
