"""Modules made from source files, stubs, symbol lists and folders, and how a dotted name leads to one."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from denominator.readers.api.scopes import Scope, Walk
from denominator.readers.api.shape import Origin
from denominator.readers.api.source import Parsed
from denominator.readers.api.values import Answer, Found, Missing, Mod, Open, Unknown, join
from denominator.readers.api.walker import Walker

if TYPE_CHECKING:
    from denominator.readers.api.tree import Files
    from denominator.readers.api.world import World


@dataclass(eq=False)
class SourceModule:
    """A module from a Python file or a stub. `base` is its path without suffix, `added` the lines of the patch."""

    world: World
    files: Files
    path: str
    base: str
    where: str
    parsed: Parsed
    added: frozenset[int] = frozenset()

    @cached_property
    def walk(self) -> Walk:
        """Scopes and uses."""
        walk = Walker(self.parsed.tree).run()
        walk.top.module = self
        return walk

    @property
    def top(self) -> Scope:
        """The module's own scope."""
        return self.walk.top

    @property
    def name(self) -> str:
        """A short name for messages."""
        return self.path

    def origin(self, node: ast.AST) -> Origin:
        """Who defines what stands at a node."""
        line = getattr(node, "lineno", 1)
        where = "patch" if line in self.added and self.where == "repository" else self.where
        return Origin(where, f"{self.path}:{line}")

    def member(self, name: str) -> Answer:
        """A name of the module: bound in it, a submodule, or brought by a star import."""
        made = self.top.bindings.get(name)
        if made:
            return Found(self.world.infer.of_bindings(made, name), self.origin(made[0].node))
        below = self.world.submodule(self, name)
        if below is not None:
            return below
        return self._not_bound(name)

    @cached_property
    def changes_imports(self) -> bool:
        """Does it reach into how modules are found?"""
        return any(word in self.parsed.text for word in ("sys.modules", "sys.meta_path", "__path__"))

    def _not_bound(self, name: str) -> Answer:
        stars = join([self.world.star(star, name) for star in self.top.stars]) if self.top.stars else Missing(self.path)
        if not isinstance(stars, Missing):
            return stars
        if self.changes_imports:
            return Open(f"{self.path} changes how it is imported")
        if "__getattr__" in self.top.bindings:
            return Open(f"{self.path} has a __getattr__ of its own")
        if self.top.dynamic:
            return Open(f"{self.path}: {self.top.dynamic}")
        return Missing(self.path, (Mod(self),))


@dataclass(eq=False)
class FolderModule:
    """A package without a file of its own."""

    world: World
    files: Files
    base: str
    where: str

    @property
    def name(self) -> str:
        """A short name for messages."""
        return f"{self.base}/"

    @property
    def path(self) -> str:
        """As `name`."""
        return self.name

    def member(self, name: str) -> Answer:
        """A module in the folder."""
        return self.world.submodule(self, name) or Missing(self.name, (Mod(self),))


@dataclass(eq=False)
class OpenFolder(FolderModule):
    """A package without a file of its own that may have other parts elsewhere."""

    why: str

    def member(self, name: str) -> Answer:
        """A module in the folder; what is not there may be in another part."""
        return self.world.submodule(self, name) or Open(self.why)


@dataclass(eq=False)
class OpenModule:
    """A module that exists and whose content nobody here can see."""

    name: str
    why: str
    origin: Origin

    @property
    def path(self) -> str:
        """As `name`."""
        return self.name

    def member(self, name: str) -> Answer:
        """Anything may be in it."""
        del name
        return Open(self.why)


@dataclass(eq=False)
class ListedModule:
    """A module or class of a symbol list: what is below it in the list is all there is; a listed name with nothing
    below it is open."""

    name: str
    at: str
    below: dict[str, ListedModule] = field(default_factory=dict)
    wild: bool = False

    @property
    def path(self) -> str:
        """As `name`."""
        return self.name

    def member(self, name: str) -> Answer:
        """A listed name."""
        if name in self.below:
            found = self.below[name]
            value = Mod(found) if found.below else Unknown(f"{found.at} lists it without its members")
            return Found((value,), Origin("spec", found.at))
        return Open(f"{self.at} lists {self.name}.* as open") if self.wild else Missing(self.name, (Mod(self),))
