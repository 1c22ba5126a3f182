"""The page of the docker backend is what a whole run said. The last file of this folder, for all others must have run."""

import os

import pytest

from e2e.docker import docker_page

pytestmark = pytest.mark.e2e


def test_the_evidence_is_current():
    if lacking := docker_page.complete():
        pytest.skip(f"not everything ran in this process: {lacking}")
    if os.environ.get("DENOMINATOR_EVIDENCE") == "write":
        docker_page.EVIDENCE.write_text(docker_page.text())
    assert docker_page.EVIDENCE.read_text() == docker_page.text()
