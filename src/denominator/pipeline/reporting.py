"""`report`: everything a stranger needs beside the number, gathered into one record; the page is made of that alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain, zip_longest
from pathlib import Path

from denominator.compare.tallies import MARKS
from denominator.errors import InputError
from denominator.gate import RULES
from denominator.labels import explain_row, imported_of
from denominator.pipeline.companions import own_companions
from denominator.pipeline.excerpts import excerpts_of, quiet
from denominator.pipeline.labelling import as_rules, rows_of
from denominator.pipeline.results import Result
from denominator.pipeline.world import OpenRun
from denominator.publish.html.card import card_html
from denominator.publish.html.comparison import comparison_html
from denominator.records.companions import Companions
from denominator.records.comparisons import Comparison
from denominator.records.judgements import Judged
from denominator.records.labelled import LabelledRow
from denominator.records.reports import GatePage, Marks, PairMarks, Report, RunFacts, Story, Untold
from denominator.records.rows import AttemptRow
from denominator.records.values import NotMeasured
from denominator.wire.durable import write_file
from denominator.wire.secrets import NONE as NO_SECRETS
from denominator.wire.secrets import Secrets

MOST = 600
"""Stories of one page: more cannot be read, and would not fit."""
NAMED = 30
HIDDEN = NotMeasured("hidden: a control is violated")
PASS_OR_FAIL = ("pass", "fail")


@dataclass(frozen=True, slots=True)
class Written:
    """A page that was written: where, its sha256, and its size in bytes."""

    path: Path
    sha256: str
    size: int


def report_of(name: str, result: Result, run: OpenRun | None = None, beside: Companions | None = None) -> Report:
    """The report of one judged result. With `run` its blobs are read for what attempts left; an import has none.

    `beside` is what was gathered beside it; without it only what the result itself knows.
    """
    judged = result.judged
    rows = rows_of(result)
    wanted = [row for row in rows if _is_told(row)]
    shown = [row for row in wanted if not _tells_split(row, judged)]
    told, rest = chosen(shown)
    untold = untold_rows(rest) if result.ledger.rows else untold_draws(judged)
    merged = sum(_tells_split(row, judged) for row in rows) if judged.split_hidden else 0
    return Report(
        card=result.card,
        name=name,
        marks=HIDDEN if judged.split_hidden else marks_of(judged),
        beside=beside or own_companions(name, result),
        facts=facts_of(judged),
        pages=tuple(GatePage(code=one.entry.code, name=one.entry.name, text=one.entry.doc) for one in RULES),
        waivers=judged.sheet.terms.allow,
        stories=tuple(_stories(told, result, run)),
        untold=untold,
        hidden=merged,
        quoted="" if run is not None else "this is an import: what its attempts left is where its rows came from",
    )


def _is_told(row: LabelledRow) -> bool:
    """Did an attempt end otherwise than it should? What never began has no story."""
    if row.control:
        return row.control_state not in ("", "held")
    return bool(row.labels) and row.outcome != "pass"


def _tells_split(row: LabelledRow, judged: Judged) -> bool:
    """Would showing this row help to tell passes from fails where nobody may?"""
    return judged.split_hidden and not row.control and row.outcome in PASS_OR_FAIL


def chosen(rows: Sequence[LabelledRow], most: int = MOST) -> tuple[list[LabelledRow], list[LabelledRow]]:
    """Rows that get a story, and the others: broken controls first, then every kind of ending in turn."""
    kinds: dict[str, list[LabelledRow]] = {}
    for row in rows:
        kinds.setdefault("" if row.control else kind_of(row), []).append(row)
    controls = kinds.pop("", [])
    turns = chain.from_iterable(zip_longest(*(kinds[kind] for kind in sorted(kinds))))
    ordered = [*controls, *(row for row in turns if row is not None)]
    return sorted(ordered[:most], key=_place), ordered[most:]


def kind_of(row: LabelledRow) -> str:
    """How an attempt ended, in the words of its labels."""
    return " ".join(one for one in (row.outcome or "unknown", row.origin, row.mix or row.reason) if one)


def _place(row: LabelledRow) -> tuple[bool, str, int, int]:
    return not row.control, row.task_id, row.repeat, row.attempt


def untold_rows(rows: Iterable[LabelledRow]) -> tuple[Untold, ...]:
    """The other rows by kind."""
    return _by_kind((kind_of(row), f"{row.task_id} r{row.repeat} a{row.attempt}") for row in rows)


def untold_draws(judged: Judged) -> tuple[Untold, ...]:
    """The same of a ledger that holds no rows one by one."""
    hidden = PASS_OR_FAIL if judged.split_hidden else ("pass",)
    found = judged.sheet.placed(lambda draw: draw.row is not None and draw.exit not in hidden)
    return _by_kind(
        (" ".join(one for one in (draw.exit, draw.origin, draw.mix or draw.reason) if one), f"{task} r{repeat}")
        for task, repeat, draw in found
    )


def _by_kind(pairs: Iterable[tuple[str, str]]) -> tuple[Untold, ...]:
    counts: Counter[str] = Counter()
    names: dict[str, list[str]] = {}
    for kind, name in pairs:
        counts[kind] += 1
        if len(some := names.setdefault(kind, [])) < NAMED:
            some.append(name)
    return tuple(Untold(kind=kind, count=counts[kind], names=tuple(names[kind])) for kind in sorted(counts))


def marks_of(judged: Judged) -> Marks:
    """How each declared draw of the solvable slice ended, by task."""
    found: dict[str, list[tuple[int, str]]] = {}
    for task, repeat, draw in judged.sheet.placed(lambda _: True):
        found.setdefault(task, []).append((repeat, MARKS.get(draw.exit, "U")))
    return tuple((task, "".join(mark for _, mark in sorted(found[task]))) for task in sorted(found))


def facts_of(judged: Judged) -> RunFacts:
    """Counted over rows of all slices."""
    rows = [(row, many) for row, many in judged.sheet.rows()]
    return RunFacts(
        attempts=sum(many for _, many in rows),
        started=sum(many for row, many in rows if row.started),
        closed=sum(many for row, many in rows if row.closed),
        carried_on=sum(many for row, many in rows if row.incarnations > 1),
        further=sum(many for row, many in rows if row.key.attempt > 1),
        run_cap_cut=sum(many for row, many in rows if row.run_cap_cut),
        defects=tuple(sorted(Counter(one.kind for one in judged.defects).items())),
    )


def _stories(told: Iterable[LabelledRow], result: Result, run: OpenRun | None) -> Iterable[Story]:
    by_key = {row.key: row for row in result.ledger.rows}
    places = {(row.key.task_id, row.key.repeat, row.key.attempt): row for row in by_key.values()}
    imported = imported_of(result.ledger.labels)
    for shown in told:
        row = places[(shown.task_id, shown.repeat, shown.attempt)]
        tried = tuple(as_rules(explain_row(row, result.terms, imported.get(row.key, {}))))
        left = excerpts_of(run, row.key, _size(row)) if run is not None else ()
        yield Story(row=quieted(shown, run.secrets if run is not None else NO_SECRETS), tried=tried, excerpts=left)


def quieted(row: LabelledRow, secrets: Secrets = NO_SECRETS) -> LabelledRow:
    """The row with what its labels quote as excerpts are: no secrets, no names of home folders."""
    labels = tuple(
        replace(
            one,
            why=quiet(one.why, secrets),
            evidence=tuple(replace(shown, quote=quiet(shown.quote, secrets)) for shown in one.evidence),
        )
        for one in row.labels
    )
    return replace(row, why=quiet(row.why, secrets), labels=labels)


def _size(row: AttemptRow) -> int:
    patch = row.patch
    return patch.bytes if not isinstance(patch, NotMeasured) and isinstance(patch.bytes, int) else 0


def pair_marks(found: Comparison, a: Result, b: Result) -> PairMarks:
    """Marks of both arms, only where the comparison itself sets their tasks side by side."""
    if not found.table or a.judged.split_hidden or b.judged.split_hidden:
        return PairMarks()
    left, right = dict(marks_of(a.judged)), dict(marks_of(b.judged))
    names = [one.task_id for one in found.table if one.task_id in left and one.task_id in right]
    return PairMarks(rows=tuple((name, left[name], right[name]) for name in names))


def write_report(path: Path, report: Report, *, again: bool = False) -> Written:
    """Writes the page of a run, whole or not at all."""
    return _write(path, card_html(report), again)


def write_comparison(path: Path, found: Comparison, marks: PairMarks, *, again: bool = False) -> Written:
    """Writes the page of a comparison, whole or not at all."""
    return _write(path, comparison_html(found, marks), again)


def _write(path: Path, page: str, again: bool) -> Written:
    """InputError for a file that is there already, or no folder."""
    if not again and path.exists():
        raise InputError("the file is there already", where=str(path), fix="name a new one; nothing was written")
    if not path.parent.is_dir():
        raise InputError("there is no such folder", where=str(path.parent), fix="make it, or name another one")
    data = page.encode()
    write_file(path, data)
    return Written(path, sha256(data).hexdigest(), len(data))
