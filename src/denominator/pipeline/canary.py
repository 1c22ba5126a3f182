"""Where the canary token of a task turned up: in the patch, or in what the agent printed and wrote beside it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from denominator.packs.listing import list_files
from denominator.pipeline.narration import prompt_for
from denominator.pipeline.notes import Notes
from denominator.pipeline.world import OpenRun
from denominator.records.events import Json
from denominator.records.packs import Task
from denominator.wire.tokens import token_hits


def canary_facts(
    run: OpenRun, notes: Notes, task: Task, patch: Mapping[str, bytes], said: Mapping[str, bytes]
) -> dict[str, Json]:
    """`canary_hits`, and `canary_echo` where the task has a token of its own.

    `patch` are changed files and names of touched paths, `said` streams (stdout, stderr, ask, abstain, tools). A token that
    was only said, and stands in what the agent was given, is an echo and no hit: it proves nothing about hidden material.
    A token of another task of the pack is a hit too: nothing of that task was within reach.
    """
    strange = _of_others(run, notes, task, {**said, **patch})
    if not task.canary:
        return {"canary_hits": strange}
    found, said_at = token_hits(task.canary, patch), token_hits(task.canary, said)
    echo = bool(said_at) and not found and _was_given(run, notes, task, task.canary)
    return {"canary_hits": [*(() if echo else (*found, *said_at)), *strange], "canary_echo": echo}


def _of_others(run: OpenRun, notes: Notes, task: Task, places: Mapping[str, bytes]) -> list[Json]:
    """Where tokens of other tasks turned up; none for a token that this task's own files hold."""
    found: list[Json] = []
    for other in (sealed.task for sealed in run.seal.tasks):
        if other.canary and other.canary != task.canary:
            hits = token_hits(other.canary, places)
            if hits and not _was_given(run, notes, task, other.canary):
                found += [f"{hit} (the token of {other.id})" for hit in hits]
    return found


def _was_given(run: OpenRun, notes: Notes, task: Task, token: str) -> bool:
    """Does the prompt, the specification or the snapshot hold the token? Asked only when the agent said it."""
    folder = run.task_folder(task.id)
    prompt = prompt_for(notes.key, (folder / "prompt.md").read_bytes())
    given = (prompt, *_files(folder / "spec"), *_files(folder / "repo"))
    return any(token_hits(token, {"given": data}) for data in given)


def _files(root: Path) -> Iterator[bytes]:
    for file in list_files(root).files if root.is_dir() else ():
        yield file.path.encode("utf-8", "surrogateescape")
        yield (root / file.path).read_bytes()
