"""What the methods of a class set on their object."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from denominator.readers.api.scopes import FUNCTIONS, Binding, Function, Scope, last_name


@dataclass(slots=True)
class Fields:
    """Names that methods of a class set on their object, `__slots__`, and what makes the set incomplete."""

    made: dict[str, list[Binding]] = field(default_factory=dict)
    slots: frozenset[str] = frozenset()
    dynamic: str = ""

    @staticmethod
    def of(scope: Scope) -> Fields:
        """Reads the methods of a class body."""
        fields = Fields()
        for child in scope.children:
            if child.function is not None and isinstance(child.node, FUNCTIONS):
                fields._method(child.function)
        fields.slots = frozenset(_slots(scope))
        return fields

    def _method(self, function: Function) -> None:
        first = (function.args.posonlyargs + function.args.args)[:1]
        if not first or "staticmethod" in {last_name(d) for d in function.decorators}:
            return
        name = first[0].arg
        typed: set[int] = set()
        for node in ast.walk(function.node):
            if isinstance(node, ast.Assign | ast.AnnAssign):
                typed |= self._assigned(node, name, function.body)
            elif isinstance(node, ast.Call):
                self._call(node, name, function.body)
            if isinstance(node, ast.Attribute) and _is(node.value, name):
                self._attribute(node, typed, function.body)

    def _assigned(self, node: ast.Assign | ast.AnnAssign, name: str, scope: Scope) -> set[int]:
        """Assignments whose value or annotation tells what the attribute is."""
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        seen = set()
        for target in targets:
            if isinstance(target, ast.Attribute) and _is(target.value, name):
                noted = isinstance(node, ast.AnnAssign)
                value = node.annotation if isinstance(node, ast.AnnAssign) else node.value
                made = Binding("annotated" if noted else "value", target, scope, value=value)
                self.made.setdefault(target.attr, []).append(made)
                seen.add(id(target))
        return seen

    def _attribute(self, node: ast.Attribute, typed: set[int], scope: Scope) -> None:
        if node.attr == "__dict__":
            self.dynamic = "its __dict__ is used directly"
        elif isinstance(node.ctx, ast.Store) and id(node) not in typed:
            self.made.setdefault(node.attr, []).append(Binding("opaque", node, scope))

    def _call(self, node: ast.Call, name: str, scope: Scope) -> None:
        """setattr(self, "x", ...), object.__setattr__(self, "x", ...), super().__setattr__("x", ...), vars(self)."""
        called = last_name(node.func)
        if called == "vars" and node.args and _is(node.args[0], name):
            self.dynamic = "its __dict__ is used directly"
        if called not in ("setattr", "__setattr__"):
            return
        args = node.args[1:] if node.args and _is(node.args[0], name) else node.args if called == "__setattr__" else []
        if args and isinstance(args[0], ast.Constant) and isinstance(args[0].value, str):
            self.made.setdefault(args[0].value, []).append(Binding("opaque", node, scope))
        elif args:
            self.dynamic = "attributes with computed names are set on it"


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _slots(scope: Scope) -> set[str]:
    values = [b.value for b in scope.bindings.get("__slots__", ()) if b.value is not None]
    return {n.value for v in values for n in ast.walk(v) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
