"""One walk over a module without recursion: every scope with its names, and every expression that uses something."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from denominator.readers.api.guards import NO_GUARD, Guard, guard_of_handler, guard_of_if, guard_of_try, guard_of_with
from denominator.readers.api.scopes import FUNCTIONS, Binding, Function, Scope, Use, Walk, last_name

DYNAMIC_CALLS = frozenset(("exec", "globals", "locals", "vars"))
KEEP_SELF = frozenset(
    [
        "property",
        "cached_property",
        "classmethod",
        "abstractmethod",
        "setter",
        "getter",
        "deleter",
        "override",
        "final",
        "lru_cache",
        "cache",
        "contextmanager",
        "asynccontextmanager",
        "overload",
        "singledispatchmethod",
    ]
)
"""Decorators under which the first parameter of a method stays what it is."""


@dataclass(slots=True)
class _Item:
    node: ast.AST
    scope: Scope
    guard: Guard
    pin: ast.AST | None = None
    decorator: bool = False


class Walker:
    """Walks a module. Comprehension variables count for the scope around them, which is only more generous."""

    def __init__(self, tree: ast.Module) -> None:
        self.walk = Walk(Scope("module", tree, None))
        self.stack: list[_Item] = []
        self._push_all(tree.body, self.walk.top, NO_GUARD)

    def run(self) -> Walk:
        """All scopes and uses, in the order of the source."""
        while self.stack:
            item = self.stack.pop()
            handler = getattr(self, f"_{type(item.node).__name__.lower()}", None)
            if handler is not None:
                handler(item)
            else:
                self._children(item)
        return self.walk

    def _push_all(self, nodes: list[ast.stmt] | list[ast.expr], scope: Scope, guard: Guard) -> None:
        self.stack += [_Item(node, scope, guard) for node in reversed(nodes)]

    def _children(self, item: _Item) -> None:
        nodes = list(ast.iter_child_nodes(item.node))
        self.stack += [_Item(node, item.scope, item.guard, item.pin) for node in reversed(nodes)]

    def _use(self, item: _Item) -> None:
        self.walk.uses.append(Use(item.node, item.scope, item.guard, item.pin, item.decorator))

    # --- statements that bind

    def _functiondef(self, item: _Item) -> None:
        node = item.node
        assert isinstance(node, FUNCTIONS)
        body = self._function(node, item)
        item.scope.bind(node.name, Binding("def", node, item.scope, item.guard, child=body))
        self._push_all(node.body, body, item.guard.inside_function())
        self._signature(node.args, item, node.returns)
        self.stack += [_Item(d, item.scope, item.guard, None, True) for d in reversed(node.decorator_list)]

    _asyncfunctiondef = _functiondef

    def _lambda(self, item: _Item) -> None:
        node = item.node
        assert isinstance(node, ast.Lambda)
        body = self._function(node, item)
        self.stack.append(_Item(node.body, body, item.guard, item.pin))
        self._signature(node.args, item, None)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, item: _Item) -> Scope:
        body = Scope("function", node, item.scope)
        body.function = Function(node, item.scope, body)
        item.scope.children.append(body)
        every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        first = (node.args.posonlyargs + node.args.args)[:1]
        for arg in every:
            kind = self._first_kind(node, item.scope) if [arg] == first and arg.annotation is None else "param"
            body.bind(arg.arg, Binding(kind, arg, body, value=arg.annotation))
        for rest in filter(None, (node.args.vararg, node.args.kwarg)):
            body.bind(rest.arg, Binding("opaque", rest, body))
        return body

    def _first_kind(self, node: ast.AST, scope: Scope) -> str:
        """What the first parameter of a method is."""
        if scope.kind != "class" or not isinstance(node, FUNCTIONS):
            return "param"
        names = {last_name(d) for d in node.decorator_list}
        if "staticmethod" in names or names - KEEP_SELF:
            return "param"
        return (
            "cls"
            if "classmethod" in names or node.name in ("__init_subclass__", "__class_getitem__", "__new__")
            else "self"
        )

    def _signature(self, args: ast.arguments, item: _Item, returns: ast.expr | None) -> None:
        every = [*args.posonlyargs, *args.args, *args.kwonlyargs, *filter(None, (args.vararg, args.kwarg))]
        notes = [a.annotation for a in every] + [returns]
        nodes = [n for n in (*args.defaults, *args.kw_defaults, *notes) if n is not None]
        self.stack += [_Item(n, item.scope, item.guard, item.pin) for n in reversed(nodes)]

    def _classdef(self, item: _Item) -> None:
        node = item.node
        assert isinstance(node, ast.ClassDef)
        body = Scope("class", node, item.scope)
        item.scope.children.append(body)
        item.scope.bind(node.name, Binding("class", node, item.scope, item.guard, child=body))
        self.walk.classes.append((node, body))
        if "global_enum" in {last_name(d) for d in node.decorator_list}:
            item.scope.top.dynamic = "members of an enumeration become names of the module"
        self._push_all(node.body, body, item.guard)
        self._push_all([*node.bases, *(k.value for k in node.keywords)], item.scope, item.guard)
        self.stack += [_Item(d, item.scope, item.guard, None, True) for d in reversed(node.decorator_list)]

    def _import(self, item: _Item) -> None:
        node = item.node
        assert isinstance(node, ast.Import)
        for alias in node.names:
            target = alias.name if alias.asname else alias.name.split(".")[0]
            name = alias.asname or target
            item.scope.bind(name, Binding("import", node, item.scope, item.guard, target=target))
        self._use(item)

    def _importfrom(self, item: _Item) -> None:
        node = item.node
        assert isinstance(node, ast.ImportFrom)
        for alias in node.names:
            made = Binding("from", node, item.scope, item.guard, node.module or "", node.level, alias.name)
            if alias.name == "*":
                item.scope.top.stars.append(made)
            else:
                item.scope.bind(alias.asname or alias.name, made)
        self._use(item)

    def _assign(self, item: _Item) -> None:
        node = item.node
        assert isinstance(node, ast.Assign)
        rest = [t for t in node.targets if not isinstance(t, ast.Name)]
        for target in node.targets:
            if isinstance(target, ast.Name):
                item.scope.bind(target.id, Binding("value", target, item.scope, item.guard, value=node.value))
        self._push_all([*rest, node.value], item.scope, item.guard)

    def _annassign(self, item: _Item) -> None:
        node = item.node
        assert isinstance(node, ast.AnnAssign)
        if isinstance(node.target, ast.Name):
            item.scope.bind(node.target.id, Binding("annotated", node, item.scope, item.guard, value=node.annotation))
        rest = [] if isinstance(node.target, ast.Name) else [node.target]
        self._push_all([*rest, node.annotation, *([node.value] if node.value else [])], item.scope, item.guard)

    def _namedexpr(self, item: _Item) -> None:
        node = item.node
        assert isinstance(node, ast.NamedExpr)
        item.scope.bind(node.target.id, Binding("value", node.target, item.scope, item.guard, value=node.value))
        self.stack.append(_Item(node.value, item.scope, item.guard, item.pin))

    def _global(self, item: _Item) -> None:
        node = item.node
        assert isinstance(node, ast.Global)
        for name in node.names:
            for made in item.scope.bindings.pop(name, []):
                item.scope.top.bindings.setdefault(name, []).append(made)
        item.scope.outside |= set(node.names)

    def _nonlocal(self, item: _Item) -> None:
        node = item.node
        assert isinstance(node, ast.Nonlocal)
        for name in node.names:
            home = item.scope.parent
            while home is not None and not (home.kind == "function" and name in home.bindings):
                home = home.parent
            if home is not None:
                home.bindings[name].append(Binding("opaque", node, home))

    def _excepthandler(self, item: _Item) -> None:
        node = item.node
        assert isinstance(node, ast.ExceptHandler)
        if node.name:
            item.scope.bind(node.name, Binding("opaque", node, item.scope))
        self._children(item)

    def _matchas(self, item: _Item) -> None:
        name = getattr(item.node, "name", None) or getattr(item.node, "rest", None)
        if name:
            item.scope.bind(name, Binding("opaque", item.node, item.scope))
        self._children(item)

    _matchstar = _matchas
    _matchmapping = _matchas

    # --- statements that guard

    def _try(self, item: _Item) -> None:
        node = item.node
        assert isinstance(node, ast.Try | ast.TryStar)
        self._push_all(node.finalbody, item.scope, item.guard)
        self._push_all(node.orelse, item.scope, item.guard)
        self.stack += [_Item(h, item.scope, item.guard | guard_of_handler(h)) for h in reversed(node.handlers)]
        self._push_all(node.body, item.scope, item.guard | guard_of_try(node))

    _trystar = _try

    def _if(self, item: _Item) -> None:
        node = item.node
        assert isinstance(node, ast.If)
        guard = item.guard | guard_of_if(node.test)
        self._push_all(node.orelse, item.scope, guard.without_typing())
        self._push_all(node.body, item.scope, guard)
        self.stack.append(_Item(node.test, item.scope, guard.without_typing()))

    def _with(self, item: _Item) -> None:
        node = item.node
        assert isinstance(node, ast.With | ast.AsyncWith)
        self._push_all(node.body, item.scope, item.guard | guard_of_with(node))
        for part in reversed(node.items):
            target = part.optional_vars
            if isinstance(target, ast.Name):
                item.scope.bind(target.id, Binding("opaque", target, item.scope, value=part.context_expr))
            rest = [target] if target is not None and not isinstance(target, ast.Name) else []
            nodes = [part.context_expr, *rest]
            self._push_all(nodes, item.scope, item.guard)

    _asyncwith = _with

    # --- expressions

    def _joinedstr(self, item: _Item) -> None:
        item.pin = item.pin or item.node
        self._children(item)

    def _name(self, item: _Item) -> None:
        node = item.node
        assert isinstance(node, ast.Name)
        if isinstance(node.ctx, ast.Load):
            self._use(item)
        else:
            item.scope.bind(node.id, Binding("opaque", node, item.scope))

    def _attribute(self, item: _Item) -> None:
        node: ast.expr = item.node  # type: ignore[assignment]
        assert isinstance(node, ast.Attribute)
        if isinstance(node.ctx, ast.Load):
            self._use(item)
        while isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            node = node.value
        if isinstance(node, ast.Attribute):
            node = node.value
        if not isinstance(node, ast.Name) or isinstance(getattr(item.node, "ctx", None), ast.Store | ast.Del):
            self.stack.append(_Item(node, item.scope, item.guard, item.pin))

    def _call(self, item: _Item) -> None:
        node = item.node
        assert isinstance(node, ast.Call)
        if isinstance(node.func, ast.Name) and node.func.id in DYNAMIC_CALLS:
            self._mark_dynamic(node.func.id, item.scope)
        if last_name(node.func) == "_convert_":
            item.scope.top.dynamic = "members of an enumeration become names of the module"
        self._use(item)
        self._children(item)

    def _mark_dynamic(self, name: str, scope: Scope) -> None:
        if scope.kind != "function" or name in ("exec", "globals"):
            scope.dynamic = scope.dynamic or f"{name}() may bind names"
        if name in ("exec", "globals"):
            scope.top.dynamic = scope.top.dynamic or f"{name}() may bind names"
