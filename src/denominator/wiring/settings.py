"""Defaults: flag > environment > denominator.toml > user file > built-in, each with its origin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path

from denominator.errors import InputError
from denominator.records.documents import QuoteSettings
from denominator.wire.bounded import read_text
from denominator.wire.toml import read_toml

PROJECT_FILE = "denominator.toml"
PREFIX = "DENOMINATOR_"
PYTHON = "/usr/bin/python3"
PATHS = ("runs_dir", "cache_dir", "envelope")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What `denominator.toml` may hold; "" is not given. Relative paths are below the folder of the file that names them.

    `box_shared` and `box_reclaimable` are yes or no: may somebody else slow this machine down, or take it away?
    """

    schema_version: int = 1
    runs_dir: str = ""
    cache_dir: str = ""
    envelope: str = ""
    python: str = ""
    box_shared: str = ""
    box_reclaimable: str = ""
    quote: QuoteSettings = field(default_factory=QuoteSettings)


NAMES = tuple(one.name for one in fields(Settings) if one.name not in ("schema_version", "quote"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One effective value and where it comes from."""

    name: str
    value: str
    origin: str


def read_settings(flags: Mapping[str, str | None], cwd: Path, env: Mapping[str, str]) -> tuple[Settings, list[Setting]]:
    """The effective settings, paths absolute. Raises InputError for an unknown key, a broken file, an empty flag."""
    layers = list(_layers(flags, cwd, env))
    chosen = []
    for name in NAMES:
        origin, value = next((where, layer[name]) for where, layer in layers if name in layer)
        chosen.append(Setting(name=name, value=value, origin=origin))
    return replace(Settings(), **{setting.name: setting.value for setting in chosen}), chosen  # type: ignore[arg-type]


def _layers(flags: Mapping[str, str | None], cwd: Path, env: Mapping[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Every place that may set something, the strongest first."""
    given = {name: value for name, value in flags.items() if value is not None}
    if empty := [name for name, value in given.items() if not value.strip()]:
        flag = "--" + empty[0].replace("_", "-")
        raise InputError("is empty", where=flag, fix=f"name a place, or leave {flag} out")
    yield "flag", _below(cwd, given, env)
    in_env = {name: env[PREFIX + name.upper()] for name in NAMES if env.get(PREFIX + name.upper())}
    yield "environment", _below(cwd, in_env, env)
    for path in _files(cwd, env):
        yield str(path), _below(path.parent, _from_file(path), env)
    built_in = {
        "runs_dir": "runs",
        "envelope": "envelope.toml",
        "python": PYTHON,
        "box_shared": "",
        "box_reclaimable": "",
    }
    home_cache = Path(env.get("XDG_CACHE_HOME") or _home(env) / ".cache")
    yield "built-in", _below(cwd, built_in | {"cache_dir": str(home_cache / "denominator")}, env)


def _home(env: Mapping[str, str]) -> Path:
    return Path(env["HOME"]) if env.get("HOME") else Path("~").expanduser()


def _files(cwd: Path, env: Mapping[str, str]) -> list[Path]:
    config = Path(env.get("XDG_CONFIG_HOME") or _home(env) / ".config")
    project = next((d / PROJECT_FILE for d in (cwd, *cwd.parents) if (d / PROJECT_FILE).is_file()), None)
    user = config / "denominator" / "config.toml"
    return [path for path in (project, user) if path is not None and path.is_file()]


def _from_file(path: Path) -> dict[str, str]:
    found = read_toml(Settings, read_text(path), str(path))
    return {name: value for name in NAMES if (value := str(getattr(found, name)))}


def _below(folder: Path, values: Mapping[str, str], env: Mapping[str, str]) -> dict[str, str]:
    return {name: _path(folder, value, env) if name in PATHS else value for name, value in values.items()}


def _path(folder: Path, value: str, env: Mapping[str, str]) -> str:
    """Absolute, `~` meant as home; `..` stays as it is, for what stands before it may be a link."""
    if value == "~" or value.startswith("~/"):
        return str(_home(env) / value[2:])
    return str(folder / value)
