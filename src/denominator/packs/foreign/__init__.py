"""Tasks of other harnesses as a pack of ours, with what is lost listed."""

from __future__ import annotations

from denominator.errors import InputError
from denominator.packs.foreign import aider, harbor, swebench
from denominator.packs.foreign.draft import LOSSES, Draft, DraftTask, by_loss, losses, write_draft, write_files
from denominator.packs.foreign.harbor_out import LOST, Exported, harbor_tasks
from denominator.packs.new import refuse_used
from denominator.wire.sources import Source

FORMATS = {
    "harbor": "task folders of Harbor and Terminal-Bench",
    "swebench": "rows of a SWE-bench dataset as JSON lines",
    "aider": "exercises of aider's polyglot benchmark",
}


def read_tasks(files: Source, form: str = "auto", repos: Source | None = None) -> Draft:
    """The tasks of a source. InputError: nothing of the format, or of any, is there."""
    finders = {"harbor": harbor.find, "swebench": swebench.find, "aider": aider.find}
    found = [name for name, find in finders.items() if form in ("auto", name) and find(files)]
    if not found:
        looked = ", ".join(FORMATS.values()) if form == "auto" else FORMATS[form]
        seen = ", ".join(list(files.names())[:8]) or "no file"
        raise InputError(f"holds none of these: {looked}", where=files.name, fix=f"seen: {seen}")
    if len(found) > 1:
        raise InputError(
            f"holds tasks of {' and '.join(found)}", where=files.name, fix=f"say which: pack import {found[0]}"
        )
    if found[0] == "swebench":
        return swebench.read(files, repos)
    return (harbor.read if found[0] == "harbor" else aider.read)(files)


__all__ = [
    "FORMATS",
    "LOSSES",
    "LOST",
    "Draft",
    "DraftTask",
    "Exported",
    "by_loss",
    "harbor_tasks",
    "losses",
    "read_tasks",
    "refuse_used",
    "write_draft",
    "write_files",
]
