"""Which tests come first and how many examples they try; tests that share a costly fixture stay in one worker; what tests show.

pytest-xdist 3.8 writes the group into an attribute that pytest 9.2 no longer reads, so groups were scattered.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from hypothesis import settings

from denominator.testing.postgres_server import PostgresServer, postgres_server, why_not
from kept import PLACE

# A test is right or wrong, however busy the machine is: speed is asserted in benchmarks, as a ratio.
settings.register_profile("unhurried", deadline=None)
settings.register_profile("nightly", deadline=None)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "unhurried")
settings.load_profile(PROFILE)
AT_LEAST, SHARE = 15, 0.25
"""Of the examples that a property names, every run tries this share, but no fewer than so many; nightly tries them all."""


OWN = "_hypothesis_internal_use_settings"
"""Where hypothesis 6 keeps the settings that a test was decorated with."""
KEPT = pytest.StashKey[tempfile.TemporaryDirectory[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """One folder of kept baselines for all workers, which start after this."""
    if not hasattr(config, "workerinput"):
        config.stash[KEPT] = tempfile.TemporaryDirectory(prefix="denominator-tests-", ignore_cleanup_errors=True)
        os.environ[PLACE] = config.stash[KEPT].name


def pytest_unconfigure(config: pytest.Config) -> None:
    """The folder goes with the session."""
    if KEPT in config.stash:
        config.stash[KEPT].cleanup()
        os.environ.pop(PLACE, None)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Files that take long come first, so that no worker is left alone with one; properties try their share of examples."""
    if PROFILE != "nightly":
        _try_fewer({getattr(item.obj, "__func__", item.obj) for item in items if isinstance(item, pytest.Function)})
    slow = {item.path for item in items if item.get_closest_marker("slow")}
    sandboxed = {item.path for item in items if item.get_closest_marker("needs_bwrap")}
    items.sort(key=lambda item: (item.path not in slow, item.path not in sandboxed))
    _keep_groups(config, items)


def _try_fewer(tests: Iterable[Any]) -> None:
    for test in tests:
        named = getattr(test, OWN, None)
        if isinstance(named, settings):
            few = max(min(named.max_examples, AT_LEAST), int(named.max_examples * SHARE))
            setattr(test, OWN, settings(named, max_examples=few))


def _keep_groups(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give every grouped test the suffix by which the scheduler of pytest-xdist keeps groups together."""
    if not getattr(config.option, "loadgroup", False):
        return
    for item in items:
        names = sorted({str(mark.args[0]) for mark in item.iter_markers("xdist_group") if mark.args})
        suffix = "@" + "_".join(names)
        known = getattr(item, "_id", None)
        if names and known is not None and not item.nodeid.endswith(suffix):
            item._id = type(known).parse(item.nodeid + suffix)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A private PostgreSQL server, one for all tests of a worker. A test that stops it starts it again."""
    if why := why_not():
        pytest.skip(why)
    with postgres_server() as server:
        yield server


SHOWN = "shown_at_end"
"""A test that says `record_property(SHOWN, text)` has the text printed below the results, whichever worker ran it."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what tests have to show."""
    reports = [one for word in ("passed", "failed") for one in terminalreporter.stats.get(word, ())]
    for report in reports:
        for name, text in report.user_properties:
            if name == SHOWN:
                terminalreporter.section(report.nodeid.rpartition("::")[2])
                terminalreporter.write_line(str(text))
