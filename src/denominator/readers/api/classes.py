"""Classes of source files and stubs: their members, also those that methods set, and what keeps them from being known."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from denominator.readers.api.fields import Fields
from denominator.readers.api.scopes import Binding, Scope, last_name
from denominator.readers.api.stdlib import TableClass
from denominator.readers.api.values import Answer, Cls, Found, Inst, Missing, Open, Std, Unknown, Value

if TYPE_CHECKING:
    from denominator.readers.api.modules import SourceModule
    from denominator.readers.api.world import World

HARMLESS = frozenset(
    [
        "dataclasses.dataclass",
        "functools.total_ordering",
        "typing.final",
        "typing.runtime_checkable",
        "enum.unique",
        "enum.verify",
        "enum.global_enum",
        "typing.no_type_check",
    ]
)
METACLASSES = frozenset(("abc.ABCMeta", "enum.EnumMeta", "enum.EnumType"))
NAMED_TUPLE = frozenset(("_fields", "_replace", "_asdict", "_make", "_field_defaults"))
ENUMS = frozenset(("enum.Enum",))


@dataclass(eq=False)
class SourceClass:
    """One class statement. `scope` is its body."""

    world: World
    module: SourceModule
    scope: Scope
    _asking: list[int] = field(default_factory=list)

    @property
    def node(self) -> ast.ClassDef:
        """The statement."""
        assert isinstance(self.scope.node, ast.ClassDef)
        return self.scope.node

    @property
    def full(self) -> str:
        """Path and name, for messages."""
        return f"{self.module.path}:{self.node.name}"

    @property
    def outer(self) -> Scope:
        """Where the statement stands."""
        assert self.scope.parent is not None
        return self.scope.parent

    @cached_property
    def base_values(self) -> tuple[tuple[Value, ...], ...]:
        """What each base may be."""
        return tuple(self.world.infer.of(base, self.outer) for base in self.node.bases)

    @cached_property
    def decorators(self) -> tuple[str, ...]:
        """Full names of decorators of the standard library; "?name" for others."""
        return tuple(self._decorator(d) for d in self.node.decorator_list)

    def _decorator(self, node: ast.expr) -> str:
        call = node.func if isinstance(node, ast.Call) else node
        values = self.world.infer.of(call, self.outer)
        one = values[0] if len(values) == 1 else None
        return one.name if isinstance(one, Std) else one.info.full if isinstance(one, Cls) else f"?{last_name(node)}"

    @cached_property
    def lineage(self) -> tuple[SourceClass | TableClass, ...]:
        """This class and all known ones that it is made from."""
        out: list[SourceClass | TableClass] = [self]
        if self._asking:
            return (self,)
        self._asking.append(1)
        for values in self.base_values:
            for value in values:
                if isinstance(value, Cls):
                    out += [c for c in value.info.lineage if c not in out]
        self._asking.clear()
        return tuple(out)

    @cached_property
    def open_why(self) -> str:
        """Why any member must be expected, or ""."""
        for cls in self.lineage:
            if isinstance(cls, TableClass):
                if cls.row[2]:
                    return f"{cls.full} may answer to any name"
            elif why := cls.own_open(inherited=cls is not self):
                return why
        return ""

    def own_open(self, *, inherited: bool) -> str:
        """Why this class statement itself, not its bases, keeps its members unknown."""
        bound = self.scope.bindings
        name = self.node.name
        if "__getattr__" in bound or "__getattribute__" in bound:
            return f"{name} has a __getattr__ of its own"
        if inherited and "__init_subclass__" in bound:
            return f"{name} changes its subclasses"
        if self.scope.dynamic:
            return self.scope.dynamic
        odd = [d for d in self.decorators if d not in HARMLESS]
        if odd:
            return f"{name} is decorated by {odd[0].lstrip('?')}"
        return self._keywords() or self._bases() or self.fields.dynamic

    def _keywords(self) -> str:
        for keyword in self.node.keywords:
            if keyword.arg == "metaclass":
                values = self.world.infer.of(keyword.value, self.outer)
                if any(not isinstance(v, Cls) or v.info.full not in METACLASSES for v in values):
                    return f"{self.node.name} has a metaclass"
            elif not self.is_typed_dict:
                return f"{self.node.name} has class arguments"
        return ""

    def _bases(self) -> str:
        for base, values in zip(self.node.bases, self.base_values, strict=True):
            one = values[0] if len(values) == 1 else None
            if isinstance(one, Cls) or (isinstance(one, Std) and one.name in ("typing.NamedTuple", "typing.TypedDict")):
                continue
            return f"{self.node.name} inherits from {ast.unparse(base)[:60]}, which is not known"
        return ""

    def _has_base(self, name: str) -> bool:
        return any(name == _full(v) for values in self.base_values for v in values)

    @cached_property
    def is_typed_dict(self) -> bool:
        """Do its objects turn out to be plain dictionaries?"""
        return any(isinstance(c, SourceClass) and c._has_base("typing.TypedDict") for c in self.lineage)

    @cached_property
    def is_named_tuple(self) -> bool:
        """Is it a tuple with named fields?"""
        return any(isinstance(c, SourceClass) and c._has_base("typing.NamedTuple") for c in self.lineage)

    @cached_property
    def is_enum(self) -> bool:
        """Is it an enumeration?"""
        return any(isinstance(c, TableClass) and c.full in ENUMS for c in self.lineage)

    @cached_property
    def is_dataclass(self) -> bool:
        """Is this very class decorated as a dataclass?"""
        return "dataclasses.dataclass" in self.decorators

    @cached_property
    def is_abstract(self) -> bool:
        """Is it a Protocol or an abstract class, so that the real object has another class?"""
        names = {v.info.full for values in self.base_values for v in values if isinstance(v, Cls)}
        return bool(names & {"typing.Protocol", "abc.ABC"}) or bool(self.node.keywords)

    @cached_property
    def makes_others(self) -> str:
        """Why a call of the class may give something else than an object of it, or ""."""
        if self.is_typed_dict:
            return "a TypedDict makes plain dictionaries"
        if any(
            isinstance(c, SourceClass) and "__new__" in c.scope.bindings and not c.is_named_tuple for c in self.lineage
        ):
            return f"{self.node.name} has a __new__ of its own"
        return self.open_why

    @cached_property
    def fields(self) -> Fields:
        """What methods set on their object."""
        return Fields.of(self.scope)

    def own(self, name: str) -> list[Binding]:
        """How this class itself, or one of its methods, binds a name."""
        return [*self.scope.bindings.get(name, ()), *self.fields.made.get(name, ())]

    def member(self, name: str) -> Answer:
        """A member of the class or of an object of it."""
        for cls in self.lineage:
            if isinstance(cls, TableClass):
                answer = cls.member(name)
                if isinstance(answer, Found):
                    return answer
            elif made := cls.own(name):
                if self.is_enum and all(b.kind == "value" and b.scope is cls.scope for b in made):
                    return Found((Inst(self),), cls.module.origin(made[0].node))
                return Found(self._all_values(cls, made, name), cls.module.origin(made[0].node))
            elif name in cls.fields.slots:
                return Found((Unknown("its value is not tracked"),), cls.module.origin(cls.node))
        if self.is_enum and name.startswith("_") and name.endswith("_"):
            return Open("an inner name of enumerations")
        return self._not_own(name)

    def _all_values(self, first: SourceClass, made: list[Binding], name: str) -> tuple[Value, ...]:
        """What a member may be: also what methods of other classes of the lineage set it to."""
        others = [c for c in self.lineage if isinstance(c, SourceClass) and c is not first]
        every = [*made, *(b for c in others for b in c.fields.made.get(name, ()))]
        return self.world.infer.of_bindings(every, name)

    def may_be_replaced(self, name: str) -> bool:
        """Is it a plain value in a class body, which a subclass may replace?"""
        for cls in self.lineage:
            if isinstance(cls, SourceClass) and (made := cls.own(name)):
                return any(b.kind == "value" and b.scope is cls.scope for b in made)
        return False

    def _not_own(self, name: str) -> Answer:
        tables = self.world.table
        if self.is_named_tuple and tables is not None:
            basic = tables.classes("builtins", "tuple")
            if name in NAMED_TUPLE or (basic and name in basic.members):
                return Found((Unknown("its value is not tracked"),), self.module.origin(self.node))
        if self.is_typed_dict:
            return Open("a TypedDict makes plain dictionaries")
        return Open(self.open_why) if self.open_why else Missing(self.full)


def _full(value: Value) -> str:
    """The full name of a thing of the standard library, "" of anything else."""
    if isinstance(value, Cls):
        return value.info.full
    return value.name if isinstance(value, Std) else ""
