"""Small ledgers to judge: foreign rows by outcome, own rows by facts, and both from a TOML table (data/selfcheck)."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from denominator.records.cassettes import SealedCassette
from denominator.records.conditions import Condition, Loosened
from denominator.records.envelopes import Clause
from denominator.records.facts import Hint, Repetition, SurfaceFacts, TestCounts, ToolFacts
from denominator.records.findings import Waiver
from denominator.records.keys import AttemptKey, DrawKey
from denominator.records.labels import Evidence, Label
from denominator.records.probe_results import EndpointFacts
from denominator.records.replays import Replay
from denominator.records.rows import (
    AttemptRow,
    CallRow,
    Declared,
    Defect,
    Failure,
    Ledger,
    PatchFacts,
    Source,
    Tally,
    TestIds,
    Usage,
)
from denominator.records.sealed_probes import SealedProbe
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured

MANIFEST: dict[str, Any] = {
    "origin": "manifest", "name": "made-up", "digest": "a" * 64, "invalid_ceiling": "0.10", "infra_ceiling": "",
    "on_timeout": "", "scorer": "tests", "headline": "headline", "sentence": "", "repeats": 1, "attempts": 1,
    "retry_declared": False, "grading_levels": (), "hidden_tests": True, "controls_declared": False,
}  # fmt: skip
SEALED: dict[str, Any] = MANIFEST | {
    "origin": "seal",
    "infra_ceiling": "0.10",
    "on_timeout": "fail",
    "controls_declared": True,
    "grading_levels": ("G3",),
}
PATCH = PatchFacts(sha256="p", bytes=10, touched=("src/a.py",), base_tree="b", final_tree="f", applied_tree="f")
EMPTY = PatchFacts(sha256="e", bytes=0, base_tree="b", final_tree="b")


def terms(**over: Any) -> Terms:
    """Terms of a foreign manifest, or of a seal with origin="seal"."""
    base = SEALED if over.get("origin") == "seal" else MANIFEST
    given = {name: _frozen(value) for name, value in over.items()}
    if "allow" in given:
        given["allow"] = tuple(one if isinstance(one, Waiver) else Waiver(**one) for one in given["allow"])
    for name, record in (("clauses", Clause), ("loosened", Loosened)):
        given[name] = tuple(record(**one) if isinstance(one, dict) else one for one in given.get(name, ()))
    if isinstance(over.get("cassette"), dict):
        given["cassette"] = SealedCassette(**over["cassette"])
    if isinstance(over.get("probe"), dict):
        given["probe"] = probe(**over["probe"])
    return Terms(**(base | given))


def probe(**facts: Any) -> SealedProbe:
    """A sealed probe of model big that heard so."""
    return SealedProbe(
        name="bench", seal_sha256="5" * 64, fixture_sha256="f" * 64, model="big", path="direct", client="0.1.0+wire.1",
        classifier="1.0", windows=("2026-11-29T08:00:00.000Z",),
        facts=EndpointFacts(**{name: _frozen(value) for name, value in facts.items()}),
    )  # fmt: skip


def key(task: str, repeat: int = 1, attempt: int = 1, run: str = "r1") -> AttemptKey:
    """A key of run r1."""
    return AttemptKey(run, task, repeat, attempt)


def foreign(task: str, line: int = 1, **over: Any) -> AttemptRow:
    """A started row of an import without any fact."""
    source = Source(kind="import", file="rows.jsonl", line=line, sha256=f"{task}-{line}")
    made: dict[str, Any] = {
        "key": key(task),
        "slice": "solvable",
        "started": True,
        "closed": True,
        "source": source,
    } | over
    return AttemptRow(**made)


def own(task: str, grade: str = "green", **over: Any) -> AttemptRow:
    """A closed row of our own run with a patch, a clean end and a grade."""
    tests = TestIds(
        expected=("t::a",), passed=("t::a",) if grade == "green" else (), failed=("t::a",) * (grade == "red")
    )
    made: dict[str, Any] = {
        "key": key(task), "slice": "solvable", "started": True, "closed": True, "incarnations": 1, "cold_start": False,
        "stop_reason": {"green": "pass", "red": "tests_red"}.get(grade, "harness"), "killed_by": "nobody",
        "agent_exit": 0, "agent_signal": 0, "oom": False, "after_cap": False, "grade": grade, "grading_level": "G3",
        "grade_stage": "finished" if grade != "none" else "not_started", "tests": tests,
        "sentinels": Tally(expected=1, failed=1), "counter_tests": Tally(), "patch": PATCH, "asked": False,
        "abstained": False, "tests_hidden": True, "provider_retries": 0, "usage": Usage(calls=0),
    }  # fmt: skip
    return AttemptRow(**(made | over))


def said(task: str, axis: str, value: str, **over: Any) -> Label:
    """An imported judgement."""
    return Label(key=over.pop("key", key(task)), axis=axis, value=value, by="import:rows", confidence="low", **over)


def run_control(name: str, state: str, seq: int = 1) -> Label:
    """A control of the whole run, as the fold of the journal gives it."""
    evidence = (Evidence(kind="event", ref=str(seq)),)
    return Label(
        key=AttemptKey("r1", f"run:{name}", 0, 0), axis="control", value=state, by="harness@1", evidence=evidence
    )


def ledger(rows: list[AttemptRow], labels: list[Label] | None = None, declared: Any = None, **over: Any) -> Ledger:
    """A ledger; `declared` is a number, a list of ids, a list of Declared, or nothing (the rows' own draws)."""
    listed = declared if isinstance(declared, list) else None
    ids: tuple[Declared, ...] | NotMeasured
    if listed is not None:
        ids = tuple(one if isinstance(one, Declared) else Declared(draw=DrawKey(one)) for one in listed)
    elif declared is None:
        ids = tuple({r.key.draw: Declared(draw=r.key.draw, slice=r.slice, control=r.control) for r in rows}.values())
    else:
        ids = NotMeasured("only a number was declared")
    number = declared if isinstance(declared, int) else 0 if isinstance(ids, NotMeasured) else len(ids)
    made: dict[str, Any] = {
        "run_id": "r1",
        "source": "import",
        "declared": ids,
        "declared_n": number,
        "rows": tuple(rows),
    }
    return Ledger(**(made | {"labels": tuple(labels or ())} | over))


def by_outcome(*, start: int = 1, **counts: int) -> tuple[list[AttemptRow], list[Label]]:
    """Foreign rows t01.. with imported outcomes, so many of each."""
    rows, labels, n = [], [], start
    for outcome, count in counts.items():
        for _ in range(count):
            task = f"t{n:02}"
            rows.append(foreign(task, n))
            labels.append(said(task, "outcome", outcome))
            if outcome == "unscoreable":
                labels.append(said(task, "reason", "env_flake"))
            n += 1
    return rows, labels


def from_table(case: dict[str, Any]) -> tuple[Ledger, Terms]:
    """A case of data/selfcheck/gate: counts by outcome, single rows, defects, run controls, terms."""
    rows, labels = by_outcome(**case.get("outcomes", {}))
    for one in case.get("rows", []):
        row, extra = _row(dict(one), len(rows) + 1)
        rows.append(row)
        labels.extend(extra)
    labels.extend(run_control(name, state) for name, state in case.get("run_controls", {}).items())
    defects = tuple(Defect(**{name: _frozen(value) for name, value in one.items()}) for one in case.get("defects", []))
    stated = case.get("declared")
    replays = tuple(_replay(one) for one in case.get("replays", []))
    calls = tuple(
        CallRow(key=rows[0].key, seq=n, outcome="ok", sent=True, status=200, last_byte_ms=ms)
        for n, ms in enumerate(case.get("timed_calls", []))
    )
    answered = (CallRow(**({"key": rows[0].key, **ANSWERED} | one)) for one in case.get("calls", []))
    calls += tuple(answered)
    made = ledger(rows, labels, None if stated == "unknown" else stated, defects=defects, calls=calls)
    if stated == "unknown":
        gone = NotMeasured("nobody said")
        made = replace(made, declared=gone, declared_n=gone)
    conditions = tuple(Condition(name=name, value=value) for name, value in case.get("conditions", {}).items())
    return made, terms(**case.get("terms", {}), replays=replays, conditions=conditions)


def _replay(one: dict[str, Any]) -> Replay:
    found = Replay(**(REPLAY | one))
    return replace(found, rate=NotMeasured("a draw has no verdict on one side")) if found.unknown else found


def _row(one: dict[str, Any], line: int) -> tuple[AttemptRow, list[Label]]:
    place = key(one.pop("id"), one.pop("repeat", 1), one.pop("attempt", 1), one.pop("run", "r1"))
    outcome, reason = one.pop("outcome", ""), one.pop("reason", "")
    make = own if one.pop("own", False) else foreign
    facts = {name: _frozen(value) for name, value in one.items() if name in {f.name for f in fields(AttemptRow)}}
    if "patch" in one:
        facts["patch"] = EMPTY if one["patch"] == "empty" else replace(PATCH, **_lists(one["patch"]))
    facts |= {name: _record(name, one[name]) for name in RECORDS if name in one}
    facts |= {name: NotMeasured("nobody said") for name, value in one.items() if value == "?"}
    if "failure" in one:
        facts["first_unrecovered"] = Failure(**({"seq": 1, "writer": "harness", "phase": "agent"} | one["failure"]))
    if "calls" in one:
        facts["usage"] = Usage(calls=one["calls"])
    row = make(place.task_id, **({"line": one.get("line", line)} if make is foreign else {}), key=place, **facts)
    pairs = (("outcome", outcome), ("reason", reason))
    return row, [said(place.task_id, axis, value, key=place) for axis, value in pairs if value]


ANSWERED = {"outcome": "ok", "sent": True, "status": 200}
REPLAY: dict[str, Any] = {
    "run_id": "r2", "hours": 25, "unknown": 0, "lo": "0.000000", "hi": "1.000000", "lo_bound": "0.000000",
    "hi_bound": "1.000000", "method": "Wilson",
}  # fmt: skip
RECORDS: dict[str, Any] = {
    "tests": TestIds, "sentinels": Tally, "counter_tests": Tally, "test_counts": TestCounts, "tools": ToolFacts,
    "surfaces": SurfaceFacts, "hints": Hint, "repeats": Repetition,
}  # fmt: skip
BASE = {
    "tools": {"source": "tool_log", "calls": 4, "with_results": 4, "complete": True},
    "surfaces": {"source": "patch", "used": 2},
    "hints": {"family": "made-up", "writer": "harness", "stream": "harness/err", "offset": 0, "length": 9},
}


def _record(name: str, value: Any) -> Any:
    """A nested record from its table, a tuple of them from a list; other words are kept as they are."""
    if isinstance(value, list):
        return tuple(_record(name, one) for one in value)
    if not isinstance(value, dict):
        return value
    table = {key: _record(key, one) if key in RECORDS else _frozen(one) for key, one in value.items()}
    return RECORDS[name](**(BASE.get(name, {}) | table))


def row_of(table: dict[str, Any]) -> AttemptRow:
    """The row of a table as in data/selfcheck: fields by name, `own = true`, `patch = "empty"`, "?" for not measured."""
    return _row({"id": "t", **table}, 1)[0]


def _lists(table: dict[str, Any]) -> dict[str, Any]:
    return {name: _frozen(value) for name, value in table.items()}


def _frozen(value: Any) -> Any:
    return tuple(_frozen(one) for one in value) if isinstance(value, list) else value
