"""For tests of importers of foreign formats: sources that a test writes, rows judged by the rules, broken copies of bytes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.importers.foreign import Importer
from denominator.labels import imported_of, label_row
from denominator.records.foreign import Ending, ForeignRow, ForeignRun
from denominator.wire.sources import Source, open_source
from judging_data import terms

MEMBERS = dict[str, Any]


def written(folder: Path, members: MEMBERS) -> Path:
    """Members below a folder: bytes and text as they are, a list or an object as JSON."""
    for name, content in members.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return folder


def source(folder: Path, members: MEMBERS) -> Source:
    """The same, opened."""
    return open_source(written(folder, members))


def read_all(importer: Importer, files: Source, part: str = "") -> tuple[ForeignRun, list[ForeignRow]]:
    """A run with its rows; what it tells is complete then."""
    run = importer.read(files, part)
    return run, list(run.rows)


def ended(found: ForeignRow, **policy: Any) -> tuple[str, str, str]:
    """Outcome, origin and reason as our rules say of a row."""
    labels = label_row(found.row, terms(**policy), imported_of(found.labels).get(found.row.key, {}))
    said = {label.axis: label.value for label in labels}
    return said.get("outcome", ""), said.get("origin", ""), said.get("reason", "")


def promised(ending: Ending) -> tuple[str, str, str]:
    """What a line of a table of endings says."""
    return ending.outcome, ending.origin, ending.reason


def by_task(rows: list[ForeignRow]) -> dict[str, ForeignRow]:
    """Rows of one repeat by task."""
    return {one.row.key.task_id: one for one in rows}


def kinds(run: ForeignRun, *, blocks: bool = True) -> list[str]:
    """Kinds of the defects that block, or of those that do not."""
    return sorted(one.kind for one in run.told.defects if one.blocks is blocks)


def read_or_refused(importer: Importer, files: Source) -> int:
    """Read whatever it is taken for; InputError is an answer, any other exception is not. How many rows came."""
    count = 0
    found = importer.recognise(files)
    for part in [one.name for one in found.parts][:4] if found else [""]:
        try:
            count += len(read_all(importer, files, part)[1])
        except InputError as error:
            assert str(error)
    return count


NASTY = (
    b"NaN",
    b"1e999999",
    b"[" * 3000,
    b'{"a":' * 3000,
    b"null",
    b"-1",
    b"\xff\xfe",
    b'"\\ud800"',
    b"\0",
    b"9" * 5000,
)
TEXTS = (b'"' + b"x" * 70_000 + b'"', b"[]", b"{}", b"true", b'"../../etc"', b"1.5", b"&a [*a]")


@st.composite
def broken(draw: st.DrawFn, whole: bytes) -> bytes:
    """A document as it may arrive: cut, with a value of another type, nested deeply, huge, or in another encoding."""
    kind = draw(st.sampled_from(("cut", "put", "value", "flip", "utf-16", "twice", "empty")))
    at = draw(st.integers(0, max(len(whole) - 1, 0)))
    if kind == "cut":
        return whole[:at]
    if kind == "put":
        return whole[:at] + draw(st.sampled_from(NASTY)) + whole[at:]
    if kind == "value":
        return _replaced(whole, at, draw(st.sampled_from((*NASTY, *TEXTS))))
    if kind == "flip":
        return whole[:at] + draw(st.binary(min_size=1, max_size=3)) + whole[at + 1 :]
    return {"utf-16": whole.decode("utf-8").encode("utf-16"), "twice": whole + whole, "empty": b""}[kind]


def _replaced(whole: bytes, at: int, value: bytes) -> bytes:
    """The value behind the next colon, another one."""
    colon = whole.find(b":", at)
    if colon < 0:
        return value
    end = min((place for mark in b",}\n" if (place := whole.find(bytes([mark]), colon)) >= 0), default=len(whole))
    return whole[: colon + 1] + value + whole[end:]


def sample(*parts: str) -> Path:
    """A place among the public samples beside the repository; the test is skipped where they are absent."""
    top = Path(os.environ.get("DENOMINATOR_SAMPLES", Path(__file__).parents[2] / "shared" / "samples"))
    path = top.joinpath(*parts)
    if not path.exists():
        pytest.skip("the public samples are not beside the repository")
    return path
