"""The image of a sandbox: named by people, pinned by a digest, and looked at again before every start."""

from __future__ import annotations

from dataclasses import dataclass, replace

from denominator.adapters.sandboxes.docker.client import Engine, EngineError
from denominator.errors import InputError, MachineError

__all__ = ["Image", "look", "pinned", "resolve"]

MOVED = 409


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    """An image as the engine has it. `id` is "sha256:..." of its configuration, which names every layer."""

    name: str
    id: str
    digests: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    volumes: tuple[str, ...] = ()

    @property
    def pin(self) -> str:
        """The reference that means this image for ever."""
        return self.id if self.name == self.id else f"{self.name}@{self.id}"

    @property
    def variables(self) -> dict[str, str]:
        """The environment that it declares."""
        return dict(word.split("=", 1) for word in self.env if "=" in word)


def look(engine: Engine, name: str) -> Image:
    """The image of this name, as it is now. Raises `EngineError`."""
    if not name or name.startswith("-"):
        raise EngineError("an image has no name", 404)
    said = engine.image(name)
    config = said.get("Config") or {}
    number = str(said.get("Id", ""))
    return Image(
        name=name,
        id=number if number.startswith("sha256:") else f"sha256:{number}",
        digests=tuple(said.get("RepoDigests") or ()),
        env=tuple(config.get("Env") or ()),
        volumes=tuple(config.get("Volumes") or ()),
    )


def pinned(engine: Engine, reference: str) -> Image:
    """The image of "NAME", "NAME@sha256:..." or "sha256:...". Raises `EngineError`, also when it is not the one pinned.

    The digest may be that of a registry or the image's id: an image that was built here has no other.
    """
    name, _, digest = reference.rpartition("@")
    if not name:
        return look(engine, reference)
    try:
        found = look(engine, reference)
    except EngineError as error:
        if error.status not in (400, 404, 500):
            raise
        found = look(engine, name)
    if digest != found.id and not any(known.endswith(f"@{digest}") for known in found.digests):
        raise EngineError(f"the image {name} is {found.id} now, pinned is {digest}", MOVED)
    return replace(found, name=name)


def resolve(engine: Engine, reference: str) -> Image:
    """What a reference means now, for a lock or for people. Refuses what cannot be a sandbox's image; nothing is fetched."""
    try:
        found = pinned(engine, reference)
    except EngineError as error:
        if error.status == MOVED:
            raise InputError(str(error), where=reference, fix="pin it anew, or bring the old image back") from error
        if error.status != 404:
            raise MachineError(
                str(error), where=str(engine.path), fix="start the engine, or set DOCKER_HOST"
            ) from error
        raise InputError(
            "the engine has no such image", where=reference, fix="load or pull it first; nothing is fetched here"
        ) from error
    if found.volumes:
        raise InputError(
            f"the image declares volumes ({', '.join(found.volumes)}): places to write without a size",
            where=reference,
            fix="build it without VOLUME",
        )
    return found
