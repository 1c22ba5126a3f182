"""A hidden test, or a file as the gold patch leaves it, lies where the agent can open it.

Why: an agent that looks around finds the answer, and the pass measures reading. It happens when hidden tests are baked
into the agent's image, when a build kept their bytecode, or when the finished file stayed in another folder.
Bad: the image holds `tests/hidden/test_bill.py`; `__pycache__/test_bill.cpython-311.pyc`; `old/bill.py` equals `bill.py`
after gold.patch; `dist/bill-2.0.tar.gz` holds that file, or a text holds it in base64.
Good: hidden tests enter only the grading sandbox; the snapshot holds nothing later than the base.
Fix: take the file out. A file of the snapshot with a hidden test's path and other contents is a note: it may be an earlier
version. Bytecode in a pack's own repo/ is never copied for an agent, so only listings of images are searched for it.
"""

import re
from collections.abc import Iterator

from denominator.packs.lint.material import Material, TaskMaterial
from denominator.packs.lint.packed import READ_MAX, packed_in
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding
from denominator.wire.trees import read_file

RESULT_LEAST = 40
_BYTECODE = re.compile(r"(?:\.(?:cpython|pypy)-?\w+)?(?:\.opt-\d)?\.py[co]\Z")
_PLAIN = frozenset({"__init__.py", "conftest.py", "test.py", "tests.py", "main.py"})
FIX = "take it out of what the agent gets"


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Hidden tests by path and bytecode, then the results of the gold patch by content."""
    for item in pack.tasks:
        for path in item.seen:
            if hidden := _hidden_twin(path, item.hidden_paths):
                yield _hidden(rule, item, path, hidden)
        if item.states("folder"):
            yield from _results(rule, item)
            yield from _packed(rule, item)


def _hidden_twin(path: str, hidden: tuple[str, ...]) -> str:
    """The hidden file that a path is, or is the bytecode of."""
    name = path.rsplit("/", 1)[-1]
    stem = _BYTECODE.sub("", name)
    for one in hidden:
        own = one.lstrip("/")
        base = own.rsplit("/", 1)[-1]
        if f"/{path.lstrip('/')}".endswith(f"/{own}") and base not in _PLAIN:
            return one
        if stem != name and base == f"{stem}.py" and base not in _PLAIN:
            return one
    return ""


def _hidden(rule: Rule, item: TaskMaterial, path: str, hidden: str) -> Finding:
    same = "" if path == hidden else f" ({hidden})"
    if not item.states("folder"):
        what = f"hidden test inside the agent image: {path}{same}"
        return rule.finding(item.task.id, what, where=item.where, fix=FIX)
    if _bytes(item, path) == (item.paths.hidden / hidden).read_bytes():
        what = f"the hidden test {hidden} lies in the snapshot: {path}"
        return rule.finding(item.task.id, what, where=item.in_repo(path), fix=FIX)
    what = f"has the path of the hidden test {hidden} and other contents: an earlier version?"
    return rule.finding(item.task.id, what, where=item.in_repo(path), fix="see whether it tells", severity="note")


def _results(rule: Rule, item: TaskMaterial) -> Iterator[Finding]:
    """Files equal to one that the gold patch makes. A path that the patch itself touches cannot be one of them."""
    results = {data: path for path, data in (item.gold.results if item.gold else ()) if len(data) >= RESULT_LEAST}
    sizes = {len(data) for data in results}
    for file in item.repo_files:
        if file.size in sizes and (made := results.get(_bytes(item, file.path))):
            what = f"equals {made} as gold.patch leaves it"
            yield rule.finding(item.task.id, what, where=item.in_repo(file.path), fix=FIX)


def _packed(rule: Rule, item: TaskMaterial) -> Iterator[Finding]:
    """Hidden files, and files as gold leaves them, inside archives, compressed files and encoded runs of the snapshot."""
    wanted = {data: what for data, what in _answers(item) if len(data) >= RESULT_LEAST}
    for file in item.repo_files if wanted else ():
        if file.size > READ_MAX:
            continue
        inside = list(packed_in(item, file.path))
        for data, what in wanted.items():
            if how := next((how for how, inner in inside if data in inner), ""):
                told = f"holds {what}, packed ({how})"
                yield rule.finding(item.task.id, told, where=item.in_repo(file.path), fix=FIX)


def _answers(item: TaskMaterial) -> Iterator[tuple[bytes, str]]:
    """Bytes that nobody may find, and what they are. What the snapshot's own file holds (gold only takes lines away) is none."""
    own = {file.path for file in item.repo_files}
    for path, data in item.gold.results if item.gold else ():
        if path not in own or data.strip() not in _bytes(item, path):
            yield data.strip(), f"{path} as gold.patch leaves it"
    for path in item.hidden_paths:
        yield (item.paths.hidden / path).read_bytes().strip(), f"the hidden file {path}"


def _bytes(item: TaskMaterial, path: str) -> bytes:
    return read_file(item.paths.repo, path)


RULE = Rule("PL025", "answer-in-snapshot", __doc__, check, cards=True)
