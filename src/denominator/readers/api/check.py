"""Every surface that the added lines of a patch use."""

from __future__ import annotations

import re

from denominator.readers.api.doubts import Doubts
from denominator.readers.api.judge import Judge
from denominator.readers.api.modules import SourceModule
from denominator.readers.api.openapi import read_spec
from denominator.readers.api.routes import Routes
from denominator.readers.api.scripts import SUFFIXES as SCRIPTS
from denominator.readers.api.scripts import Scripts
from denominator.readers.api.shape import NOT_EVALUATED, ApiInputs, Surface
from denominator.readers.api.tree import SUFFIXES
from denominator.readers.api.world import World

NO_CODE = frozenset(
    [
        "md",
        "rst",
        "txt",
        "json",
        "jsonl",
        "toml",
        "yaml",
        "yml",
        "ini",
        "cfg",
        "csv",
        "tsv",
        "xml",
        "svg",
        "png",
        "jpg",
        "gif",
        "pdf",
        "lock",
        "html",
        "css",
        "in",
        "typed",
        "snap",
        "diff",
        "patch",
        "log",
        "po",
        "pot",
        "dat",
        "bin",
        "zip",
        "gz",
    ]
)
NO_CODE_NAMES = frozenset(
    ["LICENSE", "NOTICE", "README", "CHANGELOG", "AUTHORS", "CODEOWNERS", ".gitignore", ".gitattributes"]
)
TOO_DEEP = "nested too deep"
PYTHON_LINE = re.compile(rb"\A#![^\n]*python")


def surfaces(inputs: ApiInputs) -> tuple[Surface, ...]:
    """All surfaces, by path and in the order of the source; a file that cannot be judged is one surface of its own."""
    world = World(inputs)
    spec = read_spec(inputs.spec)
    doubts, routes = Doubts(world, spec.symbols), Routes(world, spec)
    scripts = Scripts(world, routes)
    out: list[Surface] = []
    for path in sorted(inputs.patch):
        data = inputs.patch[path]
        if data is None or data == inputs.repository.get(path):
            continue
        if is_python(path, data):
            out += _python(path, world, doubts, routes)
        elif path.endswith(SCRIPTS):
            out += _script(path, scripts)
        elif is_code(path):
            out.append(_whole(path, f"another language: {path.rpartition('.')[2] if '.' in path else 'unknown'}"))
    return tuple(out)


def _python(path: str, world: World, doubts: Doubts, routes: Routes) -> list[Surface]:
    module = world.load(path)
    if not isinstance(module, SourceModule):
        return [_whole(path, module.why.removeprefix(f"{path}: "))]
    try:
        return list(Judge(world, doubts, routes, module).run().surfaces.values())
    except RecursionError:
        return [_whole(path, TOO_DEEP)]


def _script(path: str, scripts: Scripts) -> list[Surface]:
    try:
        return scripts.read(path)
    except RecursionError:
        return [_whole(path, TOO_DEEP)]


def _whole(path: str, why: str) -> Surface:
    return Surface(kind="file", name=path, state=NOT_EVALUATED, why=why, path=path, line=0, column=0, text="")


def is_python(path: str, data: bytes) -> bool:
    """By its suffix, or by its first line when it has none."""
    name = path.rpartition("/")[2]
    return path.endswith(SUFFIXES) or ("." not in name and PYTHON_LINE.match(data) is not None)


def is_code(path: str) -> bool:
    """May this file use an interface? What is surely prose or data does not."""
    name = path.rpartition("/")[2]
    return name not in NO_CODE_NAMES and name.rpartition(".")[2].lower() not in NO_CODE
