"""Expected ids against reported ones: equal, or equal once both ways to write one id are brought to one form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from denominator.readers.runners.shape import (
    ERROR,
    FAILED,
    PASSED,
    SKIPPED,
    XFAILED,
    XPASSED,
    Report,
    ReportedIds,
    RunnerInput,
)

SOURCES = (".py", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".java", ".go", ".rs")


def normal(id_: str, root: str = "") -> str:
    """`tests/test_a.py::T::test_b[x/y]` and `tests.test_a.T::test_b[x/y]` are one id; parameters stay as they are."""
    if root and id_.startswith(root.rstrip("/") + "/"):
        id_ = id_[len(root.rstrip("/")) + 1 :]
    head, bracket, rest = id_.partition("[")
    for ending in SOURCES:
        head = head.replace(f"{ending}::", "::")
    return head.removeprefix("./").replace("::", ".").replace("/", ".") + bracket + rest


def word_of(
    expected: Iterable[str], words: Mapping[str, str], aliases: Mapping[str, str], root: str = ""
) -> dict[str, tuple[str, str]]:
    """Expected id -> (reported id, word). Two reported ids of one normal form match only what is equal to them."""
    wanted = tuple(dict.fromkeys(expected))
    found = {id_: (id_, words[id_]) for id_ in wanted if id_ in words}
    rest = [id_ for id_ in wanted if id_ not in found]
    if not rest:
        return found
    found |= {id_: (id_, aliases[id_]) for id_ in rest if id_ in aliases}
    rest = [id_ for id_ in rest if id_ not in found]
    forms: dict[str, str | None] = {}
    for id_ in words:
        form = normal(id_, root)
        forms[form] = None if form in forms else id_
    for id_ in rest:
        reported = forms.get(normal(id_, root))
        if reported is not None:
            found[id_] = (reported, words[reported])
    return found


def reported_ids(given: RunnerInput, report: Report) -> ReportedIds:
    """Every id where it belongs; those that must fail are left out, and so is what an own grading adds itself."""
    must_fail = {id_ for id_, _ in word_of(given.must_fail, report.words, {}, given.root).values()}
    words = {id_: word for id_, word in report.words.items() if id_ not in must_fail}
    found = word_of(given.expected, words, report.aliases, given.root)
    used = {reported for reported, _ in found.values()}
    shown = {id_: word for id_, (_, word) in found.items()}
    if given.expected:
        other = () if report.only_expected else tuple(id_ for id_ in words if id_ not in used)
    else:
        shown, other = words, ()

    def having(word: str) -> tuple[str, ...]:
        return tuple(id_ for id_, seen in shown.items() if seen == word)

    return ReportedIds(
        passed=having(PASSED),
        failed=having(FAILED),
        error=having(ERROR),
        skipped=having(SKIPPED),
        xfailed=having(XFAILED),
        xpassed=having(XPASSED),
        missing=tuple(dict.fromkeys(id_ for id_ in given.expected if id_ not in found)),
        other=other,
        flaky=report.flaky,
    )
