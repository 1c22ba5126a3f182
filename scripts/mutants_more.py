"""More kinds of small wrong changes than `pack audit` makes, for code whose words are closed lists.

clause      one part of `a and b and c` left out
word        another word of the same list: `Grade.RED` for `Grade.GREEN`
element     one of `(A, B, C)` left out
swapped     two arguments in the wrong order
quantifier  `any` for `all`, `min` for `max`
boundary    a number one less (one more is made by `pack audit`)
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from enum import Enum

from denominator.packs.audit.mutants import Mutant
from denominator.records import words

OTHER = {"any": "all", "all": "any", "min": "max", "max": "min"}
LISTS = {
    name: tuple(one.__members__) for name, one in vars(words).items() if isinstance(one, type) and issubclass(one, Enum)
}
LIKE = (ast.Name, ast.Attribute, ast.Call, ast.Subscript)


def more_of(path: str, source: bytes, lines: Collection[int]) -> Iterator[Mutant]:
    """Every further mutant of the nodes that begin on `lines`."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in code(ast.parse(source)):
        if node.lineno not in lines:
            continue
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        for operator, after in changes(node):
            made = source[:start] + after.encode() + source[end:]
            before = source[start:end].decode()
            yield Mutant(path=path, line=node.lineno, operator=operator, before=before, after=after, source=made)


def code(node: ast.AST) -> Iterator[ast.expr]:
    """Expressions that are evaluated: no types, no decorators, no texts with holes."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr):
                if isinstance(child, ast.expr):
                    yield child
                yield from code(child)


def changes(node: ast.expr) -> Iterator[tuple[str, str]]:
    """(operator, new text) for one node."""
    match node:
        case ast.BoolOp(op=op, values=values):
            for at in range(len(values)):
                rest = [*values[:at], *values[at + 1 :]]
                yield "clause", f"({ast.unparse(ast.BoolOp(op=op, values=rest) if len(rest) > 1 else rest[0])})"
        case ast.Attribute(value=ast.Name(id=owner), attr=attr) if attr in LISTS.get(owner, ()):
            members = LISTS[owner]
            if len(members) > 1:
                yield "word", f"{owner}.{members[(members.index(attr) + 1) % len(members)]}"
        case ast.Tuple(elts=elements, ctx=ast.Load()) | ast.Set(elts=elements) if plain(elements):
            for at in range(len(elements)):
                kind = ast.Set if isinstance(node, ast.Set) else ast.Tuple
                yield "element", ast.unparse(kind(elts=[*elements[:at], *elements[at + 1 :]]))
        case ast.Call(func=func, args=[first, second], keywords=keywords) if alike(first, second):
            yield "swapped", ast.unparse(ast.Call(func=func, args=[second, first], keywords=keywords))
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords) if name in OTHER:
            yield "quantifier", ast.unparse(ast.Call(func=ast.Name(id=OTHER[name]), args=args, keywords=keywords))
        case ast.Constant(value=int(number)) if not isinstance(number, bool) and number > 0:
            yield "boundary", f"{number - 1}"


def plain(elements: Collection[ast.expr]) -> bool:
    """At least two, all of them words of lists, names or texts."""
    sentences = any(isinstance(one, ast.Constant) and " " in str(one.value) for one in elements)
    kinds = (ast.Attribute, ast.Constant, ast.Name)
    return len(elements) > 1 and not sentences and all(isinstance(one, kinds) for one in elements)


def alike(first: ast.expr, second: ast.expr) -> bool:
    """Can the two be mistaken for each other?"""
    return type(first) is type(second) and isinstance(first, LIKE) and ast.dump(first) != ast.dump(second)
