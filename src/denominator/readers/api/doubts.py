"""The second look: before anything is called invented, every way in which it may exist after all is searched for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from denominator.readers.api.classes import SourceClass
from denominator.readers.api.modules import SourceModule
from denominator.readers.api.scopes import last_name
from denominator.readers.api.source import Parsed, parse
from denominator.readers.api.stdlib import TableClass, TableModule
from denominator.readers.api.tree import SUFFIXES
from denominator.readers.api.values import Cls, Inst, Missing, Mod, Value, Values
from denominator.readers.api.world import World

OWN_NAMES = frozenset(("self", "cls", "mcs", "mcls", "metacls"))
FROM_TOOLS = frozenset(("ellipsis", "get_ipython", "get_config", "display", "reveal_type", "reveal_locals", "profile"))
COMPILED_FROM = (".pyx", ".c", ".cc", ".cpp", ".rs", ".go", ".f90")
LOOKS = frozenset(("hasattr", "getattr", "delattr"))
NARROWS = frozenset(("isinstance", "issubclass", "hasattr", "callable", "type", "is_dataclass"))


@dataclass(slots=True)
class Hints:
    """What one file does to things from outside: names that it sets on them, names that it looks up by text."""

    stored: set[str] = field(default_factory=set)
    looked_up: set[str] = field(default_factory=set)
    narrowed: set[str] = field(default_factory=set)
    computed: bool = False
    makes_classes: bool = False

    @staticmethod
    def of(tree: ast.AST, text: str) -> Hints:
        """Reads them from a file."""
        hints = Hints()
        rebound = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                own = isinstance(node.value, ast.Name) and node.value.id in OWN_NAMES - rebound
                hints.stored |= set() if own else {node.attr}
            elif isinstance(node, ast.Call):
                hints._call(node)
            elif isinstance(node, ast.Match):
                hints.narrowed.add(ast.unparse(node.subject))
            elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
                hints.computed |= last_name(node.value) in ("__dict__", "modules", "vars", "globals")
        if "gettext" in text and "install" in text:
            hints.stored.add("_")
        return hints

    def _call(self, node: ast.Call) -> None:
        called = last_name(node.func)
        texts = {a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)}
        if called in LOOKS:
            self.looked_up |= texts
        if called in NARROWS and node.args:
            self.narrowed.add(ast.unparse(node.args[0]))
        self.makes_classes |= (called == "type" and len(node.args) == 3) or called in ("new_class", "make_dataclass")
        if called == "cast" and len(node.args) > 1:
            self.narrowed.add(ast.unparse(node.args[1]))
        if called in ("setattr", "__setattr__", "patch", "object", "dict", "multiple"):
            self.stored |= {text.rpartition(".")[2] for text in texts}
            if called in ("setattr", "__setattr__") and not texts:
                target = node.args[0] if node.args else None
                self.computed |= not (isinstance(target, ast.Name) and target.id in OWN_NAMES)


@dataclass(frozen=True, slots=True)
class Step:
    """One member asked for on the way: of which values, under which name."""

    holders: Values
    name: str


class Doubts:
    """Answers why something missing may exist after all, or "" when nothing says so."""

    def __init__(self, world: World, symbols: Mapping[str, str] | None = None) -> None:
        self.world = world
        self.symbols = symbols or {}
        self._hints: dict[str, Hints] = {}
        self._stored: dict[str, str] = {}
        self._with: dict[str, list[str]] = {}

    def hints(self, module: SourceModule) -> Hints:
        """What one file does to things from outside."""
        if module.path not in self._hints:
            self._hints[module.path] = Hints.of(module.parsed.tree, module.parsed.text)
        return self._hints[module.path]

    def about_name(self, name: str, module: SourceModule) -> str:
        """A bare name that nothing binds."""
        if name in FROM_TOOLS:
            return "a name that some tools put in"
        before = self.world.inputs.repository.get(module.path)
        if before is not None and name in _words(before):
            return "the file used this name before the patch too"
        return self.stored(name)

    def about_import(self, dotted: str) -> str:
        """A module or name that is imported and not there: code from before the patch may import it as well."""
        if self.world.effort.limited:
            return self.world.effort.limited
        parts = [re.escape(part) for part in dotted.split(".") if part]
        last = parts[-1] if parts else ""
        holder = rf"[\w.]*\b{parts[-2]}" if len(parts) > 1 else r"\.+"
        module = rf"(?:from|import)\s+[\w.]*\.{last}\b"
        member = rf"from\s+(?:{holder}|\.)\s+import\b[^\n#]*\b{last}\b"
        pattern = re.compile(rf"^[ \t\f]*(?:{module}|{member})".encode(), re.M)
        for path in sorted(self.world.inputs.repository):
            data = self.world.inputs.repository[path] if path.endswith(SUFFIXES) else b""
            self.world.effort.scan(len(data))
            if pattern.search(data):
                return f"{path} imports {last} already"
        if last.startswith("_") and any(path.endswith(COMPILED_FROM) for path in self.world.after.files):
            return "it may be compiled from a file in another language"
        return ""

    def about_member(self, steps: list[Step], missing: Missing, prefixes: list[str], module: SourceModule) -> str:
        """A member that its container does not have. `prefixes` are the texts of what it was asked of."""
        name = steps[-1].name
        if name.startswith("_") and "__" in name[1:]:
            return "a private name of a class, as seen from outside"
        own = self.hints(module)
        if name in own.looked_up:
            return f"the file looks whether there is a {name}"
        narrowed = own.narrowed & set(prefixes)
        if narrowed:
            return f"the file checks what {min(narrowed)} is"
        why = next(filter(None, (self._holder(v, name, module) for v in missing.holders)), "")
        return why or self._on_the_way(steps) or self.stored(name) or self._computed(missing)

    def _on_the_way(self, steps: list[Step]) -> str:
        """What stands before the missing member may be another thing than it seems."""
        for step in steps[:-1]:
            if why := self.stored(step.name):
                return why
            for value in step.holders:
                info = loose_class(value)
                if info is not None and any(cls.own(step.name) for cls in self.subclasses(info)):
                    return f"a subclass has its own {step.name}"
        return ""

    def _holder(self, value: Value, name: str, module: SourceModule) -> str:
        """What the kind of a container says."""
        if isinstance(value, Mod):
            table = isinstance(value.container, TableModule)
            return "the file checks the version of Python" if table and "version_info" in module.parsed.text else ""
        if not isinstance(value, Inst | Cls) or value.mode == "exact":
            return ""
        if isinstance(value.info, TableClass):
            return "" if value.mode == "self" else "an object of a subclass may have it"
        if value.info.is_abstract or "mixin" in value.info.node.name.lower():
            return "the object has a class of its own that is not known"
        if not value.info.node.bases and self._elsewhere(name, value.info):
            return "a class that it may be mixed with has it"
        for maker in self._files_with(value.info.node.name):
            if self.hints(maker).makes_classes:
                return f"{maker.path} makes classes while it runs"
        for cls in self.subclasses(value.info):
            if not isinstance(cls.member(name), Missing):
                return f"{cls.full}, a subclass, may have it"
        return ""

    def about_override(self, holders: Values, name: str) -> str:
        """The method that is called may be one of a class that is not seen here."""
        for value in holders:
            info = loose_class(value)
            if info is not None and (info.is_abstract or any(cls.own(name) for cls in self.subclasses(info))):
                return f"another class may have its own {name}"
        return ""

    def subclasses(self, info: SourceClass) -> Iterator[SourceClass]:
        """Known classes that are made from a class."""
        for module in self._files_with(info.node.name):
            for node, scope in module.walk.classes:
                cls = self.world.infer.class_of_scope(scope) if node.bases else None
                if cls is not None and cls is not info and info in cls.lineage:
                    yield cls

    def stored(self, name: str) -> str:
        """Where a file sets this name on something from outside."""
        if name not in self._stored:
            found = (m.path for m in self._files_with(name) if name in self.hints(m).stored)
            path = next(found, "")
            self._stored[name] = f"{path} sets a {name} on something" if path else ""
        return self._stored[name]

    def _elsewhere(self, name: str, info: SourceClass) -> bool:
        """Has another class of the tree this member of its own?"""
        for module in self._files_with(name):
            for _, scope in module.walk.classes:
                if scope is not info.scope and self.world.infer.class_of_scope(scope).own(name):
                    return True
        return False

    def _computed(self, missing: Missing) -> str:
        """Files that set members under computed names and speak of the container."""
        for value in missing.holders:
            short = _short(value)
            for word in ("setattr", "__dict__", "modules["):
                for module in self._files_with(word):
                    if self.hints(module).computed and short in module.parsed.text:
                        return f"{module.path} sets members under computed names"
        return ""

    def _files_with(self, text: str) -> Iterator[SourceModule]:
        for path in self._paths_with(text):
            module = self.world.load(path)
            if isinstance(module, SourceModule):
                yield module

    def _paths_with(self, text: str) -> list[str]:
        """Files that hold a text; none once the search was given up."""
        if text not in self._with:
            files, effort, wanted = self.world.after.files, self.world.effort, text.encode()
            found: list[str] = []
            for path in () if effort.limited else self.python_paths:
                effort.scan(len(files[path]))
                found += [path] if wanted in files[path] else []
            self._with[text] = found
        return self._with[text]

    @cached_property
    def python_paths(self) -> list[str]:
        """Every file of the tree that may be read, sorted."""
        return sorted(path for path in self.world.after.files if path.endswith(SUFFIXES))


def loose_class(value: Value) -> SourceClass | None:
    """The class of a value that may as well be of a subclass."""
    loose = isinstance(value, Inst | Cls) and value.mode != "exact"
    return value.info if loose and isinstance(value.info, SourceClass) else None  # type: ignore[union-attr]


def _short(value: Value) -> str:
    if isinstance(value, Inst | Cls):
        return value.info.node.name if isinstance(value.info, SourceClass) else value.info.name
    name = value.container.name if isinstance(value, Mod) else "?"
    name = name.removesuffix(".py").removesuffix(".pyi").removesuffix("/__init__").rstrip("/")
    return name.rpartition("/")[2].rpartition(".")[2] or name


def _words(data: bytes) -> set[str]:
    """Bare names that a file reads; none when it does not parse."""
    parsed = parse(data)
    return {n.id for n in ast.walk(parsed.tree) if isinstance(n, ast.Name)} if isinstance(parsed, Parsed) else set()
