"""Equality that a value cannot make up: whoever equals what a test expects must not equal the values around it too.

Only below G3, where tests hold values of the solution's own classes. Asserted equalities of hidden modules go through
`held`, which builtin values pass untouched. A value whose class brings an `__eq__` written in Python is asked about many
values in a random order, the expected one among them: one that equals others as well equals none.
"""

from __future__ import annotations

import ast
import os
import sys
from _collections import deque  # type: ignore[import-not-found]
from types import CodeType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MARK = "\0held"
# By identity: a metaclass may say that its classes equal any other.
PLAIN = {
    id(each) for each in (int, float, complex, bool, str, bytes, bytearray, type(None), type(...), range, slice, type)
}
NUMBERS = {id(int), id(float)}
SLOT = type(float.__eq__)
MRO, OWN = type.__dict__["__mro__"].__get__, type.__dict__["__dict__"].__get__
NAME = type.__dict__["__name__"].__get__
THROUGH = (
    "ProxyType",
    "weakproxy",
    "CallableProxyType",
    "weakcallableproxy",
    "mappingproxy",
)  # they hand the question on
POOL, HUGE = 40, 1e15
_hear: list[Any] = []


def compiled(tree: ast.Module, place: str) -> CodeType:
    """The code of a module whose asserted equalities are asked through `held`."""
    return _marked(compile(ast.fix_missing_locations(_Asserts().visit(tree)), place, "exec", dont_inherit=True))


def _marked(code: CodeType) -> CodeType:
    """The function itself stands in the code: no name has to be known to the module, and none can be put in its place."""
    consts = [
        _marked(each) if isinstance(each, CodeType) else held if each == MARK else each for each in code.co_consts
    ]
    return code.replace(co_consts=tuple(consts))


class _Asserts(ast.NodeTransformer):
    """Equalities in `assert` (rewritten by pytest or not), assertTrue, assertEqual and assertAlmostEqual."""

    asserted = False

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return self._within(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        target = node.targets[0]
        rewritten = isinstance(target, ast.Name) and target.id.startswith("@py_assert")
        return self._within(node) if rewritten else self.generic_visit(node)

    def _within(self, node: ast.AST) -> ast.AST:
        before, self.asserted = self.asserted, True
        self.generic_visit(node)
        self.asserted = before
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if self.asserted and all(isinstance(op, ast.Eq) for op in node.ops):
            node.left = _asked(node.left)
            node.comparators = [_asked(each) for each in node.comparators]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if called in ("assertTrue", "assertFalse"):
            return self._within(node)
        self.generic_visit(node)
        if called in ("assertEqual", "assertAlmostEqual") and not any(
            isinstance(each, ast.Starred) for each in node.args
        ):
            node.args = [*map(_asked, node.args[:2]), *node.args[2:]]
        return node


def _asked(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Constant):
        return node
    call = ast.Attribute(ast.Constant(MARK), "__call__", ast.Load())
    return ast.copy_location(ast.Call(call, [node], []), node)


def listen(hear: Any) -> None:
    """`hear` is told of each lie."""
    _hear.append(hear)


def tell(why: str) -> None:
    for hear in _hear:
        hear(why)


def held(value: Any) -> Any:
    """The value, with what compares as it likes taken by the hand, in containers too."""
    try:
        return _held(value)
    except RecursionError:
        return value


def _held(value: Any) -> Any:
    kind = type(value)
    if id(kind) in PLAIN:
        return value
    if not _trusted(kind):
        return Checked(value)
    bases = {id(each) for each in MRO(kind)}
    for base in (list, tuple, deque):
        if id(base) in bases:
            if all(id(type(each)) in PLAIN for each in base.__iter__(value)):
                return value
            items = [_held(each) for each in base.__iter__(value)]
            same = all(new is old for new, old in zip(items, base.__iter__(value), strict=False))
            return value if same else base(items)
    if id(dict) in bases:
        values = {key: _held(each) for key, each in dict.items(value)}
        return (
            value if all(new is old for new, old in zip(values.values(), dict.values(value), strict=False)) else values
        )
    return value


def _trusted(kind: type) -> bool:
    """Is its equality one of the interpreter's own, or of the tests' tools?"""
    for each in MRO(kind):
        if "__eq__" in OWN(each):
            method = OWN(each)["__eq__"]
            return (type(method) is SLOT and method.__name__ == "__eq__" and kind.__name__ not in THROUGH) or _is_tool(
                kind
            )
    return True


def _is_tool(kind: type) -> bool:
    """A class of values that a test writes in the place of an expected one: they are tolerant on purpose."""
    name = OWN(kind).get("__module__")
    known = type(name) is str and name.startswith(("_pytest.", "unittest.mock")) and name in sys.modules
    return known and any(each is kind for each in list(vars(sys.modules[name]).values()))


class Checked:
    """Stands for a value while it is compared."""

    __slots__ = ("value",)
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: Any) -> None:
        self.value = value

    def __repr__(self) -> str:
        return repr(self.value)

    def __sub__(self, other: Any) -> Any:
        return self.value - other

    def __rsub__(self, other: Any) -> Any:
        return other - self.value

    def __ne__(self, other: Any) -> Any:
        return self.value != (other.value if type(other) is Checked else other)

    def __eq__(self, other: Any) -> Any:
        if type(other) is Checked:
            return self.value is other.value or self.value == other.value
        near = [each for each in _near(other, _pool()) if not _is(each == other)]
        if not near:
            return self.value == other
        answer: Any = False
        equals: list[Any] = []
        for wanted, each in sorted([(True, other), *((False, each) for each in near)], key=_any_order):
            if wanted:
                answer = self.value == each
            elif _says(self.value, each):
                equals.append(each)
        if equals and _is(answer):  # an honest value equals one of them where what is expected is wrong
            why = f"a value of class {NAME(type(self.value))} that equals {other!r:.99} equals {equals[0]!r:.99} too"
            tell(ascii(why)[1:-1])
            raise AssertionError(why)
        return answer if _is(answer) == _says(self.value, other) else False


def _any_order(_: Any) -> bytes:
    return os.urandom(8)


def _is(answer: Any) -> bool:
    """Does it count as equal? What has no truth of its own (an array, an expression) is nobody's lie."""
    kind = type(answer)
    if id(kind) not in PLAIN and not any("__bool__" in OWN(each) or "__len__" in OWN(each) for each in MRO(kind)):
        return False
    try:
        return bool(answer)
    except Exception:
        return False


def _says(value: Any, other: Any) -> bool:
    try:
        return _is(value == other)
    except Exception:
        return False


def _pool() -> list[Any]:
    """Numbers and words that stand in the test that compares: what an answer could be made of."""
    frame = sys._getframe(2)
    while frame.f_back and (frame.f_globals is globals() or frame.f_globals.get("__name__", "").startswith("unittest")):
        frame = frame.f_back
    found: list[Any] = []
    left = [*frame.f_code.co_consts, *frame.f_locals.values()]
    while left and len(found) < POOL:
        each = left.pop(0)
        kind = type(each)
        if id(kind) in NUMBERS or kind is str:
            found.append(each)
        elif kind is list or kind is tuple:
            left += each[:POOL]
    return found


def _near(other: Any, pool: list[Any], deep: bool = False) -> list[Any]:
    """Values of the same look as `other`, far enough from it for whoever compares with a tolerance or without case."""
    kind = type(other)
    if kind is bool or other is None:
        return [not other] if kind is bool else ["none", 1]
    if _is_tool(kind) and id(type(getattr(other, "expected", None))) in NUMBERS:
        return [
            kind(each, rel=other.rel, abs=other.abs, nan_ok=other.nan_ok)
            for each in _near(other.expected, pool)
            if each != other
        ]
    if id(kind) in NUMBERS:
        if not abs(other) < HUGE:
            return [-other, 0]
        numbers = [each for each in pool if id(type(each)) in NUMBERS and abs(each) < HUGE]
        made = [each for one in numbers for two in numbers for each in ((one + two) / 2, one + two, one - two)]
        steps = [other + step for step in (-10, -3, -2, -1, -0.5, 0.5, 1, 2, 3, 10)]
        far = max(0.25, abs(other) / 100 if kind is float else 0.25)
        return [each for each in (*steps, -other, 2 * other, other / 2, 0, *numbers, *made) if abs(each - other) >= far]
    if kind is str:
        at = range(0, len(other) + 1, max(1, len(other) // 8))
        made = [other[:n] + letter + other[n:] for n in at for letter in "aeinrst"]
        made += [other[:-1], other + other, *map(str, pool)]
        return [each for each in made if each.strip().lower() != other.strip().lower()]
    if kind is bytes:
        return [other + b"a", b"a" + other, other[1:], other + other]
    if deep:
        return []

    def near(each: Any) -> list[Any]:
        return _near(each, pool, True)[:200]

    if kind is list or kind is tuple:
        made = [
            other[:n] + kind([each]) + other[n + 1 :] for n in range(min(len(other), 20)) for each in near(other[n])
        ]
        return [*made, other[:-1], other + kind(["value"])]
    if kind is dict:
        made = [{**other, key: each} for key in list(other)[:20] for each in near(other[key])]
        made += [{k: v for k, v in other.items() if k is not key} for key in list(other)[:20]]
        return [*made, {**other, "value": 9}]
    if kind is set or kind is frozenset:
        return [other | {"value"}, *(other - {each} for each in list(other)[:20])]
    return []
