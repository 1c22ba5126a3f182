"""What rules look at: the texts of a pack, read once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from denominator.packs.layout import PROVENANCE_FILE, TaskPaths, task_paths
from denominator.packs.lint.golds import Gold, read_gold
from denominator.packs.listing import Listed, list_files
from denominator.records.packs import FoundPack, Pack, Task

TEXT_BYTES_MAX = 1_000_000
PROSE_SUFFIXES = (".md", ".rst", ".txt", ".adoc", "")
_COMMENT = re.compile(r"^\s*(?:#|//|--|;|\*|/\*|<!--)|\"\"\"|'''")


@dataclass(frozen=True, slots=True)
class Text:
    """One readable file: where it is in the pack, its lines, and whether people rather than machines read it."""

    path: str
    lines: tuple[str, ...]
    prose: bool

    def prose_lines(self) -> Iterator[tuple[int, str]]:
        """Lines for people, with their 1-based numbers: all of a prose file, the comments and docstrings of another."""
        inside = ""
        for number, line in enumerate(self.lines, 1):
            quotes = re.findall(r"\"\"\"|'''", line)
            if self.prose or inside or _COMMENT.search(line) or "  # " in line:
                yield number, line
            for quote in quotes:
                inside = "" if inside == quote else (inside or quote)


@dataclass(frozen=True)
class TaskMaterial:
    """One task with its texts. `visible` is all that the agent can read: prompt, repository, spec."""

    root: Path
    task: Task
    paths: TaskPaths
    repo_files: tuple[Listed, ...] = ()
    hidden_files: tuple[Listed, ...] = ()
    _texts: dict[Path, Text | None] = field(default_factory=dict)

    def states(self, _what: str, /) -> bool:
        """Does the source say anything of `hidden`, `ids`, `command`, any `task`? Is it a `folder`? A card may not."""
        return True

    @property
    def seen(self) -> tuple[str, ...]:
        """Paths of files that the agent can open, relative to where it starts, or absolute ones of its image."""
        return tuple(file.path for file in self.repo_files)

    @property
    def hidden_paths(self) -> tuple[str, ...]:
        """Paths of files that grade."""
        return tuple(file.path for file in self.hidden_files)

    @property
    def outside(self) -> tuple[str, ...]:
        """Files outside the repository that the agent can open; our own sandbox has none."""
        return ()

    @property
    def newer(self) -> tuple[str, ...]:
        """Commits, refs and objects later than the base commit that a listing names."""
        return ()

    @property
    def values(self) -> tuple[str, ...]:
        """Expected values that the source names as such."""
        return ()

    @property
    def checks(self) -> int:
        """How many things are checked: the expected ids, and what else a card counts."""
        return len(self.task.verify.expected_tests)

    @property
    def empty_rewards(self) -> tuple[str, ...]:
        """Lists of checks that a reward is made of and that hold nothing."""
        return ()

    @property
    def must_flip(self) -> tuple[str, ...] | None:
        """Ids that must turn from red to green, where the source tells them apart from those that must hold."""
        return None

    @property
    def where(self) -> str:
        """The task's own file, relative to the pack."""
        return self.relative(self.paths.toml)

    def relative(self, path: Path, /) -> str:
        """A path as shown in findings."""
        return path.relative_to(self.root).as_posix()

    def in_repo(self, path: str, /) -> str:
        """A path of the repository as shown in findings."""
        return f"{self.relative(self.paths.repo)}/{path}"

    def line_of(self, key: str, /) -> str:
        """The task's file with the line at which a key is written."""
        pattern = re.compile(rf"^\s*{re.escape(key)}\s*=")
        lines = self.paths.toml.read_text(encoding="utf-8", errors="replace").splitlines()
        numbers = [number for number, line in enumerate(lines, 1) if pattern.match(line)]
        return f"{self.where}:{numbers[0]}" if numbers else self.where

    @cached_property
    def gold(self) -> Gold | None:
        """The gold patch, if there is one."""
        return read_gold(self.paths.gold.read_bytes(), self.paths.repo) if self.paths.gold.is_file() else None

    @cached_property
    def prompt(self) -> Text | None:
        """What the agent is asked."""
        return self._text(self.paths.prompt)

    @cached_property
    def repo(self) -> tuple[Text, ...]:
        """The readable files of the repository."""
        return self._folder(self.paths.repo, self.repo_files)

    @cached_property
    def hidden(self) -> tuple[Text, ...]:
        """The readable files that grade."""
        return self._folder(self.paths.hidden, self.hidden_files)

    @cached_property
    def visible(self) -> tuple[Text, ...]:
        """Prompt, specification and repository, in that order."""
        spec = self._folder(self.paths.spec, list_files(self.paths.spec).files) if self.paths.spec.is_dir() else ()
        return (*((self.prompt,) if self.prompt else ()), *spec, *self.repo)

    def _folder(self, folder: Path, files: tuple[Listed, ...]) -> tuple[Text, ...]:
        texts = (self._text(folder / file.path) for file in files if file.size <= TEXT_BYTES_MAX)
        return tuple(text for text in texts if text is not None)

    def _text(self, path: Path) -> Text | None:
        if path not in self._texts:
            self._texts[path] = _read_text(path, self.relative(path))
        return self._texts[path]


@dataclass(frozen=True)
class Material:
    """A loaded pack and its tasks' texts. `now` is the UTC time that an expiry date is held against, or empty."""

    found: FoundPack
    tasks: tuple[TaskMaterial, ...]
    now: str = ""

    @property
    def pack(self) -> Pack:
        """What people wrote."""
        return self.found.pack

    @property
    def provenance_file(self) -> str:
        """Where it is said who wrote the tasks."""
        return PROVENANCE_FILE if (Path(self.found.root) / PROVENANCE_FILE).is_file() else "pack.toml"

    def task(self, task_id: str) -> TaskMaterial | None:
        """One task by id."""
        return next((task for task in self.tasks if task.task.id == task_id), None)


def read_material(found: FoundPack, now: str = "") -> Material:
    """Look at every task folder; texts are read when a rule asks for them."""
    return Material(found, tuple(_task(found, task) for task in found.pack.tasks), now)


def _task(found: FoundPack, task: Task) -> TaskMaterial:
    paths = task_paths(found, task)
    repo, hidden = (list_files(folder) if folder.is_dir() else None for folder in (paths.repo, paths.hidden))
    return TaskMaterial(
        root=Path(found.root),
        task=task,
        paths=paths,
        repo_files=repo.files if repo else (),
        hidden_files=hidden.files if hidden else (),
    )


def _read_text(path: Path, shown: str) -> Text | None:
    """The lines of a UTF-8 file; None for what is absent or binary (rule `unreadable-file` names those)."""
    try:
        data = path.read_bytes()
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
    return None if "\0" in text else Text(shown, tuple(text.splitlines()), path.suffix.lower() in PROSE_SUFFIXES)
