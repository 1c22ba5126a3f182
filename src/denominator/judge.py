"""fold -> labels -> metrics -> gate, pure: the same rows and terms give the same bytes on any machine."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, repeat
from json.encoder import encode_basestring
from operator import add, getitem

from denominator.gate import RULES as GATE_RULES
from denominator.gate import Rule as GateRule
from denominator.gate import (
    check_all,
    hidden_of,
    holds_of,
    make_verdict,
    printable,
    quiet_terms,
    undigested,
    withheld_of,
)
from denominator.labels import FAMILIES, Family, Rule, Said, imported_of, label_row, label_rows
from denominator.labels.shape import Ending
from denominator.ledger.audit import audit, distinct_rows
from denominator.ledger.counting import declared_total, judged_draws, unnamed_draws
from denominator.ledger.table import Drawn, Kind
from denominator.metrics import METRICS, measure_all
from denominator.metrics.seeds import compare_seeds
from denominator.records.cards import ControlLine
from denominator.records.columns import parted
from denominator.records.draws import Draws, DrawTable, placed
from denominator.records.estimates import Estimate
from denominator.records.grouped import tabled
from denominator.records.judgements import NEVER_STARTED, Judged, JudgedDraw, Sheet
from denominator.records.keys import AttemptKey
from denominator.records.labels import Label
from denominator.records.rows import AttemptRow, Ledger
from denominator.records.seals import Terms
from denominator.records.source_said import said_in
from denominator.records.words import Axis
from denominator.review.deciding import PEOPLE, Relabel, Ruling, by_person, label_id, with_people

PERFORMANCE = frozenset(metric.entry.name for metric in METRICS if metric.performance)
TELLING = frozenset(metric.entry.name for metric in METRICS if metric.telling)
CHUNK = 8192
RUN_CONTROL = "run:"
BY_PEOPLE = "people decided it"
ENDING_AXES = (Axis.OUTCOME, Axis.ORIGIN, Axis.REASON)


def judge(ledger: Ledger, terms: Terms, house: Sequence[GateRule] = ()) -> Judged:
    """Judge a ledger under its terms. The ledger may hold foreign rows; nothing is read but the arguments.

    `house` are gate rules of the house (`gate.house.admitted`), which can only add findings.
    """
    return judge_sheet(make_sheet(ledger, terms), house)


def judge_sheet(sheet: Sheet, house: Sequence[GateRule] = ()) -> Judged:
    """Metrics, gate and verdict over a sheet that was made of a whole ledger, or of one that is held by kind."""
    rules, terms = (*GATE_RULES, *house), sheet.terms
    sheet = replace(sheet, estimates=_measured(sheet))
    findings = check_all(sheet, rules, PERFORMANCE)
    holds = holds_of(findings, rules)
    withheld = withheld_of(sheet.estimates, PERFORMANCE, holds.over_ceiling)
    shown = printable(sheet.estimates, withheld, holds.blockers, holds.value_hiders, TELLING)
    hidden = hidden_of(sheet.estimates, shown)
    sheet = replace(sheet, terms=quiet_terms(terms, hidden, holds.split_hidden))
    return Judged(
        sheet=sheet,
        labels=sheet.labels,
        estimates=undigested(shown) if holds.split_hidden else shown,
        findings=findings,
        verdict=make_verdict(sheet, findings, holds, rules, withheld),
        controls=sheet.controls,
        defects=sheet.defects,
        split_hidden=holds.split_hidden,
    )


def make_sheet(ledger: Ledger, terms: Terms) -> Sheet:
    """Labels, exits, controls and defects: everything that metrics and gate rules read."""
    given = sorted(ledger.labels, key=_place)
    sources = [label for label in given if not by_person(label) and not _of_run(label)]
    rows = distinct_rows(ledger.rows)
    ruled = label_rows(rows, terms, sources)
    derived, people = with_people(rows, ruled, given, _again(terms, sources), terms.house_reasons)
    draws = judged_draws(ledger, derived)
    return Sheet(
        seeds=compare_seeds(placed(draws, lambda draw: draw.slice == "solvable")),
        ledger=ledger,
        terms=terms,
        draws=draws,
        declared_n=declared_total(ledger),
        unnamed=unnamed_draws(ledger, draws),
        labels=(*derived, *given),
        controls=(*_task_controls(draws, derived), *_run_controls(given)),
        defects=audit(ledger, terms),
        people=people,
    )


def label_kind(row: AttemptRow, terms: Terms) -> tuple[Label, ...]:
    """What the rules say of every row that this one stands for."""
    return label_row(row, terms, said_in(row)) if row.started else ()


def table_sheet(ledger: Ledger, terms: Terms, drawn: Drawn, kinds: Sequence[Kind], suspects: Ledger) -> Sheet:
    """The sheet of a ledger that is held by kind; `suspects` holds only rows that may be a defect by themselves.

    Such a ledger has no labels of people; those of its source stand inside its rows.
    """
    draws = drawn.draws
    return Sheet(
        seeds=compare_seeds(placed(draws, lambda draw: draw.slice == "solvable")),
        ledger=ledger,
        terms=terms,
        draws=draws,
        declared_n=declared_total(ledger),
        unnamed=unnamed_draws(ledger, draws),
        labels=drawn.unknown,
        controls=tuple(_kind_controls(draws, {id(kind.row): kind.labels for kind in kinds})),
        defects=audit(suspects, terms, drawn.tallies),
        like_rows=drawn.alike,
    )


def _kind_controls(draws: Draws, labels: Mapping[int, Sequence[Label]]) -> Iterable[ControlLine]:
    for task, _, draw in placed(draws, lambda one: bool(one.control)):
        said = [label for label in labels.get(id(draw.row), ()) if label.axis == "control"]
        yield _control_line(task, draw, said[-1] if said else None)


def _again(terms: Terms, sources: Iterable[Label]) -> Relabel:
    """Judging one row again where people have the last word on some axes: what follows from them is the rules' own."""
    by_key = imported_of(sources)

    def relabel(row: AttemptRow, ruling: Ruling) -> Iterable[Label]:
        families = [_ruled(family, ruling) for family in FAMILIES]
        return label_row(row, terms, by_key.get(row.key, {}), families)

    return relabel


def _ruled(family: Family, ruling: Ruling) -> Family:
    """A family of rules whose answer people gave."""
    axes = (family.axis,) if family.axis in {*Axis} else ENDING_AXES
    if not any(axis in ruling.changed for axis in axes):
        return family
    outcome, *rest = (ruling.stands.get(axis, "") for axis in axes)
    said = Ending(outcome, rest[0], BY_PEOPLE, reason=rest[1]) if rest else Said(outcome, BY_PEOPLE)
    return replace(family, rules=(Rule(PEOPLE, family.axis, lambda _view: said),))


def _place(label: Label) -> tuple[AttemptKey, str, str, str, str]:
    return label.key, label.axis, label.by, label.value, label_id(label) if by_person(label) else ""


def _of_run(label: Label) -> bool:
    return label.key.task_id.startswith(RUN_CONTROL)


def _task_controls(draws: Iterable[JudgedDraw], labels: Iterable[Label]) -> Iterable[ControlLine]:
    said = {label.key: label for label in labels if label.axis == "control"}
    for draw in draws:
        if draw.control:
            yield _control_line(draw.draw.task_id, draw, said.get(draw.row.key) if draw.row is not None else None)


def _control_line(task: str, draw: JudgedDraw, label: Label | None) -> ControlLine:
    if label is None:
        why = "it never started" if draw.exit == NEVER_STARTED else "it was not judged"
        return ControlLine(name=draw.control, task_id=task, state="inconclusive", why=why)
    return ControlLine(name=draw.control, task_id=task, state=label.value, why=label.why)


def _run_controls(given: Iterable[Label]) -> Iterable[ControlLine]:
    """Controls of the whole run: one violation stays one; otherwise the last result is the state."""
    of_control: dict[str, list[Label]] = {}
    for label in sorted((one for one in given if one.axis == "control" and _of_run(one)), key=_seq):
        of_control.setdefault(label.key.task_id, []).append(label)
    for task_id, labels in sorted(of_control.items()):
        label = next((one for one in labels if one.value == "violated"), labels[-1])
        yield ControlLine(name=task_id.removeprefix(RUN_CONTROL), task_id="", state=label.value, why=label.why)


def _seq(label: Label) -> tuple[int, str]:
    ref = label.evidence[0].ref if label.evidence else ""
    return (int(ref) if ref.isdecimal() else 0, label.value)


def _measured(sheet: Sheet) -> tuple[Estimate, ...]:
    digest = rows_digest(sheet.draws)
    return tuple(replace(estimate, rows_digest=digest) for estimate in measure_all(sheet))


def rows_digest(draws: Draws) -> str:
    """sha256 of the exits that the numbers were made from, as JSON: task, repeat, slice, attempt, exit, origin of each."""
    digest, texts = hashlib.sha256(b"["), _exits(draws)
    digest.update(next(texts, "")[1:].encode("utf-8", "surrogatepass"))
    while some := "".join(islice(texts, CHUNK)):
        digest.update(some.encode("utf-8", "surrogatepass"))
    digest.update(b"]")
    return digest.hexdigest()


def _exits(draws: Draws) -> Iterator[str]:
    """The parts of draws, each behind a comma; what is the same in many is made once, and no draw of a table has an object of
    its own: what stands before all draws of a task is what their other parts are joined by."""
    if isinstance(draws, DrawTable):
        every, rest = tabled(draws), _rests(draws)
        names = map(",[{},".format, map(encode_basestring, every.all_names()))
        parts = zip(*repeat(rest, every.even), strict=True) if every.even else parted(rest, every.sizes)
        return map(str.join, names, map(chain, repeat(("",)), parts))
    return (
        f",[{encode_basestring(task)},{repeat},{_end(draw)}" for task, repeat, draw in placed(draws, lambda _: True)
    )


def _rests(draws: DrawTable) -> Iterator[str]:
    """What follows the task of each draw."""
    repeats, kinds = set(draws.repeat), list(map(_end, draws.kinds))
    if len(repeats) * len(kinds) <= len(draws):
        every = {number: [f"{number},{end}" for end in kinds] for number in repeats}
        return map(getitem, map(every.__getitem__, draws.repeat), draws.kind)
    befores = {number: f"{number}," for number in repeats}
    return map(add, map(befores.__getitem__, draws.repeat), map(kinds.__getitem__, draws.kind))


def _end(draw: JudgedDraw) -> str:
    slice_, exit_, origin = map(encode_basestring, (draw.slice, draw.exit, draw.origin))
    return f"{slice_},{draw.row.key.attempt if draw.row else 0},{exit_},{origin}]"
