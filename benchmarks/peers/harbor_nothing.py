"""An environment for Harbor in which nothing happens: it starts and stops nothing, runs no command, and says that the tests passed.

What is left is Harbor itself: configuration, trial folders, its phases, its logs, its results.
"""

from __future__ import annotations

from pathlib import Path

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities


class Nothing(BaseEnvironment):
    """Mounted, so that Harbor looks for the verifier's word in the trial's own folder and copies nothing."""

    @staticmethod
    def type() -> str:
        return "nothing"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(mounted=True, disable_internet=True)

    def _validate_definition(self) -> None:
        pass

    async def start(self, force_build: bool) -> None:
        pass

    async def stop(self, delete: bool) -> None:
        pass

    async def upload_file(self, source_path, target_path) -> None:
        pass

    async def upload_dir(self, source_dir, target_dir) -> None:
        pass

    async def download_file(self, source_path, target_path) -> None:
        pass

    async def download_dir(self, source_dir, target_dir) -> None:
        Path(target_dir).mkdir(parents=True, exist_ok=True)

    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None) -> ExecResult:
        if "test.sh" in command:
            self.trial_paths.verifier_dir.mkdir(parents=True, exist_ok=True)
            self.trial_paths.reward_text_path.write_text("1")
        return ExecResult(stdout="", stderr="", return_code=0)
