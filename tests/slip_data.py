"""Slips for tests: one in which every field is known, and copies of it in which one field is another."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from denominator.pipeline.slip_store import id_of
from denominator.records.slips import (
    Number,
    RawOutput,
    Slip,
    SlipBox,
    SlipBudget,
    SlipGate,
    SlipHarness,
    SlipLine,
    SlipModel,
    SlipPack,
)
from denominator.slips.lineage import lineage_of
from denominator.slips.tiers import Entry

SPREAD = "12.500000 points over 14 tasks and 2 passes"


def slip(number: int = 1, **over: Any) -> Slip:
    """A slip without an unknown field, of run r1 with 10 of 14; another number is another run of the same."""
    made = Slip(
        schema_version=1,
        origin="run",
        run_id=f"r{number}",
        arm="main",
        made_at=f"2026-11-{number:02}T08:00:00.000Z",
        days=(f"2026-11-{number:02}",),
        seal_sha256=f"{number:064x}",
        ledger_sha256=f"{number + 100:064x}",
        raw=RawOutput(path=f"../runs/r{number}/ledger.jsonl", sha256=f"{number + 100:064x}"),
        harness=SlipHarness(
            name="denominator", version="0.1.0", commit="c0ffee", digest="d" * 64, left_out=("arm: names an arm",),
            covers={"wall_cap_s": "60"},
        ),
        model=SlipModel(
            id="big", snapshot="big-2026-10-01", served=("big-2026-10-01",), sampling={"temperature": "0", "seed": "7"},
            agent="mini", agent_version="2",
        ),
        pack=SlipPack(id="p", version="1.0.0", digest="e" * 64, task_ids_sha256="f" * 64, tasks=14, repeats=1),
        budget=SlipBudget(tokens_used=900, tokens_limit=1000, ratio="0.900000", over_budget=False),
        box=SlipBox(
            host="h", kernel="k", machine="x86_64", python="CPython 3.11.7", cpu_count="2", memory_bytes="8589934592",
            cgroup_version="v2", cgroup_cpu_limit="200000/100000 us", cgroup_memory_limit="unlimited", git_commit="c0ffee",
            shared=False, reclaimable=False,
        ),
        numbers=(
            Number(metric="headline", k=9 + number, n=14, lo="0.453511", hi="0.882789", method="Wilson", estimand="pass rate"),
        ),
        headline="headline",
        gate=SlipGate(status="publishable", rung="rate_with_interval", sentence="10 of 14.", rules_digest="9" * 64),
        lineage="",
        re_run_spread=SPREAD if number > 1 else "unused",
        owner="otto",
    )  # fmt: skip
    made = replace(made, **over)
    return replace(made, lineage=lineage_of(made)) if "lineage" not in over else made


def entry(made: Slip, *lines: SlipLine) -> Entry:
    """A slip as the store holds it."""
    return Entry(id_of(made), made, tuple(lines))


def line(what: str, role: str = "score_keeper", **over: Any) -> SlipLine:
    """A line about nothing in particular."""
    return SlipLine(**({"what": what, "slip": "", "role": role, "who": "ann", "at": "2026-11-29T09:00:00.000Z"} | over))


def changed(record: Any, path: str, value: Any) -> Any:
    """A copy in which one field is another: `box.host`, `numbers.n` (of the first number), `model.sampling.seed`."""
    name, _, rest = path.partition(".")
    old = getattr(record, name)
    if not rest:
        return replace(record, **{name: value})
    if isinstance(old, tuple):
        return replace(record, **{name: (changed(old[0], rest, value), *old[1:])})
    if is_dataclass(old):
        return replace(record, **{name: changed(old, rest, value)})
    return replace(record, **{name: {**old, rest: value}})


def paths(record: Any, before: str = "") -> list[str]:
    """Every field of a slip, those of its parts, of its first number and of its mappings."""
    found = []
    for one in fields(record):
        value = getattr(record, one.name)
        name = f"{before}{one.name}"
        if isinstance(value, tuple) and value and is_dataclass(value[0]):
            found += paths(value[0], f"{name}.")
        elif isinstance(value, dict):
            found += [f"{name}.{key}" for key in value]
        elif is_dataclass(value) and type(value).__name__ != "NotMeasured":
            found += paths(value, f"{name}.")
        else:
            found.append(name)
    return found


def at(record: Any, path: str) -> Any:
    """The value of a field."""
    for name in path.split("."):
        record = record[0] if isinstance(record, tuple) else record
        record = record[name] if isinstance(record, dict) else getattr(record, name)
    return record


def other(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, tuple):
        return (*value, "another")
    return f"{value}0" if isinstance(value, str) else "now known"
