"""An environment for Harbor in bubblewrap: no network, the system read-only, one empty folder to work in."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import tempfile
from pathlib import Path

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities

PLACES = ("app", "tests", "solution", "tmp")
SYSTEM = ("/usr", "/etc/alternatives")
LINKS = (("usr/bin", "/bin"), ("usr/lib", "/lib"), ("usr/lib64", "/lib64"))


class Box(BaseEnvironment):
    """The trial's own log folders are mounted, so that Harbor looks there and copies nothing."""

    @staticmethod
    def type() -> str:
        return "box"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(mounted=True, disable_internet=True)

    def _validate_definition(self) -> None:
        pass

    async def start(self, force_build: bool) -> None:
        self._root = Path(tempfile.mkdtemp(prefix="harbor-box-"))
        for name in PLACES:
            (self._root / name).mkdir()

    async def stop(self, delete: bool) -> None:
        shutil.rmtree(self._root, ignore_errors=True)

    def _host(self, inside: str) -> Path:
        return self._root / inside.lstrip("/")

    async def upload_file(self, source_path, target_path) -> None:
        target = self._host(str(target_path))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source_path, target)

    async def upload_dir(self, source_dir, target_dir) -> None:
        shutil.copytree(source_dir, self._host(str(target_dir)), dirs_exist_ok=True)

    async def download_file(self, source_path, target_path) -> None:
        shutil.copy(self._host(str(source_path)), target_path)

    async def download_dir(self, source_dir, target_dir) -> None:
        source = self._host(str(source_dir))
        if source.is_dir():
            shutil.copytree(source, target_dir, dirs_exist_ok=True)
        else:
            Path(target_dir).mkdir(parents=True, exist_ok=True)

    async def exec(self, command, cwd=None, env=None, timeout_sec=None, user=None) -> ExecResult:
        process = await asyncio.create_subprocess_exec(
            *self._command(command, cwd, self._merge_env(env) or {}),
            stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE, stdin=asyncio.subprocess.DEVNULL,
        )  # fmt: skip
        try:
            out, err = await asyncio.wait_for(process.communicate(), timeout_sec)
        except BaseException:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            raise
        return ExecResult(stdout=out.decode(), stderr=err.decode(), return_code=process.returncode or 0)

    def _command(self, command: str, cwd: str | None, env: dict[str, str]) -> list[str]:
        logs = {"agent": self.trial_paths.agent_dir, "verifier": self.trial_paths.verifier_dir}
        words = [
            "bwrap",
            "--unshare-all",
            "--die-with-parent",
            "--new-session",
            "--clearenv",
            "--proc",
            "/proc",
            "--dev",
            "/dev",
        ]
        for place in SYSTEM:
            words += ["--ro-bind-try", place, place]
        for target, link in LINKS:
            words += ["--symlink", target, link]
        for name in PLACES:
            words += ["--bind", str(self._root / name), f"/{name}"]
        for name, folder in logs.items():
            folder.mkdir(parents=True, exist_ok=True)
            words += ["--bind", str(folder), f"/logs/{name}"]
        for name, value in {"PATH": "/usr/bin:/bin", **env}.items():
            words += ["--setenv", name, value]
        return [*words, "--chdir", cwd or "/app", "/bin/sh", "-c", command]
