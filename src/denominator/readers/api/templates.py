"""Paths against path templates. A hole is a value that only the running program knows."""

from __future__ import annotations

import re

HOLE = "\0"
NAMED = re.compile(r"\{[^{}/]*\}|<[^<>/]*>")
ONE, MANY, PART = "\1", "\2", "\3"
SLASHES = re.compile(r"\{[^{}/]*(?::path|[+*])\}|<path:[^<>/]*>")
"""Parameters that some frameworks let hold slashes; those of OpenAPI never do."""


def matches(template: str, path: str) -> bool:
    """Does a path fit a template, every hole being one segment's worth of text?"""
    if SLASHES.search(template):
        return overlap(template, path)
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
    """Is there any text for the holes that makes the path fit? Values of the program may hold slashes."""
    left = NAMED.sub(ONE + PART, SLASHES.sub(ONE + MANY, template))
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
        if a in (MANY, PART):
            todo.append((i + 1, j))
        if b == MANY:
            todo.append((i, j + 1))
        free = a == MANY or (a == ONE and left[i + 1 : i + 2] == MANY)
        held = a in (ONE, PART) and b != "/"
        if a and b and (a == b or free or held or b == MANY):
            todo.append((i if a in (MANY, PART) else i + 1, j if b == MANY else j + 1))
    return False


def fits_end(template: str, path: str) -> bool:
    """Do path and template agree in the segments that the shorter one has, with a fixed segment among them?"""
    left, right = template.strip("/").split("/"), path.strip("/").split("/")
    size = min(len(left), len(right))
    if len(left) == len(right) or not size:
        return False
    ends = list(zip(left[-size:], right[-size:], strict=True))
    return all(_segment(a, b) for a, b in ends) and any("{" not in a and HOLE not in b for a, b in ends)
