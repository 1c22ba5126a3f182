"""Which keyword arguments a call takes."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from denominator.readers.api.classes import SourceClass
from denominator.readers.api.modules import SourceModule
from denominator.readers.api.scopes import Function, last_name
from denominator.readers.api.shape import Origin
from denominator.readers.api.stdlib import TableClass
from denominator.readers.api.values import Cls, Fn, Unknown, Value

PLAIN = frozenset(("builtins.object", "typing.Generic", "typing.Protocol", "abc.ABC"))
NO_SIGNATURES = "the table of the standard library holds no signatures"


NOWHERE = Origin("", "")


@dataclass(frozen=True, slots=True)
class Signature:
    """Names that may be given by keyword. `why` says what keeps them from being known, `any` that all names are taken."""

    names: frozenset[str] = frozenset()
    any: bool = False
    why: str = ""
    origin: Origin = NOWHERE


def signature(value: Value) -> Signature:
    """The signature of what is called."""
    if isinstance(value, Fn):
        return of_function(value.info)
    if isinstance(value, Cls) and isinstance(value.info, SourceClass):
        return of_class(value.info)
    if isinstance(value, Unknown):
        return Signature(why=value.why)
    return Signature(why=NO_SIGNATURES)


def of_function(function: Function) -> Signature:
    """Parameters that have a name for the caller."""
    args = function.args
    module = function.outer.top.module
    origin = module.origin(function.node) if isinstance(module, SourceModule) else NOWHERE
    names = frozenset(a.arg for a in (*args.args, *args.kwonlyargs))
    return Signature(names, args.kwarg is not None, "", origin)


def of_class(info: SourceClass) -> Signature:
    """What the constructor takes."""
    if info.makes_others or info.is_enum:
        return Signature(why=info.makes_others or "calling an enumeration")
    for cls in info.lineage:
        if isinstance(cls, TableClass):
            if cls.full not in PLAIN:
                return Signature(why=NO_SIGNATURES)
            continue
        if (made := _constructor(info, cls)) is not None:
            return made
    if info.module.where == "spec":
        return Signature(why=f"{info.full} lists no constructor")
    return Signature(origin=info.module.origin(info.node))


def _constructor(info: SourceClass, cls: SourceClass) -> Signature | None:
    """The constructor that one class of the lineage brings, if it does."""
    made = cls.scope.bindings.get("__init__")
    if made:
        functions = [b.child.function for b in made if b.child is not None and b.child.function is not None]
        if len(functions) != len(made):
            return Signature(why=f"{cls.full} makes its constructor in another way")
        if any(last_name(d) != "overload" for f in functions for d in f.decorators):
            return Signature(why=f"the constructor of {cls.full} is decorated")
        each = [of_function(f) for f in functions]
        return Signature(frozenset(n for s in each for n in s.names), any(s.any for s in each), "", each[0].origin)
    if cls.is_dataclass:
        return _fields(cls)
    if info.is_named_tuple and any("NamedTuple" in ast.unparse(base) for base in cls.node.bases):
        names = frozenset(name for name, made in cls.scope.bindings.items() if made[0].kind == "annotated")
        return Signature(names, origin=cls.module.origin(cls.node))
    return None


def _fields(info: SourceClass) -> Signature:
    """Fields of a dataclass and of the dataclasses that it is made from."""
    names: set[str] = set()
    for cls in reversed([c for c in info.lineage if isinstance(c, SourceClass) and c.is_dataclass]):
        if any("init" in {k.arg for k in d.keywords} for d in cls.node.decorator_list if isinstance(d, ast.Call)):
            return Signature(why=f"{cls.full} turns its constructor off or on by an argument")
        for name, made in cls.scope.bindings.items():
            if made[0].kind == "annotated" and isinstance(made[0].node, ast.AnnAssign):
                names = names | {name} if _is_field(made[0].node) else names - {name}
    return Signature(frozenset(names), origin=info.module.origin(info.node))


def _is_field(node: ast.AnnAssign) -> bool:
    note = ast.unparse(node.annotation)
    if "ClassVar" in note or note.endswith("KW_ONLY"):
        return False
    call = node.value
    off = isinstance(call, ast.Call) and any(
        k.arg == "init" and isinstance(k.value, ast.Constant) and k.value.value is False for k in call.keywords
    )
    return not off
