"""What no agent may find: hidden files and gold results by digest and by their telling lines, and the pack's tokens.

Only sizes leave for the sandbox; everything else is compared out here, so that the search itself gives nothing away.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from denominator.packs.audit.unpacked import pieces
from denominator.packs.lint.leaks import code_in_code, code_in_prose
from denominator.packs.lint.material import TaskMaterial, Text

TOKEN_LEAST = 8
PYC_HEAD = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Needles:
    """Of one task: digest -> what it is of (sha256 of bytes, sha1 as git names blobs), lines, tokens, sizes in bytes.

    `compiled`: what a .pyc tells of its source (its hash; or its name without ending and its size) -> what it is of.
    """

    digests: dict[str, str]
    sizes: frozenset[int]
    hidden_lines: tuple[str, ...]
    gold_lines: tuple[str, ...]
    tokens: tuple[str, ...]
    compiled: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """One thing that an agent can see: where, its digests, and its text where it was small enough to bring.

    `source` is what a .pyc says of its source. In a `code_only` one lines of code are looked for among code, not in prose.
    """

    where: str
    sha256: str = ""
    blob: str = ""
    text: str = ""
    source: str = ""
    code_only: bool = False


def sights_of(where: str, data: bytes) -> tuple[list[Sight], list[str]]:
    """(a file's bytes and all that is packed in them, what could not be read and why)."""
    sights, unread = [sight_of(where, data)], []
    for piece in pieces(where, data):
        if piece.unread:
            unread.append(f"{piece.where}: {piece.unread}")
        else:
            sights.append(sight_of(piece.where, piece.data))
    return sights, unread


def sight_of(where: str, data: bytes) -> Sight:
    """One piece of bytes, as the search looks at it."""
    return Sight(
        where=where,
        sha256=hashlib.sha256(data).hexdigest(),
        blob=git_blob(data),
        text=data.decode("utf-8", "replace"),
        source=_source_of(where, data),
    )


def _source_of(where: str, data: bytes) -> str:
    """What the head of a .pyc says of the source that it was made of; "" for other files. The code itself is never loaded."""
    if not where.endswith((".pyc", ".pyo")) or len(data) < PYC_HEAD or data[2:4] != b"\r\n":
        return ""
    if data[4] & 1:
        return data[8:16].hex()
    return f"{PurePosixPath(where).name.partition('.')[0]} {int.from_bytes(data[12:16], 'little')}"


def _sources(path: str, data: bytes) -> tuple[str, str]:
    """What a .pyc made of this file would say, in either of its two ways."""
    return importlib.util.source_hash(data).hex(), f"{PurePosixPath(path).stem} {len(data) & 0xFFFFFFFF}"


def needles_of(item: TaskMaterial, secrets: Iterable[str] = ()) -> Needles:
    """What to look for. Files that the snapshot itself holds are no secret; lint looks into those."""
    shown = {_sha(item.paths.repo / file.path) for file in item.repo_files}
    digests: dict[str, str] = {}
    sizes: set[int] = set()
    compiled: dict[str, str] = {}

    def add(data: bytes, what: str, path: str = "") -> None:
        if data.strip() and hashlib.sha256(data).hexdigest() not in shown:
            digests[hashlib.sha256(data).hexdigest()] = what
            digests[git_blob(data)] = what
            sizes.add(len(data))
            if path.endswith(".py"):
                compiled.update(dict.fromkeys(_sources(path, data), what))

    for file in item.hidden_files:
        add((item.paths.hidden / file.path).read_bytes(), f"hidden file {file.path}", file.path)
    gold = item.gold
    if gold is not None:
        add(item.paths.gold.read_bytes(), "gold.patch")
        for path, data in gold.results:
            add(data, f"{path} as gold leaves it", path)
    return Needles(
        digests=digests,
        sizes=frozenset(sizes),
        hidden_lines=tuple(line for text in item.hidden for line in text.lines),
        gold_lines=tuple(line for _, line in gold.added) if gold else (),
        tokens=tuple(token for token in (item.task.canary, *secrets) if len(token) >= TOKEN_LEAST),
        compiled=compiled,
    )


def seen_in(needles: Needles, sights: Iterable[Sight]) -> tuple[list[str], list[str]]:
    """(what of hidden tests and gold was seen where, which tokens were seen where)."""
    found, tokens = [], []
    for sight in sights:
        for digest in (sight.sha256, sight.blob):
            if digest in needles.digests:
                found.append(f"{sight.where} is {needles.digests[digest]}")
        if sight.source in needles.compiled:
            found.append(f"{sight.where} is compiled from {needles.compiled[sight.source]}")
        tokens += [f"{sight.where} holds the token {token[:4]}..." for token in needles.tokens if token in sight.text]
        if sight.text:
            found += _lines(needles, sight)
    return list(dict.fromkeys(found)), list(dict.fromkeys(tokens))


def git_blob(data: bytes) -> str:
    """The name that git gives these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _lines(needles: Needles, sight: Sight) -> Iterator[str]:
    for what, lines in (("hidden tests", needles.hidden_lines), ("gold", needles.gold_lines)):
        code = Text(sight.where, tuple(sight.text.splitlines()), prose=False)
        prose = Text(sight.where, code.lines, prose=True)
        hits = code_in_code(lines, [code])
        if not (sight.code_only or sight.where.startswith("/work/")) and lines:
            hits = iter([*hits, *(hit for hit in code_in_prose(lines, [prose]) if len(hit.text) > 24)])
        yield from (f"{hit.where} holds a line of {what}" for hit in hits)


def _sha(path: object) -> str:
    with open(str(path), "rb") as stream:  # noqa: PTH123
        return hashlib.file_digest(stream, "sha256").hexdigest()
