"""What the reader of surfaces gets to see of a run: the snapshot, the patch, the specification, who may be imported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from denominator.packs import builtin_packs, load_pack, surface
from denominator.packs.surface import Snapshot, declared_by, spec_files
from denominator.pipeline.surfaces import files_of
from denominator.records.packs import Task
from denominator.records.trees import Change, Patch

NEW = {"pyproject.toml": b"[project]\ndependencies = ['numpy']\n"}
NONE = {"pyproject.toml": b"[project]\ndependencies = []\n"}
SOME = {"pyproject.toml": b"[project]\ndependencies = ['requests', 'PyYAML']\n"}


@pytest.fixture(scope="module")
def task() -> Task:
    return load_pack(next(iter(builtin_packs().values()))).pack.tasks[0]


def test_a_snapshot_reads_on_demand_and_follows_no_link(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.py").write_bytes(b"one")
    (tmp_path / "c.py").symlink_to("/etc/hostname")
    snapshot = Snapshot(tmp_path)
    (tmp_path / "a" / "b.py").write_bytes(b"two")
    assert (list(snapshot), snapshot["a/b.py"], snapshot.get("c.py"), snapshot.limited) == (
        ["a/b.py"],
        b"two",
        None,
        "",
    )


def test_a_large_repository_is_not_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_bytes(b"12345")
    monkeypatch.setattr(surface, "PYTHON_BYTES_MAX", 4)
    assert "the repository has more than" in Snapshot(tmp_path).limited
    monkeypatch.setattr(surface, "PYTHON_BYTES_MAX", 5)
    monkeypatch.setattr(surface, "PYTHON_FILES_MAX", 0)
    assert "the repository has more than" in Snapshot(tmp_path).limited


def test_the_files_of_a_patch() -> None:
    class Blobs(dict[str, bytes]):
        def get(self, sha256: str) -> bytes:  # type: ignore[override]
            return self[sha256]

    def change(path: str, op: str, kind: str = "file", blob: str = "", was: str = "") -> Change:
        return Change(path=path, op=op, kind=kind, mode=0o644, size=1, blob=blob, renamed_from=was)

    changes = (
        change("new.py", "add", blob="1"),
        change("gone.py", "delete"),
        change("link.py", "retype", kind="link", blob="2"),
        change("mode.py", "chmod", blob="1"),
        change("to.py", "add", blob="1", was="from.py"),
    )
    found = files_of(Patch(base_tree="", final_tree="", changes=changes), Blobs({"1": b"x", "2": b"y"}))  # type: ignore[arg-type]
    assert found == {"new.py": b"x", "gone.py": None, "link.py": None, "from.py": None, "to.py": b"x"}


def test_the_specification_lies_beside_the_snapshot_or_inside_it(tmp_path: Path, task: Task) -> None:
    for path in ("repo/docs/api.json", "repo/docs/deep/more.pyi", "repo/other.json", "spec/a.json"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(b"{}")
    repository = Snapshot(tmp_path / "repo")
    assert set(spec_files(task, tmp_path / "spec", repository)) == {"spec/a.json"}
    named = replace(task, spec_paths=("docs/",))
    assert set(spec_files(named, tmp_path / "none", repository)) == {"docs/api.json", "docs/deep/more.pyi"}
    glob = replace(task, spec_paths=("docs/*.json",))
    assert set(spec_files(glob, tmp_path / "none", repository)) == {"docs/api.json"}


def test_who_may_be_imported(task: Task) -> None:
    stated, silent = replace(task, packages=("httpx",)), task
    assert declared_by(silent, {}, {}) == ((), False)
    assert declared_by(silent, NONE, {}) == ((), True)
    assert declared_by(silent, SOME, {}) == (("PyYAML", "requests"), True)
    assert declared_by(silent, NONE, dict(NEW)) == ((), False), "a patch that adds a requirement: nobody froze that"
    assert declared_by(stated, SOME, dict(NEW)) == (("httpx", "PyYAML:PyYAML,pyyaml,yaml", "requests:requests"), True)
    assert declared_by(replace(task, packages=()), {}, {}) == ((), True)
