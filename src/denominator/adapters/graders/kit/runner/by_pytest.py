"""Runs hidden tests with pytest, under our configuration only. An id is pytest's node id below the hidden folder."""

import ast
import os
import sys
from collections.abc import Mapping, Sequence
from types import CodeType
from typing import Any

import equal  # type: ignore[import-not-found]
import hidden  # type: ignore[import-not-found]
import memory  # type: ignore[import-not-found]

ARGS = (
    "-q",
    "-s",
    "--tb=short",
    "-p",
    "no:cacheprovider",
    "--import-mode=importlib",
    "--continue-on-collection-errors",
)


def prepare(order: Mapping[str, Any], tests: Mapping[str, bytes]) -> None:
    """The path: standard library, pytest's own folder, hidden tests, our kit, and last the solution."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    os.environ["SUT_DIR"] = order["work"]
    os.environ["SUT_SERVICE"] = order["service"]
    if order["site"]:
        sys.path.append(order["site"])
    import pytest  # noqa: F401  a missing pytest is the harness's fault, so it shows before the solution does

    # pytest finds an empty file for each module, and imports it from memory.
    codes, _ = hidden.split(tests, order["hidden"], compiled)
    memory.Importer(codes, {}, order["hidden"]).install()
    sys.path += [order["hidden"], order["kit"], order["work"], os.path.join(order["work"], "src")]


def compiled(path: str, data: bytes, place: str) -> CodeType:
    """A module's code, with the assertions of tests rewritten as pytest does it."""
    from _pytest.assertion.rewrite import rewrite_asserts

    name = path.rpartition("/")[2]
    tree = ast.parse(data, place)
    if name == "conftest.py" or name.startswith("test_") or name.endswith("_test.py"):
        rewrite_asserts(tree, data, place)
    code: CodeType = equal.compiled(tree, place)
    return code


def run(order: Mapping[str, Any], paths: Sequence[str], channel: Any) -> int:
    import pytest

    equal.listen(lambda why: channel.send("lied", why=why))
    root = order["hidden"]
    own = ["-c", order["ini"], f"--rootdir={root}", f"--confcutdir={root}", root]
    return int(pytest.main([*ARGS, *own], plugins=[Plugin(channel)]))


class Plugin:
    """Each ending becomes a frame at once; only a test whose three phases passed has passed."""

    def __init__(self, channel: Any) -> None:
        self.sent = channel.send
        self.seen: dict[str, tuple[list[tuple[str, str]], list[str]]] = {}

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.sent("error", where=report.nodeid, why=str(report.longrepr)[-2000:])

    def pytest_collection_finish(self, session: Any) -> None:
        self.sent("collected", ids=[item.nodeid for item in session.items])

    def pytest_runtest_logreport(self, report: Any) -> None:
        word = "skipped" if report.skipped or hasattr(report, "wasxfail") else report.outcome
        seen, whys = self.seen.setdefault(report.nodeid, ([], []))
        seen.append((report.when, word))
        whys += [str(report.longrepr)] if report.longrepr else []
        if report.when == "teardown":
            del self.seen[report.nodeid]
            self.sent("test", id=report.nodeid, word=verdict(seen), why="".join(whys)[-2000:])


def verdict(seen: list[tuple[str, str]]) -> str:
    words = [word for _, word in seen]
    if "failed" in words:
        return "failed"
    if "skipped" in words:
        return "skipped"
    whole = [when for when, word in seen if word == "passed"] == ["setup", "call", "teardown"]
    return "passed" if whole else "failed"
