"""Two or more sides -> comparability -> the comparison: whatever was typed, every side is judged by its own gate first."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from denominator.compare.comparable import comparable
from denominator.compare.families import several
from denominator.compare.ladder import REACHED_BY
from denominator.compare.pair import COMPARABLE, compare_sides
from denominator.errors import Exit, InputError
from denominator.importers.baselines import Baseline
from denominator.importers.files import Parsed, parse
from denominator.importers.manifest import read_documents
from denominator.importers.terms import terms_of
from denominator.pipeline.asking import refuse_twice, refuse_unknown_fields
from denominator.pipeline.results import Result, judge_ledger, unfinished
from denominator.pipeline.sides import rows_result, side_names, side_of
from denominator.records.comparisons import Comparability, Comparison, Grid, Side
from denominator.records.rows import Declared, Ledger
from denominator.records.values import NotMeasured
from denominator.records.words import Rung
from denominator.wire.bounded import read_bytes

MANIFEST_BYTES = 1 << 24
NO_ROWS = NotMeasured("only a manifest was given")
SHORT = {
    "counts": Rung.COUNTS,
    "directional": Rung.DIRECTIONAL,
    "on_this_pack": Rung.ON_THIS_PACK,
    "tasks_like_these": Rung.TASKS_LIKE_THESE,
    "not_worse": Rung.NOT_WORSE,
    "equivalent": Rung.EQUIVALENT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked of the sides: fields named as treatment, a reason to take conditions as equal, the number compared."""

    treatment: tuple[str, ...] = ()
    equal_because: str = ""
    number: str = "rate"
    looks: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A comparison of two sides, or the grid of several; `exit` is the worst of it and of runs that are still open."""

    comparison: Comparison | None
    grid: Grid | None
    exit: Exit


def compare_results(named: Sequence[tuple[str, Result]], asked: Asked) -> Compared:
    """Compare sides in the order given. Two give a comparison, more a grid."""
    if len(named) < 2:
        raise InputError(
            "a comparison needs two sides", where="compare", fix="denominator compare A B, or --a FILE --b FILE"
        )
    refuse_twice(named, "compare")
    refuse_unknown_fields(named, asked.treatment)
    results, taken = _scheduled([result for _, result in named])
    names = _names(results, [name for name, _ in named])
    sides = [side_of(name, result) for name, result in zip(names, results, strict=True)]
    late = unfinished(*results)
    if len(sides) > 2:
        grid = replace(several(sides, lambda a, b: _comparable(a, b, asked), asked.looks), notes=taken)
        return Compared(comparison=None, grid=grid, exit=Exit.worst([grid.exit, *late]))
    found = _comparable(sides[0], sides[1], asked)
    made = compare_sides(sides[0], sides[1], found, looks=asked.looks, unfit=_unfit(sides[0], sides[1], found, asked))
    made = replace(made, notes=(*made.notes, *taken))
    return Compared(comparison=made, grid=None, exit=Exit.worst([made.verdict.exit, *late]))


def _comparable(a: Side, b: Side, asked: Asked, number: str = "") -> Comparability:
    found = comparable(a, b, asked.treatment or None, asked.equal_because, number or asked.number)
    return found if a.rows == b.rows else _conditions_alone(found)


TASK_SETS = "task sets differ"
ROWS_ONLY = "limits_enforced."


def _conditions_alone(found: Comparability) -> Comparability:
    """Rows on one side against a manifest on the other: tasks, and what only rows can say, differ by that alone."""
    fields = tuple(one for one in found.fields if not (one.name.startswith(ROWS_ONLY) and one.verdict == "unknown"))
    gone = {one.name for one in found.fields} - {one.name for one in fields}
    reasons = tuple(
        one
        for one in found.reasons
        if not one.startswith(TASK_SETS) and not (gone and one.startswith("unknown in ") and ROWS_ONLY in one)
    )
    status = found.status if reasons else COMPARABLE
    return replace(found, status=status, fields=fields, reasons=reasons, only_a=(), only_b=())


def _unfit(a: Side, b: Side, found: Comparability, asked: Asked) -> dict[str, str]:
    """Why spend and times are not comparable where pass rates are: a difference in conditions that moves only these."""
    if found.status != COMPARABLE:
        return {}
    unfit = {}
    for number in ("spend", "time"):
        more = _comparable(a, b, asked, number).reasons
        if more:
            unfit[number] = "; ".join(more)
    return unfit


def met(rung: str, required: str) -> bool:
    """Does a rung answer what was required? A difference that is established says nothing of a margin."""
    return rung in REACHED_BY[required_rung(required)]


def required_rung(word: str) -> Rung:
    """A rung by its word, or by its short form."""
    if word in SHORT:
        return SHORT[word]
    if word in set(REACHED_BY):
        return Rung(word)
    raise InputError(f"{word!r} is no rung of comparisons", where="--require", fix=f"one of: {', '.join(SHORT)}")


def read_side(
    paths: Sequence[Path], column_map: Path | None, where: Sequence[str], declared: str
) -> tuple[Result, tuple[str, ...]]:
    """The files of one side as one judged run, with the lines of the import's report; a manifest alone has no rows."""
    if not declared and not where and column_map is None and (bare := _manifest_only(paths)):
        return bare, ()
    report, result = rows_result(paths, column_map, where, declared)
    return result, tuple(report.lines())


def _manifest_only(paths: Sequence[Path]) -> Result | None:
    """The conditions that manifests state, where no file holds a row."""
    if not all(path.is_file() and path.suffix == ".json" for path in paths):
        return None
    read = [(path.name, read_bytes(path, MANIFEST_BYTES)) for path in sorted(paths)]
    parsed = [parse(name, data) for name, data in read]
    documents = [one for one in parsed if isinstance(one, Parsed) and one.document and not one.rows and not one.defects]
    if len(documents) < len(read):
        return None
    stated = read_documents([(one.name, "manifest", one.document) for one in documents])
    ledger = Ledger(
        run_id=stated.run_id or documents[0].stem,
        source="import",
        declared=NO_ROWS,
        declared_n=NO_ROWS,
        rows=(),
        defects=tuple(stated.defects),
        shape="manifest",
    )
    digests = {name: hashlib.sha256(data).hexdigest() for name, data in read}
    return judge_ledger(ledger, terms_of(stated, ledger, digests, Baseline()))


def _scheduled(results: Sequence[Result]) -> tuple[list[Result], tuple[str, ...]]:
    """Sides that nobody declared draws for, where all sides hold the very same draws: those are taken as declared.

    A draw that every side lost alike cannot be seen; that is said, and silence of a manifest establishes nothing. Where
    the draws differ nothing is taken: what is missing is an exit to explain first.
    """
    silent = [_is_silent(result) for result in results]
    draws = [{draw.draw: draw for draw in result.judged.sheet.draws} for result in results]
    if not any(silent) or not draws[0] or any(one.keys() != draws[0].keys() for one in draws):
        return list(results), ()
    found = tuple(
        Declared(draw=key, slice=draw.slice, control=draw.control, stratum=draw.stratum)
        for key, draw in sorted(draws[0].items())
    )
    made = [_with(result, found) if quiet else result for result, quiet in zip(results, silent, strict=True)]
    note = f"what was scheduled is not stated: the {len(found)} draws that all sides hold are taken as declared"
    return made, (note,)


def _is_silent(result: Result) -> bool:
    ledger = result.ledger
    unknown = isinstance(ledger.declared, NotMeasured) and isinstance(ledger.declared_n, NotMeasured)
    return ledger.source == "import" and bool(ledger.rows) and unknown


def _with(result: Result, declared: tuple[Declared, ...]) -> Result:
    ledger = replace(result.ledger, declared=declared, declared_n=len(declared))
    return judge_ledger(ledger, result.terms)


def _names(results: Sequence[Result], asked: Sequence[str]) -> tuple[str, ...]:
    """What to call the sides: by arm, else by run id, else as typed; two of one name get a number."""
    if len(results) == 2:
        return side_names(results[0], results[1], (asked[0], asked[1]))
    for listed in ([one.terms.arm for one in results], [one.ledger.run_id for one in results], list(asked)):
        if all(listed) and len(set(listed)) == len(listed):
            return tuple(listed)
    return tuple(f"{name} ({number})" for number, name in enumerate(asked, 1))
