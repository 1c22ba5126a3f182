"""A pytest plugin with one fixture, `assert_quotable`. Only pytest loads it: nothing of the product needs pytest.

def test_the_readme_can_be_defended(assert_quotable):
    assert_quotable("README.md", tier="external", slips="slips")
"""

from __future__ import annotations

from collections.abc import Callable

import pytest


class QuotePlugin:
    """What the entry point names."""

    @pytest.fixture(scope="session")
    def assert_quotable(self) -> Callable[..., None]:
        """Quote check of one document as an assertion (`denominator.testing.quotable.assert_quotable`)."""
        from denominator.testing.quotable import assert_quotable as asserted

        return asserted


PLUGIN = QuotePlugin()
