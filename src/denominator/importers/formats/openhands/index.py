"""Tables of the index of OpenHands: {id: {resolved, cost}} of one benchmark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from decimal import Decimal

from denominator.errors import InputError
from denominator.importers.agentruns import lacking, last_of
from denominator.importers.foreign import at, foreign_row, pointed, readable_id, undeclared
from denominator.importers.formats.openhands.endings import NOT_SCORED, SCORED, UNKNOWN
from denominator.importers.formats.openhands.folder import SCORES, Folder
from denominator.importers.formats.openhands.lines import SOURCE
from denominator.readers.trajectories.plain import dollars, objects
from denominator.records.facts import OwnAccount
from denominator.records.foreign import ForeignRow, ForeignRun, Published, Told
from denominator.wire.sources import Source, loose_json

NAME = "openhands"
NO_PLAN = "a table of the index holds the ids that have a result, not those that were scheduled"
ROLES = {"score": ("rate", "percent"), "cost_per_instance": ("cost", "count")}


def index_run(files: Source, name: str, folder: Folder) -> ForeignRun:
    """One table of the index. InputError: it is none."""
    found = loose_json(files.read(folder.table), folder.table)
    if not isinstance(found, dict):
        raise InputError("is no table of id and result", where=folder.table)
    told = Told(files={folder.table: "rows"})
    document: dict[str, object] = {"run_id": name, "harness_name": "OpenHands benchmarks"}
    benchmark = last_of(folder.table).removesuffix(".json")
    document["dataset"] = {"name": benchmark}
    _scores(files, folder, benchmark, document, told)
    unknown: dict[str, str] = {}
    lacking(document, unknown, {})
    return ForeignRun(
        name=name, arm=name, document=document, told=told, unknown=unknown, rows=_rows(name, folder.table, found, told),
        declared=undeclared(name, NO_PLAN), version="index",
    )  # fmt: skip


def _scores(files: Source, folder: Folder, benchmark: str, document: dict[str, object], told: Told) -> None:
    name = folder.of(SCORES)
    if not name:
        return
    told.files[name] = "scores as published"
    try:
        listed = objects(loose_json(files.read(name), name))
    except InputError as error:
        told.say("broken_file", name, error.what, blocks=False)
        return
    for number, one in enumerate(listed):
        if one.get("benchmark") != benchmark:
            continue
        if isinstance(version := one.get("agent_version"), str):
            document["agent_version"] = version
        for key, (role, unit) in ROLES.items():
            if isinstance(value := one.get(key), int | Decimal) and not isinstance(value, bool):
                metric = str(one.get("metric") or key)[:80] if key == "score" else key
                where = f"{name}#{pointed(number, key)}"
                told.published.append(Published(metric=metric, value=str(value), unit=unit, role=role, where=where))


def _rows(run: str, file: str, table: Mapping[str, object], told: Told) -> Iterator[ForeignRow]:
    unknown = []
    for instance, value in table.items():
        where = at(file, pointed(instance), element={instance: value})
        if not (task := readable_id(told, where.file, instance)):
            continue
        one = value if isinstance(value, dict) else {}
        resolved = one.get("resolved")
        ending = {True: SCORED, False: NOT_SCORED}.get(resolved) if isinstance(resolved, bool) else UNKNOWN
        if ending is UNKNOWN and (resolved is not None or not isinstance(value, dict)):
            told.say("unknown_outcome", where.file, f"{task}: {str(resolved)[:40]!r} is neither true nor false", task)
        elif ending is UNKNOWN:
            unknown.append(task)
        account = OwnAccount(source=SOURCE, cost=dollars(one.get("cost")))
        yield foreign_row(run, ending, task, importer=NAME, source=where, numbered=False, own_account=account)
    if unknown:
        what = f"{len(unknown)} ids have resolved null: nobody knows how they ended"
        told.say("unknown_outcome", file, what, *unknown[:20])
