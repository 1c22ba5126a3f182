"""TAP 12, 13 and 14, and node's dialect: nested subtests are indented by four and come before their parent's point.

An id is the description, below a parent `parent > child`; a point without a description has its number. A parent is no
test of its own unless it is bad while none of its children is. `# TODO` is an expected failure, `# SKIP` a skip. A plan
that does not hold, a point out of order, no plan, or `Bail out!` make the report incomplete. Other lines are noise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from denominator.readers.runners.formats.chunks import lines
from denominator.readers.runners.formats.nodefiles import NODE_KINDS, is_node_file
from denominator.readers.runners.shape import FAILED, PASSED, SKIPPED, TEXT_MAX, XFAILED, XPASSED
from denominator.readers.runners.tally import Tally

DEPTH_MAX = 20
_POINT = re.compile(r"(not )?ok\b[ \t]*(\d{1,9})?(?:[ \t]*-[ \t]*|[ \t]+|$)(.*)", re.DOTALL)
_PLAN = re.compile(r"1\.\.(\d{1,9})\s*(?:#.*)?", re.DOTALL)
_DIRECTIVE = re.compile(r"(?:^|[^\\])#[ \t]*(skip|todo)\b", re.IGNORECASE)
_TIME = re.compile(r"(?<![ \t])[ \t]+#[ \t]*time=\S+[ \t]*$")
_FAILURE = re.compile(r"failureType: '?(\w+)")


@dataclass(slots=True)
class _Level:
    """The points of one depth since its parent began."""

    results: list[_Result] = field(default_factory=list)
    plan: int | None = None
    count: int = 0
    closed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    id: str
    word: str
    kind: str = ""
    text: str = ""
    offset: int = 0
    group: bool = False


def read(parts: Iterator[bytes], tally: Tally) -> None:
    """The whole document, line by line."""
    reader = _Tap(tally)
    for offset, raw, _ in lines(parts):
        reader.line(offset, raw.decode("utf-8", "replace"))
        if tally.defect.startswith("the run bailed out"):
            break
    reader.finish()


class _Tap:
    """Collects points by depth; a YAML block belongs to the point before it."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self.levels: list[_Level] = [_Level()]
        self.yaml: list[str] | None = None
        self.yaml_indent, self.yaml_size, self.yaml_depth = 0, 0, 0
        self.comments = ""

    def line(self, offset: int, line: str) -> None:
        """One line: a block's, or what TAP knows at this depth, or noise."""
        text = line.lstrip(" ")
        indent = len(line) - len(text)
        if self.yaml is not None:
            self.in_yaml(indent, text)
        elif text.startswith("---") and indent % 4 == 2:
            self.yaml, self.yaml_indent, self.yaml_size, self.yaml_depth = [], indent, 0, indent // 4
        elif text.startswith("Bail out!"):
            self.tally.spoil(f"the run bailed out: {text[9:200].strip()}")
        elif indent % 4 == 0 and indent // 4 < DEPTH_MAX:
            self.known(offset, indent // 4, text)

    def known(self, offset: int, depth: int, text: str) -> None:
        if match := _PLAN.fullmatch(text):
            self.plan(self.level(depth), int(match[1]))
        elif match := _POINT.fullmatch(text):
            self.point(offset, depth, bool(match[1]), match[2], match[3])
        elif text.startswith("# Subtest: "):
            self.tally.runner = self.tally.runner or "node"
        elif text.startswith("# ") and len(self.comments) < TEXT_MAX:
            self.comments += text[2:] + "\n"

    def level(self, depth: int) -> _Level:
        while len(self.levels) <= depth:
            self.levels.append(_Level())
        return self.levels[depth]

    def plan(self, level: _Level, plan: int) -> None:
        """The plan stands once, at the beginning or the end."""
        if level.plan is not None:
            self.tally.spoil("a plan stands twice")
        level.plan, level.closed = plan, level.count > 0

    def point(self, offset: int, depth: int, bad: bool, given: str | None, text: str) -> None:
        """A test point takes the deeper points since the last one of its depth as its children."""
        level = self.level(depth)
        level.count += 1
        if level.closed or (given is not None and int(given) != level.count):
            self.tally.spoil(f"test point {given or level.count} stands where none or another should")
        match = _DIRECTIVE.search(text)
        described = text[: text.index("#", match.start())] if match else _TIME.sub("", text)
        name = described.strip().replace("\\#", "#").replace("\\\\", "\\") or str(level.count)
        point = _Result(id=name, word=_word(bad, match[1].lower() if match else ""), offset=offset)
        children = self.closed_below(depth)
        below = [replace(child, id=f"{name} > {child.id}") for child in children]
        if not children:
            level.results.append(point)
            return
        blamed = any(child.word == FAILED for child in children)
        level.results += [*below, replace(point, group=blamed or point.word != FAILED)]

    def closed_below(self, depth: int) -> list[_Result]:
        """The deeper levels end here: their plans must hold."""
        deeper, self.levels = self.levels[depth + 1 :], self.levels[: depth + 1]
        for level in deeper:
            self.check(level)
        return deeper[0].results if deeper else []

    def check(self, level: _Level) -> None:
        if level.plan is None:
            self.tally.spoil("the report has no plan")
        elif level.plan != level.count:
            self.tally.spoil(f"{level.plan} test points were planned, {level.count} came")

    def in_yaml(self, indent: int, text: str) -> None:
        """A block ends with three dots, or where the indentation ends."""
        assert self.yaml is not None
        if indent <= self.yaml_indent and text.startswith("..."):
            self.explain("\n".join(self.yaml))
            self.yaml = None
        elif self.yaml_size < TEXT_MAX and not text.startswith("location: "):
            self.yaml.append(text[: TEXT_MAX - self.yaml_size])
            self.yaml_size += len(self.yaml[-1]) + 1

    def explain(self, text: str) -> None:
        """The block says of a bad point before it what went wrong."""
        level = self.levels[self.yaml_depth] if self.yaml_depth < len(self.levels) else None
        if level is None or not level.results or level.results[-1].word != FAILED:
            return
        last = level.results[-1]
        match = _FAILURE.search(text)
        kind = NODE_KINDS.get(match[1], "") if match else ""
        if match and match[1] == "testCodeFailure" and is_node_file(last.id):
            kind, text = "collection", f"{self.comments}{text}"
        level.results[-1] = replace(last, kind=kind, text=text)

    def finish(self) -> None:
        """Hands over what was collected, if as much came as was planned."""
        if self.yaml is not None:
            self.tally.spoil("a YAML block is not closed")
        orphans = [result for level in self.levels[1:] for result in level.results]
        if orphans:
            self.tally.spoil("subtests stand without their parent's test point")
        self.check(self.levels[0])
        for result in (*self.levels[0].results, *orphans):
            if result.group or (result.word == PASSED and is_node_file(result.id)):
                self.tally.alias(result.id, result.word)
            else:
                self.tally.case(result.id, result.word, result.kind, result.text, result.offset)


def _word(bad: bool, directive: str) -> str:
    if directive == "skip":
        return SKIPPED
    if directive == "todo":
        return XFAILED if bad else XPASSED
    return FAILED if bad else PASSED
