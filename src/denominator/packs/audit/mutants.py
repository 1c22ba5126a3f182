"""Small wrong changes of Python code, one at a time: what hidden tests should notice.

Each is made by replacing the text of one node, so that the rest of the file stays as it was. An f-string's parts, types,
decorators, documentation and the texts of raised exceptions are left alone. Some mutants mean the same as the original; no
tool can tell which, so they are listed with the others that lived.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
}
DROPPED = (ast.Assign, ast.AugAssign, ast.Expr, ast.Raise, ast.Delete, ast.Continue, ast.Break)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """One changed file: where, by which operator, the text before and after, the whole new source."""

    path: str
    line: int
    operator: str
    before: str
    after: str
    source: bytes

    @property
    def key(self) -> str:
        """Orders mutants without regard to where they stand, the same way on every machine."""
        text = f"{self.path}\n{self.line}\n{self.operator}\n{self.before}\n{self.after}"
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def mutants_of(path: str, source: bytes, lines: Collection[int]) -> tuple[Mutant, ...]:
    """Every mutant of the nodes that begin on `lines` (1-based). A file that is no Python has none."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return ()
    found: dict[bytes, Mutant] = {}
    for node in _walk(tree):
        if node.lineno in lines:
            for operator, after in _changes(node):
                mutant = _made(path, source, node, operator, after)
                if mutant is not None:
                    found.setdefault(mutant.source, mutant)
    return tuple(found.values())


def sampled(mutants: Iterable[Mutant], most: int) -> tuple[Mutant, ...]:
    """At most so many, chosen by digest: always the same ones, spread over the code."""
    chosen = sorted(mutants, key=lambda one: one.key)[:most]
    return tuple(sorted(chosen, key=lambda one: (one.path, one.line, one.key)))


def _walk(tree: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Statements and expressions that are code; what is only text or type is not entered."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.JoinedStr) or _is_text(child) or _is_type(tree, child):
            continue
        if isinstance(child, ast.Raise):
            yield child
            continue
        if isinstance(child, (ast.expr, ast.stmt)):
            yield child
        yield from _walk(child)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_type(parent: ast.AST, child: ast.AST) -> bool:
    if isinstance(parent, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return child is parent.returns or child in parent.decorator_list
    if isinstance(parent, ast.ClassDef):
        return child in parent.decorator_list
    return isinstance(parent, (ast.arg, ast.AnnAssign)) and child is parent.annotation


def _changes(node: ast.expr | ast.stmt) -> Iterator[tuple[str, str]]:
    """(operator, new text) for one node."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in COMPARE:
            swapped = ast.Compare(left=left, ops=[COMPARE[type(op)]()], comparators=[right])
            yield "comparison", f"({ast.unparse(swapped)})"
        case ast.BoolOp(op=op, values=values):
            other = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield "boolean", f"({ast.unparse(ast.BoolOp(op=other, values=values))})"
        case ast.BinOp(left=left, op=op, right=right) if type(op) in ARITHMETIC and not _text_work(left, op):
            yield "arithmetic", f"({ast.unparse(ast.BinOp(left=left, op=ARITHMETIC[type(op)](), right=right))})"
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield "negation", f"({ast.unparse(operand)})"
        case ast.Constant(value=value):
            yield from _constants(value)
        case ast.Return(value=value) if value is not None and not _is_none(value):
            yield "return", "return None"
    if isinstance(node, DROPPED):
        yield "statement", "pass"
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield "condition", ""


def _text_work(left: ast.expr, op: ast.operator) -> bool:
    """`"..." % x` is formatting."""
    return isinstance(op, ast.Mod) and isinstance(left, ast.Constant) and isinstance(left.value, (str, bytes))


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _constants(value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, bool):
        yield "constant", str(not value)
    elif isinstance(value, int):
        yield "constant", f"({value + 1})"
    elif isinstance(value, float):
        yield "constant", f"({value + 1!r})"
    elif isinstance(value, str):
        yield "constant", repr("" if value else "x")


def _made(path: str, source: bytes, node: ast.expr | ast.stmt, operator: str, after: str) -> Mutant | None:
    if operator == "condition" and isinstance(node, (ast.If, ast.While, ast.IfExp)):
        target: ast.expr | ast.stmt = node.test
        after = f"(not ({ast.unparse(node.test)}))"
    else:
        target = node
    start, end = _span(source, target)
    made = source[:start] + after.encode("utf-8") + source[end:]
    try:
        ast.parse(made)
    except (SyntaxError, ValueError):
        return None
    if made == source:
        return None
    before = source[start:end].decode("utf-8", "replace")
    return Mutant(path=path, line=target.lineno, operator=operator, before=before, after=after, source=made)


def _span(source: bytes, node: ast.expr | ast.stmt) -> tuple[int, int]:
    """Byte offsets of a node; the parser counts columns in bytes of UTF-8."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    last, column = node.end_lineno or node.lineno, node.end_col_offset or 0
    return starts[node.lineno - 1] + node.col_offset, starts[last - 1] + column
