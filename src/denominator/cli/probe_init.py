"""`probe init`: a frozen fixture and an envelope in a folder."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

import click

from denominator.cli.output import json_option, note, print_json, print_text
from denominator.records.values import counted

if TYPE_CHECKING:
    from denominator.pipeline.probe_starting import NewProbe
    from denominator.records.events import Json
    from denominator.records.probes import Path as Way

FILE = click.Path(dir_okay=False, path_type=Path)


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--url", default="", help="What stands before /chat/completions.")
@click.option("--model", default="", help="The model's name as the endpoint lists it.")
@click.option("--key-env", default="", metavar="NAME", help="The environment variable that holds the key.")
@click.option("--gateway", default="", metavar="NAME=VERSION", help="Requests go through this gateway.")
@click.option(
    "--fixture", type=FILE, metavar="FILE", help="Cases of your own, JSON Lines (default: the built-in ones)."
)
@json_option
def init(folder: Path, url: str, model: str, key_env: str, gateway: str, fixture: Path | None, as_json: bool) -> None:
    """Write fixture.jsonl and probe.toml into DIR, and print the fixture's digest.

    A fixture with mistakes, or with what looks like a secret or like personal data, is refused, all places listed.
    So is a folder that holds either file already (exit 2).

    \b
    Example: denominator probe init bench --url http://127.0.0.1:8080/v1 --model m
    """
    from denominator.pipeline.probe_starting import new_probe, write_probe
    from denominator.records.probes import Endpoint

    key = os.environ.get(key_env, "").strip() if key_env else ""
    endpoint = Endpoint(url=url, model=model, key_env=key_env)
    made = new_probe(folder.resolve().name or "probe", endpoint, _way(gateway), fixture, key)
    write_probe(folder, made)
    if as_json:
        print_json(_document(folder, made))
        return
    print_text(_text(folder, made))
    for warning in made.warnings:
        note(f"warning: {warning}")


def _way(gateway: str) -> Way:
    from denominator.errors import InputError
    from denominator.records.probes import Path as Way

    name, equals, version = (part.strip() for part in gateway.partition("="))
    if gateway and not (name and equals and version):
        what = "a gateway is named with its version: it is part of what is measured"
        raise InputError(what, where="--gateway", fix="--gateway litellm=1.2.3")
    return Way(kind="gateway", name=name, version=version) if gateway else Way()


def _document(folder: Path, made: NewProbe) -> dict[str, Json]:
    return {
        "schema_version": 1,
        "folder": str(folder),
        "fixture_sha256": made.fixture.sha256,
        "cases": len(made.fixture.cases),
        "groups": dict(_groups(made)),
        "warnings": [{"where": one.where, "what": one.what, "fix": one.fix} for one in made.warnings],
        "open": list(made.open),
        "next": _next(folder, made),
    }


def _text(folder: Path, made: NewProbe) -> str:
    groups = ", ".join(f"{group} {count}" for group, count in _groups(made).items())
    return (
        f"{folder}: fixture.jsonl and probe.toml written\n"
        f"fixture sha256 {made.fixture.sha256}\n"
        f"{counted(len(made.fixture.cases), 'case')}: {groups}\n"
        f"next: {_next(folder, made)}"
    )


def _groups(made: NewProbe) -> Counter[str]:
    """Cases by group, in the order of the file."""
    return Counter(str(case.group) for case in made.fixture.cases)


def _next(folder: Path, made: NewProbe) -> str:
    """What to type, or to fill in first."""
    run = f"denominator probe run {quote(str(folder / 'probe.toml'))} -o {quote(str(folder / 'answers'))}"
    return f"fill in {' and '.join(made.open)} in {folder / 'probe.toml'}, then {run}" if made.open else run
