"""An effect that is not idempotent and can be counted: each application adds one line to a file of the solution.

Files get their solved content only where they still hold that of the base, and then one line more. So an edit that is done
twice on one workspace leaves two lines: the tree says so, whatever a journal claims.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from denominator.packs import task_paths
from denominator.records.packs import FoundPack, Task
from denominator.records.words import Slice
from denominator.wire.trees import apply_unified, copy_tree, read_file, read_tree

MARK = "one application of the fault bench"
COMMENTS: Mapping[str, str] = {
    ".py": "#", ".sh": "#", ".rb": "#", ".pl": "#", ".toml": "#", ".yml": "#", ".yaml": "#", ".r": "#",
    ".js": "//", ".ts": "//", ".mjs": "//", ".jsx": "//", ".tsx": "//", ".go": "//", ".rs": "//", ".java": "//",
    ".kt": "//", ".c": "//", ".h": "//", ".cc": "//", ".cpp": "//", ".cs": "//", ".swift": "//", ".php": "//",
    ".sql": "--", ".lua": "--", ".hs": "--", ".txt": "", ".md": "",
}  # fmt: skip
"""How a line of no effect begins, by suffix."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """The countable solution of one task: its line, the file that gets it, and what every file holds afterwards."""

    task_id: str
    line: str
    marked: str
    files: Mapping[str, bytes]
    base: str


def why_not(found: FoundPack, task: Task) -> str:
    """Why a task cannot be benched; "" when it can."""
    if task.slice == Slice.NEGATIVE or task.expected != "pass":
        return f"its verdict is to be {task.expected}: whether a passing attempt survives cannot be seen on it"
    gold = task_paths(found, task).gold
    if not gold.is_file():
        return "it has no reference patch"
    return "" if _suffixed(_names(gold.read_bytes())) else "no file of its reference patch takes a comment line"


def _names(gold: bytes) -> list[str]:
    lines = gold.decode("utf-8", "replace").splitlines()
    return [line[6:].split("\t")[0] for line in lines if line.startswith("+++ b/")]


def _suffixed(paths: list[str]) -> list[str]:
    return sorted(path for path in paths if PurePosixPath(path).suffix in COMMENTS)


def make_effect(found: FoundPack, task: Task, folder: Path) -> Effect:
    """Write what the agent needs for a task below `folder` (base, solved, solve.sh); the effect that it then has."""
    paths = task_paths(found, task)
    before = read_tree(paths.repo, trusted=True)
    folder.mkdir(parents=True)
    solved = folder / "solved"
    copy_tree(paths.repo, solved)
    apply_unified(solved, paths.gold.read_bytes())
    after = read_tree(solved, trusted=True)
    was = {entry.path: entry.sha256 for entry in before.entries}
    changed = [entry.path for entry in after.entries if was.get(entry.path) != entry.sha256]
    marked = _suffixed(changed)[0]
    line = f"{COMMENTS[PurePosixPath(marked).suffix]} {MARK} {task.id}".strip()
    files = {path: read_file(solved, path) for path in changed}
    files[marked] += b"" if files[marked].endswith(b"\n") else b"\n"
    (solved / marked).write_bytes(files[marked])
    files[marked] += f"{line}\n".encode()
    _keep_only(paths.repo, folder / "base", [path for path in changed if path in was])
    (folder / "solve.sh").write_text(_script(task.id, changed, marked, line), encoding="utf-8")
    return Effect(task_id=task.id, line=line, marked=marked, files=files, base=before.digest)


def _keep_only(repo: Path, place: Path, paths: list[str]) -> None:
    for path in paths:
        (place / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(repo / path, place / path)


def _script(task_id: str, changed: list[str], marked: str, line: str) -> str:
    """Solve what is unsolved, then add the line once more, whatever is there."""
    root = f"/opt/agent/tasks/{task_id}"
    steps = [
        f"if [ ! -e {_q(path)} ] || cmp -s {_q(f'{root}/base/{path}')} {_q(path)}; then "
        f"mkdir -p {_q(str(PurePosixPath(path).parent))} && cat {_q(f'{root}/solved/{path}')} > {_q(path)}; fi"
        for path in changed
    ]
    return "\n".join(["set -e", "cd /work", *steps, f"printf '%s\\n' {_q(line)} >> {_q(marked)}"]) + "\n"


def _q(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def count_lines(tree: Path, line: str) -> int:
    """How often the line stands in a tree: read without following what somebody left there."""
    wanted = line.encode()
    found = 0
    for entry in read_tree(tree).entries:
        if entry.kind == "file":
            found += sum(row.strip() == wanted for row in read_file(tree, entry.path).splitlines())
    return found


def is_solved(tree: Path, effect: Effect) -> bool:
    """Does every file of the solution hold what one application leaves?"""
    try:
        return all(read_file(tree, path) == data for path, data in effect.files.items())
    except OSError:
        return False
