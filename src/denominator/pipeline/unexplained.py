"""A state that the journal cannot explain, in words: where it is, which digests disagree, and what shows more."""

from __future__ import annotations

import shlex
from collections.abc import Mapping

from denominator.pipeline.applying import APPLIED
from denominator.pipeline.world import OpenRun
from denominator.records.events import Json
from denominator.records.keys import AttemptKey
from denominator.records.words import Checkpoint
from denominator.run.progress import read_progress


def unknown_text(run: OpenRun, key: AttemptKey, payload: Mapping[str, Json]) -> str:
    """Everything that a person needs who has to look at one attempt; `payload` is of its `unknown_state` event."""
    done = read_progress(run.journal.events(key))[key].done
    tree = run.folder.attempt(key) / APPLIED
    base = run.task_folder(key.task_id) / "repo"
    name, resume = shlex.quote(run.run_id), f"denominator resume {shlex.quote(run.run_id)}"
    ways = "put the tree back as it was" if Checkpoint.PATCH_APPLIED in done else "put the tree back, or move it away"
    return "\n".join(
        (
            f"unknown state at {payload['checkpoint']}, last checkpoint {done[-1] if done else 'none'}; nothing was touched",
            f"  tree: {tree}",
            f"  have: {payload['have']}",
            f"  before: {payload['pre']} (the sealed snapshot)",
            f"  after: {payload['post']} (what the stored patch makes of it)",
            f"  see: git diff --no-index {shlex.quote(str(base))} {shlex.quote(str(tree))}",
            f"  see: denominator show {shlex.quote(key.task_id)} --run {name}",
            f"  see: {resume} --dry-run",
            f"  next: {ways}, then {resume}; or start a new run",
        )
    )
