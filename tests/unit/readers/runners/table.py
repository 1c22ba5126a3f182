"""One line an ending: the captured report of a real runner, its exit status, and what must be read from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from denominator.readers.runners import RunnerInput, RunnerReading, read_ending
from denominator.records.values import NotMeasured

DATA = Path(__file__).parents[3] / "data" / "runners"
UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True)
class Ending:
    """`report` and `text` are files below tests/data/runners. `counts`: passed, failed, errors, skipped, xfailed, xpassed."""

    report: str
    exit: int
    ending: str
    counts: tuple[int, int, int, int, int, int] | None = None
    blames: bool | str = UNKNOWN
    text: str = ""
    touched: tuple[str, ...] = ("src/other.py",)
    removed: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    expected_n: int = 0
    collects: bool = True
    runner: str = field(default="")

    @property
    def name(self) -> str:
        return f"{self.report or self.text}-{self.exit}-{'+'.join(self.touched)}"


def reading(case: Ending) -> RunnerReading:
    runner = case.runner or (case.report or case.text).partition("/")[0]
    return read_ending(
        RunnerInput(
            runner={"nextest": "cargo-nextest"}.get(runner, runner),
            exit=case.exit,
            signal=0,
            reports=((DATA / case.report).read_bytes(),) if case.report else (),
            text=(DATA / case.text).read_bytes() if case.text else b"",
            expected=case.expected,
            expected_n=case.expected_n or NotMeasured("not told"),
            touched=case.touched,
            removed=case.removed,
            baseline_collects=case.collects,
            root="/graded",
        )
    )


PYTEST = (
    Ending(report="pytest/good.xml", exit=0, ending="passed", counts=(2, 0, 0, 0, 0, 0), expected_n=2),
    Ending(
        report="pytest/good.xml", exit=0, ending="passed", expected=("test_good.py::test_ok", "test_good.py::test_two")
    ),
    Ending(report="pytest/good.xml", exit=0, ending="incomplete", expected_n=3),
    Ending(
        report="pytest/good.xml",
        exit=0,
        ending="incomplete",
        expected=("test_good.py::test_ok", "test_good.py::test_x"),
    ),
    Ending(report="pytest/good.xml", exit=0, ending="incomplete"),
    Ending(report="pytest/good.xml", exit=1, ending="disagrees", blames=False, expected_n=2),
    Ending(report="pytest/good.xml", exit=2, ending="incomplete", expected_n=2),
    Ending(report="pytest/good.xml", exit=3, ending="internal_error", expected_n=2),
    Ending(report="pytest/good.xml", exit=5, ending="disagrees", blames=False, expected_n=2),
    Ending(report="pytest/mixed.xml", exit=1, ending="assertion_failed", counts=(4, 2, 2, 1, 1, 0)),
    Ending(report="pytest/mixed.json", exit=1, ending="assertion_failed", counts=(3, 2, 2, 1, 1, 1)),
    Ending(report="pytest/mixed.json", exit=0, ending="disagrees", blames=False),
    Ending(report="pytest/skipped.xml", exit=0, ending="all_skipped", expected_n=1),
    Ending(report="pytest/xfailed.xml", exit=0, ending="all_xfailed", expected_n=1),
    Ending(report="pytest/import.xml", exit=2, ending="collection_error", blames=False),
    Ending(report="pytest/import.xml", exit=2, ending="collection_error", blames=True, touched=("src/acronymx.py",)),
    Ending(
        report="pytest/import.xml",
        exit=2,
        ending="collection_error",
        blames=False,
        touched=("src/acronymx.py",),
        collects=False,
    ),
    Ending(
        report="pytest/import.json", exit=2, ending="collection_error", blames=True, touched=("acronymx/__init__.py",)
    ),
    Ending(
        report="pytest/import_continue.xml", exit=1, ending="collection_error", blames=False, counts=(2, 0, 1, 0, 0, 0)
    ),
    Ending(report="pytest/xdist.xml", exit=1, ending="worker_crashed", counts=(1, 0, 1, 0, 0, 0)),
    Ending(report="pytest/xdist.json", exit=1, ending="worker_crashed"),
    Ending(report="pytest/none.xml", exit=5, ending="nothing_ran", blames=False),
    Ending(report="pytest/none.json", exit=5, ending="nothing_ran", blames=True, removed=("tests/test_good.py",)),
    Ending(report="pytest/hook.xml", exit=3, ending="internal_error", blames=False),
    Ending(report="pytest/hook.xml", exit=3, ending="internal_error", blames=True, touched=("hook/conftest.py",)),
    Ending(
        report="", text="pytest/hook.txt", exit=3, ending="internal_error", blames=True, touched=("hook/conftest.py",)
    ),
    Ending(report="", text="pytest/brokenconf.txt", exit=4, ending="usage_error", blames=False),
    Ending(
        report="",
        text="pytest/brokenconf.txt",
        exit=4,
        ending="usage_error",
        blames=True,
        touched=("brokenconf/conftest.py",),
    ),
    Ending(report="", text="pytest/usage.txt", exit=4, ending="usage_error", blames=False),
    Ending(report="", text="pytest/usage.txt", exit=4, ending="usage_error", blames=True, removed=("test_missing.py",)),
    Ending(report="", text="pytest/flag.txt", exit=4, ending="usage_error", blames=False),
    Ending(report="pytest/zero.xml", exit=0, ending="disagrees", blames=True, touched=("zero/conftest.py",)),
    Ending(report="pytest/zero.xml", exit=0, ending="disagrees", blames=False),
    Ending(report="pytest/rerun.xml", exit=0, ending="incomplete", expected_n=1),
    Ending(report="pytest/rerun.json", exit=0, ending="incomplete", expected=("test_flaky.py::test_flaky",)),
)
UNITTEST = (
    Ending(report="unittest/u.xml", exit=1, ending="assertion_failed", counts=(1, 1, 3, 1, 1, 0)),
    Ending(report="unittest/load.xml", exit=1, ending="collection_error", blames=False),
    Ending(report="unittest/load.xml", exit=1, ending="collection_error", blames=True, touched=("src/nothere/a.py",)),
)
NODE = (
    Ending(report="node/good.tap", exit=0, ending="passed", counts=(4, 0, 0, 0, 0, 0), expected_n=4),
    Ending(
        report="node/good.tap",
        exit=0,
        ending="passed",
        expected=("adds # up", "group > inner <b>", "group > deep > leaf"),
    ),
    Ending(report="node/good.tap", exit=0, ending="passed", expected=("adds # up", "group")),
    Ending(report="node/good.tap", exit=1, ending="disagrees", blames=False, expected_n=4),
    Ending(report="node/mixed.tap", exit=1, ending="assertion_failed", counts=(1, 4, 0, 1, 1, 0)),
    Ending(report="node/mixed.xml", exit=1, ending="assertion_failed", counts=(1, 4, 0, 1, 1, 0)),
    Ending(report="node/load.tap", exit=1, ending="collection_error", blames=True, touched=("missing.mjs",)),
    Ending(report="node/load.tap", exit=1, ending="collection_error", blames=False, touched=("other.mjs",)),
    Ending(report="node/load.xml", exit=1, ending="collection_error"),
    Ending(report="node/dies.tap", exit=1, ending="collection_error"),
    Ending(report="node/empty.tap", exit=0, ending="nothing_ran", blames=False, expected_n=1),
    Ending(report="node/empty.xml", exit=0, ending="nothing_ran", blames=False, expected_n=1),
)
GO = (
    Ending(report="go/good.jsonl", exit=0, ending="passed", counts=(3, 0, 0, 0, 0, 0), expected_n=3),
    Ending(report="go/good.jsonl", exit=0, ending="passed", expected=("TestAdd", "example.test/sum/good::TestTable")),
    Ending(report="go/mixed.jsonl", exit=1, ending="assertion_failed", counts=(2, 1, 0, 1, 0, 0)),
    Ending(
        report="go/build.jsonl",
        text="go/build.txt",
        exit=2,
        ending="build_failed",
        blames=True,
        touched=("build/build.go",),
    ),
    Ending(
        report="go/build.jsonl",
        text="go/build.txt",
        exit=1,
        ending="build_failed",
        blames=False,
        touched=("build/build.go",),
        collects=False,
    ),
    Ending(report="", text="go/build.txt", exit=1, ending="build_failed", blames=True, touched=("build/build.go",)),
    Ending(report="go/setup.jsonl", text="go/setup.txt", exit=1, ending="build_failed", blames=True),
    Ending(report="go/hang.jsonl", exit=1, ending="test_timeout", counts=(1, 0, 1, 0, 0, 0), blames=True),
    Ending(report="go/dies.jsonl", exit=1, ending="assertion_failed", counts=(1, 0, 1, 0, 0, 0)),
    Ending(report="go/none.jsonl", exit=0, ending="nothing_ran", blames=False, expected_n=1),
    Ending(report="go/norun.jsonl", exit=0, ending="nothing_ran", blames=False, expected_n=1),
    Ending(report="go/skips.jsonl", exit=0, ending="all_skipped", expected_n=1),
)
CARGO = (
    Ending(report="cargo/good.jsonl", exit=0, ending="passed", counts=(1, 0, 0, 1, 0, 0), expected=("tests::adds",)),
    Ending(report="cargo/failed.jsonl", exit=101, ending="assertion_failed", counts=(1, 1, 0, 0, 0, 0)),
    Ending(report="cargo/build.jsonl", exit=101, ending="build_failed", blames=True, touched=("src/lib.rs",)),
    Ending(
        report="cargo/build.jsonl",
        exit=101,
        ending="build_failed",
        blames=False,
        touched=("src/lib.rs",),
        collects=False,
    ),
    Ending(report="", text="cargo/build.txt", exit=101, ending="build_failed", blames=True, touched=("src/lib.rs",)),
    Ending(report="cargo/abort.jsonl", text="cargo/abort.txt", exit=101, ending="worker_crashed"),
    Ending(report="cargo/abort.jsonl", exit=101, ending="incomplete"),
    Ending(report="cargo/zero.jsonl", exit=0, ending="nothing_ran", blames=False, expected_n=1),
    Ending(report="", text="cargo/deps.txt", exit=101, ending="incomplete"),
)
JEST = (
    Ending(report="jest/good.json", exit=0, ending="passed", counts=(1, 0, 0, 1, 0, 0), expected=("t/good.test.js::sum > adds",)),
    Ending(report="jest/good.json", exit=0, ending="passed", expected=("sum adds",)),
    Ending(report="jest/bad.json", exit=1, ending="assertion_failed", counts=(1, 1, 0, 1, 0, 0)),
    Ending(report="jest/load.json", exit=1, ending="collection_error", blames=True, touched=("t/missing.js",)),
    Ending(report="jest/load.json", exit=1, ending="collection_error", blames=False, touched=("t/else.js",)),
    Ending(report="jest/nothing.json", exit=1, ending="nothing_ran", blames=False),
    Ending(report="vitest/good.json", exit=0, ending="passed", expected_n=1),
    Ending(report="vitest/bad.json", exit=1, ending="assertion_failed", counts=(1, 1, 0, 1, 0, 0)),
    Ending(report="vitest/load.json", exit=1, ending="collection_error", blames=True, touched=("v/missing.js",)),
    Ending(report="vitest/none.json", exit=1, ending="nothing_ran", blames=False),
)  # fmt: skip
NEXTEST = (
    Ending(report="nextest/failed.xml", exit=100, ending="assertion_failed", counts=(1, 1, 0, 0, 0, 0)),
    Ending(report="nextest/failed.xml", exit=0, ending="disagrees", blames=False),
    Ending(report="nextest/failed.xml", exit=4, ending="disagrees", blames=False),
)
MAVEN = (
    Ending(report="maven/mixed.xml", exit=1, ending="assertion_failed", counts=(1, 1, 1, 1, 0, 0)),
    Ending(report="maven/flaky.xml", exit=0, ending="incomplete", expected_n=1),
    Ending(report="maven/raised.xml", exit=1, ending="assertion_failed", counts=(0, 0, 1, 0, 0, 0)),
)
ENDINGS = (*PYTEST, *UNITTEST, *NODE, *GO, *CARGO, *JEST, *NEXTEST, *MAVEN)
