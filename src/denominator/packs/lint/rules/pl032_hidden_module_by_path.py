"""A hidden test opens a hidden Python file by its path, where such files lie in no folder.

Why: at G2 and G3 hidden modules come to the runner with its order and are compiled from memory, so that no solution finds their
text. Data files are there; a `.py` is not. A test that opens, loads or starts one by its path fails for every solution.
Bad: `open(__file__)`; `Path(__file__).with_name("cases.py").read_text()`; `spec_from_file_location("cases", HERE / "cases.py")`;
`subprocess.run([sys.executable, "cases.py"])`.
Good: `import cases`; `Path(__file__).with_name("cases.json").read_text()`; `subprocess.run([sys.executable, "-c", TEXT])`.
Fix: import it, keep what is data in a data file, or start a program from a text. A command's tests (G1) lie in a folder.
"""

import ast
from collections.abc import Iterator

from denominator.packs.lint.material import Material, TaskMaterial
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding

READS = ("open", "read_text", "read_bytes", "run_path", "exec_module", "getsource", "getsourcelines")


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Each such place of tests whose modules are compiled from memory."""
    for item in pack.tasks:
        if item.states("folder") and item.task.verify.level != "G1" and item.task.verify.runner != "command":
            yield from _task(rule, item)


def _task(rule: Rule, item: TaskMaterial) -> Iterator[Finding]:
    own = {path.rpartition("/hidden/")[2] for path in item.hidden_paths if path.endswith(".py")}
    theirs = {path.rpartition("/")[2] for path in item.seen}
    modules = (
        own | {path.rpartition("/")[2] for path in own}
    ) - theirs  # a name that both have may mean the solution's
    for text in item.hidden:
        if text.path.endswith(".py"):
            for line, shown in sorted(_places("\n".join(text.lines), modules)):
                what = f"{shown} is opened by its path, and is compiled from memory at {item.task.verify.level}"
                fix = "import it, or keep what is data in a data file"
                yield rule.finding(item.task.id, what, where=f"{text.path}:{line}", fix=fix)


def _places(source: str, modules: set[str]) -> set[tuple[int, str]]:
    """(line, what is opened): a module's name as an argument or behind a /, or this very file in a call that reads."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return set()
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            found |= {place for one in _arguments(node) for place in _named(one, modules)}
            if _name(node.func) in READS and _is_this_file(node):
                found.add((node.lineno, "this very file"))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
            found |= set(_named(node.right, modules))
    return found


def _arguments(call: ast.Call) -> Iterator[ast.expr]:
    for one in (*call.args, *(word.value for word in call.keywords)):
        yield from one.elts if isinstance(one, (ast.List, ast.Tuple)) else (one,)


def _named(node: ast.expr, modules: set[str]) -> Iterator[tuple[int, str]]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.removeprefix("./") in modules:
        yield node.lineno, node.value


def _name(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def _is_this_file(call: ast.Call) -> bool:
    """`open(__file__)`, `Path(__file__).read_text()`: the name alone, without a way to another file."""
    asked = call.func.value if isinstance(call.func, ast.Attribute) and not call.args else None
    inner = asked.args[0] if isinstance(asked, ast.Call) and asked.args and _name(asked.func) == "Path" else None
    return any(
        isinstance(one, ast.Name) and one.id == "__file__" for one in (*call.args[:1], *((inner,) if inner else ()))
    )


RULE = Rule("PL032", "hidden-module-by-path", __doc__, check)
