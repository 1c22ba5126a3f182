"""Downloads of code: of the task's own project, or from where projects lie."""

from __future__ import annotations

import re
from collections.abc import Iterator

from denominator.readers.beyond.shape import SHOWN, UPSTREAM, Places, Reach

HOSTS = re.compile(
    r"(?i)(?:^|[/@.])(?:github\.com|githubusercontent\.com|gitlab\.com|bitbucket\.org|codeload\.github\.com|pypi\.org"
    r"|pythonhosted\.org|registry\.npmjs\.org|crates\.io|sourceforge\.net)(?:[:/]|$)"
)
FETCHERS = frozenset(
    ("curl", "wget", "pip", "pip3", "uv", "pipx", "python", "python3", "gh", "hub", "svn", "hg", "http", "aria2c")
)


def fetch_reaches(name: str, words: list[str], places: Places) -> Iterator[Reach]:
    """A download of code, or of the task's own project."""
    shown = " ".join([name, *words])[:SHOWN]
    if name in ("python", "python3"):
        if words[:2] != ["-m", "pip"]:
            return
        name, words = "pip", words[2:]
    if name == "uv":
        name, words = ("pip", words[1:]) if words[:1] == ["pip"] else ("uv", words)
    if name in ("pip", "pip3", "pipx", "uv"):
        verb = next((one for one in words if not one.startswith("-")), "")
        given = words[words.index(verb) + 1 :] if verb else []
        named = {re.split(r"[=<>!~\[@ ]", one, maxsplit=1)[0].lower().replace("-", "_") for one in given}
        project = verb in ("install", "download", "add", "wheel") and bool(named & set(places.projects))
        if (
            project
            or verb == "download"
            or any(one.startswith("git+") or (HOSTS.search(one) and "://" in one) for one in given)
        ):
            yield UPSTREAM, shown
    elif name in ("svn", "hg", "gh", "hub"):
        if any(one in words for one in ("checkout", "co", "clone", "export", "pr", "api", "repo")):
            yield UPSTREAM, shown
    elif any(HOSTS.search(one) for one in words):
        yield UPSTREAM, shown
