"""Runs hidden tests with pytest, under our configuration only. An id is pytest's node id below the hidden folder."""

import os
import sys

ARGS = ("-q", "-s", "--tb=short", "-p", "no:cacheprovider", "--import-mode=importlib", "--continue-on-collection-errors")


def prepare(order, tests):
    """The path: standard library, pytest's own folder, hidden tests, our kit, and last the solution."""
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    os.environ.pop("PYTEST_ADDOPTS", None)
    os.environ["SUT_DIR"] = order["work"]
    if order["site"]:
        sys.path.append(order["site"])
    import pytest  # noqa: F401  a missing pytest is the harness's fault, so it shows before the solution does

    sys.path += [order["hidden"], order["kit"], order["work"], os.path.join(order["work"], "src")]


def run(order, tests, channel):
    import pytest

    ini = os.path.join(order["kit"], "pytest.ini")
    hidden = order["hidden"]
    own = ["-c", ini, f"--rootdir={hidden}", f"--confcutdir={hidden}", hidden]
    return int(pytest.main([*ARGS, *own], plugins=[Plugin(channel)]))


class Plugin:
    """Each ending becomes a frame at once; only a test whose three phases passed has passed."""

    def __init__(self, channel):
        self.sent = channel.send
        self.words = {}

    def pytest_collectreport(self, report):
        if report.failed:
            self.sent("error", where=report.nodeid, why=str(report.longrepr)[-2000:])

    def pytest_collection_finish(self, session):
        self.sent("collected", ids=[item.nodeid for item in session.items])

    def pytest_runtest_logreport(self, report):
        word = "skipped" if report.skipped or hasattr(report, "wasxfail") else report.outcome
        self.words.setdefault(report.nodeid, []).append((report.when, word))
        if report.when == "teardown":
            seen = self.words.pop(report.nodeid)
            self.sent("test", id=report.nodeid, word=verdict(seen), why=str(report.longrepr or "")[-2000:])


def verdict(seen):
    words = [word for _, word in seen]
    if "failed" in words:
        return "failed"
    if "skipped" in words:
        return "skipped"
    whole = [when for when, word in seen if word == "passed"] == ["setup", "call", "teardown"]
    return "passed" if whole else "failed"
