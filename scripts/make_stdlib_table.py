"""Writes src/denominator/readers/api/data/stdlib_<X>_<Y>.json: what the modules of the standard library define.

The reader of invented surfaces must say the same on every machine, so it never asks the interpreter that it runs on: it
reads this table. A name stands in it when either the interpreter that runs this script has it, or the stubs that mypy
carries have it on any platform (names that only Windows or macOS have must not look invented). A module that could not be
imported here is marked open: what is not listed for it is not judged.

Example: .venv/bin/python scripts/make_stdlib_table.py
"""

from __future__ import annotations

import ast
import enum
import importlib
import inspect
import json
import pkgutil
import sys
import warnings
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]
TARGET = ROOT / "src" / "denominator" / "readers" / "api" / "data"
VERSION = sys.version_info[:2]
SKIPPED = {
    "antigravity",
    "this",
    "idlelib",
    "lib2to3",
    "turtledemo",
    "test",
    "pydoc_data",
    "ensurepip",
    "__phello__",
    "__hello__",
}
SKIPPED |= {"distutils", "msilib"}
SKIPPED_PARTS = {"test", "tests", "__main__", "tix", "macholib"}
UNLISTED_PACKAGES = {"encodings"}
LAZY = {"io": "OpenWrapper", "sqlite3": "OptimizedUnicode", "urllib.parse": "Quoter", "builtins": "WindowsError"}
HIDDEN = (
    "__main__ test _ctypes_test _testcapi _testinternalcapi _testbuffer _testimportmultiple _testmultiphase xxlimited"
)
CLOSED = {*LAZY, "os", "unittest", "concurrent.futures", "zoneinfo"}
OPEN_CLASSES = {"types.ModuleType", "types.SimpleNamespace", "multiprocessing.managers.BaseManager", "builtins.type"}
OPEN_CLASSES |= {"builtins.super", "threading.local", "_thread._local", "argparse.Namespace"}


@dataclass
class Klass:
    """One class: names of its bases (`module.Class`), its own members, whether it answers to any name."""

    bases: list[str] = field(default_factory=list)
    members: set[str] = field(default_factory=set)
    open: bool = False


@dataclass
class Module:
    """One module: names, classes defined here, names that stand for a module or a class of another module."""

    names: set[str] = field(default_factory=set)
    classes: dict[str, Klass] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    open: bool = False


def main() -> None:
    """Builds, checks and writes the table."""
    warnings.simplefilter("ignore")
    stubs = Path(importlib.import_module("mypy").__file__ or "").parent / "typeshed" / "stdlib"
    wanted = list(module_names())
    found = {name: module for name in wanted if (module := loaded(name)) is not None}
    table = {name: runtime_module(name, found.get(name)) for name in wanted}
    for name in wanted:
        add_stub(name, table[name], stubs)
    path = TARGET / f"stdlib_{VERSION[0]}_{VERSION[1]}.json"
    path.write_text(json.dumps(document(table), sort_keys=True, separators=(",", ":")) + "\n", encoding="utf-8")
    print(f"{path.relative_to(ROOT)}: {len(table)} modules, {path.stat().st_size} bytes")


def module_names() -> list[str]:
    """Public modules of the standard library and their public submodules."""
    tops = sorted(
        n
        for n in sys.stdlib_module_names
        if n not in SKIPPED and (not n.startswith("_") or n in ("__future__", "_thread"))
    )
    names = [*tops, "os.path"]
    for top in tops:
        module = loaded(top)
        if module is not None and hasattr(module, "__path__") and top not in UNLISTED_PACKAGES:
            names += [
                info.name
                for info in pkgutil.walk_packages(module.__path__, f"{top}.", onerror=str)
                if public(info.name)
            ]
    return sorted(set(names))


@cache
def names_of_table() -> frozenset[str]:
    """The same names as a set."""
    return frozenset(module_names())


def public(name: str) -> bool:
    """Is no part of this dotted name private or a test?"""
    return not any(part.startswith("_") or part in SKIPPED_PARTS for part in name.split("."))


def loaded(name: str) -> ModuleType | None:
    """The module, or nothing when this machine does not have it."""
    try:
        return importlib.import_module(name)
    except Exception:
        return None


def runtime_module(name: str, module: ModuleType | None) -> Module:
    """What the running interpreter knows of a module."""
    if module is None:
        return Module(open=True)
    out = Module(names={*vars(module), *LAZY.get(name, "").split()})
    out.open = ("__getattr__" in vars(module) and name not in CLOSED) or name in UNLISTED_PACKAGES
    for key, value in vars(module).items():
        if isinstance(value, ModuleType) and value.__name__.split(".")[0] in sys.stdlib_module_names:
            out.aliases[key] = f"{value.__name__}:"
        elif inspect.isclass(value) and value.__module__ == name:
            out.classes[value.__name__] = runtime_class(value)
            if key != value.__name__:
                out.aliases[key] = f"{name}:{value.__name__}"
        elif inspect.isclass(value):
            out.aliases[key] = f"{value.__module__}:{value.__qualname__}"
    out.names |= source_names(module)
    return out


def runtime_class(cls: type) -> Klass:
    """Members that `dir` shows for a class and none of its bases, and attributes that its methods set on self."""
    bases = [base for base in cls.__bases__ if listed(base)]
    inherited = {name for base in bases for name in dir(base)}
    members = {name for name in dir(cls) if name not in inherited}
    members |= set(cls.__members__) if isinstance(cls, enum.EnumMeta) else set()
    fields, notes = getattr(cls, "_fields", ()), vars(cls).get("__annotations__", ())
    members |= {*(fields if isinstance(fields, tuple) else ()), *(notes if isinstance(notes, dict) else ())}
    try:
        tree = ast.parse(inspect.cleandoc("\n" + inspect.getsource(cls)))
    except (OSError, TypeError, SyntaxError):
        tree = ast.Module([], [])
    members |= self_names(tree)
    where = f"{cls.__module__}.{cls.__name__}"
    is_open = any("__getattr__" in vars(c) for c in cls.__mro__) or where in OPEN_CLASSES or cls.__module__ == "ctypes"
    for hidden in (base for base in cls.__bases__ if base not in bases):
        flat = runtime_class(hidden)
        members |= flat.members
        bases += [base for base in hidden.__mro__ if listed(base) and base not in bases]
    return Klass([f"{b.__module__}.{b.__qualname__}" for b in bases], members, is_open)


def listed(cls: type) -> bool:
    """Is this class in the table under its own name?"""
    return cls.__module__ in names_of_table() and "." not in cls.__qualname__


def self_names(tree: ast.AST) -> set[str]:
    """Names that are set on something called self or cls."""
    return {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name)
    }


def source_names(module: ModuleType) -> set[str]:
    """Names that the module's source binds in any branch, also on other platforms."""
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError):
        return set()
    return {name for statement in statements(tree.body, None) for name in bound(statement)}


def statements(body: list[ast.stmt], version: tuple[int, int] | None) -> list[ast.stmt]:
    """Statements of a module or class, those of every branch too; branches of a version only when it is ours."""
    out: list[ast.stmt] = []
    for statement in body:
        out.append(statement)
        if isinstance(statement, ast.If):
            side = version_test(statement.test, version)
            out += statements(statement.body, version) if side is not False else []
            out += statements(statement.orelse, version) if side is not True else []
        elif isinstance(statement, ast.Try | ast.With | ast.For | ast.While):
            for part in ("body", "orelse", "finalbody"):
                out += statements(getattr(statement, part, []), version)
            for handler in getattr(statement, "handlers", []):
                out += statements(handler.body, version)
    return out


def version_test(test: ast.expr, version: tuple[int, int] | None) -> bool | None:
    """What `sys.version_info >= (3, 12)` says for a version; nothing for other tests."""
    if version is None or not isinstance(test, ast.Compare) or ast.unparse(test.left) != "sys.version_info":
        return None
    limit = ast.literal_eval(test.comparators[0])[:2]
    return version >= limit if isinstance(test.ops[0], ast.GtE) else version < limit


def bound(statement: ast.stmt) -> set[str]:
    """Names that one statement binds."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(a.asname or a.name).split(".")[0] for a in statement.names} - {"*"}
    targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
    return {n.id for t in targets if t is not None for n in ast.walk(t) if isinstance(n, ast.Name)}


def declared(statement: ast.stmt) -> set[str]:
    """Names that a statement of a stub declares; an import there counts only when it says so (`import x as x`)."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {a.asname for a in statement.names if a.asname and a.asname == a.name}
    return bound(statement)


def add_stub(name: str, module: Module, stubs: Path) -> None:
    """Adds what the stub of a module declares."""
    tree = stub_tree(name, stubs)
    if tree is None:
        module.open = module.open or not module.names
        return
    for statement in statements(tree.body, VERSION):
        module.names |= set() if name == "builtins" else declared(statement)
        if isinstance(statement, ast.ImportFrom) and any(a.name == "*" for a in statement.names):
            module.names |= star_names(statement, name, stubs)
        if isinstance(statement, ast.FunctionDef) and statement.name == "__getattr__":
            module.open = True
        if isinstance(statement, ast.ClassDef):
            add_stub_class(name, module, statement)


def stub_tree(name: str, stubs: Path) -> ast.Module | None:
    """The parsed stub of a module, if there is one for this version."""
    base = stubs.joinpath(*name.split("."))
    for path in (base.with_suffix(".pyi"), base / "__init__.pyi"):
        if path.is_file():
            return ast.parse(path.read_text(encoding="utf-8"))
    return None


def star_names(statement: ast.ImportFrom, name: str, stubs: Path) -> set[str]:
    """Names that `from x import *` brings in a stub."""
    parts = name.split(".")
    target = statement.module or ""
    if statement.level:
        target = ".".join(
            [
                *parts[: len(parts) - statement.level + (1 if (stubs.joinpath(*parts)).is_dir() else 0)],
                *filter(None, [target]),
            ]
        )
    tree = stub_tree(target, stubs)
    out = {n for s in statements(tree.body, VERSION) for n in declared(s)} if tree else set()
    for inner in statements(tree.body, VERSION) if tree else []:
        if isinstance(inner, ast.ImportFrom) and any(a.name == "*" for a in inner.names):
            out |= star_names(inner, target, stubs)
    return out


def add_stub_class(name: str, module: Module, node: ast.ClassDef) -> None:
    """Adds members that only the stub knows; a class that only the stub knows is not listed (its bases are not resolved)."""
    klass = module.classes.get(node.name)
    if klass is None:
        return
    for statement in statements(node.body, VERSION):
        names = bound(statement)
        klass.members |= names
        if names & {"__getattr__", "__getattribute__"} and f"{name}.{node.name}" != "builtins.object":
            klass.open = True


def document(table: dict[str, Module]) -> dict[str, object]:
    """The table as JSON: dunder names are left out (they are never judged), sets become sorted words."""
    drop_private(table)
    known = {f"{name}.{cls}" for name, module in table.items() for cls in module.classes}
    mypy = importlib.import_module("mypy.version").__version__
    private = sorted({n for n in sys.stdlib_module_names if n not in table} | set(HIDDEN.split()))
    return {
        "version": 1,
        "python": ".".join(map(str, sys.version_info[:3])),
        "stubs": f"mypy {mypy}",
        "other_modules": " ".join(private),
        "unlisted": "tkinter.tix ctypes.macholib unittest.test lib2to3.tests",
        "modules": {name: module_json(module, known, table) for name, module in table.items()},
    }


def drop_private(table: dict[str, Module]) -> None:
    """Private classes that nothing is made from stay names only; the table is smaller for it."""
    used = {base for module in table.values() for klass in module.classes.values() for base in klass.bases}
    for name, module in table.items():
        for cls in [c for c in module.classes if c.startswith("_") and f"{name}.{c}" not in used]:
            del module.classes[cls]


def module_json(module: Module, known: set[str], table: dict[str, Module]) -> dict[str, object]:
    """One module; empty parts are left out."""
    aliases = {k: v for k, v in module.aliases.items() if resolves(v, table) and not dunder(k)}
    parts: dict[str, object] = {
        "names": words(n for n in module.names if n not in module.classes and n not in aliases),
        "classes": {n: class_json(c, known) for n, c in module.classes.items() if not dunder(n)},
        "aliases": aliases,
        "open": 1 if module.open else 0,
    }
    return {key: value for key, value in parts.items() if value}


def resolves(alias: str, table: dict[str, Module]) -> bool:
    """Does an alias lead to a module or class of the table?"""
    module, _, cls = alias.partition(":")
    return module in table and (not cls or cls in table[module].classes)


def class_json(klass: Klass, known: set[str]) -> list[object]:
    """Bases, members, and 1 when any member must be expected (also when a base is not in the table)."""
    bases = [b for b in klass.bases if b != "builtins.object"]
    return [words(bases), words(klass.members), int(klass.open or any(b not in known for b in bases))]


def dunder(name: str) -> bool:
    """Is this a name like __doc__?"""
    return name.startswith("__") and name.endswith("__")


def words(names: object) -> str:
    """Sorted names in one text."""
    return " ".join(sorted(n for n in names if not dunder(n)))  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
