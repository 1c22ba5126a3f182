"""What one command of a shell looks at: paths, searches of the whole machine, histories, upstreams, secrets."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence

from denominator.readers.beyond.fetch import FETCHERS, fetch_reaches
from denominator.readers.beyond.git import git_reaches
from denominator.readers.beyond.paths import absolute, names_it, path_reaches
from denominator.readers.beyond.shape import (
    DEPTH_MAX,
    MACHINE,
    SECRET,
    SHOWN,
    Places,
    Reach,
)
from denominator.readers.beyond.shell import Command

PREFIXES = frozenset(
    ("sudo", "env", "time", "nohup", "timeout", "nice", "ionice", "xargs", "exec", "command", "builtin", "stdbuf", "setsid",
     "strace", "parallel", "watch", "doas", "busybox")
)  # fmt: skip
SILENT = frozenset(
    ("echo", "printf", "true", "false", ":", "mkdir", "touch", "rm", "rmdir", "chmod", "chown", "kill", "pkill", "export",
     "alias", "unset", "sleep", "exit", "return", "wait", "trap", "which", "type", "hash", "mount", "umount", "useradd", "tee",
     "declare", "local", "readonly", "cd", "pushd", "popd", "declare", "set", "read", "shift", "apt-get", "apt", "dpkg")
)  # fmt: skip
"""Their words are told, made or removed: nothing is read from them. To go to a folder is not to look yet."""
PATTERN_FIRST = frozenset(
    ("grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "sed", "awk", "gawk", "mawk", "perl", "jq")
)
SEARCHES = frozenset(("find", "fd", "fdfind", "tree", "du", "rg", "ag", "ack", "bfs"))
LOCATES = frozenset(("locate", "mlocate", "plocate"))
SECRET_WORD = re.compile(r"(?i)(?:^|[^a-z])(?:api_?)?(?:key|token|secret|passw(?:or)?d?|credential)s?(?:$|[^a-z])")
SECRET_NAME = re.compile(
    r"\$\{?[A-Z0-9_]{0,60}(?:_KEY|_TOKEN|SECRET|PASSWORD)\b|^[A-Z0-9_]{0,60}(?:_KEY|_TOKEN|SECRET|PASSWORD)$"
)


def program_of(words: Sequence[str]) -> tuple[str, list[str]]:
    """The program of a command and its words, without what only starts it (`sudo`, `timeout 5`, `env A=b`)."""
    rest = list(words)
    for _ in range(DEPTH_MAX):
        name = posixpath.basename(rest[0]) if rest else ""
        if name not in PREFIXES or len(rest) < 2:
            return name, rest[1:]
        following = rest[1:]
        while following and (
            following[0].startswith("-") or "=" in following[0] or re.fullmatch(r"[\d.]+[smhd]?|\{\}", following[0])
        ):
            following.pop(0)
        if not following:
            return name, rest[1:]
        rest = following
    return posixpath.basename(rest[0]), rest[1:]


def reaches_of(command: Command, places: Places) -> Iterator[Reach]:
    """What one command looks at."""
    name, words = program_of(command.words)
    for read in command.reads:
        yield from path_reaches(read, command.cwd, places)
    if name == "git":
        yield from git_reaches(words, command.cwd, places)
        return
    if name in FETCHERS:
        yield from fetch_reaches(name, words, places)
    if name in ("printenv", "echo", "printf"):
        yield from ((SECRET, one[:SHOWN]) for one in words if SECRET_NAME.search(one) and " " not in one)
    if name in LOCATES:
        yield MACHINE, " ".join([name, *words])[:SHOWN]
    if name in SILENT:
        # The shell itself reads folders where it fills in a pattern.
        words = [one for one in words if re.search(r"[*?\[]", one) and name in ("echo", "printf") and " " not in one]
    yield from _paths(name, without_pattern(name, words), command.cwd, places)


def _paths(name: str, words: list[str], cwd: str, places: Places) -> Iterator[Reach]:
    roots = _roots(name, words)
    for word in words:
        values = [word] if not word.startswith("-") else []
        if "=" in word and len(word) < SHOWN * 4:
            values.append(word.partition("=")[2])
        for value in values:
            yield from path_reaches(value, cwd, places)
    for root in roots if roots is not None else ():
        yield from _search(root, name, words, cwd)
    if name in ("find", "fd", "fdfind", *LOCATES):
        for kind, names in places.sought.items():
            for sought in names:
                if any(names_it(posixpath.basename(word), sought) for word in words):
                    yield kind, sought


def _search(root: str, name: str, words: list[str], cwd: str) -> Iterator[Reach]:
    """A search below a root: the whole machine, or everything of /proc."""
    told = absolute(root, cwd)
    if told in ("/", "/*", "/.") or (told == "/proc" and name != "du"):
        shallow = name in ("find", "tree", "du", "fd", "fdfind") and _is_shallow(words)
        if not shallow:
            yield MACHINE, f"{name} {root}"[:SHOWN]


def _is_shallow(words: list[str]) -> bool:
    """At most two levels deep, or only what the sum of a folder is."""
    for flag in ("-maxdepth", "-L", "-d", "--max-depth", "--maxdepth"):
        if flag in words and words.index(flag) + 1 < len(words):
            return words[words.index(flag) + 1] in ("0", "1", "2")
    return any(
        re.fullmatch(r"--?(?:max-?depth|d|L)=?[012]", word) or word in ("-s", "-sh", "--summarize") for word in words
    )


def _roots(name: str, words: list[str]) -> list[str] | None:
    """The folders that a command goes through to the end, or None."""
    plain = [one for one in words if not one.startswith("-")]
    if name == "find":
        first = next(
            (n for n, one in enumerate(words) if one.startswith(("-", "(", "!")) and one not in ("-L", "-H", "-P")),
            len(words),
        )
        return [one for one in words[:first] if not one.startswith("-")] or ["."]
    short = "".join(one[1:] for one in words if re.fullmatch(r"-[A-Za-z]{1,10}", one))
    if name in SEARCHES:
        return plain
    if name in ("grep", "egrep", "fgrep", "zgrep") and ("r" in short.lower() or "--recursive" in words):
        return plain
    if name == "ls" and ("R" in short or "--recursive" in words):
        return plain or ["."]
    if name in ("cp", "tar", "rsync", "chgrp") and ("r" in short.lower() or "a" in short or name != "cp"):
        return plain[:1]
    return None


def without_pattern(name: str, words: list[str]) -> list[str]:
    """The words without the pattern or script that comes first in some programs."""
    if name not in PATTERN_FIRST:
        return words
    taking = (
        "-e",
        "-f",
        "--regexp",
        "--file",
        "-A",
        "-B",
        "-C",
        "-m",
        "-g",
        "-t",
        "--include",
        "--exclude",
        "--exclude-dir",
    )
    kept, given, skip = [], False, False
    for word in words:
        if skip:
            skip = False
        elif word in taking:
            skip, given = True, given or word in ("-e", "-f", "--regexp", "--file")
        elif word.startswith(("-e", "--regexp=")) and name not in ("perl", "jq"):
            given = True
        elif word.startswith("-") or given:
            kept.append(word)
        else:
            given = True
    return kept


def asks_environment(words: Sequence[str], following: Sequence[str]) -> bool:
    """Is the environment printed and searched for secrets (`env | grep KEY`)?"""
    name, _ = program_of(words)
    first = posixpath.basename(words[0]) if words else ""
    searched, given = program_of(following)
    return (
        name in ("env", "printenv") or first == "env" or words[:1] == ["set"] or list(words) == ["export", "-p"]
    ) and (
        searched in ("grep", "egrep", "rg", "sed", "awk")
        and any(SECRET_WORD.search(re.sub(r"[_-]", " ", one)) for one in given)
    )
