"""Tasks that somebody else wrote, as files of a pack of ours, with what is lost on the way."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from denominator.errors import InputError
from denominator.packs.new import pack_id, refuse_used
from denominator.wire.durable import new_folder
from denominator.wire.names import id_problem, safe_name
from denominator.wire.toml_text import text
from denominator.wire.trees import path_problem

LOSSES = "IMPORTED.md"
HOUR = 3600
UNKNOWN_TIMEOUT_S = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftTask:
    """One task. `files` are bytes by their path below the task's folder (`repo/a.py`, `hidden/test_a.py`, `prompt.md`).

    What a foreign task does not say stays a placeholder, which `pack lint` names. `lost` are sentences: what the foreign task
    holds and this one does not. `executable` are paths of files that may be run. `packages` None: it does not say.
    """

    id: str
    title: str
    files: Mapping[str, bytes]
    lost: tuple[str, ...] = ()
    family: str = ""
    license: str = ""
    allowed: tuple[str, ...] = ("**",)
    forbidden: tuple[str, ...] = ()
    multi_file: bool = False
    runner: str = "command"
    command: str = ""
    report: str = ""
    level: str = "G1"
    timeout_s: int = UNKNOWN_TIMEOUT_S
    expected_tests: tuple[str, ...] = ()
    git_url: str = ""
    git_commit: str = ""
    executable: tuple[str, ...] = ()
    slice: str = "solvable"
    expected: str = "pass"
    control: str = ""
    reason: str = ""
    canary: str = ""
    counter_tests: tuple[str, ...] = ()
    required_files: tuple[str, ...] = ()
    spec_paths: tuple[str, ...] = ()
    packages: tuple[str, ...] | None = None


@dataclass(slots=True)
class Draft:
    """A whole pack as it was read. `refused` are tasks that could not be read, each with why; they are in no pack."""

    name: str
    rule: str
    tasks: list[DraftTask] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    lost: tuple[str, ...] = ()

    def refuse(self, task: str, why: str) -> None:
        """A task that is left out, by name."""
        self.refused.append((task, why))


def write_draft(draft: Draft, folder: Path) -> tuple[str, ...]:
    """Write a pack into a new or empty folder; the paths written. InputError: the folder holds something, or no task was read."""
    refuse_used(folder)
    if not draft.tasks:
        why = "; ".join(f"{task}: {what}" for task, what in draft.refused[:8]) or "no task was found"
        raise InputError(f"no task can be imported: {why}", where=draft.name)
    _check_ids(draft)
    files = {"pack.toml": _pack_toml(draft, folder).encode(), LOSSES: losses(draft).encode()}
    runnable = set[str]()
    for task in draft.tasks:
        home = f"tasks/{safe_name(task.id)}"
        files[f"{home}/task.toml"] = _task_toml(task).encode()
        files |= {f"{home}/{name}": data for name, data in task.files.items()}
        runnable |= {f"{home}/{name}" for name in task.executable}
    return write_files(folder, files, runnable)


def write_files(folder: Path, files: Mapping[str, bytes], runnable: Collection[str]) -> tuple[str, ...]:
    """Write files into a new or empty folder; the paths written. InputError: a path that leads out, or into another file."""
    folders = {parent.as_posix() for name in files for parent in PurePosixPath(name).parents}
    for name in files:
        if why := path_problem(name) or ("is a file and a folder" if name in folders else ""):
            raise InputError(f"{name[:200]!r} {why}; nothing was written", where=str(folder))
    if folder.is_dir():
        folder.rmdir()  # it is empty, and the whole one takes its name
    try:
        with new_folder(folder) as half:
            for name, data in sorted(files.items()):
                target = half / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
                target.chmod(0o755 if name in runnable else 0o644)
    except OSError as error:
        where = str(error.filename or folder)[:200]
        raise InputError(f"cannot be written ({error.strerror}); nothing was", where=where) from None
    return tuple(sorted(files))


def losses(draft: Draft) -> str:
    """What the import could not carry over, task by task, as a page that lies beside the pack."""
    lines = [f"# {draft.name}: what this import left behind", "", draft.rule, ""]
    lines += [f"- every task: {one}" for one in draft.lost]
    for one, tasks in by_loss({task.id: task.lost for task in draft.tasks}).items():
        lines.append(f"- {tasks[0]}: {one}" if len(tasks) == 1 else f"- {len(tasks)} tasks: {one} ({', '.join(tasks)})")
    lines += [f"- {task}: not imported: {why}" for task, why in draft.refused]
    if lines[-1] == "":
        lines.append("Nothing.")
    return "\n".join(lines) + "\n"


def by_loss(lost: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Each loss once, with the tasks that it is of."""
    found: dict[str, list[str]] = {}
    for task, losses_of in lost.items():
        for one in losses_of:
            found.setdefault(one, []).append(task)
    return found


def _check_ids(draft: Draft) -> None:
    """Ids are folder names; two that are equal but for case are one on some disks."""
    seen: dict[str, str] = {}
    for task in draft.tasks:
        why = id_problem(task.id)
        if why:
            raise InputError(f"task id {task.id[:80]!r} {why}", where=draft.name)
        other = seen.setdefault(task.id.casefold(), task.id)
        if other != task.id or sum(one.id == task.id for one in draft.tasks) > 1:
            raise InputError(f"two tasks are called {other!r} and {task.id!r}", where=draft.name)


def texts(values: Sequence[str]) -> str:
    """A TOML list of strings, on lines of their own when they are many."""
    if len(values) < 3:
        return f"[{', '.join(map(text, values))}]"
    return "[\n" + "".join(f"    {text(one)},\n" for one in values) + "]"


def _pack_toml(draft: Draft, folder: Path) -> str:
    return f"""\
#:schema ./schemas/pack.json
# Imported. {LOSSES} lists what was left behind; `denominator pack lint` names what only you can fill in.
schema_version = 1
id = {text(pack_id(folder))}
version = "0.1.0"
title = {text(f"{len(draft.tasks)} tasks of {draft.name}")}
license = "REPLACE: the licence of the tasks"
reason = "REPLACE: why these tasks"

[selection]
rule = {text(draft.rule)}
controls_min = 0
multi_file_min = 0

[provenance]
authors = ["REPLACE: who wrote the tasks"]
created = "REPLACE: a date, unquoted, for example 2026-11-29"
models = []
"""


def _task_toml(task: DraftTask) -> str:
    git = f"\nurl = {text(task.git_url)}\ncommit = {text(task.git_commit)}" if task.git_commit else ""
    command = f"\ncommand = {text(task.command)}" if task.command else ""
    report = f"\nreport = {text(task.report)}" if task.report else ""
    expected = f"\nexpected_tests = {texts(task.expected_tests)}" if task.expected_tests else ""
    expected += f"\ncounter_tests = {texts(task.counter_tests)}" if task.counter_tests else ""
    named = {"control": task.control, "canary": task.canary}
    more = "".join(f"{name} = {text(value)}\n" for name, value in named.items() if value)
    listed = {"required_files": task.required_files, "spec_paths": task.spec_paths}
    more += "".join(f"{name} = {texts(value)}\n" for name, value in listed.items() if value)
    more += "" if task.packages is None else f"packages = {texts(task.packages)}\n"
    return f"""\
schema_version = 1
id = {text(task.id)}
title = {text(task.title)}
slice = {text(task.slice)}
expected = {text(task.expected)}
family = {text(task.family)}
reason = {text(task.reason or "REPLACE: why this task is in the pack")}
license = {text(task.license or "REPLACE: the licence of the repository")}
multi_file = {"true" if task.multi_file else "false"}
allowed = {texts(task.allowed)}
forbidden = {texts(task.forbidden)}
{more}
[source]
kind = {text("git" if task.git_commit else "folder")}{git}

[verify]
runner = {text(task.runner)}
level = {text(task.level)}
timeout_s = {task.timeout_s}{command}{report}{expected}
"""
