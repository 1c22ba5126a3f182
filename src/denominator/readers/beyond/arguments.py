"""The arguments of a tool call as what they are to a reader: commands, code, paths, addresses, or only text."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

SHELL_KEYS = frozenset(
    ("command", "cmd", "commands", "script", "bash", "shell_command", "keystrokes", "bash_command", "action")
)
CODE_KEYS = frozenset(("code", "python", "source", "python_code", "ipython"))
PATH_KEYS = frozenset(
    ("path", "file_path", "filepath", "filename", "file", "dir", "directory", "dir_path", "absolute_path", "notebook_path",
     "target_file", "relative_workspace_path", "root", "paths", "file_paths", "target")
)  # fmt: skip
SAID_KEYS = frozenset(
    ("description", "thought", "explanation", "justification", "reason", "message", "content", "text")
)
URL_KEYS = frozenset(("url", "uri", "href", "urls"))
FOLDER_KEYS = frozenset(("cwd", "workdir", "working_dir", "working_directory"))
RUNS = re.compile(r"(?i)(?:^|[_\-. ])(?:bash|sh|shell|exec|execute|terminal|command|cmd|run|console)(?:$|[_\-. ])")
WALKS = re.compile(r"(?i)glob|grep|search|find")
DIFF = re.compile(r"\s*(?:\*\*\* Begin Patch|diff --git |--- a/|<\?xml)")
DEEP = 4
VALUES_MAX = 2000

SHELL, CODE, PATH, WALK, URL, TEXT = "shell", "code", "path", "walk", "url", "text"


@dataclass(frozen=True, slots=True)
class Use:
    """One text of a call and what it is used as; `cwd` where the call says its folder."""

    kind: str
    text: str
    cwd: str = ""


def uses(tool: str, value: Any) -> Iterator[Use]:
    """Every text of a call's arguments, however deep it stands (four levels, 2,000 texts)."""
    folder = _folder(value)
    waiting: list[tuple[str, Any, int]] = [("", value, 0)]
    for _ in range(VALUES_MAX):
        if not waiting:
            return
        key, one, depth = waiting.pop()
        if isinstance(one, str):
            yield Use(_kind(tool, key, one), one, folder)
        elif isinstance(one, dict) and depth < DEEP:
            waiting += [(str(name).lower(), inner, depth + 1) for name, inner in reversed([*one.items()])]
        elif isinstance(one, list) and depth < DEEP:
            if _is_argv(key, one):
                yield Use(SHELL, " ".join(shlex.quote(word) for word in one), folder)
            else:
                waiting += [(key, inner, depth + 1) for inner in reversed(one)]


def _folder(value: Any) -> str:
    found = [one for name, one in value.items() if str(name).lower() in FOLDER_KEYS] if isinstance(value, dict) else []
    return found[0] if found and isinstance(found[0], str) and found[0].startswith("/") else ""


def _is_argv(key: str, words: list[Any]) -> bool:
    """The words of one command (`["bash", "-lc", "..."]`), not a list of commands."""
    all_texts = bool(words) and all(isinstance(word, str) for word in words)
    return key in (*SHELL_KEYS, "argv") and all_texts and not any(re.search(r"\s", word) for word in words[:1])


def _kind(tool: str, key: str, text: str) -> str:
    if key in SHELL_KEYS:
        return SHELL
    if key in CODE_KEYS:
        return CODE
    if key in PATH_KEYS:
        return WALK if WALKS.search(tool) else PATH
    if key in URL_KEYS:
        return URL
    if (not key or RUNS.search(tool)) and key not in FOLDER_KEYS | SAID_KEYS and not DIFF.match(text):
        return SHELL
    return TEXT
