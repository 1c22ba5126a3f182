"""What `.gitignore` files name is what git says that they name."""

from __future__ import annotations

import subprocess
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from denominator.wire.ignored import Ignores

PATTERNS = (
    "build/", "*.log", "!keep.log", "/top", "a/b", "**/x", "x/**", "a/**/z", "!build/", "*.py[co]", "\\#h", "#c", "", " ", "sp\\ ",
    "d*", "!d1", "/a/", "b", "!b/", "**", "!*/", "[ab]x", "?", "a//b", "b/*", "!b/x", "foo\\", "[", "!", "/",
)  # fmt: skip
NAMES = ("build", "a", "b", "x", "z", "top", "keep.log", "q.log", "m.pyc", "#h", "d1", "d2", "ax", "bx", "sp ")
lines = st.lists(st.sampled_from(PATTERNS), max_size=4).map(lambda each: "\n".join(each) + "\n")
files = st.dictionaries(st.sampled_from([".gitignore", "a/.gitignore", "b/.gitignore", "build/.gitignore"]), lines)
paths = st.lists(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join), min_size=1, max_size=25)


@given(files, paths)
def test_as_git_reads_them(tmp_path_factory: object, files: dict[str, str], paths: list[str]) -> None:
    root: Path = tmp_path_factory.mktemp("tree")  # type: ignore[attr-defined]
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    made = [path for path in (*files, *paths) if _put(root / path, files.get(path, ""))]
    asked = "\0".join(made).encode()
    words = ["git", "-C", str(root), "check-ignore", "--no-index", "-z", "--stdin"]
    named = subprocess.run(words, input=asked, capture_output=True, check=False).stdout.decode().split("\0")
    ignores = Ignores(files)
    assert {path for path in made if ignores.of(path)} == set(named) - {""}


def _put(path: Path, text: str) -> bool:
    """Names may stand in each other's way: the first stays."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(text)
    except OSError:
        return False
    return path.is_file()


def test_the_line_is_named() -> None:
    said = Ignores({".gitignore": "*.pyc\n/build/\n"}).of("build/lib/a.py")
    assert said == (".gitignore", "/build/")


@given(st.text(), st.text(min_size=1))
def test_any_text_has_an_answer(text: str, path: str) -> None:
    Ignores({".gitignore": text}).of(path)
