"""Temporary folders of dead makers go, of living ones and of strangers stay."""

import subprocess
import tempfile
from pathlib import Path

import pytest

from denominator.wire.scratch import maker, scratch_folder


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_what_a_dead_maker_left_goes(temporary: Path) -> None:
    with subprocess.Popen(["sleep", "60"]) as other:
        name = maker(other.pid)
        (temporary / f"denominator-facts-{name}-abc" / "deep").mkdir(parents=True)
        mine = scratch_folder("facts")
        assert (temporary / f"denominator-facts-{name}-abc").exists(), "its maker lives"
        other.kill()
    second = scratch_folder("facts")
    assert {path.name for path in temporary.iterdir()} == {mine.name, second.name}


def test_strangers_stay(temporary: Path) -> None:
    space = maker().partition(".")[0]
    (temporary / f"denominator-facts-{int(space) + 1}.4194303.1-abc").mkdir()
    (temporary / f"denominator-other-{space}.4194303.1-abc").mkdir()
    (temporary / f"denominator-facts-{space}.4194303.1-file").write_text("no folder")
    (temporary / f"denominator-facts-{space}.4194303.1-link").symlink_to(temporary)
    (temporary / "denominator-facts-abc").mkdir()
    before = {path.name for path in temporary.iterdir()}
    assert {path.name for path in temporary.iterdir()} | {scratch_folder("facts").name} >= before
    assert before <= {path.name for path in temporary.iterdir()}
