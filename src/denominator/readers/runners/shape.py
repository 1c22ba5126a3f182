"""What a reading of a runner's ending needs, what it gives, and what lies between: the report in one normal form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from denominator.records.facts import TestCounts
from denominator.records.values import NotMeasured
from denominator.records.words import RunnerEnding

Document = bytes | Iterable[bytes]
"""One report: its bytes, or chunks of them in order (a large one is never held whole)."""

UNTOLD = NotMeasured("not told")

PASSED, FAILED, ERROR = "passed", "failed", "error"
SKIPPED, XFAILED, XPASSED = "skipped", "xfailed", "xpassed"
WORST_FIRST = (FAILED, ERROR, SKIPPED, XFAILED, XPASSED, PASSED)

IDS_MAX = 200_000
TROUBLES_MAX = 50
TEXT_MAX = 32_768


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerInput:
    """Everything that a verifier's supervisor knows about one ending.

    `runner` names the runner ("" lets the report say), `format` the report's format ("" lets its bytes say). `reports`
    may be several documents (Maven writes one a class). `counts` are a harness's own structured numbers where no report
    was kept. `text` is what the supervisor saw printed: a hint that needs an exit status beside it. `expected` are the
    ids that must pass (or `expected_n` how many); `must_fail` are ids that fail in every good run. `touched` are the
    paths of the patch, `removed` those it deleted or emptied; `named` are modules or files that a harness's structured
    record names as the cause. `root` is the folder the tests ran in. Negative exits are signals, as Popen says them.
    """

    runner: str = ""
    exit: int | NotMeasured = UNTOLD
    signal: int | NotMeasured = UNTOLD
    reports: tuple[Document, ...] = ()
    format: str = ""
    counts: TestCounts | NotMeasured = UNTOLD
    text: bytes = b""
    expected: tuple[str, ...] = ()
    expected_n: int | NotMeasured = UNTOLD
    must_fail: tuple[str, ...] = ()
    touched: tuple[str, ...] | NotMeasured = UNTOLD
    removed: tuple[str, ...] = ()
    named: tuple[str, ...] = ()
    baseline_collects: bool | NotMeasured = UNTOLD
    root: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedIds:
    """Ids by status as the report gives them; expected ones as they were expected.

    `missing` were expected and are not reported, `other` are reported and were not expected (empty where nothing was
    expected). `flaky` were reported with different results: each also stands under its worst one.
    """

    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    error: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    xfailed: tuple[str, ...] = ()
    xpassed: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    other: tuple[str, ...] = ()
    flaky: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Where it stands: `source` is report, text or exit; offset (bytes, from 0) and length within it; a short quote."""

    source: str
    offset: int = 0
    length: int = 0
    quote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunnerReading:
    """How the runner ended and why we say so. `blames_patch` is unknown where nothing points at a file at all."""

    ending: RunnerEnding
    why: str
    runner: str = ""
    format: str = ""
    counts: TestCounts = field(default_factory=TestCounts)
    ids: ReportedIds = field(default_factory=ReportedIds)
    blames_patch: bool | NotMeasured = NotMeasured("the ending points at no file")
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Trouble:
    """Something that went wrong other than an assertion, with the files and modules that its text names.

    `kind`: raised, setup, collection, build, dependency, timeout, worker, internal.
    """

    kind: str
    text: str = ""
    files: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    source: str = "report"
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One or several documents in normal form.

    `words` is the worst word seen per id; `kinds` counts every bad case by kind of trouble ("assertion" too). `defect`
    says why the report is not whole; a report with a defect proves nothing. `exit` is the status that it claims itself.
    `aliases` are other ids under which a result may be expected (a parent of subtests, a name without its file): they
    are no tests of their own. `only_expected`: ids beside the expected ones are the grader's own business.
    """

    format: str = ""
    runner: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    kinds: Mapping[str, int] = field(default_factory=dict)
    flaky: tuple[str, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    defect: str = ""
    exit: int | None = None
    counts_only: bool = False
    only_expected: bool = False
