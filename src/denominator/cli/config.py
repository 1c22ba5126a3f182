"""What `--print-config` shows: every setting, its value and where it comes from."""

from __future__ import annotations

import os
from pathlib import Path

from denominator.cli.output import print_json, print_text


def print_config(*, as_json: bool) -> None:
    """Print the effective settings of this folder."""
    from denominator.wiring.settings import read_settings

    _, chosen = read_settings({}, Path.cwd(), os.environ)
    if as_json:
        print_json([{"name": s.name, "value": s.value, "origin": s.origin} for s in chosen])
    else:
        print_text("\n".join(f"{s.name:<10} {s.value}   ({s.origin})" for s in chosen))
