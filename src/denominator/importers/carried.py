"""What of a foreign log may be carried over: no absolute paths, no credentials, no user names in addresses."""

from __future__ import annotations

import re
from collections.abc import Mapping

_PART = r"[^\s\"'=,;:\\/]+"
PATH = re.compile(
    rf"(?<![\w./\\-])(?!(?<=:)//)(?:file://)?(?:~|[A-Za-z]:)?[/\\]{{1,2}}(?:{_PART}[/\\]{{1,2}})*{_PART}[/\\]{{0,2}}"
    rf"|/(?:home|Users|root)(?:/{_PART})+/?"
)
"""An absolute path, wherever it begins; below a home also where a letter stands right before it (`-o/home/...`)."""
USERINFO = re.compile(r"(?<=://)[^/\s@]+@")
SECRET = re.compile(
    r"(?:^|[_\-. ])(?:api_?key|key|token|secret|password|passwd|credentials?|authorization|bearer)\Z", re.IGNORECASE
)
LOOKS_SECRET = re.compile(r"\b(?:sk|pk|ghp|gho|ghs|hf|xox[abp]|AKIA|AIza)[-_A-Za-z0-9]{12,}")
LEFT_PATH, LEFT_SECRET = "[path]", "[secret]"  # what stands in its place
DEEP, LONG = 8, 2_000


def carried(value: object, deep: int = 0) -> object:
    """A value of JSON without what must not leave the log; long texts are cut, deep ones left out."""
    if isinstance(value, str):
        return _text(value)
    if deep >= DEEP:
        return None
    if isinstance(value, Mapping):
        return {
            str(name)[:LONG]: LEFT_SECRET if is_secret(str(name)) and inner else carried(inner, deep + 1)
            for name, inner in value.items()
        }
    if isinstance(value, list | tuple):
        return _words(list(value), deep)
    return value


def is_secret(name: str) -> bool:
    """Is this the name of something that only its owner may know?"""
    return bool(SECRET.search(name.lstrip("-")))


def _words(words: list[object], deep: int) -> list[object]:
    """A list; a word after an option that names a secret is one (`--api-key WORD`)."""
    after = [False, *(isinstance(one, str) and one.startswith("-") and is_secret(one) for one in words)]
    return [LEFT_SECRET if secret else carried(one, deep + 1) for one, secret in zip(words, after, strict=False)]


def _text(text: str) -> str:
    """A text; `name=value` loses the value where the name is that of a secret."""
    name, equals, _ = text.partition("=")
    if equals and is_secret(name):
        return f"{name[:LONG]}={LEFT_SECRET}"
    return LOOKS_SECRET.sub(LEFT_SECRET, USERINFO.sub("", PATH.sub(LEFT_PATH, text[:LONG])))
