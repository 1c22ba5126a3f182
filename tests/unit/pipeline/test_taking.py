"""Which `.gitignore` files of a task's base say what is no part of a patch."""

from __future__ import annotations

from pathlib import Path

from denominator.pipeline.taking import IGNORE_FILE_BYTES, ignores_of
from denominator.wire.ignored import Ignored
from denominator.wire.trees import read_tree


def test_files_of_the_base_count_and_links_and_giants_say_nothing(tmp_path: Path) -> None:
    for name in ("lib", "far", "huge"):
        (tmp_path / name).mkdir()
    (tmp_path / ".gitignore").write_bytes(b"build/\n\xff\n")
    (tmp_path / "lib/.gitignore").write_text("*.tmp\n")
    (tmp_path / "far/.gitignore").symlink_to("../lib/.gitignore")
    (tmp_path / "huge/.gitignore").write_text("*\n" * (IGNORE_FILE_BYTES // 2 + 1))
    (tmp_path / "lib/my.gitignore").write_text("*\n")
    ignores = ignores_of(tmp_path, read_tree(tmp_path, trusted=True))
    assert ignores.of("build/out") == Ignored(".gitignore", "build/")
    assert ignores.of("lib/a.tmp") == Ignored("lib/.gitignore", "*.tmp")
    assert not any(map(ignores.of, ("far/a.tmp", "huge/a.tmp", "lib/a.py", "my.gitignore")))
