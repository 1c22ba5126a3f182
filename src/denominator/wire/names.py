"""Ids as folder names: one safe name an id, never two ids in one folder, also on a disk that is blind to case.

A safe name holds only a-z, 0-9, `.`, `-`, `_` and `=xx` (a byte of the id's UTF-8 in hex), so capitals are escaped. It
is reversible. An id whose name would be longer than 120 bytes gets a readable start, `=x` and the id's sha256:
`original_name` cannot give that one back, so whatever is stored under a safe name keeps the original id inside.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence

NAME_BYTES_MAX = 120
HEAD_CHARS = 48
HASH_MARK = "=x"

RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?\Z", re.DOTALL)
DRIVE = re.compile(r"[A-Za-z]:[\\/]")
BIDI = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
UNSAFE = re.compile(r"[^a-z0-9._-]")
WORDS = re.compile(r"[A-Za-z0-9_]+(?:[-./][A-Za-z0-9_]+)*")
"""Most ids are words with single dots, dashes or slashes between: nothing in them can be refused."""
WORD_LINES = re.compile(rf"{WORDS.pattern}(?:\n{WORDS.pattern})*+")
CAPITAL = re.compile("[A-Z]")
RESERVED_LINE = re.compile(r"^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?$", re.MULTILINE)
ESCAPED = re.compile(r"[a-z0-9._-]|=[0-9a-f]{2}")


def plain_safe_names(ids: Sequence[str]) -> list[str] | None:
    """The safe names of many ids where none is odd, told of all at once: words of which none is reserved, and short ones."""
    text = "\n".join(ids)
    if not WORD_LINES.fullmatch(text):
        return None
    # Of what words hold, only slashes and capitals are escaped.
    names = CAPITAL.sub(_escape, text.replace("/", "=2f"))
    found = names.split("\n")
    odd = len(found) != len(ids) or max(map(len, found)) > NAME_BYTES_MAX or RESERVED_LINE.search(names)
    return None if odd else found


def safe_name(id_: str) -> str:
    """The folder or file name of an id; total (also for ids that `id_problem` refuses) and never equal for two ids."""
    name = _escaped(id_)
    if len(name) <= NAME_BYTES_MAX:
        return name
    sha = hashlib.sha256(_bytes(id_)).hexdigest()
    return "".join(_whole(name[:HEAD_CHARS])) + HASH_MARK + sha


def _bytes(id_: str) -> bytes:
    return id_.encode("utf-8", "surrogatepass")


def _whole(head: str) -> list[str]:
    """The complete escapes and characters at the start of a cut name."""
    return ESCAPED.findall(re.sub(r"=[0-9a-f]?\Z", "", head))


def _escaped(id_: str) -> str:
    # One character a byte.
    name = UNSAFE.sub(_escape, _bytes(id_).decode("latin-1"))
    if not name:
        return "="
    if name[0] in ".-" or RESERVED.match(name):
        name = f"={ord(name[0]):02x}{name[1:]}"
    return f"{name[:-1]}=2e" if name[-1] == "." else name


def _escape(found: re.Match[str]) -> str:
    return f"={ord(found[0]):02x}"


def original_name(safe: str) -> str | None:
    """The id of a safe name; None for a shortened one and for a name that `safe_name` does not give."""
    if safe == "=":
        return ""
    if HASH_MARK in safe or "".join(ESCAPED.findall(safe)) != safe:
        return None
    raw = b"".join(bytes.fromhex(part[1:]) if len(part) == 3 else part.encode() for part in ESCAPED.findall(safe))
    try:
        id_ = raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
    return id_ if safe_name(id_) == safe else None


def id_problem(id_: str) -> str | None:
    """Why an id may not be used, or None. A slash is fine (the name escapes it); leaving the folder is not."""
    if WORDS.fullmatch(id_):
        return None
    if not id_.strip():
        return "is empty"
    for char in id_:
        if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") or char in BIDI:
            return f"holds the control character U+{ord(char):04X}"
    if id_[0] in "/\\" or DRIVE.match(id_):
        return "is an absolute path"
    segments = re.split(r"[/\\]", id_)
    if any(segment.strip() == ".." for segment in segments) or id_.strip() == ".":
        return "leaves its folder ('..' or '.')"
    return None
