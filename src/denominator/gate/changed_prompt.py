"""What was sent to the agent is what was sealed: the prompt of each task, and the tool list.

Why it matters: a prompt that was edited between two attempts asks two questions, and a tool more is another agent. The
digest of what was really sent shows it; the file that was meant to be sent does not.

Bad: the tool list of attempt 4 has another digest than the manifest's. Good: one digest a task, the declared one.
Fix: make a new seal and a new run; a changed prompt is another experiment.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from denominator.catalog import Entry
from denominator.gate.shape import MOST, Rule, Said, block, counted, listed
from denominator.records.conditions import condition
from denominator.records.judgements import Sheet
from denominator.records.rows import AttemptRow

FIX = "make a new seal and a new run: a changed prompt or tool list is another experiment"
HEX = frozenset("0123456789abcdef")


def check(sheet: Sheet) -> Iterable[Said]:
    """Digests as sent against the declared ones, and against each other."""
    yield from _prompts(sheet)
    yield from _tools(sheet)


def _prompts(sheet: Sheet) -> Iterable[Said]:
    """One prompt a task; the declared one where a digest is declared for it."""
    declared = _declared(sheet, "prompt_template_sha256")
    by_task: dict[str, set[str]] = {}
    for task, row in _tried(sheet, "prompt_sha256"):
        by_task.setdefault(task, set()).add(_plain(str(row.prompt_sha256)))
    several = sorted(task for task, digests in by_task.items() if len(digests) > 1)
    if several:
        yield block("prompt", f"more than one prompt was sent for {listed(several)}", FIX)
    sealed = {task: _of_task(declared, task, by_task) for task in by_task}
    other = sorted(task for task, digests in by_task.items() if sealed[task] and digests != {sealed[task]})
    if other:
        yield block("prompt", f"the prompt as sent is not the declared one: {listed(other)}", FIX)


def _of_task(declared: object, task: str, by_task: Mapping[str, set[str]]) -> str:
    """The digest that is declared for a task: its own, or the one of all where one was sent for all."""
    if isinstance(declared, dict):
        found = declared.get(task)
        return _plain(found) if isinstance(found, str) else ""
    same = len({one for digests in by_task.values() for one in digests}) == 1
    return _plain(declared) if isinstance(declared, str) and same and _is_digest(declared) else ""


def _tools(sheet: Sheet) -> Iterable[Said]:
    found = sorted({_plain(row.tools_sha256) for row, _ in sheet.rows() if isinstance(row.tools_sha256, str)})
    declared = _declared(sheet, "tool_list_digest")
    if isinstance(declared, str) and _is_digest(declared):
        named = _tried(sheet, "tools_sha256") if found not in ([], [_plain(declared)]) else ()
        other = [task for task, row in named if _plain(str(row.tools_sha256)) != _plain(declared)]
        if other:
            what = f"the tool list as sent is not the declared one in {counted(len(other), 'attempt')}: {listed(other, MOST)}"
            yield block("tool_list", what, FIX)
    elif len(found) > 1:
        yield block("tool_list", f"{len(found)} tool lists were sent inside one run: {listed(found, 3)}", FIX)


def _declared(sheet: Sheet, name: str) -> object:
    value = condition(sheet.terms.conditions, name)
    return json.loads(value) if isinstance(value, str) else None


def _is_digest(text: str) -> bool:
    """Does a declared text look like a digest at all? `of agent ...` and names of versions do not."""
    plain = _plain(text)
    return bool(plain) and set(plain) <= HEX


def _plain(text: str) -> str:
    return text.removeprefix("sha256:").lower()


def _tried(sheet: Sheet, name: str) -> Iterable[tuple[str, AttemptRow]]:
    """Task and row of every started attempt of a declared draw in which a text is known."""
    for task, _, draw in sheet.placed(lambda one: any(isinstance(getattr(row, name), str) for row in one.tries), ""):
        yield from ((task, row) for row in draw.tries if isinstance(getattr(row, name), str))


RULE = Rule(
    Entry("GL041", "changed-prompt", "0.1.0", "gate", __doc__ or ""),
    check,
    "no row shows another prompt or tool list than the declared one",
)
