"""Paths against path templates. A hole is a value that only the running program knows."""

from __future__ import annotations

import re

HOLE = "\0"
NAMED = re.compile(r"\{[^{}/]*\}|<[^<>/]*>")
ONE, MANY = "\1", "\2"


def matches(template: str, path: str) -> bool:
    """Does a path fit a template, every hole being one segment's worth of text?"""
    left, right = template.split("/"), path.split("/")
    return len(left) == len(right) and all(_segment(a, b) for a, b in zip(left, right, strict=True))


def _segment(template: str, part: str) -> bool:
    if HOLE in part:
        return (part == HOLE and NAMED.fullmatch(template) is not None) or (
            NAMED.search(template) is not None and overlap(template, part)
        )
    if not part and template:
        return False
    literal = [re.escape(piece) for piece in NAMED.split(template)]
    return re.fullmatch("[^/]+?".join(literal), part) is not None


def overlap(template: str, path: str) -> bool:
    """Is there any text for the holes, slashes included, that makes the path fit?"""
    left = NAMED.sub(ONE + MANY, template)
    right = re.sub(f"{HOLE}+", MANY, path)
    seen: set[tuple[int, int]] = set()
    todo = [(0, 0)]
    while todo:
        i, j = state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        if i == len(left) and j == len(right):
            return True
        a, b = left[i : i + 1], right[j : j + 1]
        if a == MANY:
            todo.append((i + 1, j))
        if b == MANY:
            todo.append((i, j + 1))
        if a and b and (a == b or a in (ONE, MANY) or b == MANY):
            todo.append((i if a == MANY else i + 1, j if b == MANY else j + 1))
    return False


def fits_end(template: str, path: str) -> bool:
    """Do path and template agree in the segments that the shorter one has, with a fixed segment among them?"""
    left, right = template.strip("/").split("/"), path.strip("/").split("/")
    size = min(len(left), len(right))
    if len(left) == len(right) or not size:
        return False
    ends = list(zip(left[-size:], right[-size:], strict=True))
    return all(_segment(a, b) for a, b in ends) and any("{" not in a and HOLE not in b for a, b in ends)
