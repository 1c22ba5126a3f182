"""What may leave with a bundle: made-up secrets of the sealed pack may, those of a run stay, and a home folder is `~`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from denominator.pipeline.verifying import verify
from e2e import runs

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
MADE_UP = "password=hunter2-of-the-pack"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs over a pack whose repository holds a made-up password: both copy it, one adds a key of its own."""
    folder = tmp_path_factory.mktemp("private")
    root = runs.make_pack(folder, "double-it")
    (root / "tasks" / "double-it" / "repo" / "notes.txt").write_text(f"user=root {MADE_UP} ok\n")
    runs.lock(root)
    copies = 'printf "# PASS%s: %s\\n" WORD "$(sed \'s/.*word=//; s/ ok//\' notes.txt)" >> twice.py'
    leaks = f"{copies}; printf 'KEY = \"sk-%s\"\\n' abcdefghij0123456789XYZ >> twice.py"
    arms = [
        {"label": label, "agent": "command", "command": ["/bin/sh", "-c", f"{what}; exit 0"]}
        for label, what in (("copies", copies), ("leaks", leaks.replace("0123456789", "0123'456789'")))
    ]
    (folder / "envelope.toml").write_text(runs.envelope(arms))
    assert runs.cli(folder, "run", "envelope.toml", "--run-id", "r").code in (0, 1)
    return folder


def test_what_the_sealed_pack_shows_is_no_secret_of_the_run(place: Path, tmp_path: Path) -> None:
    done = runs.cli(place, "bundle", "r-copies", "-o", str(tmp_path / "b"))
    assert done.code == 0, done.err
    blobs = [path.read_bytes() for path in (tmp_path / "b" / "blobs").iterdir()]
    assert any(b"PASSWORD: hunter2-of-the-pack" in one for one in blobs)
    assert verify(tmp_path / "b").exit == 0


def test_a_key_beside_it_is_still_refused(place: Path, tmp_path: Path) -> None:
    done = runs.cli(place, "bundle", "r-leaks", "-o", str(tmp_path / "b"))
    flat = " ".join(done.err.split())
    assert (done.code, "an access key" in flat, "a password" in flat) == (1, True, False)
    assert not (tmp_path / "b").exists()


def test_a_pack_that_is_no_longer_the_sealed_one_excuses_nothing(place: Path, tmp_path: Path) -> None:
    shutil.copytree(place / "runs", tmp_path / "runs")
    notes = tmp_path / "runs" / "r-copies" / "pack" / "tasks" / "double-it" / "repo" / "notes.txt"
    notes.write_text(notes.read_text() + "\n")
    done = runs.cli(tmp_path, "bundle", "r-copies", "-o", "b")
    assert (done.code, "a password" in done.err) == (1, True)
