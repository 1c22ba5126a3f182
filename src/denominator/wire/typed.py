"""A command line as it was typed, fit to be kept: secrets are covered, and a home folder is `~`, as a shell has it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence

from denominator.wire.private import PERSONAL, SECRETS, names_secret

COVERED = "[covered]"
HOMES = PERSONAL["a home folder"]
_VALUE = re.compile(r"(--?[\w-]+)=(.+)", re.DOTALL)
_HOME_WORD = re.compile(r"~[A-Za-z0-9_.-]*(?:/|\Z)")


def covered(words: Sequence[str], home: str = "") -> tuple[str, ...]:
    """The same words, in which no form of a secret and no home folder stands; `home` is that of who typed them."""
    found, hides = [], False
    for word in words:
        found.append(COVERED if hides else _covered(word, home.rstrip("/")))
        hides = word.startswith("-") and "=" not in word and names_secret(word)
    return tuple(found)


def _covered(word: str, home: str) -> str:
    option = _VALUE.fullmatch(word)
    if option and names_secret(option[1]):
        return f"{option[1]}={COVERED}"
    for form in SECRETS.values():
        word = form.sub(COVERED, word)
    if home:
        word = re.sub(rf"(?<![\w.~-]){re.escape(home)}(?=/|\Z)", "~", word)
    return HOMES.sub(_tilde, word)


def _tilde(match: re.Match[str]) -> str:
    """`/home/ann` is `~ann`; a drive of Windows has no such name."""
    return "~" + match[0].rsplit("/", 1)[1] if match[0].startswith("/") else "~\\"


def shell_line(words: Iterable[str]) -> str:
    """One line for a shell. A home folder at the start of a word, with the slash behind it, is left for it to open."""
    return " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    home = _HOME_WORD.match(word)
    if home is None:
        return shlex.quote(word)
    rest = word[home.end() :]
    return home[0] + (shlex.quote(rest) if rest else "")
