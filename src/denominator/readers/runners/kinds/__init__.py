"""The runners that are known, by name. A name that is not known is read as any command."""

from __future__ import annotations

from denominator.readers.runners.kinds import (
    cargo,
    command,
    go,
    gradle,
    jest,
    maven,
    nextest,
    node,
    pytest,
    unittest,
    vitest,
)
from denominator.readers.runners.kinds.shape import Runner

RUNNERS: tuple[Runner, ...] = (
    cargo.RUNNER,
    nextest.RUNNER,
    command.RUNNER,
    go.RUNNER,
    gradle.RUNNER,
    jest.RUNNER,
    maven.RUNNER,
    node.RUNNER,
    pytest.RUNNER,
    unittest.RUNNER,
    vitest.RUNNER,
)
_BY_NAME = {name: runner for runner in RUNNERS for name in (runner.name, *runner.aliases)}


def runner_of(name: str) -> Runner:
    """The runner of this name or alias, else any command."""
    return _BY_NAME.get(name.strip().lower(), command.RUNNER)
