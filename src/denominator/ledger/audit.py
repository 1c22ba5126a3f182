"""Is this ledger whole? Sizes, ids, repeats, run ids, strata, retries, exclusions: everything wrong, in one pass.

What the audit says are facts about the bookkeeping (`Defect`), not verdicts; the gate decides what each of them does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from denominator.records.keys import AttemptKey, DrawKey
from denominator.records.rows import AttemptRow, Count, Defect, Ledger, Source
from denominator.records.seals import Terms
from denominator.records.values import NotMeasured

Place = tuple[AttemptKey, str, int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tallies:
    """What is counted over all rows: declared ids and how many of them are solvable, declared draws with a started row,
    draws that are declared twice, run ids, and of each stratum how many draws have a row in it."""

    listed: int | NotMeasured
    solvable: int
    observed: int
    twice: tuple[DrawKey, ...]
    run_ids: tuple[str, ...]
    strata: Mapping[str, int]


def audit(ledger: Ledger, terms: Terms, tallies: Tallies | None = None) -> tuple[Defect, ...]:
    """Every defect of the rows, those that reading already found included, in a fixed order.

    With `tallies` the ledger need hold no other rows than those that may be defects by themselves.
    """
    found = set(ledger.defects)
    counts = tallies or tallies_of(ledger)
    for count in COUNTS:
        found.update(count(ledger.declared_n, counts, terms))
    for check in CHECKS:
        found.update(check(ledger, terms))
    return tuple(sorted(found, key=lambda d: (d.kind, d.where, d.what, d.keys)))


def tallies_of(ledger: Ledger) -> Tallies:
    """The tallies of a ledger that holds all its rows."""
    strata: dict[str, set[DrawKey]] = {}
    for row in ledger.rows:
        strata.setdefault(row.stratum, set()).add(row.key.draw)
    declared = ledger.declared
    times = Counter(() if isinstance(declared, NotMeasured) else (one.draw for one in declared))
    return Tallies(
        listed=declared if isinstance(declared, NotMeasured) else len(declared),
        solvable=0 if isinstance(declared, NotMeasured) else sum(one.slice == "solvable" for one in declared),
        observed=len(_started(ledger)),
        twice=tuple(sorted(draw for draw, count in times.items() if count > 1)),
        run_ids=tuple(sorted({row.key.run_id for row in ledger.rows})),
        strata={name: len(draws) for name, draws in strata.items()},
    )


def rows_in_order(rows: Iterable[AttemptRow]) -> tuple[AttemptRow, ...]:
    """Rows sorted by key and place, so that nothing depends on the order in which they were read.

    Only rows that have both in common are compared by all that they say, which is slow.
    """
    places: dict[Place, list[AttemptRow]] = {}
    for row in rows:
        places.setdefault((row.key, row.source.file, row.source.line, row.source.sha256), []).append(row)
    ordered = sorted(places.items(), key=lambda item: item[0])
    return tuple(row for _, same in ordered for row in (same if len(same) == 1 else sorted(same, key=repr)))


def distinct_rows(rows: Iterable[AttemptRow]) -> tuple[AttemptRow, ...]:
    """One row per key: a repeat is the same row again; of rows that disagree the first stays and the audit says so."""
    kept: dict[AttemptKey, AttemptRow] = {}
    for row in rows_in_order(rows):
        kept.setdefault(row.key, row)
    return tuple(kept.values())


def _sizes(declared_n: Count, counts: Tallies, terms: Terms) -> Iterable[Defect]:
    if isinstance(declared_n, NotMeasured):
        return
    promised = declared_n
    if not isinstance(counts.listed, NotMeasured):
        promised = counts.listed
        if declared_n not in (promised, counts.solvable):
            what = f"declared {declared_n}, but {promised} ids are listed"
            yield Defect(kind="dataset_size_mismatch", where=terms.origin, what=what)
    if counts.observed != promised:
        what = f"declared {promised}, observed {counts.observed}"
        yield Defect(kind="dataset_size_mismatch", where=terms.origin, what=what)


def _promised_twice(_declared_n: Count, counts: Tallies, terms: Terms) -> Iterable[Defect]:
    if counts.twice:
        ids = tuple(dict.fromkeys(draw.task_id for draw in counts.twice))
        what = f"{len(counts.twice)} draws are declared twice: {', '.join(ids[:20])}"
        yield Defect(kind="declared_twice", where=terms.origin, what=what, keys=ids)


def _started(ledger: Ledger) -> set[object]:
    draws = {row.key.draw for row in ledger.rows if row.started}
    if isinstance(ledger.declared, NotMeasured):
        return set(draws)
    return {d.draw for d in ledger.declared if d.draw in draws}


def _same_key(ledger: Ledger) -> Mapping[AttemptKey, list[AttemptRow]]:
    groups: dict[AttemptKey, list[AttemptRow]] = {}
    for row in rows_in_order(ledger.rows):
        groups.setdefault(row.key, []).append(row)
    return {key: rows for key, rows in groups.items() if len(rows) > 1}


def _identical(a: AttemptRow, b: AttemptRow) -> bool:
    if a.source.sha256 and b.source.sha256:
        return a.source.sha256 == b.source.sha256
    return replace(a, source=Source()) == replace(b, source=Source())


def _repeats(ledger: Ledger, _terms: Terms) -> Iterable[Defect]:
    for key, rows in _same_key(ledger).items():
        where = ", ".join(row.source.place for row in rows)
        same = all(_identical(rows[0], row) for row in rows[1:])
        yield Defect(
            kind="duplicate_rows" if same else "conflicting_rows",
            where=where,
            what=f"{len(rows)} {'identical' if same else 'differing'} rows for {_name(key)}",
            keys=(key.task_id,),
            blocks=not same,
        )


def _name(key: AttemptKey) -> str:
    return f"{key.task_id} repeat {key.repeat} attempt {key.attempt}"


def _foreign(ledger: Ledger, _terms: Terms) -> Iterable[Defect]:
    if isinstance(ledger.declared, NotMeasured):
        return
    declared = {one.draw for one in ledger.declared} if ledger.rows else frozenset()
    for row in distinct_rows(ledger.rows):
        if row.key.draw not in declared:
            what = f"{_name(row.key)} was never declared"
            yield Defect(kind="foreign_rows", where=_place(row), what=what, keys=(row.key.task_id,))


def _place(row: AttemptRow) -> str:
    return row.source.place or _name(row.key)


def _run_ids(_declared_n: Count, counts: Tallies, terms: Terms) -> Iterable[Defect]:
    ids = counts.run_ids
    if len(ids) > 1:
        yield Defect(kind="several_run_ids", where=terms.origin, what=f"rows of {len(ids)} runs: {', '.join(ids)}")


def _strata(declared_n: Count, counts: Tallies, terms: Terms) -> Iterable[Defect]:
    if not terms.strata or isinstance(declared_n, NotMeasured):
        return
    total = sum(size for _, size in terms.strata)
    if total != declared_n:
        what = f"strata sum to {total}, declared are {declared_n}"
        yield Defect(kind="strata_do_not_sum", where=terms.origin, what=what)
    sizes = dict(terms.strata)
    for name, draws in sorted(counts.strata.items()):
        if draws > sizes.get(name, 0):
            what = f"stratum {name or '(none)'} holds {draws} draws, declared are {sizes.get(name, 0)}"
            yield Defect(kind="strata_do_not_sum", where=terms.origin, what=what)


def _retries(ledger: Ledger, terms: Terms) -> Iterable[Defect]:
    for row in distinct_rows(ledger.rows):
        if undeclared_retry(row, terms):
            what = f"{_name(row.key)} is a retry that nobody declared"
            yield Defect(kind="undeclared_retries", where=_place(row), what=what, keys=(row.key.task_id,))


def undeclared_retry(row: AttemptRow, terms: Terms) -> bool:
    """Is it an attempt after the first that the terms do not allow?"""
    if row.key.attempt <= 1:
        return False
    beyond = terms.attempts > 0 and row.key.attempt > terms.attempts and row.cause != "rerun"
    unpromised = row.source.kind == "own" and row.cause == "plan"
    return not terms.retry_declared or beyond or unpromised


def excluded(row: AttemptRow) -> bool:
    """Was it excluded after the lock?"""
    return row.extra.get("excluded_after_lock", "").lower() == "true"


def _exclusions(ledger: Ledger, _terms: Terms) -> Iterable[Defect]:
    for row in distinct_rows(ledger.rows):
        if excluded(row):
            what = f"{_name(row.key)} was excluded after the lock"
            yield Defect(kind="post_lock_exclusion", where=_place(row), what=what, keys=(row.key.task_id,))


COUNTS: tuple[Callable[[Count, Tallies, Terms], Iterable[Defect]], ...] = (_sizes, _promised_twice, _run_ids, _strata)
CHECKS: tuple[Callable[[Ledger, Terms], Iterable[Defect]], ...] = (_repeats, _foreign, _retries, _exclusions)
