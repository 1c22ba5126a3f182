"""What an agent left in `.git` that runs the next time anybody calls git there: hooks, and settings that name a program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

RUNS = re.compile(
    r"core\.(?:hookspath|sshcommand|gitproxy|askpass|alternaterefscommand)|include\.path|includeif\..*\.path"
    r"|filter\..*\.(?:clean|smudge|process)|diff\.(?:external|.*\.(?:command|textconv))|merge\..*\.driver|mergetool\..*\.cmd"
    r"|(?:credential|credential\..*)\.helper|gpg\.(?:.*\.)?program|uploadpack\..*|receive\..*|remote\..*\.(?:uploadpack|receivepack)",
    re.DOTALL,
)
MAY_RUN = re.compile(r"core\.(?:fsmonitor|editor|pager)|sequence\.editor|pager\..*|alias\..*", re.DOTALL)
"""Keys with harmless values too: a switch, a plain program that shows text, an alias of git's own words."""
HARMLESS = re.compile(
    r"(?i)true|false|yes|no|on|off|0|1|:?|cat|less(?: -[A-Za-z]+)?|more|vi|vim|nano|ed|[a-z][\w-]*(?: -[\w=-]+)*"
)
SECTION = re.compile(r'\s*\[\s*(?P<name>[\w.-]+)(?:\s+"(?P<sub>(?:[^"\\]|\\.)*)")?\s*\](?P<rest>.*)', re.DOTALL)
MOST = 10


def git_startup(config: bytes | None, hooks: Iterable[str]) -> tuple[str, ...]:
    """`.git/config: key` and `.git/hooks/name`, at most ten of each. Hooks that git brings as samples run nothing."""
    text = (config or b"").decode("utf-8", "replace")
    keys = [f".git/config: {key}" for key in _running(text)]
    live = [f".git/hooks/{name}" for name in sorted(hooks) if not name.endswith(".sample")]
    return (*dict.fromkeys(keys[:MOST]), *live[:MOST])


def _running(text: str) -> Iterator[str]:
    section = ""
    for line in text.replace("\\\n", "").split("\n"):
        if head := SECTION.match(line):
            sub = f".{head['sub']}" if head["sub"] is not None else ""
            section, line = f"{head['name'].lower()}{sub}", head["rest"]
        name, _, value = line.partition("=")
        key = f"{section}.{name.strip().lower()}"
        if RUNS.fullmatch(key) or (MAY_RUN.fullmatch(key) and not _harmless(key, value.strip().strip('"'))):
            yield key[:200]


def _harmless(key: str, value: str) -> bool:
    if key.startswith("alias."):
        return not value.startswith("!")
    if key == "core.fsmonitor":
        return value.lower() in ("", "true", "false", "yes", "no", "on", "off", "0", "1")
    return HARMLESS.fullmatch(value) is not None
