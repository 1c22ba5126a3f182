"""Names of hidden tests or of their files can be read by the agent.

Why: a name such as test_half_even says what is checked; runs of one agent with and without such hints differ by
tens of points.
Bad: "Failing now: test_half_even", "see tests/hidden/test_tax.py", a README that quotes `tests/test_tax.py::TestVat`, a
comment that names a hidden file, the title "rounds half to even" of a hidden test, a log `out/test_tax.log`.
Good: "Round half to even in money sums."
Fix: take the names out. A visible test that happens to have the same function name is a note only.
"""

import re
from collections.abc import Iterable, Iterator

from denominator.packs.lint.leaks import Hit, whole_words
from denominator.packs.lint.material import Material, TaskMaterial, Text
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding

_COMMON = frozenset(
    {"__init__.py", "__init__", "conftest.py", "conftest", "main.py", "main", "test", "tests", "data", "helpers"}
)
_OWN_TEST = re.compile(r"^\s*(?:async\s+)?def\s+\w+|^\s*class\s+\w+")


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Ids and file names as whole words, and hidden files whose copy lies in the repository."""
    for item in pack.tasks:
        words = hidden_names(item)
        for text in item.visible:
            for hit in _longest(whole_words(words, text, enumerate(text.lines, 1))):
                yield _finding(rule, item, hit, text)
        yield from _same_files(rule, item)
        yield from _named_files(rule, item, words)


def hidden_names(item: TaskMaterial) -> set[str]:
    """Hidden ids and paths as they stand, their function, class and file names that say something, and long titles."""
    ids = (*item.task.verify.expected_tests, *item.task.verify.counter_tests)
    names = {part for test_id in ids for part in re.split(r"[.:/\\\[\]()\s#>]+", test_id)}
    names |= {path.rsplit("/", 1)[-1] for path in item.hidden_paths}
    names |= {path.rsplit("/", 1)[-1].rsplit(".", 1)[0] for path in item.hidden_paths}
    whole = {path for path in item.hidden_paths if "/" in path} | {test_id for test_id in ids if _mark(test_id)}
    titles = {part.strip() for test_id in ids for part in re.split(r"::|#|>|\u203a", test_id) if _title(part)}
    return {name for name in names if _telling(name)} | whole | titles


def _mark(test_id: str) -> bool:
    """Is a whole id more than one plain word?"""
    return len(test_id) >= 8 and bool(re.search(r"::|[./#]\w", test_id))


def _title(part: str) -> bool:
    """A test that is named by a sentence."""
    return len(part.strip()) >= 16 and len(part.split()) >= 3


def _longest(hits: Iterable[Hit]) -> list[Hit]:
    """On one line a name that is part of another one found there says nothing more."""
    found = list(hits)
    return [
        hit
        for hit in found
        if not any(hit.where == other.where and hit.text != other.text and hit.text in other.text for other in found)
    ]


def _telling(name: str) -> bool:
    """No plain word: it has an underscore, a dot or capitals inside, and no project has it by habit."""
    return len(name) >= 6 and name not in _COMMON and bool(re.search(r"[_.]|[a-z][A-Z]", name))


def _finding(rule: Rule, item: TaskMaterial, hit: Hit, text: Text) -> Finding:
    line = text.lines[int(hit.where.rsplit(":", 1)[1]) - 1]
    if _OWN_TEST.match(line) and not text.prose:
        what = f"the repository has a test of its own that is named like a hidden one: {hit.text}"
        return rule.finding(item.task.id, what, where=hit.where, fix="rename one of the two", severity="note")
    what = f"the name of a hidden test can be read by the agent: {hit.text}"
    return rule.finding(item.task.id, what, where=hit.where, fix="take the name out")


def _same_files(rule: Rule, item: TaskMaterial) -> Iterator[Finding]:
    hidden = {text.lines: text.path for text in item.hidden if len(text.lines) > 2}
    for text in item.repo:
        if text.lines in hidden:
            what = f"a copy of the hidden file {hidden[text.lines]} lies in the repository"
            yield rule.finding(item.task.id, what, where=text.path, fix="remove the copy")


def _named_files(rule: Rule, item: TaskMaterial, words: set[str]) -> Iterator[Finding]:
    """Files that are called after a hidden test. One of the same kind as hidden files may be a test of its own: a note."""
    kinds = {path.rpartition(".")[2] for path in item.hidden_paths}
    hidden = {path.rsplit("/", 1)[-1] for path in item.hidden_paths}
    for file in item.repo_files:
        base = file.path.rsplit("/", 1)[-1]
        if base in hidden:
            continue
        text = Text(item.in_repo(file.path), (file.path,), prose=True)
        for hit in _longest(whole_words(words, text, enumerate(text.lines, 1)))[:1]:
            severity = "note" if base.rpartition(".")[2] in kinds else "block"
            what = f"a file is called after a hidden test: {hit.text}"
            yield rule.finding(item.task.id, what, where=text.path, fix="rename or remove it", severity=severity)


RULE = Rule("PL003", "leaked-hidden-test-names", __doc__, check, cards=True)
