"""Defaults: flag > environment > denominator.toml > user file > built-in, each with its origin."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

from denominator.errors import InputError
from denominator.wire.toml import read_toml

PROJECT_FILE = "denominator.toml"
PREFIX = "DENOMINATOR_"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What `denominator.toml` may hold. Relative folders are below the folder of the file that names them."""

    schema_version: int = 1
    runs_dir: str = "runs"
    cache_dir: str = ""
    envelope: str = "envelope.toml"
    python: str = "/usr/bin/python3"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One effective value and where it comes from."""

    name: str
    value: str
    origin: str


def read_settings(flags: Mapping[str, str | None], cwd: Path, env: Mapping[str, str]) -> tuple[Settings, list[Setting]]:
    """The effective settings. Raises InputError for an unknown key or a broken file."""
    layers = [("flag", {k: v for k, v in flags.items() if v is not None}), ("environment", _from_env(env))]
    layers += [(str(path), _from_file(path)) for path in _files(cwd, env)]
    layers.append(("built-in", _built_in(env)))
    chosen = []
    for field in fields(Settings):
        if field.name == "schema_version":
            continue
        origin, value = next((name, layer[field.name]) for name, layer in layers if field.name in layer)
        chosen.append(Setting(name=field.name, value=value, origin=origin))
    by_name = {setting.name: setting.value for setting in chosen}
    return replace(Settings(), **by_name), chosen  # type: ignore[arg-type]


def _built_in(env: Mapping[str, str]) -> dict[str, str]:
    home = env.get("XDG_CACHE_HOME") or str(Path(env.get("HOME", "/tmp")) / ".cache")
    values = {f.name: str(f.default) for f in fields(Settings) if f.name != "schema_version"}
    return values | {"cache_dir": str(Path(home) / "denominator")}


def _from_env(env: Mapping[str, str]) -> dict[str, str]:
    names = [f.name for f in fields(Settings) if f.name != "schema_version"]
    return {name: env[PREFIX + name.upper()] for name in names if env.get(PREFIX + name.upper())}


def _files(cwd: Path, env: Mapping[str, str]) -> list[Path]:
    config = env.get("XDG_CONFIG_HOME") or str(Path(env.get("HOME", "/tmp")) / ".config")
    project = next((d / PROJECT_FILE for d in (cwd, *cwd.parents) if (d / PROJECT_FILE).is_file()), None)
    user = Path(config) / "denominator" / "config.toml"
    return [path for path in (project, user) if path is not None and path.is_file()]


def _from_file(path: Path) -> dict[str, str]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", where=str(path)) from None
    found = read_toml(Settings, text, str(path))
    blank = Settings()
    values = {f.name: getattr(found, f.name) for f in fields(Settings) if f.name != "schema_version"}
    given = {name: value for name, value in values.items() if value != getattr(blank, name)}
    return {name: _below(path, name, value) for name, value in given.items()}


def _below(path: Path, name: str, value: str) -> str:
    return os.path.normpath(path.parent / value) if name.endswith("_dir") or name == "envelope" else value
