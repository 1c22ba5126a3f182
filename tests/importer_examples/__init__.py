"""Small examples of foreign formats, made by the tests: one module a format, named as its importer with underscores.

Each module has `examples(folder) -> Sequence[Example]` (`denominator.testing.importer_bench`), which writes below `folder`.
The conformance suite runs over them (tests/unit/importers/test_conformance.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from denominator.testing.importer_bench import Example


def examples(name: str, folder: Path) -> Sequence[Example]:
    """The examples of the importer `name`, written below `folder`; none where nobody wrote any."""
    module = f"importer_examples.{name.replace('-', '_')}"
    if find_spec(module) is None:
        return ()
    found: Sequence[Example] = import_module(module).examples(folder)
    return found
