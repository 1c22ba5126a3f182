"""The grader's digest covers everything that decides."""

import ast
import shutil

import denominator.adapters.graders.own_files as own_files
from denominator.adapters.graders.clean_tree import CleanTree
from denominator.adapters.graders.own_files import HERE, READERS, READERS_USED


def test_every_file_moves_it(tmp_path, monkeypatch):
    before = CleanTree().digest()
    assert before == CleanTree().digest()
    copy = tmp_path / "graders"
    shutil.copytree(HERE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(own_files, "HERE", copy)
    assert CleanTree().digest() == before
    seen = {before}
    for path in sorted(copy.rglob("*")):
        if path.is_file():
            with path.open("a") as file:
                file.write("\n")
            seen.add(CleanTree().digest())
    assert len(seen) == 1 + sum(path.is_file() for path in copy.rglob("*"))


def test_every_shared_reader_that_a_grading_uses_moves_it_and_no_other(tmp_path, monkeypatch):
    before = CleanTree().digest()
    copy = tmp_path / "runners"
    shutil.copytree(READERS, copy, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(own_files, "READERS", copy)
    assert CleanTree().digest() == before
    for path in sorted(copy.rglob("*.py")):
        text = path.read_text()
        path.write_text(text + "\n")
        used = path.relative_to(copy).as_posix().startswith(READERS_USED)
        assert (CleanTree().digest() != before) == used, path
        path.write_text(text)


def test_what_the_strict_reading_imports_of_the_readers_is_in_the_digest():
    """A file that the used ones import must be one of the used ones: else it could decide without moving the digest."""
    prefix = "denominator.readers.runners."
    for path in READERS.rglob("*.py"):
        name = path.relative_to(READERS).as_posix()
        if name.startswith(READERS_USED):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(prefix):
                    target = node.module.removeprefix(prefix).replace(".", "/")
                    assert f"{target}/".startswith("formats/") or f"{target}.py" in READERS_USED, (name, target)
