"""An expected test has no line that could fail.

Why: a test that only says `pass` is green for every patch that can be imported; it counts as evidence and is none.
Bad: `def test_rounding(self): pass`, a body of a docstring only, a skeleton that was never filled in.
Good: a test that calls the solution and asserts something of the result.
Fix: write the check, or take the id out. Only Python files can be read so far: where a test calls, asserts, raises or
loops it is taken to check something, and other languages are not evaluated.
"""

import ast
from collections.abc import Iterator

from denominator.packs.lint.material import Material
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding

_IDLE = (ast.Pass, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Every function of a hidden Python file whose name stands in an expected id and whose body does nothing."""
    for item in pack.tasks:
        parts = {part for one in item.task.verify.expected_tests for part in one.replace("::", ".").split(".")}
        for text in item.hidden:
            if not text.path.endswith(".py"):
                continue
            for function in _functions("\n".join(text.lines)):
                if function.name in parts and all(_idle(line) for line in function.body):
                    what, where = f"{function.name} cannot fail: it does nothing", f"{text.path}:{function.lineno}"
                    yield rule.finding(item.task.id, what, where=where, fix="write the check, or take the id out")


def _functions(source: str) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def _idle(line: ast.stmt) -> bool:
    if isinstance(line, ast.Expr):
        return isinstance(line.value, ast.Constant)
    if isinstance(line, ast.Return):
        return line.value is None or isinstance(line.value, ast.Constant)
    return isinstance(line, _IDLE)


RULE = Rule("PL027", "test-without-check", __doc__, check)
