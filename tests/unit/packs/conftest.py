from __future__ import annotations

from pathlib import Path

import pytest

from unit.packs.making import make_pack


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """The root of a small sound pack."""
    return make_pack(tmp_path / "tiny")
