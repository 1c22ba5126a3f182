"""Tests that share a costly fixture stay in one worker (`make test` runs with `--dist loadgroup`).

pytest-xdist 3.8 writes the group into an attribute that pytest 9.2 no longer reads, so groups were scattered.
"""

from __future__ import annotations

import pytest


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give every grouped test the suffix by which the scheduler of pytest-xdist keeps groups together."""
    if not getattr(config.option, "loadgroup", False):
        return
    for item in items:
        names = sorted({str(mark.args[0]) for mark in item.iter_markers("xdist_group") if mark.args})
        suffix = "@" + "_".join(names)
        known = getattr(item, "_id", None)
        if names and known is not None and not item.nodeid.endswith(suffix):
            item._id = type(known).parse(item.nodeid + suffix)
