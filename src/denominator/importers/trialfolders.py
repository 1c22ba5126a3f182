"""Folders of one trial each: its phases, and the verdict files that a verifier, or somebody else, left in it.

A verdict file counts only when the verifier wrote it: not older than the verifier's start, not younger than its end.
Two that count and disagree are no verdict. One that the agent wrote is tampering, whatever the others say.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from denominator.errors import DenominatorError
from denominator.importers.files import Parsed, basename
from denominator.importers.raw import RawRow, digest_of
from denominator.importers.trialclock import AGENT, VERIFY, Phases, moment, phases_of
from denominator.wire.codec import loads

STEMS = frozenset({"reward", "rewards", "verdict", "score", "result", "outcome", "grade"})
ENDINGS = frozenset({"json", "txt", ""})
FOLDERS = frozenset({"verifier", "verify", "grader", "grading", "eval", "verdict", "scorer"})
VALUES = ("reward", "score", "passed", "resolved", "success", "verdict", "result", "outcome", "grade")
TIMES = ("_mtime", "mtime", "modified", "modified_at", "written_at", "_written_at")
WRITERS = ("_phase", "phase", "written_by", "writer", "_writer")
GREEN = frozenset({"1", "1.0", "true", "pass", "passed", "green", "success", "resolved"})
RED = frozenset({"0", "0.0", "false", "fail", "failed", "red", "failure", "unresolved"})
LATE_MS = 1_000
LARGE = 1 << 20
Files = Sequence[tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class Found:
    """The trials as rows, the files that are left, and what to say of the verdict files."""

    trials: tuple[Parsed, ...] = ()
    rest: Files = ()
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class Folder:
    """One trial: its folder, its phases with their file, its verdict files."""

    root: str
    phases: Phases = field(default_factory=Phases)
    told_by: str = ""
    document: Mapping[str, object] = field(default_factory=dict)
    verdicts: dict[str, bytes] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Said:
    """One verdict file: what it says (None: nothing readable), who wrote it, whether it counts, and why not."""

    path: str
    green: bool | None
    by_agent: bool
    counts: bool
    why: str


def trial_folders(files: Files) -> Found:
    """Take the trials out of a list of files; everything else is left as it was."""
    folders = _folders(files)
    taken = {name for one in folders for name in (*one.verdicts, one.told_by)}
    rows, notes = [], []
    for one in folders:
        row, said = _row(one, files)
        rows.append(Parsed(name=row.file, rows=(row,), physical_lines=1, single=True))
        notes += said
    return Found(tuple(rows), [file for file in files if file[0] not in taken], tuple(notes))


def _folders(files: Files) -> list[Folder]:
    found: dict[str, Folder] = {}
    for name, data in files:
        document = _document(name, data)
        phases = phases_of(document)
        if phases.at and basename(name).split(".")[0].lower() not in STEMS:
            root = _parent(name)
            found.setdefault(root, Folder(root, phases, name, document))
    for name, data in files:
        holder = _root_of(name, found) if _is_verdict(name) else None
        if holder is not None:
            found.setdefault(holder, Folder(holder)).verdicts[name] = data
    return [one for _, one in sorted(found.items()) if one.verdicts]


def _root_of(name: str, found: Mapping[str, Folder]) -> str | None:
    """The trial that a verdict file belongs to: the nearest folder above it with phases, else the verifier's parent."""
    folder = _parent(name)
    above = folder
    while True:
        if above in found:
            return above
        if not above:
            break
        above = _parent(above)
    return _parent(folder) if basename(folder).lower() in FOLDERS else None


def _parent(name: str) -> str:
    return name.replace("\\", "/").rpartition("/")[0]


def _is_verdict(name: str) -> bool:
    stem, _, ending = basename(name).lower().partition(".")
    return stem in STEMS and ending in ENDINGS


def _document(name: str, data: bytes) -> Mapping[str, object]:
    if not basename(name).lower().endswith(".json") or len(data) > LARGE:
        return {}
    try:
        found = loads(data, name, floats="decimal")
    except DenominatorError:
        return {}
    return found if isinstance(found, dict) else {}


def _row(one: Folder, files: Files) -> tuple[RawRow, list[str]]:
    """The trial as a row of its own, and a note for each verdict file that was not read."""
    listed = _listing(one, files)
    said = [_said(one, name, data, listed.get(name, {})) for name, data in sorted(one.verdicts.items())]
    agents = [file.path for file in said if file.by_agent]
    counted = {file.green for file in said if file.counts}
    value: dict[str, object] = {"task_id": _task_id(one, files), "verdict_files": [_shown(file) for file in said]}
    if len(counted) == 1 and None not in counted:
        value |= {"reward": int(counted == {True}), "verify": {"state": "done"}}
    else:
        value["verify"] = {
            "state": "two verdict files disagree" if len(counted) > 1 else "no verdict file of the verifier"
        }
    if agents:
        value |= {"tampered_files": agents, "outside_allowlist": agents}
    where = one.told_by or min(one.verdicts)
    notes = [f"{file.path}: not read: {file.why}" for file in said if not file.counts]
    return RawRow(where, 1, digest_of(value), value), notes


def _shown(file: Said) -> dict[str, object]:
    return {"path": file.path, "green": file.green, "read": file.counts, "why": file.why}


def _said(one: Folder, name: str, data: bytes, listed: Mapping[str, object]) -> Said:
    document = _document(name, data)
    told = {**document, **listed}
    writer = str(next((told[key] for key in WRITERS if isinstance(told.get(key), str)), "")).lower()
    written = one.phases.moment(next((told[key] for key in TIMES if moment(told.get(key)) is not None), None))
    by_agent, why = _who(one.phases, writer, written)
    green = _green(document, data)
    return Said(name, green, by_agent, not why, why)


def _who(phases: Phases, writer: str, written: int | None) -> tuple[bool, str]:
    """Did the agent write it, and why it does not count ("" when it does)."""
    start, end = phases.of("verify", "start"), phases.of("verify", "end")
    began, left = phases.of("agent", "start"), phases.of("agent", "end")
    if AGENT.search(writer):
        return True, "the agent wrote it"
    if written is None or start is None:
        return False, "" if not writer or VERIFY.search(writer) else f"{writer} wrote it, not the verifier"
    if written < start:
        old = began is not None and written < began
        own = left is not None and written <= left and not old
        why = "older than the verifier's start"
        return own and not writer, f"{why}, from the agent's phase" if own else f"{why}, left by somebody else"
    return False, "younger than the verifier's end" if end is not None and written > end + LATE_MS else ""


def _green(document: Mapping[str, object], data: bytes) -> bool | None:
    """What a verdict file says; None when that is neither a pass nor a fail."""
    told: object = next((document[key] for key in VALUES if key in document), None) if document else _plain(data)
    word = str(told).strip().lower()
    return True if word in GREEN else False if word in RED else None


def _plain(data: bytes) -> str:
    text = data[:200].decode("utf-8", "replace").strip()
    try:
        return str(json.loads(text))
    except (ValueError, RecursionError):
        return text


def _listing(one: Folder, files: Files) -> dict[str, Mapping[str, object]]:
    """What a document beside the trial says of its files: {path: time} or {path: {mtime, phase}}."""
    found: dict[str, Mapping[str, object]] = {}
    for name, data in files:
        if name in one.verdicts or not (_parent(name) + "/").startswith(f"{one.root}/" if one.root else ""):
            continue
        document = _document(name, data)
        tables = [document, *(value for value in document.values() if isinstance(value, dict))]
        for table in tables:
            for path, told in table.items():
                here = next((each for each in one.verdicts if each == path or each.endswith(f"/{path}")), None)
                if here is not None:
                    found[here] = told if isinstance(told, dict) else {"mtime": told}
    return found


def _task_id(one: Folder, files: Files) -> str:
    """The task that a document of the folder names, else the folder's own name."""
    for name, data in files:
        if _parent(name) == one.root:
            document = _document(name, data)
            told = document.get("task_id", document.get("task"))
            if isinstance(told, str) and told:
                return told
    return basename(one.root) or "trial"
