"""Scopes of one module: which of them binds which name, and how."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from denominator.readers.api.guards import NO_GUARD, Guard

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(eq=False, slots=True)
class Binding:
    """One way in which a name gets its value: import, from, def, class, value, annotated, param, self, cls, opaque."""

    kind: str
    node: ast.AST
    scope: Scope
    guard: Guard = NO_GUARD
    target: str = ""
    level: int = 0
    name: str = ""
    value: ast.expr | None = None
    child: Scope | None = None


@dataclass(eq=False, slots=True)
class Use:
    """One expression or import to judge. `pin` is the f-string around it: places inside one differ between versions."""

    node: ast.AST
    scope: Scope
    guard: Guard
    pin: ast.AST | None
    decorator: bool = False


@dataclass(eq=False, slots=True)
class Function:
    """A function or lambda with the scope that it stands in and the scope of its body."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
    outer: Scope
    body: Scope

    @property
    def args(self) -> ast.arguments:
        """Its parameters."""
        return self.node.args

    @property
    def decorators(self) -> list[ast.expr]:
        """Its decorators."""
        return [] if isinstance(self.node, ast.Lambda) else self.node.decorator_list


@dataclass(eq=False, slots=True)
class Scope:
    """Module, class or function. `dynamic` says what may bind names that nobody sees."""

    kind: str
    node: ast.AST
    parent: Scope | None
    module: object = None
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    outside: set[str] = field(default_factory=set)
    stars: list[Binding] = field(default_factory=list)
    dynamic: str = ""
    function: Function | None = None
    children: list[Scope] = field(default_factory=list)

    @property
    def top(self) -> Scope:
        """The module's scope."""
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def bind(self, name: str, binding: Binding) -> None:
        """Adds a binding; a name declared global is bound in the module."""
        home = self.top if name in self.outside and self.kind != "module" else self
        home.bindings.setdefault(name, []).append(binding)


@dataclass(slots=True)
class Walk:
    """The result for one module."""

    top: Scope
    uses: list[Use] = field(default_factory=list)
    classes: list[tuple[ast.ClassDef, Scope]] = field(default_factory=list)


def last_name(decorator: ast.expr) -> str:
    """The last name of a decorator, its arguments left out."""
    node = decorator.func if isinstance(decorator, ast.Call) else decorator
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else "?"


def visible(scope: Scope, name: str) -> Iterator[Scope]:
    """The scopes that bind a name, seen from inside a scope, nearest first; class scopes only from their own body."""
    here: Scope | None = scope
    while here is not None:
        seen = here is scope or here.kind != "class"
        if seen and name in here.bindings and not (here.kind == "function" and name in here.outside):
            yield here
        here = here.parent
