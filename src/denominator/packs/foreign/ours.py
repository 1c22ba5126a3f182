"""What an export says of a task of ours beside Harbor's own fields, written and read back: `[metadata.denominator]`.

Harbor counts every task alike; without this table a control comes back as an ordinary task.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

from denominator.errors import InputError
from denominator.packs.foreign.draft import texts
from denominator.packs.words import task_word_problems
from denominator.records.packs import Task
from denominator.records.trees import TreeEntry
from denominator.records.values import NotMeasured
from denominator.wire.codec import from_json
from denominator.wire.toml_text import text
from denominator.wire.trees import tree_digest

TABLE = "denominator"
TEXTS = ("id", "slice", "control", "expected", "family", "reason", "license", "canary")
LISTS = ("allowed", "forbidden", "required_files", "spec_paths", "packages")
VERIFY = ("runner", "level", "command", "report")
TESTS = ("expected_tests", "counter_tests")
GIT = ("url", "commit")


def stated(task: Task, hidden_tree: str, executable: Collection[str]) -> str:
    """The table, as TOML. `executable` are files of repo/ and hidden/ that may be run."""
    lines = [f"{name} = {text(getattr(task, name))}" for name in TEXTS]
    listed = {name: getattr(task, name) for name in LISTS}
    lines += [f"{name} = {texts(value)}" for name, value in listed.items() if not isinstance(value, NotMeasured)]
    lines += [f"multi_file = {'true' if task.multi_file else 'false'}", f"hidden_tree = {text(hidden_tree)}"]
    lines += [f"{name} = {text(getattr(task.verify, name))}" for name in VERIFY]
    lines += [f"{name} = {texts(getattr(task.verify, name))}" for name in TESTS]
    lines += [f"{name} = {text(getattr(task.source, name))}" for name in GIT] if task.source.kind == "git" else []
    return f"[metadata.{TABLE}]\n" + "\n".join([*lines, f"executable = {texts(sorted(executable))}"]) + "\n"


def task_of(table: Mapping[str, Any], title: str, timeout_s: int) -> Task:
    """The task that a table states, by a command at G1 where it names no runner. InputError: words that no task of ours has."""
    listed = {name: table[name] for name in LISTS if name in table}
    known = bool(table.get("runner"))
    verify = {name: table.get(name, "") for name in VERIFY} | {name: table.get(name, []) for name in TESTS}
    said = {
        "schema_version": 1,
        **{name: table.get(name, "") for name in TEXTS},
        **listed,
        "allowed": listed.get("allowed", ["**"]),
        "title": title,
        "multi_file": table.get("multi_file", False),
        "verify": {**(verify if known else {"runner": "command", "level": "G1"}), "timeout_s": timeout_s},
        "source": {"kind": "git", **{name: table.get(name, "") for name in GIT}}
        if table.get("commit")
        else {"kind": "folder"},
    }
    task = from_json(Task, said, f"[metadata.{TABLE}]")
    if problems := task_word_problems(task):
        raise InputError("; ".join(f"{one.where}: {one.what}" for one in problems), where=f"[metadata.{TABLE}]")
    return task


def digest_of(files: Mapping[str, bytes], executable: Collection[str]) -> str:
    """The digest of a tree of files that are at hand."""
    return tree_digest(
        TreeEntry(
            path=path,
            kind="file",
            mode=0o755 if path in executable else 0o644,
            size=len(data),
            sha256=hashlib.sha256(data).hexdigest(),
        )
        for path, data in files.items()
    )
