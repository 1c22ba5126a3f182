"""One file, one run: rows of another run or arm are never mixed in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from denominator.errors import InputError
from denominator.importers.files import basename
from denominator.importers.raw import RawRow
from denominator.importers.values import scalar_text
from denominator.records.rows import Defect


class SeveralArmsError(InputError):
    """Rows of several arms in one file: `arms` are their names in the order of the rows."""

    arms: tuple[str, ...] = ()


def one_arm(rows: Sequence[RawRow]) -> None:
    """Refuse rows of several arms: which one is meant is for a person to say."""
    named = dict.fromkeys(scalar_text(row.value["arm"]) for row in rows if row.value.get("arm") is not None)
    arms = sorted(named)
    if len(arms) > 1:
        error = SeveralArmsError(
            f"the rows belong to {len(arms)} arms: {', '.join(arms[:10])}",
            where=rows[0].file,
            fix=f"choose one: --where arm={arms[0]}",
        )
        error.arms = tuple(named)
        raise error


def one_run(rows: Sequence[RawRow], stated: str | None) -> tuple[str, tuple[RawRow, ...], list[Defect]]:
    """The run id, its rows, and a block that names every row of another run."""
    ids = Counter(found for row in rows if isinstance(found := row.value.get("run_id"), str) and found)
    run_id = stated or (ids.most_common(1)[0][0] if ids else "")
    foreign = [row for row in rows if row.value.get("run_id") not in (None, "", run_id) and ids]
    foreign = [row for row in foreign if isinstance(row.value.get("run_id"), str)]
    if not foreign:
        return run_id or _unnamed(rows), tuple(rows), []
    told = ", ".join(f"{one} ({count} rows)" for one, count in sorted(ids.items()))
    lines = ", ".join(row.where for row in foreign[:20])
    tasks = tuple(sorted({scalar_text(row.value.get("task_id")) for row in foreign}))
    what = f"the run is {run_id}, but the file holds {told}; foreign rows: {lines}"
    kept = tuple(row for row in rows if row not in foreign)
    return run_id, kept, [Defect(kind="several_run_ids", where=foreign[0].where, what=what, keys=tasks)]


def _unnamed(rows: Sequence[RawRow]) -> str:
    return basename(rows[0].file).rsplit(".", 1)[0] if rows else "no rows"


def number_runs(rows: Sequence[RawRow]) -> tuple[RawRow, ...]:
    """Files of one row each: every file is a run of one task; runs of the same task are its repeats, by file name."""
    counted: Counter[str] = Counter()
    numbered = []
    for row in rows:
        task = scalar_text(row.value.get("task_id"))
        counted[task] += 1
        numbered.append(row.with_values(repeat=counted[task]) if "repeat" not in row.value else row)
    return tuple(numbered)
