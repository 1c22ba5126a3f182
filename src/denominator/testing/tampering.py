"""Ways to tamper with a bundle: each takes a folder and changes one thing. Tables of them: `tampered_runs`, `tampered_imports`."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from denominator.bundles.chain import FIRST
from denominator.bundles.layout import CARD, EVENTS, HEAD, STATEMENT
from denominator.bundles.sums import write_sums
from denominator.pipeline.bundle_judging import Evidence, judge_again
from denominator.pipeline.bundle_parts import derived_files, head_of
from denominator.pipeline.bundle_reading import Reader
from denominator.pipeline.bundle_statement import bundle_statement
from denominator.records.bundles import BundleHead
from denominator.wire.canonical import canonical, digest

Tamper = Callable[[Path], object]
Tampering = tuple[Tamper, str, str, str]
"""What is done; the kind of the fault that must be named, a part of its place, a part of its words."""


def reseal(folder: Path) -> None:
    """Make the sums again, as anybody can."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("SHA256SUMS")]
    sums = {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
    (folder / "SHA256SUMS").write_bytes(write_sums(sums))


def edit_json(name: str, change: Callable[[Any], None]) -> Tamper:
    """Change a document, in canonical form."""

    def tamper(folder: Path) -> None:
        value = json.loads((folder / name).read_bytes())
        change(value)
        (folder / name).write_bytes(canonical(value) + b"\n")

    return tamper


def edit_lines(name: str, change: Callable[[list[Any]], None]) -> Tamper:
    """Change the lines of a document, each in canonical form."""

    def tamper(folder: Path) -> None:
        path = folder / name
        values = [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []
        change(values)
        path.write_bytes(b"".join(canonical(value) + b"\n" for value in values))

    return tamper


def rewrite(name: str, change: Callable[[bytes], bytes]) -> Tamper:
    """Change the bytes of a file."""

    def tamper(folder: Path) -> None:
        path = folder / name
        before = path.read_bytes() if path.exists() else b""
        after = change(before)
        assert after != before, name
        path.write_bytes(after)

    return tamper


def remove(name: str) -> Tamper:
    return lambda folder: (folder / name).unlink()


def put(name: str, data: bytes = b"x\n") -> Tamper:
    def tamper(folder: Path) -> None:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(data)

    return tamper


def link(name: str, to: str) -> Tamper:
    def tamper(folder: Path) -> None:
        (folder / name).unlink(missing_ok=True)
        (folder / name).symlink_to(to)

    return tamper


def first_blob(change: Callable[[Path], object]) -> Tamper:
    return lambda folder: change(sorted((folder / "blobs").iterdir())[0])


def a_blob(data: bytes) -> Tamper:
    return put(f"blobs/{hashlib.sha256(data).hexdigest()}", data)


def first(values: list[Any], kind: str) -> Any:
    """The first event of a kind."""
    return next(value for value in values if value["kind"] == kind)


def grade(values: list[Any]) -> None:
    """A verdict turned round."""
    payload = first(values, "graded")["payload"]
    payload["grade"] = "red" if payload["grade"] == "green" else "green"


def chained(values: list[Any]) -> None:
    """The whole chain made again, as anybody can who has all events."""
    before = FIRST
    for number, value in enumerate(values, 1):
        value |= {"seq": number, "prev_sha": before, "sha": ""}
        value["sha"] = before = digest(value)


def both(*changes: Callable[[list[Any]], None]) -> Callable[[list[Any]], None]:
    def change(values: list[Any]) -> None:
        for one in changes:
            one(values)

    return change


def evidence_of(folder: Path) -> tuple[BundleHead, Evidence]:
    """The evidence of a bundle, however it was changed."""
    names = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    read = Reader(names).evidence()
    assert read is not None
    return read


def forge(folder: Path) -> None:
    """The best that a forger can do: a verdict turned round, and *everything* that follows from it made again."""
    edit_lines(EVENTS, both(grade, chained))(folder)
    head, evidence = evidence_of(folder)
    again = judge_again(evidence)
    for name, data in derived_files(evidence, again).items():
        (folder / name).write_bytes(data)
    (folder / CARD).write_bytes(canonical(again.card) + b"\n")
    (folder / HEAD).write_bytes(canonical(head_of(evidence, again, head.artifacts)) + b"\n")
    (folder / STATEMENT).write_bytes(bundle_statement(again.card, documents_of(folder)))
    reseal(folder)


def documents_of(folder: Path) -> dict[str, bytes]:
    """Every file of a bundle by name."""
    return {one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


def copied(folder: Path, to: Path) -> Path:
    shutil.copytree(folder, to, symlinks=True)
    return to
