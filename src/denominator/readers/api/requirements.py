"""Packages that a repository itself declares: pyproject.toml, requirements files, setup.cfg. Nothing is run."""

from __future__ import annotations

import configparser
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from denominator.readers.api.packages import normal

BYTES_MAX = 1_000_000
DEPTH_MAX = 3
REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)")
LISTS = re.compile(r"(?:.*requirements.*|constraints.*)\.(?:txt|in)\Z")
UNREAD = frozenset(
    "setup.py tox.ini noxfile.py Pipfile environment.yml environment.yaml conda.yml conda.yaml meta.yaml".split()  # noqa: SIM905
)
"""Files that declare packages in a form that is not read: beside one of them nobody can say that a list is whole."""


@dataclass(frozen=True, slots=True)
class Requirements:
    """Declared names, sorted; what only builds the project brings just the module of its name (`setuptools:setuptools`).

    `stated`: some file declares; `whole`: nothing declares that could not be read.
    """

    names: tuple[str, ...] = ()
    stated: bool = False
    whole: bool = True


def read_requirements(files: Mapping[str, bytes]) -> Requirements:
    """What the files of a snapshot declare, down to the third folder."""
    names: set[str] = set()
    stated, whole = False, True
    for path in sorted(p for p in files if p.count("/") < DEPTH_MAX):
        name = path.rpartition("/")[2]
        if name in UNREAD:
            whole = False
        elif name in ("pyproject.toml", "setup.cfg") or LISTS.match(name):
            found = _read(name, files[path])
            whole = whole and found is not None
            stated = stated or bool(found) or (found is not None and name == "pyproject.toml")
            names |= set(found or ())
    return Requirements(tuple(sorted(names)), stated, whole)


def _read(name: str, data: bytes) -> list[str] | None:
    """Names that one file declares; nothing when it cannot be read, or says that something else computes them."""
    try:
        text = data[:BYTES_MAX].decode("utf-8")
        if name == "pyproject.toml":
            return _project(tomllib.loads(text))
        if name == "setup.cfg":
            return _setup(text)
    except (ValueError, RecursionError, configparser.Error):
        return None
    return _lines(text.splitlines())


def _lines(lines: Iterable[str]) -> list[str] | None:
    """Lines of a requirements file: options that name packages by address are nobody's to read."""
    found: list[str] = []
    for raw in lines:
        line = raw.partition(" #")[0].strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith(("-e", "--editable", "-f", "git+", "http:", "https:", ".", "/")):
            return None
        made = None if line.startswith("-") else REQUIREMENT.match(line)
        found += [made.group(1)] if made else []
    return found


def _project(document: dict[str, Any]) -> list[str] | None:
    project = document.get("project")
    if isinstance(project, dict) and "dependencies" in (project.get("dynamic") or ()):
        return None
    built = _lines(_texts(_table(document, "build-system").get("requires"))) or []
    found = _lines(_stated(document))
    return None if found is None else [*found, *(f"{name}:{normal(name)}" for name in built)]


def _stated(document: dict[str, Any]) -> Iterator[str]:
    """Every requirement of a project file: lists of texts under `project`, groups, and the keys of older tools' tables."""
    project, tool = _table(document, "project"), _table(document, "tool")
    yield from _texts(project.get("dependencies"))
    for groups in (project.get("optional-dependencies"), document.get("dependency-groups")):
        for group in groups.values() if isinstance(groups, dict) else ():
            yield from _texts(group)
    for one in tool.values():
        yield from _of_tool(one)


def _of_tool(table: Any, depth: int = 0) -> Iterator[str]:
    """`dependencies`, `dev-dependencies` and alike anywhere in a tool's table, as list or as table of names."""
    if not isinstance(table, dict) or depth > DEPTH_MAX:
        return
    for key, value in table.items():
        if key.endswith("dependencies"):
            named = value if isinstance(value, dict) else {}
            yield from (name for name in named if name != "python")
            yield from _texts(value)
            for group in named.values():
                yield from _texts(group)
        else:
            yield from _of_tool(value, depth + 1)


def _setup(text: str) -> list[str] | None:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(text)
    found: list[str] = []
    for section, key in (("options", "install_requires"), ("options", "tests_require"), ("options", "setup_requires")):
        found += _lines(parser.get(section, key, fallback="").replace(";", "\n#").splitlines()) or []
    if parser.has_section("options.extras_require"):
        for _, value in parser.items("options.extras_require"):
            found += _lines(value.replace(";", "\n#").splitlines()) or []
    return found


def _table(document: dict[str, Any], key: str) -> dict[str, Any]:
    value = document.get(key)
    return value if isinstance(value, dict) else {}


def _texts(value: Any) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
