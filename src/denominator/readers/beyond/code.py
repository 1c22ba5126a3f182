"""What a program text names in calls that look at files: Python by its tree, everything else by its quoted texts."""

from __future__ import annotations

import ast
import base64
import binascii
import posixpath
import re
import warnings
from collections.abc import Iterator

from denominator.readers.beyond.shape import WORD_MAX

CODE_MAX = 32 << 10
FOLD_DEPTH = 24
READS = frozenset(
    ("open", "Path", "PurePath", "PosixPath", "listdir", "scandir", "stat", "lstat", "exists", "isfile", "isdir", "chdir",
     "readlink", "copy", "copyfile", "copytree", "copy2", "connect", "open_binary", "read_csv", "loadtxt", "fopen", "load",
     "read_text", "iterdir", "joinpath", "realpath", "access", "mmap")
)  # fmt: skip
WALKS = frozenset(("walk", "fwalk", "glob", "iglob", "rglob", "find"))
SHELLS = frozenset(
    ("system", "popen", "run", "call", "check_output", "check_call", "Popen", "getoutput", "getstatusoutput")
)
FETCHES = frozenset(("urlopen", "urlretrieve", "get", "Request"))
SHELL, READ, WALK, FETCH = "shell", "read", "walk", "fetch"
QUOTED = re.compile(r"""(\w{1,40})?[\s(,=<]{0,3}[rbfuRBFU]{0,2}(?:"([^"\n]{1,400})"|'([^'\n]{1,400})')""")
PIECES = re.compile(r"""["']\s{0,4}[+.]?\s{0,4}["']""")
PACKED = re.compile(r"(?<![\w+/=])(?:[A-Za-z0-9+/]{8,4000}={0,2}|(?:[0-9a-fA-F]{2}){4,2000})(?![\w+/=])")
UNPACKS = re.compile(r"base64|b64|xxd|fromhex|unhexlify|\bhex\b|pack\(|atob|rot13|\brev\b|\[::-1\]")

Named = tuple[str, str]
"""How a text is used (read, walk, shell, fetch) and the text."""


def names_in_code(text: str) -> Iterator[Named]:
    """Texts that a program hands to calls which look at something. Never raises."""
    if len(text) > CODE_MAX:
        text = text[:CODE_MAX]
    tree = _tree(text)
    if tree is None:
        yield from _quoted(text)
        return
    known: dict[str, str] = {}
    for node in _in_order(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            told = _fold(node.value, known)
            if told:
                known[node.targets[0].id] = told
        elif (
            isinstance(node, ast.For)
            and isinstance(node.target, ast.Name)
            and isinstance(node.iter, ast.Tuple | ast.List)
        ):
            known[node.target.id] = next((told for one in node.iter.elts if (told := _fold(one, known))), "")
        elif isinstance(node, ast.Call):
            yield from _called(node, known)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and (told := _fold(node, known)):
            yield READ, told


def unpacked(text: str) -> Iterator[str]:
    """Texts hidden in base64, hex or backwards, where a text speaks of undoing one of them."""
    if not UNPACKS.search(text):
        return
    for number, hit in enumerate(PACKED.finditer(text)):
        if number == 50:
            return
        yield from _plain(hit[0])
    if re.search(r"\brev\b|\[::-1\]", text):
        yield from (word[::-1] for word in re.findall(r"[\w./-]{4,200}/", text)[:50])


def _plain(word: str) -> Iterator[str]:
    for undo in (bytes.fromhex, _from_base64):
        try:
            told = undo(word).decode()
        except (ValueError, binascii.Error):
            continue
        if told.isprintable() or told.strip().isprintable():
            yield told.strip()


def _from_base64(word: str) -> bytes:
    return base64.b64decode(word + "=" * (-len(word) % 4), validate=True)


def _tree(text: str) -> ast.AST | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _in_order(tree: ast.AST) -> Iterator[ast.AST]:
    """Every node, those of a statement before those of the next."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += [*reversed([*ast.iter_child_nodes(node)])]


def _called(node: ast.Call, known: dict[str, str]) -> Iterator[Named]:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name in WALKS and isinstance(node.func, ast.Attribute) and (told := _fold(node.func.value, known)):
        pattern = _fold(node.args[0], known) if node.args else ""
        deep = name == "rglob" or "**" in pattern
        yield WALK if deep else READ, posixpath.join(told, pattern)
        return
    for argument in node.args[:4]:
        told = _fold(argument, known)
        if name in SHELLS and isinstance(argument, ast.List | ast.Tuple):
            words = [_fold(one, known) or "$x" for one in argument.elts[:64]]
            yield SHELL, " ".join(f"'{one}'" if " " in one or "\n" in one else one for one in words)
        elif not told:
            continue
        elif name in SHELLS:
            yield SHELL, told
        elif name in WALKS:
            yield WALK if name in ("walk", "fwalk") or "**" in told else READ, told
        elif name in FETCHES and "://" in told:
            yield FETCH, told
        elif name in READS or name in ("Path", "input"):
            yield READ, told


def _fold(node: ast.AST, known: dict[str, str], depth: int = 0) -> str:
    """The text of an expression, `$x` for a part that nobody knows; "" where it is no text."""
    if depth > FOLD_DEPTH:
        return ""

    def inner(one: ast.AST) -> str:
        return _fold(one, known, depth + 1)

    match node:
        case ast.Constant(value=str(text)):
            return text[:WORD_MAX]
        case ast.Constant(value=bytes(data)):
            return data[:WORD_MAX].decode("latin-1")
        case ast.Name(id=name):
            return known.get(name, "")
        case ast.JoinedStr(values=values):
            return "".join(inner(one) or "$x" for one in values[:64])[:WORD_MAX]
        case ast.FormattedValue(value=value):
            return inner(value)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            a, b = inner(left), inner(right)
            return f"{a or '$x'}{b or '$x'}"[:WORD_MAX] if a or b else ""
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            a, b = inner(left), inner(right)
            return posixpath.join(a, b or "$x")[:WORD_MAX] if a else ""
        case ast.BinOp(left=left, op=ast.Mod()):
            return re.sub(r"%[sdr]", "$x", inner(left))
        case ast.Subscript(value=value, slice=ast.Slice(lower=None, upper=None, step=ast.UnaryOp(op=ast.USub()))):
            return inner(value)[::-1]
        case ast.Call():
            return _folded_call(node, known, depth + 1)
    return ""


def _folded_call(node: ast.Call, known: dict[str, str], depth: int) -> str:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    told = [_fold(one, known, depth) for one in node.args[:16]]
    before = _fold(node.func.value, known, depth) if isinstance(node.func, ast.Attribute) else ""
    if name in ("Path", "PurePath", "PosixPath", "str", "fspath", "abspath", "realpath", "normpath") and told:
        return posixpath.join(*(one or "$x" for one in told)) if told[0] else ""
    if name in ("decode", "encode", "strip", "resolve", "absolute", "expanduser"):
        return before or (told[0] if told else "")
    if name == "format":
        return re.sub(r"\{[^{}]{0,40}\}", "$x", before)
    if name == "join" and not before and told and told[0]:
        return posixpath.join(*(one or "$x" for one in told))[:WORD_MAX]
    if name == "join" and node.args and isinstance(node.args[0], ast.List | ast.Tuple):
        return before.join(_fold(one, known, depth) or "$x" for one in node.args[0].elts[:64])[:WORD_MAX]
    if name == "joinpath" and before:
        return posixpath.join(before, *(one or "$x" for one in told))[:WORD_MAX]
    if name in ("b64decode", "standard_b64decode", "fromhex", "unhexlify") and told and told[0]:
        return next(_plain(told[0]), "")
    if name in ("open", "popen", "reversed"):
        return ""
    return ""


def _quoted(text: str) -> Iterator[Named]:
    """Quoted texts of a program in any other language, by the word that they stand behind."""
    joined = PIECES.sub("", text)
    for number, hit in enumerate(QUOTED.finditer(joined)):
        if number == 400:
            return
        word, told = hit[1] or "", hit[2] or hit[3]
        if word in SHELLS or word in ("exec", "execSync", "spawn", "qx", "shell_exec"):
            yield SHELL, told
        elif word in FETCHES and "://" in told:
            yield FETCH, told
        elif told.startswith(("/", "~", "..")) and " " not in told:
            yield WALK if word in ("walk", "find") else READ, told
