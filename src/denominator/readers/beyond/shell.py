"""The commands of a shell text in order, with what the text itself tells of folders and variables. Nothing is run.

One pass over the text. A command inside another (`$(...)`, backticks, here-documents) is handed out as text of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from denominator.readers.beyond.lexer import END, Lexer, Setting
from denominator.readers.beyond.shape import WORD_MAX

ASSIGNED = re.compile(r"([A-Za-z_]\w*)\+?=")
BRACES = re.compile(r"\{([^{}]{0,200},[^{}]{0,200})\}")
OPENERS = frozenset(("then", "do", "else", "elif", "if", "while", "until", "!", "{", "time"))


@dataclass(slots=True)
class Command:
    """One simple command. `inner` are texts of commands inside it, `body` is what it is given to read."""

    words: list[str] = field(default_factory=list)
    reads: list[str] = field(default_factory=list)
    writes: list[str] = field(default_factory=list)
    inner: list[str] = field(default_factory=list)
    body: str = ""
    cwd: str = ""


def commands(text: str, setting: Setting) -> Iterator[Command]:
    """The commands of a text; `setting` follows them (cd, pushd, assignments). Never raises, whatever the text."""
    lexer, command = Lexer(text, setting), Command()
    waiting: list[str] = []
    outer: list[str] = []
    text = lexer.text
    while lexer.at < len(text):
        c = text[lexer.at]
        if c in " \t\r":
            lexer.at += 1
        elif c == "#" and (lexer.at == 0 or text[lexer.at - 1] in END):
            end = text.find("\n", lexer.at)
            lexer.at = len(text) if end < 0 else end
        elif c in "<>" or (c == "&" and text.startswith("&>", lexer.at)):
            _redirect(lexer, command, waiting)
        elif c in ";|&()\n":
            lexer.at += 1
            if c == "\n" and waiting:
                _bodies(lexer, waiting, command)
                waiting = []
            yield from _ended(command, lexer, setting)
            command = Command()
            if c == "(":
                outer.append(setting.cwd)
            elif c == ")" and outer:
                setting.cwd = outer.pop()
        else:
            found = lexer.word()
            command.words += _expanded(found) if lexer.bare_brace else [found]
    _bodies(lexer, waiting, command)
    yield from _ended(command, lexer, setting)


def _expanded(word: str) -> list[str]:
    """`a{b,c}` as both words; one pair of braces is read, so that words do not multiply."""
    hit = BRACES.search(word[:WORD_MAX])
    if hit is None:
        return [word]
    return [f"{word[: hit.start()]}{one}{word[hit.end() :]}" for one in hit[1].split(",")[:16]]


def _redirect(lexer: Lexer, command: Command, waiting: list[str]) -> None:
    text, start = lexer.text, lexer.at
    if command.words and command.words[-1].isdigit() and start and text[start - 1].isdigit():
        command.words.pop()
    if text.startswith(("<(", ">("), start):
        lexer.parentheses(start + 1)
        return
    while lexer.at < len(text) and text[lexer.at] in "<>&|":
        lexer.at += 1
    sign = text[start : lexer.at]
    dash = sign == "<<" and text.startswith("-", lexer.at)
    lexer.at += dash
    while lexer.at < len(text) and text[lexer.at] in " \t":
        lexer.at += 1
    target = lexer.word()
    if sign == "<<":
        waiting.append(target)
    elif sign == "<<<":
        command.body = target
    elif not (target.isdigit() or target == "-"):
        (command.reads if sign == "<" else command.writes).append(target)


def _bodies(lexer: Lexer, marks: list[str], command: Command) -> None:
    """Here-documents; of a line with several commands the last one counts as their reader (`cat <<E | python`)."""
    for mark in marks:
        start, text = lexer.at, lexer.text
        while lexer.at < len(text):
            end = text.find("\n", lexer.at)
            end = len(text) if end < 0 else end
            line, here = text[lexer.at : end].strip(), lexer.at
            lexer.at = end + 1
            if line == mark:
                command.body = text[start:here]
                break
        else:
            command.body = text[start:]


def _ended(command: Command, lexer: Lexer, setting: Setting) -> Iterator[Command]:
    command.inner, lexer.inner = lexer.inner, []
    command.cwd = setting.cwd
    words = command.words
    while words and words[0] in OPENERS:
        words.pop(0)
    while words and (hit := ASSIGNED.match(words[0])):
        setting.assign(hit[1], words.pop(0)[hit.end() :])
    if words and words[0] in ("export", "declare", "local", "readonly"):
        for word in words[1:]:
            if hit := ASSIGNED.match(word):
                setting.assign(hit[1], word[hit.end() :])
    if len(words) > 2 and words[0] == "for" and words[2] == "in":
        setting.assign(words[1], words[3] if len(words) > 3 else "")
    if words or command.reads or command.inner or command.body:
        yield command
    if words and words[0] in ("cd", "pushd", "chdir"):
        setting.kept.append(setting.cwd)
        targets = [one for one in words[1:] if not one.startswith("-") or one == "-"]
        if targets[:1] == ["-"]:
            setting.cwd = setting.kept[-2] if len(setting.kept) > 1 else ""
        else:
            setting.go(targets[0] if targets else setting.home)
    elif words[:1] == ["popd"]:
        setting.cwd = setting.kept.pop() if setting.kept else ""
