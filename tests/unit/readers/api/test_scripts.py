"""The reader of scripts on any bytes, and on a large file."""

from __future__ import annotations

import importlib.util
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.readers.api import INVENTED, ApiInputs, surfaces

NAMES = ("tree_sitter", "tree_sitter_javascript", "tree_sitter_typescript")
pytestmark = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in NAMES), reason="needs the extra languages"
)
PIECES = [
    "import ",
    "export ",
    "{a}",
    "* as n",
    " from ",
    "'./b'",
    '"c"',
    "require(",
    ")",
    "`/v1/${x}`",
    "fetch(",
    "\n",
    "default ",
    "class A {}",
    "//",
    "(",
]


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.sampled_from([".js", ".ts", ".tsx", ".mjs"]))
def test_any_text_gets_an_answer(pieces: list[str], suffix: str) -> None:
    found = surfaces(ApiInputs(repository={"package.json": b"{}"}, patch={f"a{suffix}": "".join(pieces).encode()}))
    assert [s.kind for s in found].count("file") == 1
    assert all(s.line >= 1 and s.column >= 1 for s in found if s.kind != "file")


@given(st.binary(max_size=60))
def test_any_bytes_get_an_answer(data: bytes) -> None:
    assert surfaces(ApiInputs(repository={}, patch={"a.js": data}))


def test_a_name_that_is_taken_away_is_found() -> None:
    before = {"b.js": b"export const a = 1, b = 2;\n", "use.js": b"import { b } from './b.js';\n"}
    patch = {"b.js": b"export const a = 1;\n", "more.js": b"import { a, b } from './b.js';\n"}
    found = surfaces(ApiInputs(repository=before, patch=patch))
    assert [(s.path, s.name) for s in found if s.state == INVENTED] == [("more.js", "./b.js {b}")]


def test_deep_and_large_scripts_do_not_stop_it() -> None:
    deep = b"f(" * 20_000 + b")" * 20_000
    many = b"".join(b"import a%d from './gone%d';\n" % (i, i) for i in range(3000))
    start = time.process_time()
    found = surfaces(ApiInputs(repository={}, patch={"deep.js": deep, "many.js": many, "large.js": b"x\n" * 600_000}))
    assert sum(s.state == INVENTED for s in found) == 3000
    assert time.process_time() - start < 20, "a generous limit: a quiet machine needs a second or two"


def test_a_script_that_is_nested_too_deeply_is_not_evaluated_and_hides_no_other_file() -> None:
    deep = b'fetch("a"' + b'+"b"' * 20_000 + b")"
    found = surfaces(ApiInputs(repository={}, patch={"a.js": deep, "b.py": b"import os\nos.nothing()\n"}))
    assert [(one.path, one.kind, one.why) for one in found if one.path == "a.js"] == [
        ("a.js", "file", "nested too deep")
    ]
    assert [one.state for one in found if one.path == "b.py"].count(INVENTED) == 1
