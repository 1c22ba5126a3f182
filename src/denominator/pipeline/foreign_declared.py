"""`--declare FILE`: what a person knows about a foreign run beside its format. Every mistake in one pass, with its line."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from denominator.errors import InputError, Problem
from denominator.importers.manifest import read_documents
from denominator.importers.sections import SAID
from denominator.pipeline.declared_words import misspelt
from denominator.records.rows import Defect
from denominator.records.values import is_placeholder
from denominator.wire.bounded import read_text
from denominator.wire.canonical import sha256_bytes
from denominator.wire.names import id_problem
from denominator.wire.texts import DecimalNumber
from denominator.wire.toml import toml_values
from denominator.wire.toml_lines import lines_of

IDS_FILE = "task_ids_file"
IDS_BYTES = 256 << 20


@dataclass(frozen=True, slots=True)
class Subset:
    """Ids that a person chose after the run: another data set, under a name of its own, with the reason why these."""

    name: str
    why: str
    ids: frozenset[str]

    @property
    def title(self) -> str:
        """What every sentence calls it."""
        return f"{self.name} (ids chosen afterwards: {self.why})"


@dataclass(frozen=True, slots=True)
class Declaring:
    """A read file of `--declare`: its name, the manifest in it, a subset of ids, and the digests of what was read."""

    name: str
    document: Mapping[str, object]
    digests: Mapping[str, str]
    subset: Subset | None = None


def read_declared(path: Path | None) -> Declaring | None:
    """What a person declares. InputError names every line that cannot be used."""
    if path is None:
        return None
    text = read_text(path)
    document = {key: _plain(value) for key, value in toml_values(text, str(path)).items()}
    digests = {path.name: sha256_bytes(text.encode())}
    found = list(misspelt(document))
    found += _with_ids(path, document, digests)
    subset = _subset(document, found)
    problems = _problems(
        path, text, found, document if subset is None else {**document, "task_ids": sorted(subset.ids)}
    )
    if problems:
        raise InputError("the declared conditions cannot be used", where=str(path), problems=problems)
    return Declaring(path.name, document, digests, subset)


def _subset(document: dict[str, Any], found: list[Problem]) -> Subset | None:
    """The table `[subset]`, taken out of the document; ids that are declared otherwise contradict it."""
    table = document.pop("subset", None)
    if table is None:
        return None
    told = table if isinstance(table, dict) else {}
    name, why, ids = (told.get(key) for key in ("name", "why", "task_ids"))
    for key, value in (("name", name), ("why", why)):
        if not isinstance(value, str) or is_placeholder(value):
            found.append(Problem(f"subset.{key}", "is missing", "say which ids these are, and why these"))
    if not isinstance(ids, list) or not ids or not all(isinstance(one, str) for one in ids):
        found.append(Problem("subset.task_ids", "is no list of ids", "task_ids, or task_ids_file beside this file"))
        ids = []
    if not _plans_nothing(document):
        found.append(Problem("subset", "stands beside other declared ids or numbers of tasks", "keep one of the two"))
    return Subset(str(name), str(why), frozenset(one for one in ids if isinstance(one, str)))


def _plans_nothing(document: Mapping[str, Any]) -> bool:
    dataset = document.get("dataset")
    tables = (document, dataset if isinstance(dataset, dict) else {})
    return not any(key in table for table in tables for key in ("task_ids", "task_count"))


def _with_ids(path: Path, document: dict[str, Any], digests: dict[str, str]) -> list[Problem]:
    """Put the ids of `task_ids_file` (one a line, `#` begins a remark) in the place of its name."""
    found = []
    for holder, prefix in ((document, ""), (document.get("dataset"), "dataset."), (document.get("subset"), "subset.")):
        if not isinstance(holder, dict) or IDS_FILE not in holder:
            continue
        name = holder.pop(IDS_FILE)
        where = f"{prefix}{IDS_FILE}"
        if not isinstance(name, str) or not name.strip():
            found.append(Problem(where, "is no name of a file"))
        elif "task_ids" in holder:
            found.append(Problem(where, "stands beside task_ids", "keep one of the two"))
        else:
            try:
                text = read_text(path.parent / name, IDS_BYTES)
            except InputError as error:
                found.append(Problem(where, f"{name}: {error.what}"))
                continue
            holder["task_ids"] = [one for line in text.splitlines() if (one := line.strip()) and one[0] != "#"]
            digests[name] = sha256_bytes(text.encode())
    return found


def _problems(path: Path, text: str, found: list[Problem], document: Mapping[str, Any]) -> list[Problem]:
    """Everything that is wrong with the document by itself, each with its line where it has one."""
    stated = read_documents([(path.name, "declared", document)])
    told = [*found, *(_told(one) for one in stated.defects)]
    if not told and not document:
        told.append(Problem("", "declares nothing", "docs/formats/importing.md lists the words"))
    told += _unread_percents(document.get("published", ()))
    bad = [one for one in stated.task_ids or () if id_problem(one)]
    told += [Problem("task_ids", f"{one[:80]!r} {id_problem(one)}") for one in bad[:20]]
    lines = lines_of(text)
    return [Problem(_place(path, lines, one.where), one.what, one.fix) for one in told]


def _unread_percents(published: object) -> list[Problem]:
    """A percentage that nobody could read would be held against nothing."""
    values = published if isinstance(published, list | tuple) else (published,)
    fix = 'write "43.72 %" or "43.72 % of 730"'
    return [
        Problem("published", f"{str(one)[:80]!r} holds no percentage", fix)
        for one in values
        if not isinstance(one, dict) and not SAID.search(str(one))
    ]


def _told(defect: Defect) -> Problem:
    key, _, what = defect.what.partition(": ")
    return Problem(key, what)


def _place(path: Path, lines: Mapping[tuple[str | int, ...], int], key: str) -> str:
    """file:line key, as far as the key can be found."""
    parts: tuple[str | int, ...] = tuple(key.partition("[")[0].split("."))
    while parts and parts not in lines:
        parts = parts[:-1]
    line = f":{lines[parts]}" if parts else ""
    return f"{path.name}{line} {key}".rstrip()


def _plain(value: Any) -> Any:
    """Numbers exact, dates as ISO text."""
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, DecimalNumber):
        exact = Decimal(value)
        return exact if exact.is_finite() else str(value)
    return value
