"""Suppressions, each with its reason: a comment in the document, or a glob in denominator.toml. One without is a mistake."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from denominator.quote.shape import Said
from denominator.records.documents import Document, QuoteIgnore, SpanKind

COMMENT = re.compile(r"quote-ignore\b(?P<codes>[\sQ\d,]*)(?P<colon>:)?(?P<reason>[^\n]*)")
CODE = re.compile(r"Q\d{3}")
LEAST = 3


@dataclass(frozen=True, slots=True)
class Comment:
    """`<!-- quote-ignore Q001: reason -->`: codes that are not asked about one block (0: of every block of the document)."""

    codes: frozenset[str]
    reason: str
    block: int
    line: int


def comments_of(document: Document) -> tuple[tuple[Comment, ...], tuple[Said, ...]]:
    """Every suppression of a document, and those that say no code or no reason."""
    found, wrong = [], []
    for span in document.spans:
        for one in COMMENT.finditer(span.text) if span.kind == SpanKind.HIDDEN else ():
            codes, reason = frozenset(CODE.findall(one["codes"])), one["reason"].strip(" -")
            line, column = span.position(one.start())
            if codes and one["colon"] and len(reason) >= LEAST:
                found.append(Comment(codes, reason, span.block, line))
                continue
            what = "a suppression names its codes and a reason"
            fix = "<!-- quote-ignore Q001: reason -->"
            wrong.append(
                Said(subject=one[0].strip(), what=what, fix=fix, line=line, column=column, last=line, place=span.place)
            )
    return tuple(found), tuple(wrong)


def suppressed(code: str, said: Said, comments: Sequence[Comment]) -> bool:
    """Does a comment of the document keep this from being said?"""
    return any(code in one.codes and one.block == said.block for one in comments)


def by_path(path: str, code: str, ignores: Sequence[QuoteIgnore]) -> bool:
    """Do the settings keep a rule from being asked in this file?"""
    return any(code in one.rules and matches(path, one.paths) for one in ignores)


def matches(path: str, glob: str) -> bool:
    """A path with slashes, relative to the settings' folder; `**` spans folders, a glob without a slash is of any folder."""
    if "/" not in glob:
        return fnmatchcase(path.rpartition("/")[2], glob)
    return fnmatchcase(path, glob) or fnmatchcase(path, glob.replace("**/", ""))
