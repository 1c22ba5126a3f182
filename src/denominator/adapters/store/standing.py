"""Where a run stands, asked of its tables by index: ended attempts are counted and not read."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from denominator.adapters.store.rows import EVENT_FIELDS, PLACE, event_of
from denominator.records.keys import AttemptKey
from denominator.records.standing import Standing

Rows = Sequence[tuple[Any, ...]]


def read_standing(ask: Callable[[str], Rows], run_id: str, *, keyed: bool = False) -> Standing:
    """Put four questions, which must see one moment. `keyed`: the tables hold other runs too, so each has one `%s`, the run id."""
    promised = ask(_promised(keyed))
    return Standing(
        newest=ask(f"SELECT max(seq) FROM events{_mine('WHERE', 'events', keyed)}")[0][0] or 0,
        promised=tuple(AttemptKey(run_id, *row[:3]) for row in promised),
        ended=Counter(_purpose(row[3]) for row in promised if row[4]),
        open=tuple(map(event_of, ask(_open(keyed)))),
        of_run=tuple(map(event_of, ask(_of_run(keyed)))),
    )


def _purpose(payload: str) -> str:
    said = json.loads(payload)
    return str(said.get("purpose", "")) if isinstance(said, dict) else ""


def _mine(word: str, table: str, keyed: bool) -> str:
    return f" {word} {table}.run_id = %s" if keyed else ""


def _same(one: str, other: str, keyed: bool) -> str:
    return " AND ".join(f"{one}.{name} = {other}.{name}" for name in (*(("run_id",) if keyed else ()), *PLACE))


def _ended(keyed: bool) -> str:
    return f"EXISTS (SELECT 1 FROM events c WHERE c.kind = 'closed' AND {_same('c', 'p', keyed)})"


def _promised(keyed: bool) -> str:
    columns = f"p.task_id, p.repeat, p.attempt, p.payload, {_ended(keyed)}"
    return f"SELECT {columns} FROM events p WHERE p.kind = 'promised'{_mine('AND', 'p', keyed)} ORDER BY p.seq"


def _open(keyed: bool) -> str:
    """SQLite keeps the order of a cross join, and a range makes it walk the few promises instead of all events."""
    columns = ", ".join(f"e.{name}" for name in EVENT_FIELDS)
    which = f"p.kind = 'promised' AND p.task_id >= ''{_mine('AND', 'p', keyed)} AND NOT {_ended(keyed)}"
    return (
        f"SELECT {columns} FROM events p CROSS JOIN events e WHERE {which} AND {_same('e', 'p', keyed)} ORDER BY e.seq"
    )


def _of_run(keyed: bool) -> str:
    columns = ", ".join(EVENT_FIELDS)
    return f"SELECT {columns} FROM events WHERE task_id IS NULL{_mine('AND', 'events', keyed)} ORDER BY seq"
