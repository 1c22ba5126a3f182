"""A command line -> words and operators, honouring quotes, substitutions, comments and here-documents."""

from __future__ import annotations

from dataclasses import dataclass

OPERATORS = ("&&", "||", "|&", ";;", "|", ";", "&", "(", ")", "\n")
_REDIRECTS = ("&>>", "&>", ">&", "<&", "<<<", "<<-", "<<", ">>", ">|", "<>", ">", "<")


class ShellError(ValueError):
    """The text is not a command that this reader understands."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word (raw, quotes kept) or an operator, at an offset."""

    text: str
    at: int
    word: bool


def tokenize(text: str) -> list[Token]:
    """Split a command line. Raises `ShellError` for an open quote, substitution or here-document."""
    return _Reader(text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.tokens: list[Token] = []
        self.heredocs: list[tuple[str, bool]] = []

    def read(self) -> list[Token]:
        """All tokens."""
        while self.at < len(self.text):
            self._step()
        if self.heredocs:
            raise ShellError("a here-document never ends")
        return self.tokens

    def _step(self) -> None:
        text, at = self.text, self.at
        if text[at] in " \t\r" or text.startswith("\\\n", at):
            self.at += 2 if text[at] == "\\" else 1
        elif text[at] == "#":
            end = text.find("\n", at)
            self.at = len(text) if end < 0 else end
        elif redirect := next((r for r in _REDIRECTS if text.startswith(r, at)), ""):
            self._redirect(redirect)
        elif operator := next((o for o in OPERATORS if text.startswith(o, at)), ""):
            self.tokens.append(Token(operator, at, False))
            self.at += len(operator)
            if operator == "\n":
                self._skip_heredocs()
        else:
            self._word()

    def _redirect(self, redirect: str) -> None:
        """A redirection and its target are dropped: they decide nothing about an exit status."""
        self.at += len(redirect)
        if self.text.startswith("(", self.at) and redirect in ("<", ">"):
            self.at = skip_paren(self.text, self.at)
            self.tokens.append(Token(redirect + "(...)", self.at, True))
            return
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1
        start = self.at
        self.at = word_end(self.text, start)
        if self.at == start and not self.text.startswith(("<(", ">("), start):
            raise ShellError("a redirection without a target")
        if redirect in ("<<", "<<-"):
            self.heredocs.append((unquoted(self.text[start : self.at]), redirect == "<<-"))

    def _skip_heredocs(self) -> None:
        for delimiter, tabs in self.heredocs:
            while True:
                if self.at >= len(self.text):
                    raise ShellError("a here-document never ends")
                end = self.text.find("\n", self.at)
                end = len(self.text) if end < 0 else end
                line = self.text[self.at : end]
                self.at = min(end + 1, len(self.text))
                if (line.lstrip("\t") if tabs else line) == delimiter:
                    break
        self.heredocs = []

    def _word(self) -> None:
        start = self.at
        self.at = word_end(self.text, start)
        word = self.text[start : self.at]
        following = self.text[self.at : self.at + 1]
        if word.isdigit() and following and following in "<>":
            return
        self.tokens.append(Token(word, start, True))


def word_end(text: str, at: int) -> int:
    """Where the word that starts here ends."""
    while at < len(text):
        char = text[at]
        if char in " \t\r\n;&|()<>":
            return at
        at = _skip_piece(text, at)
    return at


def _skip_piece(text: str, at: int) -> int:
    char = text[at]
    if char == "\\":
        return min(at + 2, len(text))
    if char == "'":
        return _after(text, "'", at + 1)
    if char == '"':
        return skip_double(text, at)
    if char == "`":
        return _skip_backticks(text, at)
    if char == "$" and text.startswith("'", at + 1):
        return _skip_ansi(text, at + 2)
    if char == "$" and text.startswith("(", at + 1):
        return skip_paren(text, at + 1)
    if char == "$" and text.startswith("{", at + 1):
        return _after(text, "}", at + 2)
    return at + 1


def _after(text: str, end: str, at: int) -> int:
    found = text.find(end, at)
    if found < 0:
        raise ShellError(f"nothing closes with {end}")
    return found + 1


def _skip_ansi(text: str, at: int) -> int:
    while at < len(text) and text[at] != "'":
        at += 2 if text[at] == "\\" else 1
    return _after(text, "'", at)


def _skip_backticks(text: str, at: int) -> int:
    at += 1
    while at < len(text) and text[at] != "`":
        at += 2 if text[at] == "\\" else 1
    return _after(text, "`", at)


def skip_double(text: str, at: int) -> int:
    """From an opening double quote to after its end."""
    at += 1
    while at < len(text) and text[at] != '"':
        at = _skip_piece(text, at) if text[at] in "\\`" or text.startswith(("$(", "${"), at) else at + 1
    return _after(text, '"', at)


def skip_paren(text: str, at: int) -> int:
    """From an opening parenthesis to after the one that closes it."""
    depth = 0
    while at < len(text):
        if text[at] in "()":
            depth += 1 if text[at] == "(" else -1
            at += 1
            if depth == 0:
                return at
        else:
            at = _skip_piece(text, at)
    raise ShellError("nothing closes with )")


def unquoted(word: str) -> str:
    """A word without its quotes, for words that hold no substitution."""
    out, at = "", 0
    while at < len(word):
        if word[at] == "\\":
            out, at = out + word[at + 1 : at + 2], at + 2
        elif word[at] == "'":
            end = word.index("'", at + 1)
            out, at = out + word[at + 1 : end], end + 1
        elif word[at] == '"':
            end = skip_double(word, at)
            out, at = out + _double_text(word[at + 1 : end - 1]), end
        else:
            out, at = out + word[at], at + 1
    return out


def _double_text(body: str) -> str:
    """Inside double quotes a backslash escapes only these."""
    out, at = "", 0
    while at < len(body):
        escaped = body[at] == "\\" and body[at + 1 : at + 2] in ('"', "\\", "$", "`", "\n")
        out += body[at + 1] if escaped else body[at]
        at += 2 if escaped else 1
    return out
