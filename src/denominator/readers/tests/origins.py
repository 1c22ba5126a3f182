"""Where the values of one test come from: mocks alone, snapshots, or anything else."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

MOCK = "mock"
SNAPSHOT = "snapshot"
OTHER = "other"
MAKERS = frozenset(("Mock", "MagicMock", "AsyncMock", "NonCallableMock", "PropertyMock", "create_autospec", "sentinel"))
PATCHES = frozenset(("patch", "object", "dict", "multiple", "stub", "spy"))
MOCK_CHECKS = (
    "assert_called", "assert_not_called", "assert_any_call", "assert_has_calls", "assert_awaited", "assert_not_awaited",
    "assert_any_await", "assert_has_awaits",
)  # fmt: skip
SNAPSHOT_CHECKS = frozenset(("assert_match", "assertMatchSnapshot", "assert_match_snapshot", "matchSnapshot"))
SNAPSHOT_FIXTURES = frozenset(("snapshot", "snapshot_json", "data_regression", "file_regression", "num_regression"))
HARMLESS = frozenset(
    "len str repr int float bool list dict set tuple sorted any all sum min max abs isinstance type call ANY".split()  # noqa: SIM905
)
"""Names that bring nothing of their own into an expression."""
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass
class Origins:
    """Names of one test by where their values come from; a name that is not listed is anything."""

    function: ast.FunctionDef | ast.AsyncFunctionDef
    brings_snapshots: bool
    names: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def of(function: ast.FunctionDef | ast.AsyncFunctionDef, around: ast.AST, brings_snapshots: bool) -> Origins:
        """Reads fixtures, decorators, `setUp` and assignments, in the order of the source."""
        origins = Origins(function, brings_snapshots)
        origins._decorated()
        for sibling in getattr(around, "body", []):
            if isinstance(sibling, FUNCTIONS) and sibling.name in ("setUp", "asyncSetUp", "setup_method"):
                origins._statements(sibling)
        origins._statements(function)
        return origins

    def _decorated(self) -> None:
        """Each `@patch` without a value of its own adds one parameter, the lowest first."""
        given = [a.arg for a in self.function.args.args if a.arg not in ("self", "cls")]
        patched = [d for d in self.function.decorator_list if isinstance(d, ast.Call) and _is_patch(d)]
        for name in given[: sum(_gives_mock(d) for d in patched)]:
            self.names[name] = MOCK
        for name in given:
            if name in SNAPSHOT_FIXTURES:
                self.names[name] = SNAPSHOT
            elif name == "mocker":
                self.names[name] = MOCK

    def _statements(self, function: ast.AST) -> None:
        for node in ast.walk(function):
            if isinstance(node, ast.Assign):
                for target in node.targets:
                    self._bind(target, self.value(node.value))
            elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
                self._bind(node.target, self.value(node.value))
            elif isinstance(node, ast.withitem) and node.optional_vars is not None:
                context = node.context_expr
                made = isinstance(context, ast.Call) and _is_patch(context) and _gives_mock(context)
                self._bind(node.optional_vars, MOCK if made else OTHER)
            elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
                self._bind(node.target, self.value(node.iter))

    def _bind(self, target: ast.expr, kind: str) -> None:
        """A name that stands for two kinds of things is anything."""
        if isinstance(target, ast.Name):
            before = self.names.get(target.id, kind)
            self.names[target.id] = kind if before == kind else OTHER
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
            before = self.attributes.get(target.attr, kind)
            self.attributes[target.attr] = kind if before == kind else OTHER
        elif isinstance(target, ast.Tuple | ast.List):
            for part in target.elts:
                self._bind(part, kind if kind == MOCK else OTHER)

    # --- what an expression rests on

    def value(self, node: ast.expr) -> str:
        """mock: made of mocks and constants, with a mock in it; snapshot: compared with one; "": constants; else other."""
        kinds = {self._leaf(leaf) for leaf in _leaves(node)} - {""}
        if OTHER in kinds:
            return OTHER
        return MOCK if MOCK in kinds else min(kinds, default="")

    def _leaf(self, leaf: ast.expr) -> str:
        if isinstance(leaf, ast.Attribute):
            if leaf.attr in MAKERS:
                return MOCK
            return self.attributes.get(leaf.attr, OTHER)
        assert isinstance(leaf, ast.Name)
        if leaf.id in MAKERS:
            return MOCK
        if leaf.id in self.names:
            return self.names[leaf.id]
        return "" if leaf.id in HARMLESS or leaf.id in ("mock", "unittest") else OTHER

    # --- assertions

    def kinds(self) -> set[str] | None:
        """Kinds of all assertions of the test; None when one is no weak one, or when there is none."""
        found = [self._assertion(node) for node in ast.walk(self.function)]
        kinds = {kind for kind in found if kind}
        return None if not kinds or OTHER in kinds else kinds

    def _assertion(self, node: ast.AST) -> str:
        """The kind of one assertion; "" for what is none."""
        if isinstance(node, ast.Assert):
            return self._compared(node.test)
        if isinstance(node, ast.With | ast.AsyncWith):
            return OTHER if any(_expects_error(item.context_expr) for item in node.items) else ""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute | ast.Name):
            return ""
        called = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
        if isinstance(node.func, ast.Attribute) and called.startswith(MOCK_CHECKS):
            return MOCK if self.value(node.func.value) == MOCK else OTHER
        if called in SNAPSHOT_CHECKS or (called == "check" and self._is_snapshot(node.func)):
            return SNAPSHOT if self.brings_snapshots else OTHER
        if called.startswith(("assert", "check", "verify", "expect", "ensure", "fail")):
            return (
                self._values([*node.args, *(k.value for k in node.keywords)]) if called.startswith("assert") else OTHER
            )
        return ""

    def _compared(self, test: ast.expr) -> str:
        sides = [test.left, *test.comparators] if isinstance(test, ast.Compare) else [test]
        if any(self.value(side) == SNAPSHOT for side in sides):
            return SNAPSHOT if self.brings_snapshots else OTHER
        return self._values(sides)

    def _values(self, nodes: list[ast.expr]) -> str:
        """Mock when mocks and constants are all there is; an assertion of constants alone proves nothing and is none."""
        kinds = {self.value(node) for node in nodes}
        return OTHER if kinds & {OTHER, SNAPSHOT} else MOCK if MOCK in kinds else OTHER

    def _is_snapshot(self, func: ast.expr) -> bool:
        return isinstance(func, ast.Attribute) and self.value(func.value) == SNAPSHOT


def _leaves(node: ast.expr) -> list[ast.expr]:
    """Names that an expression reads; `self.x` and `mock.Mock` are one each."""
    found: list[ast.expr] = []
    todo: list[ast.AST] = [node]
    while todo:
        here = todo.pop()
        dotted = isinstance(here, ast.Attribute) and isinstance(here.value, ast.Name)
        if isinstance(here, ast.Name) or (dotted and (here.value.id == "self" or here.attr in MAKERS)):  # type: ignore[attr-defined]
            found.append(here)  # type: ignore[arg-type]
        else:
            todo += ast.iter_child_nodes(here)
    return found


def _is_patch(call: ast.Call) -> bool:
    """`patch(...)`, `mock.patch.object(...)`."""
    text = ast.unparse(call.func)
    return text.rpartition(".")[2] in PATCHES and "patch" in text.split(".")


def _gives_mock(call: ast.Call) -> bool:
    """Without a value of its own, and not `patch.dict`, a patch gives a mock."""
    text = ast.unparse(call.func)
    replaced = {k.arg for k in call.keywords} & {"new", "new_callable"}
    places = 2 if text.endswith("object") else 1
    return not text.endswith(("dict", "multiple")) and not replaced and len(call.args) <= places


def _expects_error(node: ast.expr) -> bool:
    called = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
    return called in (
        "raises",
        "assertRaises",
        "assertRaisesRegex",
        "warns",
        "assertWarns",
        "assertLogs",
        "deprecated_call",
    )
