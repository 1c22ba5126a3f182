"""Private engines, one of each kind for all tests here, each with the base image; skipped with the reason where there is none."""

import contextlib

import pytest

import engines_lab
from attacks.toolchain import site, venv
from denominator.adapters.sandboxes.docker.backend import Docker

__all__ = ["site", "venv"]


@pytest.fixture(scope="session")
def engines():
    """Starts an engine by name at the first wish; all of them end with the session."""
    with contextlib.ExitStack() as ends:
        running = {}

        def get(name):
            if why := engines_lab.missing(name):
                pytest.skip(f"{name}: {why}")
            if name not in running:
                running[name] = ends.enter_context(engines_lab.started(name))
            return running[name]

        yield get


@pytest.fixture(scope="session")
def boxes(engines):
    """A sandbox of each engine, under the image's pin."""
    with contextlib.ExitStack() as ends:
        made = {}

        def get(name):
            running = engines(name)
            if name not in made:
                pin = running.engine.image(engines_lab.IMAGE)["Id"]
                made[name] = Docker(image=f"{engines_lab.IMAGE}@{pin}", socket=str(running.socket))
                ends.callback(made[name].close)
            return made[name]

        yield get


@pytest.fixture(scope="session")
def sandbox(boxes):
    """What the attacks are run in."""
    return boxes("dockerd")
