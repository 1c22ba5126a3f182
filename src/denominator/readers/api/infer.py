"""What an expression may stand for. What cannot be told without running the program is Unknown, never a guess."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from denominator.readers.api.classes import SourceClass
from denominator.readers.api.scopes import FUNCTIONS, Binding, Scope, last_name, visible
from denominator.readers.api.shape import Origin
from denominator.readers.api.stdlib import TableClass
from denominator.readers.api.values import (
    NONE,
    Answer,
    Cls,
    Fn,
    Found,
    Inst,
    Missing,
    Mod,
    Open,
    Std,
    Unknown,
    Value,
    Values,
    distinct,
    join,
)

if TYPE_CHECKING:
    from denominator.readers.api.modules import SourceModule
    from denominator.readers.api.world import World

CHAIN_MAX = 40
SAME_SIGNATURE = frozenset(
    [
        "staticmethod",
        "classmethod",
        "abstractmethod",
        "override",
        "final",
        "overload",
        "contextmanager",
        "asynccontextmanager",
        "lru_cache",
        "cache",
    ]
)
PROPERTIES = frozenset(("property", "cached_property", "abstractproperty"))
MODULE_NAMES = frozenset(
    [
        "__name__",
        "__file__",
        "__doc__",
        "__package__",
        "__spec__",
        "__loader__",
        "__builtins__",
        "__path__",
        "__annotations__",
        "__debug__",
        "__class__",
        "__qualname__",
        "__module__",
        "__dict__",
    ]
)
LITERALS: tuple[tuple[tuple[type, ...], str], ...] = (
    ((ast.List, ast.ListComp), "list"),
    ((ast.Dict, ast.DictComp), "dict"),
    ((ast.Set, ast.SetComp), "set"),
    ((ast.Tuple,), "tuple"),
    ((ast.JoinedStr,), "str"),
)
WRAPPERS = frozenset(("Optional", "Final", "ClassVar", "Annotated", "Required", "NotRequired", "ReadOnly"))


class Infer:
    """Values of expressions, each worked out once."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.depth = 0
        self._done: dict[tuple[int, int], Values] = {}
        self._kept: list[object] = []
        self._busy: set[tuple[int, int]] = set()
        self._classes: dict[int, SourceClass] = {}

    # --- names and members

    def of_name(self, name: str, scope: Scope) -> Answer:
        """What a bare name means in a scope."""
        module = module_of(scope)
        for home in visible(scope, name):
            made = home.bindings[name]
            return Found(self.of_bindings(made, name), module.origin(made[0].node))
        if scope.dynamic:
            return Open(scope.dynamic)
        answer = module.member(name)
        if not isinstance(answer, Missing):
            return answer
        if name in MODULE_NAMES:
            return Found((Unknown("set by the interpreter"),), Origin("stdlib", f"builtins.{name}"))
        built = self.world.builtin(name)
        return Missing(module.path, (Mod(module),)) if isinstance(built, Missing) else built

    def member(self, value: Value, name: str) -> Answer:
        """One member of one value."""
        if isinstance(value, Unknown):
            return Open(value.why)
        if isinstance(value, Std):
            return Open(
                "None has no such member, another value may"
                if value == NONE
                else f"the table does not say what {value.name} is"
            )
        if isinstance(value, Fn):
            return Open("an attribute of a function")
        answer = value.container.member(name) if isinstance(value, Mod) else value.info.member(name)
        if not isinstance(answer, Missing):
            return answer
        if name.startswith("__") and name.endswith("__"):
            return Open("special names are not evaluated")
        if isinstance(value, Cls) and name in ("mro", "register"):
            return Open("a name of the metaclass")
        return Missing(answer.container, (value,))

    def of_bindings(self, made: list[Binding], name: str) -> Values:
        """All that the bindings of a name may stand for."""
        del name
        return distinct(value for one in made for value in self.of_binding(one))

    def of_binding(self, made: Binding) -> Values:
        """What one binding stands for."""
        key = (id(made), 0)
        if key in self._done:
            return self._done[key]
        if key in self._busy or self.depth > CHAIN_MAX:
            return (Unknown("defined by way of itself"),)
        self._busy.add(key)
        self.depth += 1
        try:
            result = self._binding(made)
        finally:
            self.depth -= 1
            self._busy.discard(key)
        self._kept.append(made)
        self._done[key] = result
        return result

    def _binding(self, made: Binding) -> Values:
        if made.kind in ("import", "from"):
            return self._values(self.import_answer(made))
        if made.kind == "def":
            return self._function(made)
        if made.kind == "class":
            return (Cls(self.class_of(made)),)
        if made.kind == "value" and made.value is not None:
            return self.of(made.value, made.scope)
        if made.kind in ("annotated", "param") and made.value is not None:
            return self.of_annotation(made.value, made.scope)
        if made.kind in ("self", "cls") and made.scope.parent is not None:
            info = self.class_of_scope(made.scope.parent)
            return (Inst(info, "self") if made.kind == "self" else Cls(info, "self"),)
        return (Unknown("a parameter" if made.kind == "param" else "its value is not tracked"),)

    def import_answer(self, made: Binding) -> Answer:
        """The module of an import, or the member of a `from` import."""
        module = self.world.imported(made.target, made.level, module_of(made.scope))
        if made.kind == "import" or not isinstance(module, Found):
            return module
        answers: list[Answer] = [self.member(value, made.name) for value in module.values]
        return join(answers)

    def _values(self, answer: Answer) -> Values:
        if isinstance(answer, Found):
            return answer.values
        why = answer.why if isinstance(answer, Open) else "its import leads nowhere"
        return (Unknown(why),)

    def _function(self, made: Binding) -> Values:
        assert made.child is not None and made.child.function is not None
        names = [last_name(d) for d in made.child.function.decorators]
        if any(name in PROPERTIES for name in names):
            return self.returned(made.child.function.node, made.scope)
        if any(name in ("setter", "deleter", "getter") for name in names):
            return (Unknown("a property"),)
        changed = [name for name in names if name not in SAME_SIGNATURE]
        return (Unknown(f"decorated by {changed[0]}"),) if changed else (Fn(made.child.function),)

    def class_of(self, made: Binding) -> SourceClass:
        """The class that a class statement makes."""
        assert made.child is not None
        return self.class_of_scope(made.child)

    def class_of_scope(self, scope: Scope) -> SourceClass:
        """The class with this body."""
        if id(scope) not in self._classes:
            self._classes[id(scope)] = SourceClass(self.world, module_of(scope), scope)
        return self._classes[id(scope)]

    # --- expressions

    def of(self, node: ast.expr, scope: Scope) -> Values:
        """What an expression may stand for in a scope."""
        key = (id(node), id(scope))
        if key in self._done:
            return self._done[key]
        if self.depth > CHAIN_MAX:
            return (Unknown("a chain too long to follow"),)
        self.depth += 1
        try:
            result = self._expression(node, scope)
        finally:
            self.depth -= 1
        self._kept += [node, scope]
        self._done[key] = result
        return result

    def _expression(self, node: ast.expr, scope: Scope) -> Values:
        if isinstance(node, ast.Name):
            return self._values(self.of_name(node.id, scope))
        if isinstance(node, ast.Attribute):
            return self._values(join([self._tracked(v, node.attr) for v in self.of(node.value, scope)]))
        if isinstance(node, ast.Call):
            return distinct(r for v in self.of(node.func, scope) for r in self.called(v))
        if isinstance(node, ast.IfExp):
            return distinct((*self.of(node.body, scope), *self.of(node.orelse, scope)))
        if isinstance(node, ast.BoolOp):
            return distinct(v for part in node.values for v in self.of(part, scope))
        if isinstance(node, ast.NamedExpr):
            return self.of(node.value, scope)
        if isinstance(node, ast.Subscript):
            return tuple(v if isinstance(v, Cls) else Unknown("an item") for v in self.of(node.value, scope))
        return self._literal(node)

    def _tracked(self, value: Value, name: str) -> Answer:
        """As `member`, for following a value further: what a subclass may replace is not followed."""
        loose = isinstance(value, Inst | Cls) and value.mode == "self"
        if loose and isinstance(value.info, SourceClass) and value.info.may_be_replaced(name):  # type: ignore[union-attr]
            return Open(f"a subclass may have its own {name}")
        return self.member(value, name)

    def _literal(self, node: ast.expr) -> Values:
        name = type(node.value).__name__ if isinstance(node, ast.Constant) else ""
        if name == "NoneType":
            return (NONE,)
        name = name or next((word for kinds, word in LITERALS if isinstance(node, kinds)), "")
        info = self.world.table.classes("builtins", name) if name and self.world.table else None
        return (Inst(info),) if info else (Unknown("its value is not tracked"),)

    def called(self, value: Value) -> Values:
        """What a call of a value gives."""
        if isinstance(value, Cls):
            return self._made(value)
        if isinstance(value, Fn) and not isinstance(value.info.node, ast.Lambda):
            decorated = value.info.decorators and {last_name(d) for d in value.info.decorators} - {
                "staticmethod",
                "classmethod",
            }
            if decorated or isinstance(value.info.node, ast.AsyncFunctionDef):
                return (Unknown("what it returns is not tracked"),)
            return self.returned(value.info.node, value.info.outer)
        return (Unknown(value.why if isinstance(value, Unknown) else "what it returns is not tracked"),)

    def _made(self, value: Cls) -> Values:
        if isinstance(value.info, TableClass):
            odd = value.info.open or value.info.full in (
                "enum.Enum",
                "enum.Flag",
                "enum.IntEnum",
                "enum.StrEnum",
                "enum.IntFlag",
            )
            return (Unknown(f"what {value.info.full}() makes is not tracked"),) if odd else (Inst(value.info),)
        why = value.info.makes_others
        return (Unknown(why),) if why else (Inst(value.info, value.mode),)

    def returned(self, node: ast.AST, scope: Scope) -> Values:
        """What a function says that it returns."""
        if isinstance(node, FUNCTIONS) and node.returns is not None:
            return self.of_annotation(node.returns, scope)
        return (Unknown("what it returns is not written down"),)

    # --- annotations

    def of_annotation(self, node: ast.expr, scope: Scope) -> Values:
        """Objects that an annotation allows."""
        if isinstance(node, ast.Constant):
            return self._text_annotation(node, scope)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
            return distinct((*self.of_annotation(node.left, scope), *self.of_annotation(node.right, scope)))
        if isinstance(node, ast.Subscript) and last_name(node.value) in WRAPPERS:
            inner = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
            return self.of_annotation(inner, scope)
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            return distinct(self._annotated(v) for v in self.of(node, scope))
        return (Unknown("an annotation that is not followed"),)

    def _annotated(self, value: Value) -> Value:
        if isinstance(value, Cls) and not (isinstance(value.info, TableClass) and value.info.full == "builtins.type"):
            return Inst(value.info, "annotated")
        return Unknown("an annotation that is not followed")

    def _text_annotation(self, node: ast.Constant, scope: Scope) -> Values:
        if node.value is None:
            return (NONE,)
        if isinstance(node.value, str) and len(node.value) < 200:
            try:
                parsed = ast.parse(node.value.strip(), mode="eval", feature_version=(3, 11)).body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return (Unknown("an annotation that does not parse"),)
            if not isinstance(parsed, ast.Constant):
                return self.of_annotation(parsed, scope)
        return (Unknown("an annotation that is not followed"),)


def module_of(scope: Scope) -> SourceModule:
    """The module that a scope is in."""
    module = scope.top.module
    assert module is not None
    return module  # type: ignore[return-value]
