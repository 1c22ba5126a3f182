"""Private engines, one of each kind for all tests here, each with the base image; skipped with the reason where there is none."""

import pytest

from attacks.toolchain import site, venv
from e2e.engines import boxes, engines

__all__ = ["boxes", "engines", "site", "venv"]


@pytest.fixture(scope="session")
def sandbox(boxes):
    """What the attacks are run in."""
    return boxes("dockerd")
