"""Answers that a pack's scan found inside its images, and the tool calls that name one of them.

What counts as naming: a listed commit as a word (an abbreviation of at least seven digits too), a listed tag or a short
commit name where git is spoken of, a listed file by its whole path, by its name after its folder, or by a pattern
in that folder; and git commands that print every ref, the reflog or loose objects while newer ones are there.
A file's bare name, a folder alone and the plain `git log` of what is checked out are clean.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from fnmatch import fnmatchcase

OBJECTS = (
    *("reflog", "loose_objects", "unreachable_objects", "dangling_objects", "dangling", "stashes", "stash"),
    *("packed_newer", "refs_newer", "tags_newer", "branches_newer"),
)
FILES = ("files_outside_repo", "temp_files", "tmp_files")
IMAGE = ("agent_image_has", "build_output", "ignored_build_output")
KEYS = frozenset({"reachable_newer", *FILES, *IMAGE, *OBJECTS})
HEX_ID = re.compile(r"[0-9a-f]{7,64}\Z")
HEX_WORD = re.compile(r"(?:(?<![0-9A-Za-z_.])|(?<=\.\.))[0-9a-f]{7,64}(?![0-9A-Za-z_])")
LOOSE = re.compile(r"objects/([0-9a-f]{2})/([0-9a-f]{38,62})")
REF_START, REF_END = r"(?:(?<![0-9A-Za-z_./\-])|(?<=\.\.))(?:(?:refs/)?tags/)?", r"(?![0-9A-Za-z_/\-]|\.[0-9A-Za-z_])"
GIT = re.compile(r"\bgit\b", re.IGNORECASE)
COMMAND = re.compile(
    r"\bgit\b(?:\s+-[cC]\s*\S+|\s+--?[\w-]+(?:=\S+)?){0,200}+\s+"
    r"(?:(?P<log>(?:log|show|rev-list|shortlog|whatchanged|grep|diff)\b)|(?P<reflog>reflog\b)|(?P<fsck>fsck\b)|(?P<cat>cat-file\b))"
)
"""A git command that can print more than what is checked out; no option is read twice, however many there are."""
FLAGS: Mapping[str, re.Pattern[str]] = {
    "log": re.compile(r"\s(?:--all|--reflog|--branches|--tags|--remotes|-g|--walk-reflogs)(?![\w-])"),
    "reflog": re.compile(""),
    "fsck": re.compile(r"--(?:lost-found|unreachable|dangling)"),
    "cat": re.compile(r"--batch-all-objects"),
}
"""What makes each of them do so."""
COMMAND_END = re.compile(r"[|;&]|(?<!\\)\n")
WORD = re.compile(r"[^\s'\"`;|&<>(){}=,]+")
Hits = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scan:
    """What one scan found: commits and tags newer than the base, files of the answer, hidden tests in the image.

    `kept` are objects that no ref reaches, or that only a stash or the reflog does.
    """

    newer: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.newer or self.files or self.hidden or self.kept)

    def __or__(self, other: Scan) -> Scan:
        """Both of them."""
        pairs = ((getattr(self, one.name), getattr(other, one.name)) for one in fields(self))
        return Scan(*(tuple(dict.fromkeys((*mine, *theirs))) for mine, theirs in pairs))

    @property
    def findings(self) -> tuple[str, ...]:
        """The scan in words, as far as it is against the pack."""
        objects = "object" if len(self.newer) == 1 else "objects"
        newer = (
            (f"{len(self.newer)} reachable {objects} newer than base: {', '.join(self.newer)}",) if self.newer else ()
        )
        kept = tuple(f"{name}: an object beside the base in the repository's store" for name in self.kept)
        files = tuple(f"{path}: a file outside the repository" for path in self.files)
        return (*newer, *kept, *files, *(f"{path}: hidden test inside the agent image" for path in self.hidden))


@dataclass(frozen=True, slots=True)
class Scans:
    """The scan of the whole pack, and those of single tasks by id."""

    pack: Scan = Scan()
    tasks: Mapping[str, Scan] = field(default_factory=dict)

    def of(self, task_id: str) -> Scan:
        """What was found for one task."""
        return self.pack | self.tasks.get(task_id, Scan())

    @property
    def findings(self) -> tuple[str, ...]:
        """All of them in words."""
        return (
            *self.pack.findings,
            *(f"{task}: {one}" for task, scan in sorted(self.tasks.items()) for one in scan.findings),
        )


def scans_of(documents: Iterable[Mapping[str, object]]) -> Scans:
    """Scans of the pack; a document with `task_id`, or a table of ids, is about single tasks."""
    pack, tasks = Scan(), dict[str, Scan]()
    for document in documents:
        task = document.get("task_id")
        inner = {key: value for key, value in document.items() if isinstance(value, dict) and value.keys() & KEYS}
        for key, value in inner.items():
            tasks[key] = scan_of(value)
        if isinstance(task, str):
            tasks[task] = scan_of(document)
        else:
            pack |= scan_of(document)
    return Scans(pack, tasks)


def is_scan(document: Mapping[str, object]) -> bool:
    """Does a document hold scan lists, itself or by task?"""
    values = [value for value in document.values() if isinstance(value, dict)]
    return bool(document.keys() & KEYS) or any(value.keys() & KEYS for value in values)


def scan_of(document: Mapping[str, object]) -> Scan:
    """A scan as a document lists it. Files of the image count where they are hidden tests, or where none are named."""
    image = [one for key in IMAGE for one in _names(document, key)]
    hidden = _names(document, "hidden_tests")
    inside = [path for path in image if not hidden or any(_same_file(path, test) for test in hidden)]
    base = document.get("base_commit")
    kept = [one for key in OBJECTS for one in _names(document, key) if one != base]
    files = [one for key in FILES for one in _names(document, key)]
    return Scan(_names(document, "reachable_newer"), tuple(files), tuple(inside), tuple(kept))


def _names(document: Mapping[str, object], key: str) -> tuple[str, ...]:
    found = document.get(key)
    return tuple(one for one in found if isinstance(one, str) and one) if isinstance(found, list) else ()


def _same_file(a: str, b: str) -> bool:
    a, b = posixpath.normpath(a), posixpath.normpath(b)
    return a == b or a.endswith(f"/{b}") or b.endswith(f"/{a}")


def leaks_read(texts: Iterable[str], scan: Scan) -> Hits:
    """The listed places that these argument texts name, in the order of the scan; then whole histories that they print."""
    found: dict[str, None] = {}
    for text in texts:
        found |= dict.fromkeys(one for one in (*scan.newer, *scan.kept) if _names_ref(text, one))
        found |= dict.fromkeys(one for one in (*scan.files, *scan.hidden) if _names_file(text, one))
        if (scan.newer or scan.kept) and (whole := _whole_history(text)):
            found[f"history newer than base ({' '.join(whole.split())[:80]})"] = None
    return tuple(found)


def _whole_history(text: str) -> str:
    """The first git command of a text that prints every ref, the reflog or loose objects; each word is looked at once."""
    read = dict.fromkeys(FLAGS, 0)
    for command in COMMAND.finditer(text):
        kind = command.lastgroup or ""
        if command.end() <= read[kind]:
            continue
        end = COMMAND_END.search(text, command.end())
        read[kind] = end.start() if end else len(text)
        flag = FLAGS[kind].search(text, command.end(), read[kind])
        if flag is not None:
            return text[command.start() : flag.end()]
    return ""


def _names_ref(text: str, ref: str) -> bool:
    name = ref.removeprefix("tag:").removeprefix("commit:").removeprefix("branch:").strip()
    if HEX_ID.match(name):
        words = [*HEX_WORD.findall(text), *("".join(parts) for parts in LOOSE.findall(text))]
        return any(word.startswith(name) or name.startswith(word) for word in words)
    alone = text.strip() == name
    return bool(name) and (alone or (GIT.search(text) is not None and re.search(_ref(name), text) is not None))


def _ref(name: str) -> str:
    return REF_START + re.escape(name) + REF_END


def _names_file(text: str, path: str) -> bool:
    """Is the file named: by its path, by a pattern that fits it, or by its name after its folder was named?"""
    listed = posixpath.normpath(path)
    folder, base = posixpath.split(listed)
    words = [posixpath.normpath(word.partition("::")[0].replace("\\", "/")) for word in WORD.findall(text)]
    parts = [piece for word in words for piece in (word, word.partition(":")[2])]
    if any(_is(word, listed) for word in parts):
        return True
    return bool(folder) and any(_is(word, folder) for word in words) and any(_fits(word, base) for word in words)


def _is(word: str, listed: str) -> bool:
    """A word is the listed path, ends with it, or is a pattern in its folder that fits it."""
    if word == listed or (not listed.startswith("/") and word.endswith(f"/{listed}")):
        return True
    folder, base = posixpath.split(word)
    pattern = any(mark in base for mark in "*?[")
    return pattern and _is(folder, posixpath.dirname(listed)) and fnmatchcase(posixpath.basename(listed), base)


def _fits(word: str, base: str) -> bool:
    return "/" not in word and fnmatchcase(base, word)
