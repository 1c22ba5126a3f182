"""`envelope.toml` -> `Envelope`."""

from __future__ import annotations

from pathlib import Path

from denominator.records.envelopes import Envelope
from denominator.wire.bounded import read_text
from denominator.wire.toml import read_toml


def read_envelope(path: Path) -> Envelope:
    """Read an envelope; all unknown keys and wrong types in one error. Whether it is complete is another question."""
    fix = "" if path.exists() else f"denominator envelope init {path}"
    return read_toml(Envelope, read_text(path, fix=fix), str(path))
