"""The tests do not fit the level that their task declares.

Why: at G3 the solution lies in another sandbox than the tests. A test that imports it, or looks for its files, cannot
run there: the task would be graded none for every solution, or red. A command without a report names no tests, so
expected ids would be missing for ever.
Bad: `from shop.cart import total` in a hidden test at G3; `os.environ["SUT_DIR"]` there; `expected_tests` beside runner
`command` without `report`; `service` at a level or runner that never starts one.
Good: `sut.call("shop.cart:total", [1, 2])`; `report = "junit"` where a command has expected ids.
Fix: ask the solution by `sut` (docs/formats/grading.md), or lower the level.
"""

import ast
from collections.abc import Iterator

from denominator.packs.lint.material import Material, TaskMaterial, Text
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Every task of a folder; a card says too little of its tests."""
    for item in pack.tasks:
        if not item.states("folder"):
            continue
        if item.task.verify.level == "G3":
            yield from _apart(rule, item)
        yield from _command(rule, item)


def _apart(rule: Rule, item: TaskMaterial) -> Iterator[Finding]:
    modules = _modules(item)
    own = {path.rpartition("/hidden/")[2].partition("/")[0].removesuffix(".py") for path in item.hidden_paths}
    for text in item.hidden:
        if text.path.endswith(".py"):
            for line, name in _imported(text):
                if name in modules - own:
                    what = f"imports {name} of the solution, which is in another sandbox at G3"
                    fix = f'sut.call("{name}:function", ...), or level = "G2"'
                    yield rule.finding(item.task.id, what, where=f"{text.path}:{line}", fix=fix)
            for number, shown in enumerate(text.lines, 1):
                if "SUT_DIR" in shown:
                    what = "looks for the solution's folder, which is in another sandbox at G3"
                    fix = 'sut.read("path"), sut.run([...]) or sut.files([...], names)'
                    yield rule.finding(item.task.id, what, where=f"{text.path}:{number}", fix=fix)


def _modules(item: TaskMaterial) -> set[str]:
    """Top names that the repository would be imported by."""
    found = set()
    for path in item.seen:
        first, _, rest = path.removeprefix("src/").partition("/")
        if path.endswith(".py") and (rest or first.endswith(".py")):
            found.add(first.removesuffix(".py"))
    return found


def _imported(text: Text) -> Iterator[tuple[int, str]]:
    try:
        tree = ast.parse("\n".join(text.lines))
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, name.name.partition(".")[0]) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node.lineno, (node.module or "").partition(".")[0]


def _command(rule: Rule, item: TaskMaterial) -> Iterator[Finding]:
    verify = item.task.verify
    if verify.runner != "command":
        return
    if verify.expected_tests and not verify.report:
        what, fix = (
            "expected ids, and no report that could name them",
            "report = a word of docs/formats/grading.md, or no ids",
        )
        yield rule.finding(item.task.id, what, where=item.line_of("expected_tests"), fix=fix)
    for key in ("service", "generated_counter_tests"):
        if getattr(verify, key):
            what = f"runner command makes nothing of verify.{key}"
            yield rule.finding(item.task.id, what, where=item.line_of(key), fix="take it out, or another runner")


RULE = Rule("PL031", "tests-beside-level", __doc__, check)
