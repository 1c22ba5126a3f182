"""The search of tool calls for looks at what is none of the task's own. To look is no crime and moves no outcome."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterable, Iterator
from dataclasses import replace
from typing import Any

from denominator.readers.beyond import arguments
from denominator.readers.beyond.code import FETCH, SHELL, WALK, names_in_code, unpacked
from denominator.readers.beyond.fetch import HOSTS
from denominator.readers.beyond.lexer import Setting, unescaped
from denominator.readers.beyond.paths import KIT, PROC, absolute, path_reaches
from denominator.readers.beyond.programs import (
    asks_environment,
    program_of,
    reaches_of,
    without_pattern,
)
from denominator.readers.beyond.shape import (
    ALL_MAX,
    ANSWER,
    DEPTH_MAX,
    GRADER,
    HIDDEN,
    MACHINE,
    MOST,
    PROCESS,
    RUN,
    SECRET,
    SHOWN,
    TASK,
    TEXT_MAX,
    UPSTREAM,
    Places,
    Reach,
)
from denominator.readers.beyond.shell import Command, commands

SHELLS = frozenset(("sh", "bash", "dash", "zsh", "ksh", "ash", "fish"))
PYTHON = re.compile(r"(?:python|pypy|ipython)[\d.]*")
OTHERS = frozenset(("perl", "ruby", "node", "nodejs", "php", "lua", "awk", "gawk", "mawk", "deno", "Rscript", "tclsh"))
TELLS = frozenset(("echo", "printf", "git"))
"""Their words may be sentences."""
SURE = frozenset((PROCESS, GRADER, HIDDEN, RUN, ANSWER, TASK))
"""Kinds that count in a text which is only written too."""


def looked_beyond(calls: Iterable[tuple[str, str]], places: Places) -> tuple[str, ...]:
    """`kind: what was named` of each, 20 at most. `calls` are tools with their arguments as JSON text. Never raises."""
    search = _Search(places)
    room = ALL_MAX
    for tool, text in calls:
        room -= min(len(text), TEXT_MAX)
        for kind, named in search.call(tool, text[: 4 * TEXT_MAX]):
            search.found.setdefault(f"{kind}: {named}"[: SHOWN + 40])
            if len(search.found) >= MOST:
                return tuple(search.found)
        if room <= 0:
            break
    return tuple(search.found)


class _Search:
    """One search: what was found, and the folder in which the next call starts."""

    def __init__(self, places: Places) -> None:
        self.places, self.patterns = places, [*places.patterns()]
        self.found: dict[str, None] = {}
        self.cwd = places.cwd
        self.room = TEXT_MAX

    def call(self, tool: str, text: str) -> Iterator[Reach]:
        """The looks of one call."""
        self.room = TEXT_MAX
        try:
            value: Any = json.loads(text)
        except (ValueError, RecursionError):
            value = text
        for use in arguments.uses(tool, value):
            told, self.room = use.text[: max(0, self.room)], self.room - len(use.text)
            yield from self._use(use, told)
            if self.room <= 0:
                return

    def _use(self, use: arguments.Use, text: str) -> Iterator[Reach]:
        cwd = use.cwd or self.cwd
        if use.kind == arguments.SHELL:
            setting = Setting(cwd=cwd, home=self.places.home)
            only_goes = yield from self._shell(text, setting, 0)
            self.cwd = setting.cwd if only_goes else self.cwd
        elif use.kind == arguments.CODE:
            yield from self._code(text, cwd, 0)
        elif use.kind in (arguments.PATH, arguments.WALK):
            yield from self._named(text)
            yield from path_reaches(text, cwd, self.places)
            if use.kind == arguments.WALK and absolute(text, cwd) == "/":
                yield MACHINE, text[:SHOWN]
        elif use.kind == arguments.URL:
            if HOSTS.search(text):
                yield UPSTREAM, text[:SHOWN]
        else:
            yield from self._written(text, cwd)

    def _shell(self, text: str, setting: Setting, depth: int) -> Generator[Reach, None, bool]:
        """The looks of a shell text; answers whether it did nothing but change the folder."""
        only_goes, before = True, Command()
        for command in commands(text, setting):
            yield from self._command(command, setting, depth)
            if asks_environment(before.words, command.words):
                yield SECRET, " ".join([*before.words, "|", *command.words])[:SHOWN]
            only_goes = only_goes and command.words[:1] in (["cd"], ["pushd"], ["popd"])
            before = command
        if depth < DEPTH_MAX:
            yield from self._unpacked(text, setting.cwd)
        return only_goes

    def _command(self, command: Command, setting: Setting, depth: int) -> Iterator[Reach]:
        yield from reaches_of(command, self.places)
        name, words = program_of(command.words)
        first = command.words[0] if command.words else ""
        if first.startswith(("/", "..")):
            yield from path_reaches(first, command.cwd, self.places)
        for word in (first, *without_pattern(name, words), *command.reads, *command.writes):
            if name not in TELLS or not re.search(r"\s", word):
                yield from self._named(word)
        if depth >= DEPTH_MAX:
            return
        for inner in command.inner:
            yield from self._shell(inner, replace(setting, kept=[], variables=dict(setting.variables)), depth + 1)
        yield from self._given(name, words, command, setting, depth)

    def _given(self, name: str, words: list[str], command: Command, setting: Setting, depth: int) -> Iterator[Reach]:
        """The programs that a command is given: after `-c` and the like, or as its input."""
        short = next((n for n, one in enumerate(words) if re.fullmatch(r"-[A-Za-z]*[cer]", one)), -1)
        script = words[short + 1] if 0 <= short < len(words) - 1 else ""
        inside = replace(setting, cwd=command.cwd, kept=[], variables=dict(setting.variables))
        if name in SHELLS:
            for text in (script, command.body):
                yield from self._shell(text, inside, depth + 1)
        elif name == "eval":
            yield from self._shell(" ".join(words), inside, depth + 1)
        elif PYTHON.fullmatch(name):
            for text in (script, command.body):
                yield from self._code(text, command.cwd, depth + 1)
        elif name in OTHERS:
            for text in (script or " ".join(words[:1]), command.body):
                yield from self._code(text, command.cwd, depth + 1)
        elif command.body:
            yield from self._written(command.body, command.cwd)

    def _code(self, text: str, cwd: str, depth: int) -> Iterator[Reach]:
        if not text:
            return
        yield from ((PROCESS, hit[0][:SHOWN]) for hit in PROC.finditer(text))
        for use, told in names_in_code(text):
            if use == SHELL and depth < DEPTH_MAX:
                yield from self._shell(told, Setting(cwd=cwd, home=self.places.home), depth + 1)
            elif use == FETCH:
                yield from [(UPSTREAM, told[:SHOWN])] if HOSTS.search(told) else ()
            else:
                yield from self._named(told)
                yield from path_reaches(told, cwd, self.places)
                if use == WALK and absolute(told.partition("*")[0] or told, cwd) == "/":
                    yield MACHINE, told[:SHOWN]
        yield from self._unpacked(text, cwd)

    def _unpacked(self, text: str, cwd: str) -> Iterator[Reach]:
        """Paths that stand in base64, in hex, by their numbers or backwards."""
        hidden = [*unpacked(text)]
        if text.count("\\x") > 2 or len(re.findall(r"\\[0-7]{3}", text)) > 2:
            hidden.append(unescaped(text))
        for told in hidden:
            for word in re.findall(r"[^\s'\"`;|&<>(){}=,]{1,400}", told)[:200]:
                yield from self._named(word)
                if word.startswith("/"):
                    yield from path_reaches(word, cwd, self.places)

    def _written(self, text: str, cwd: str) -> Iterator[Reach]:
        """A text that is only written: what it names for sure, and what its own calls look at."""
        yield from ((PROCESS, hit[0][:SHOWN]) for hit in PROC.finditer(text))
        for kind, pattern in self.patterns:
            yield from ((kind, hit[0][:SHOWN]) for hit in pattern.finditer(text))
        if "/" in text and re.search(r"\b(?:open|system|Path|walk|glob|listdir|run|check_output)\b", text):
            yield from (reach for reach in self._code(text, cwd, DEPTH_MAX) if reach[0] in SURE)

    def _named(self, word: str) -> Iterator[Reach]:
        """Places that are known by themselves, anywhere in a word."""
        yield from ((PROCESS, hit[0][:SHOWN]) for hit in PROC.finditer(word))
        yield from ((GRADER, hit[0]) for hit in KIT.finditer(word))
        for kind, pattern in self.patterns:
            yield from ((kind, hit[0][:SHOWN]) for hit in pattern.finditer(word))
