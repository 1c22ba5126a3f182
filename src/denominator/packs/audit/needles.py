"""What no agent may find: hidden files and gold results by digest and by their telling lines, and the pack's tokens.

Only sizes leave for the sandbox; everything else is compared out here, so that the search itself gives nothing away.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from denominator.packs.lint.leaks import code_in_code, code_in_prose
from denominator.packs.lint.material import TaskMaterial, Text

TOKEN_LEAST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Needles:
    """Of one task: digest -> what it is of (sha256 of bytes, sha1 as git names blobs), lines, tokens, sizes in bytes."""

    digests: dict[str, str]
    sizes: frozenset[int]
    hidden_lines: tuple[str, ...]
    gold_lines: tuple[str, ...]
    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """One thing that an agent's sandbox shows: where, its digests, and its text where it was small enough to bring."""

    where: str
    sha256: str = ""
    blob: str = ""
    text: str = ""


def needles_of(item: TaskMaterial, secrets: Iterable[str] = ()) -> Needles:
    """What to look for. Files that the snapshot itself holds are no secret; lint looks into those."""
    shown = {_sha(item.paths.repo / file.path) for file in item.repo_files}
    digests: dict[str, str] = {}
    sizes: set[int] = set()

    def add(data: bytes, what: str) -> None:
        if data.strip() and hashlib.sha256(data).hexdigest() not in shown:
            digests[hashlib.sha256(data).hexdigest()] = what
            digests[git_blob(data)] = what
            sizes.add(len(data))

    for file in item.hidden_files:
        add((item.paths.hidden / file.path).read_bytes(), f"hidden file {file.path}")
    gold = item.gold
    if gold is not None:
        add(item.paths.gold.read_bytes(), "gold.patch")
        for path, data in gold.results:
            add(data, f"{path} as gold leaves it")
    return Needles(
        digests=digests,
        sizes=frozenset(sizes),
        hidden_lines=tuple(line for text in item.hidden for line in text.lines),
        gold_lines=tuple(line for _, line in gold.added) if gold else (),
        tokens=tuple(token for token in (item.task.canary, *secrets) if len(token) >= TOKEN_LEAST),
    )


def seen_in(needles: Needles, sights: Iterable[Sight]) -> tuple[list[str], list[str]]:
    """(what of hidden tests and gold was seen where, which tokens were seen where)."""
    found, tokens = [], []
    for sight in sights:
        for digest in (sight.sha256, sight.blob):
            if digest in needles.digests:
                found.append(f"{sight.where} is {needles.digests[digest]}")
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
        if not sight.where.startswith("/work/") and lines:
            hits = iter([*hits, *(hit for hit in code_in_prose(lines, [prose]) if len(hit.text) > 24)])
        yield from (f"{hit.where} holds a line of {what}" for hit in hits)


def _sha(path: object) -> str:
    with open(str(path), "rb") as stream:  # noqa: PTH123
        return hashlib.file_digest(stream, "sha256").hexdigest()
