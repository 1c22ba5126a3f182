"""What makes the sandboxes of a world of `leaving.py`, and what of it is looked at: bubblewrap, or an engine of the world's own."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import engines_lab

WARM = {"Cmd": ["true"], "NetworkDisabled": True, "HostConfig": {"NetworkMode": "none"}}
LAYERS = re.compile(r"(/data/overlay2?/[^/]+)/.*")
OF_THE_ENGINE = re.compile(
    r"/data/(buildkit|network|tmp|plugins|libpod|db\.sql)|/log$|^/oom$|\.lock$|/overlay2?/l(/|$)"
)
"""Below its folder an engine keeps data bases and locks of its own: not one for each container (`oom` is a word of Podman's conmon)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Boxes:
    """A backend as a world has it: terms of the envelope, environment of the harness, a pattern of its control groups."""

    pattern: str
    terms: Mapping[str, Any] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    running: engines_lab.Running | None = None
    patience_s: float = 5

    def groups(self) -> list[str]:
        """Control groups of sandboxes of this world, in every hierarchy."""
        points = {
            line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines() if " - cgroup" in line
        }
        below = (folder for point in points for folder, _dirs, _files in os.walk(point))
        return sorted(folder for folder in below if re.search(self.pattern, folder))

    def kept(self) -> dict[str, list[str]]:
        """What the engine knows and keeps: containers, images, volumes, layers and files."""
        if self.running is None:
            return {}
        engine = self.running.engine
        volumes = engine.call("GET", "/volumes") or {}
        return {
            "containers": sorted(each["Id"] for each in engine.call("GET", "/containers/json", {"all": "true"}) or []),
            "images": sorted(each["Id"] for each in engine.call("GET", "/images/json", {"all": "true"}) or []),
            "volumes": sorted(each["Name"] for each in volumes.get("Volumes") or []),
            "files of the engine": sorted(self._files()),
        }

    def owns(self, path: str) -> bool:
        """Does a file lie in the engine's own folder?"""
        return self.running is not None and path.startswith(f"{self.running.socket.parent}/")

    def _files(self) -> set[str]:
        assert self.running is not None
        top = self.running.socket.parent
        found = {
            LAYERS.sub(r"\1", os.path.join(folder, name)).removeprefix(f"{top}")
            for folder, dirs, names in os.walk(top)
            for name in dirs + names
        }
        return {path for path in found if not OF_THE_ENGINE.search(path)}


@contextlib.contextmanager
def boxes(backend: str) -> Iterator[Boxes]:
    """The backend by its name (bubblewrap, dockerd, podman); an engine has run one container, so that its own things are there."""
    mine = re.sub(r"\D", "", os.readlink("/proc/self/ns/pid"))
    if backend == "bubblewrap":
        yield Boxes(pattern=f"/denominator/{mine}-")
        return
    parent = f"lab-{mine}"
    words, pattern = (
        ((), "/libpod_parent/libpod-") if backend == "podman" else ((f"--cgroup-parent=/{parent}",), f"/{parent}/")
    )
    with engines_lab.started(backend, *words) as running:
        engine, image = running.engine, running.engine.image(engines_lab.IMAGE)["Id"]
        engine.start(engine.create("warm", {"Image": image, **WARM}))
        engine.wait("warm", 30)
        engine.remove("warm")
        yield Boxes(
            pattern=pattern,
            terms={"backend": "docker", "image": f"{engines_lab.IMAGE}@{image}"},
            env={"DOCKER_HOST": f"unix://{running.socket}"},
            running=running,
            patience_s=20,
        )
