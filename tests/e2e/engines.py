"""Fixtures: private engines, one of each kind for all tests that import them, each with the base image; and a backend to run on."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

import engines_lab
from denominator.adapters.sandboxes.docker.backend import Docker

__all__ = ["BACKENDS", "BUBBLEWRAP", "Backend", "backend_of", "boxes", "engines"]

BACKENDS = ("bubblewrap", "dockerd", "podman")
Engines = Callable[[str], engines_lab.Running]


@dataclass(frozen=True, slots=True)
class Backend:
    """What an envelope says of a backend, and what the harness has in its environment."""

    name: str
    terms: Mapping[str, Any] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)


BUBBLEWRAP = Backend("bubblewrap")


@pytest.fixture(scope="session")
def engines() -> Iterator[Engines]:
    """Starts an engine by name at the first wish; all of them end with the session."""
    with contextlib.ExitStack() as ends:
        running: dict[str, engines_lab.Running] = {}

        def get(name: str) -> engines_lab.Running:
            if why := engines_lab.missing(name):
                pytest.skip(f"{name}: {why}")
            if name not in running:
                running[name] = ends.enter_context(engines_lab.started(name))
            return running[name]

        yield get


@pytest.fixture(scope="session")
def boxes(engines: Engines) -> Iterator[Callable[[str], Docker]]:
    """A sandbox of each engine, under the image's pin."""
    with contextlib.ExitStack() as ends:
        made: dict[str, Docker] = {}

        def get(name: str) -> Docker:
            running = engines(name)
            if name not in made:
                made[name] = Docker(image=pin(running), socket=str(running.socket))
                ends.callback(made[name].close)
            return made[name]

        yield get


def pin(running: engines_lab.Running) -> str:
    """The base image, pinned."""
    return f"{engines_lab.IMAGE}@{running.engine.image(engines_lab.IMAGE)['Id']}"


def backend_of(name: str, engines: Engines) -> Backend:
    """The backend of this name; the test is skipped, with the reason, where it is not."""
    if name == "bubblewrap":
        if shutil.which("bwrap") is None:
            pytest.skip("bubblewrap is not installed")
        return BUBBLEWRAP
    running = engines(name)
    return Backend(name, {"backend": "docker", "image": pin(running)}, {"DOCKER_HOST": f"unix://{running.socket}"})
