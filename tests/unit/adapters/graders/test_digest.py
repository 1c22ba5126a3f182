"""The grader's digest covers everything that decides."""

import shutil

import denominator.adapters.graders.clean_tree as clean_tree
from denominator.adapters.graders.clean_tree import HERE, CleanTree


def test_every_file_moves_it(tmp_path, monkeypatch):
    before = CleanTree().digest()
    assert before == CleanTree().digest()
    copy = tmp_path / "graders"
    shutil.copytree(HERE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(clean_tree, "HERE", copy)
    assert CleanTree().digest() == before
    seen = {before}
    for path in sorted(copy.rglob("*")):
        if path.is_file():
            with path.open("a") as file:
                file.write("\n")
            seen.add(CleanTree().digest())
    assert len(seen) == 1 + sum(path.is_file() for path in copy.rglob("*"))
