"""Files of which a part belongs to a test runner: that part as text, so that two versions can be held against each other."""

from __future__ import annotations

import configparser
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

BYTES_MAX = 256 << 10
TOOLS = ("pytest", "coverage", "tox", "nox", "nose2", "poe", "taskipy")
SCRIPTS = ("scripts", "jest", "mocha", "ava", "nyc", "c8", "tap", "vitest")
CFG = re.compile(r"(?:tool:)?pytest|aliases|nosetests|coverage:.*|unittest")
PLUGIN = "pytest11"
"""The entry point by which a package gives pytest a plugin."""
RULE = re.compile(r"(?P<targets>[^\s:#=][^:#=]*):(?![:=])(?P<needs>[^=#]*)")
WORD = re.compile(r"[\w./-]+")


def pyproject(text: str, _command: str) -> str:
    """Tables of test runners and of what runs scripts, and plugins that a package would give to pytest."""
    found = tomllib.loads(text)
    tool = _table(found, "tool")
    parts = {name: tool[name] for name in TOOLS if name in tool}
    parts["hatch.envs"] = _table(tool, "hatch").get("envs")
    parts["pdm.scripts"] = _table(tool, "pdm").get("scripts")
    parts[PLUGIN] = _table(_table(found, "project"), "entry-points").get(PLUGIN)
    return repr(sorted(parts.items()))


def setup_cfg(text: str, _command: str) -> str:
    """The same of setup.cfg."""
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    parser.read_string(text)
    chosen = [name for name in parser.sections() if CFG.fullmatch(name)]
    parts = [(name, sorted(parser.items(name), key=str)) for name in sorted(chosen)]
    plugins = [value for name in parser.sections() for key, value in parser.items(name) if key == PLUGIN]
    return repr((parts, plugins))


def package_json(text: str, _command: str) -> str:
    """Scripts, and settings of test runners."""
    found = json.loads(text)
    return json.dumps({name: found[name] for name in SCRIPTS if name in found}, sort_keys=True)


def entry_points(text: str, _command: str) -> str:
    """The plugins that a folder of metadata (`*.dist-info`) gives to pytest."""
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    parser.read_string(text)
    return repr(sorted(parser.items(PLUGIN), key=str)) if parser.has_section(PLUGIN) else ""


def makefile(text: str, command: str) -> str:
    """The rules that `make` in the task's command comes to, and all that belongs to no rule. "" where it runs no make."""
    words = WORD.findall(command)
    if "make" not in words and "gmake" not in words:
        return ""
    blocks = list(_blocks(text.replace("\\\n", " ")))
    named = {target for targets, _, _ in blocks for target in targets}
    wanted = named & {*words} or {*next((targets for targets, _, _ in blocks if targets), ())}
    grown = True
    while grown:
        more = {need for targets, needs, _ in blocks if wanted.intersection(targets) for need in needs} - wanted
        grown, wanted = bool(more), wanted | more
    return "\n".join(block for targets, _, block in blocks if not targets or wanted.intersection(targets))


def _blocks(text: str) -> Iterator[tuple[tuple[str, ...], tuple[str, ...], str]]:
    """Targets, what they need, and the lines of each rule; lines outside of rules have no target. Special targets too."""
    targets: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    lines: list[str] = []
    for line in text.split("\n"):
        rule = RULE.match(line)
        if rule or (line and not line.startswith(("\t", "#", " "))):
            yield targets, needs, "\n".join(lines)
            lines = []
            targets = tuple(one for one in rule["targets"].split() if "%" not in one and one[0] != ".") if rule else ()
            needs = tuple(rule["needs"].partition(";")[0].split()) if rule else ()
        if line.strip() and not line.startswith(".PHONY"):
            lines.append(line)
    yield targets, needs, "\n".join(lines)


def _table(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = found.get(name)
    return value if isinstance(value, dict) else {}


PARTS: Mapping[str, Callable[[str, str], str]] = {
    "pyproject.toml": pyproject,
    "setup.cfg": setup_cfg,
    "package.json": package_json,
    "entry_points.txt": entry_points,
    **dict.fromkeys(("Makefile", "makefile", "GNUmakefile"), makefile),
}
"""Name of a file -> the part of it that belongs to a runner."""
FAULTS = (ValueError, TypeError, RecursionError, configparser.Error)


def part_of(path: str, data: bytes | None, command: str) -> str | None:
    """The runner's part of a file; None where it cannot be read. A file that is not there has an empty one of its kind."""
    read = PARTS[path.rpartition("/")[2]]
    if data is not None and len(data) > BYTES_MAX:
        return None
    try:
        empty = "{}" if read is package_json else ""
        return read(data.decode() if data else empty, command)
    except FAULTS:
        return None
