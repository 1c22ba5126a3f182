"""A document of promptfoo's: which file it is, its rows and its columns."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from denominator.errors import InputError
from denominator.importers.formats.promptfoo.naming import shown
from denominator.wire.sources import Source, loose_json

LOOKED_AT = 1 << 16
WHOLE = 2 << 20
BEGINS = re.compile(rb'"results"\s*:\s*\{\s*"version"\s*:\s*[23]\b')
INDEX = re.compile(rb'"promptIdx"\s*:\s*(\d{1,4})\b')
COLUMN = "column-"
VERSION_2 = "is version 2, whose rows do not say whether an assertion failed or the provider broke"


@dataclass(slots=True)
class Found:
    """`rows` are all rows with their place in the list; `columns` the numbers of columns by the name of the part."""

    file: str
    version: str
    eval_id: str
    rows: list[tuple[int, Mapping[str, Any]]]
    columns: dict[str, int]
    broken: list[int] = field(default_factory=list)
    prompts: Sequence[Any] = ()
    stats: Mapping[str, Any] = field(default_factory=dict)
    config: Mapping[str, Any] = field(default_factory=dict)
    timestamp: object = None
    tool: object = None

    def of(self, column: int) -> Iterator[tuple[int, Mapping[str, Any]]]:
        """The rows of a column."""
        return ((at, row) for at, row in self.rows if row["promptIdx"] == column)

    def prompt(self, column: int) -> Mapping[str, Any]:
        """What the document says of a column itself."""
        one = self.prompts[column] if column < len(self.prompts) else None
        return one if isinstance(one, dict) else {}

    def title(self, column: int) -> str:
        """Provider and label of the prompt."""
        row = next((row for _, row in self.of(column)), {})
        prompt = self.prompt(column).get("label")
        label = f", prompt {prompt[:60]!r}" if isinstance(prompt, str) and prompt else ""
        return f"{shown(row.get('provider') or self.prompt(column).get('provider'))}{label}"


def looks_like(files: Source, name: str) -> bool:
    """Does a member begin as a document of promptfoo's?"""
    if not name.endswith(".json"):
        return False
    try:
        with files.open(name) as stream:
            start = stream.read(LOOKED_AT)
    except InputError:
        return False
    return start.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] == b"{" and BEGINS.search(start) is not None


def columns_of(files: Source, file: str, named: bool) -> Sequence[tuple[str, str]]:
    """(name, title) of the columns; of a long document those that occur near its beginning."""
    before = f"{file}: " if named else ""
    try:
        if files.size(file) <= WHOLE:
            found = document(files, file, before)
            return tuple((name, found.title(column)) for name, column in found.columns.items())
        with files.open(file) as stream:
            numbers = sorted({int(one) for one in INDEX.findall(stream.read(WHOLE))})
        return tuple((f"{before}{COLUMN}{number}", file) for number in numbers)
    except InputError as error:
        return ((f"{before}{COLUMN}0", f"{file}: {error.what}"),)


def opened(files: Source, part: str) -> Found:
    """The document that a part is of; the only one. InputError: none, or several and none was chosen."""
    names = [name for name in files.names() if looks_like(files, name)]
    if not names:
        raise InputError("holds no results of promptfoo", where=files.name)
    file = next((name for name in names if part.startswith(f"{name}: ")), names[0])
    if len(names) > 1 and not part.startswith(f"{file}: "):
        every = [name for one in names for name, _ in columns_of(files, one, True)][:12]
        raise InputError(
            f"holds {len(names)} evaluations: {', '.join(every)}", where=files.name, fix="choose: --run NAME"
        )
    return document(files, file, f"{file}: " if len(names) > 1 else "")


def document(files: Source, file: str, before: str = "") -> Found:
    """One document. InputError: version 2, or no list of rows."""
    found = loose_json(files.read(file), file)
    results = found.get("results") if isinstance(found, dict) else None
    if not isinstance(results, dict) or not isinstance(results.get("results"), list):
        raise InputError("is no object with a list of rows under results.results", where=file)
    if results.get("version") != 3:
        raise InputError(VERSION_2, where=file, fix="export the evaluation with promptfoo 0.90 or newer")
    rows, broken = _rows(results["results"])
    meta = found.get("metadata")
    return Found(
        file=file,
        version="3",
        eval_id=_text(found.get("evalId")),
        rows=rows,
        broken=broken,
        columns={f"{before}{COLUMN}{one}": one for one in sorted({row["promptIdx"] for _, row in rows})},
        prompts=prompts if isinstance(prompts := results.get("prompts") or found.get("prompts"), list) else (),
        stats=stats if isinstance(stats := results.get("stats"), dict) else {},
        config=config if isinstance(config := found.get("config"), dict) else {},
        timestamp=results.get("timestamp"),
        tool=meta.get("promptfooVersion") if isinstance(meta, dict) else None,
    )


def _rows(given: list[Any]) -> tuple[list[tuple[int, Mapping[str, Any]]], list[int]]:
    """Rows with their two numbers, and the places of those that have none."""
    rows: list[tuple[int, Mapping[str, Any]]] = []
    broken: list[int] = []
    for at, row in enumerate(given):
        if isinstance(row, dict) and all(_is_index(row.get(key)) for key in ("promptIdx", "testIdx")):
            rows.append((at, row))
        else:
            broken.append(at)
    return rows, broken


def _is_index(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1_000_000_000


def _text(value: object) -> str:
    return value[:120] if isinstance(value, str) and value.isprintable() else ""
