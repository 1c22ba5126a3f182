"""A probe.toml with its fixture in a folder, and `denominator probe run` as a process."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

from probe_benches import cases
from warm import denominator


def write_probe(
    folder: Path, url: str, fixture: bytes | None = None, *, key_env: str = "", redact=False, **terms
) -> Path:
    """probe.toml and fixture.jsonl; the path of the first."""
    data = fixture if fixture is not None else cases()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "fixture.jsonl").write_bytes(data)
    run = {"attempts": 2, "deadline_ms": 5000, "gap_ms": 2000, **terms}
    lines = [
        "schema_version = 1",
        'name = "bench"',
        'fixture = "fixture.jsonl"',
        f'fixture_sha256 = "{hashlib.sha256(data).hexdigest()}"',
        f"redact_bodies = {str(redact).lower()}",
        "[endpoint]",
        f'url = "{url}"',
        'model = "m"',
        *([f'key_env = "{key_env}"'] if key_env else []),
        "[run]",
        *(f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {value}" for name, value in run.items()),
    ]
    path = folder / "probe.toml"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def start(cwd: Path, *words: str, env=None):
    """`denominator probe ...`, running."""
    return denominator(
        ["probe", *words],
        cwd=cwd,
        env=os.environ | (env or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def say(cwd: Path, *words: str, code: int = 0, env=None) -> tuple[str, str]:
    """Its two outputs, when it ended with `code` and without a traceback."""
    process = start(cwd, *words, env=env)
    out, err = process.communicate(timeout=120)
    assert process.returncode == code, (process.returncode, out, err)
    assert "Traceback" not in out + err, err
    return out, err
