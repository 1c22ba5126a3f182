"""`envelope.toml` -> `Envelope`."""

from __future__ import annotations

from pathlib import Path

from denominator.errors import InputError
from denominator.records.envelopes import Envelope
from denominator.wire.toml import read_toml


def read_envelope(path: Path) -> Envelope:
    """Read an envelope; all unknown keys and wrong types in one error. Whether it is complete is another question."""
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise InputError("no such file", where=str(path), fix=f"denominator envelope init {path}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 at byte {error.start}", where=str(path), fix="save it as UTF-8") from None
    except OSError as error:
        raise InputError(f"cannot be read ({error.strerror})", where=str(path)) from None
    return read_toml(Envelope, text, str(path))
