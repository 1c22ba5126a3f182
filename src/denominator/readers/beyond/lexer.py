"""The words of a shell text: quotes taken off, variables filled in as far as the text itself tells them. Nothing is run."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field

from denominator.readers.beyond.shape import TEXT_MAX, WORD_MAX

VARIABLES_MAX = 200
NAME = re.compile(r"[A-Za-z_]\w*")
ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3}))")
END = " \t\r\n;|&()<>"


@dataclass(slots=True)
class Setting:
    """What a text has said so far: the working folder ("" unknown), the home folder, variables."""

    cwd: str = ""
    home: str = ""
    variables: dict[str, str] = field(default_factory=dict)
    room: int = TEXT_MAX
    kept: list[str] = field(default_factory=list)

    def value(self, name: str) -> str:
        """A variable's value; `$name` itself where nobody knows it. So much is filled in, and no more."""
        found = {"PWD": self.cwd, "HOME": self.home, "$": "self"}.get(name) or self.variables.get(name)
        if found is None or self.room < len(found):
            return f"${name}"
        self.room -= len(found)
        return found

    def assign(self, name: str, value: str) -> None:
        """Remember a variable."""
        if len(self.variables) < VARIABLES_MAX:
            self.variables[name] = value[:WORD_MAX]

    def go(self, target: str) -> None:
        """Change the folder; it is unknown after a folder that nobody knows."""
        if target.startswith("/"):
            self.cwd = posixpath.normpath(f"/{target.lstrip('/')}")
        elif self.cwd and not target.startswith(("$", "-", "~")):
            self.cwd = posixpath.normpath(f"{self.cwd}/{target}")
        else:
            self.cwd = ""


class Lexer:
    """Reads one text from left to right."""

    def __init__(self, text: str, setting: Setting) -> None:
        self.text, self.at, self.setting = text[:TEXT_MAX], 0, setting
        self.inner: list[str] = []
        self.bare_brace = False

    def word(self) -> str:
        """The next word, quotes taken off and variables filled in; `at` stands behind it."""
        text, parts, size = self.text, [], 0
        self.bare_brace = False
        start = self.at
        while self.at < len(text) and text[self.at] not in END:
            c = text[self.at]
            if c == "\\":
                piece = text[self.at + 1 : self.at + 2].replace("\n", "")
                self.at += 2
            elif c == "'":
                piece = self._quoted()
            elif c == '"':
                piece = self._double()
            elif c == "$" and text[self.at + 1 : self.at + 2] == "'":
                self.at += 1
                piece = unescaped(self._quoted())
            elif c in "$`":
                piece = self._dollar() if c == "$" else self._backtick()
            elif c == "~" and self.at == start and text[self.at + 1 : self.at + 2] in ("", "/", *END):
                piece, self.at = self.setting.home or "~", self.at + 1
            elif text.startswith("~root", self.at) and self.at == start:
                piece, self.at = "/root", self.at + 5
            else:
                self.bare_brace |= c == "{"
                piece, self.at = c, self.at + 1
            if size < WORD_MAX:
                parts.append(piece)
                size += len(piece)
        return "".join(parts)[: 2 * WORD_MAX]

    def _quoted(self) -> str:
        end = self.text.find("'", self.at + 1)
        end = len(self.text) if end < 0 else end
        piece, self.at = self.text[self.at + 1 : end], end + 1
        return piece

    def _double(self) -> str:
        parts, self.at = [], self.at + 1
        while self.at < len(self.text) and (c := self.text[self.at]) != '"':
            if c == "\\":
                following = self.text[self.at + 1 : self.at + 2]
                parts.append(
                    following if following in ('"', "\\", "$", "`") else "" if following == "\n" else c + following
                )
                self.at += 2
            elif c in "$`":
                parts.append(self._dollar() if c == "$" else self._backtick())
            else:
                parts.append(c)
                self.at += 1
        self.at += 1
        return "".join(parts)

    def _dollar(self) -> str:
        text, at = self.text, self.at + 1
        if text.startswith("(", at):
            return self.parentheses(at)
        if text.startswith("{", at):
            end = text.find("}", at, at + 200)
            name = NAME.match(text, at + 1)
            if end < 0 or name is None:
                self.at = at + 1
                return "$"
            self.at, rest = end + 1, text[name.end() : end]
            found = self.setting.value(name[0])
            return rest.lstrip(":-=") if found.startswith("$") and rest[:1] in (":", "-", "=") else found
        if name := NAME.match(text, at):
            self.at = name.end()
            return self.setting.value(name[0])
        self.at = min(at + 1, len(text))
        return (
            self.setting.value("$") if text.startswith("$", at) else f"${text[at : at + 1]}" if at < len(text) else "$"
        )

    def parentheses(self, at: int) -> str:
        """What stands in parentheses, to their end or the end of the text; answered where it is plain to see."""
        depth, start, quote, end = 0, at, "", len(self.text)
        for position in range(at, len(self.text)):
            c = self.text[position]
            if quote:
                quote = "" if c == quote else quote
            elif c in "'\"":
                quote = c
            elif c in "()":
                depth += 1 if c == "(" else -1
                if not depth:
                    end = position
                    break
        self.at = end + 1
        return self._answer(self.text[start + 1 : end])

    def _backtick(self) -> str:
        end = self.text.find("`", self.at + 1)
        end = len(self.text) if end < 0 else end
        inside, self.at = self.text[self.at + 1 : end], end + 1
        return self._answer(inside)

    def _answer(self, inside: str) -> str:
        self.inner.append(inside)
        words = inside.replace('"', "").replace("'", "").split() if len(inside) <= 200 else []
        words = [self.setting.value(one[1:].strip("{}")) if one.startswith("$") else one for one in words]
        match words:
            case ["pwd"] | ["git", "rev-parse", "--show-toplevel"]:
                return self.setting.cwd or "$()"
            case ["echo", *told] | ["printf", *told] if "|" not in told and told:
                return " ".join(told)
            case ["dirname", path]:
                return posixpath.dirname(path) or "."
            case ["realpath" | "readlink", *_, path]:
                return path
        return "$()"


def unescaped(text: str) -> str:
    """A text with its escapes by number read."""
    return ESCAPE.sub(lambda hit: chr((int(hit[1], 16) if hit[1] else int(hit[2], 8)) % 256), text)
