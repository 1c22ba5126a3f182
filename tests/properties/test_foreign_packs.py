"""Damaged tasks of other harnesses are refused in words, or come in as a pack that loads; nothing is written outside of it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.packs import load_pack
from denominator.packs.foreign import FORMATS, read_tasks, write_draft
from denominator.packs.foreign.pytests import node_ids
from denominator.wire.sources import open_source

EXAMPLES = {
    "aider": {
        "python/exercises/practice/a/.meta/config.json": json.dumps(
            {"files": {"solution": ["a.py"], "test": ["a_test.py"], "example": [".meta/example.py"]}}
        ),
        "python/exercises/practice/a/.meta/example.py": "x = 1\n",
        "python/exercises/practice/a/a.py": "x = 0\n",
        "python/exercises/practice/a/a_test.py": "def test_a():\n    pass\n",
    },
    "harbor": {
        "t/task.toml": '[task]\nname = "d/t"\n[verifier]\ntimeout_sec = 2.5\n',
        "t/instruction.md": "do\n",
        "t/environment/Dockerfile": "FROM x\nWORKDIR /app\nCOPY a.py .\n",
        "t/environment/a.py": "x = 1\n",
        "t/tests/test.sh": "true\n",
    },
    "swebench": {
        "rows.jsonl": json.dumps(
            {"instance_id": "a__b-1", "repo": "a/b", "base_commit": "c" * 40, "problem_statement": "p", "patch": "",
             "test_patch": "", "FAIL_TO_PASS": ["t.py::a"]}
        ) + "\n",
    },
}  # fmt: skip
NASTY = st.sampled_from(
    [
        "",
        "null",
        "[]",
        '"x"',
        "../../x",
        "/etc/x",
        "a\0b",
        "[" * 500,
        '{"a": NaN}',
        "x" * 5000,
        "\ud800",
        "é",
        "COPY .. /",
        "-1",
    ]
)


@pytest.mark.parametrize("form", sorted(FORMATS))
@given(data=st.data())
def test_damage_is_told(form: str, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    root = tmp_path_factory.mktemp(form)
    files = {name: text.encode() for name, text in EXAMPLES[form].items()}
    hit = data.draw(st.sampled_from(sorted(files)))
    whole, nasty = files[hit], data.draw(NASTY).encode("utf-8", "surrogatepass")
    at, end = sorted(data.draw(st.tuples(*[st.integers(0, len(whole))] * 2)))
    files[hit] = whole[:at] + nasty + whole[end:]
    for name, content in files.items():
        place = root / "in" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    try:
        write_draft(read_tasks(open_source(root / "in"), form), root / "out")
    except InputError:
        pass
    else:
        assert load_pack(root / "out").pack.tasks
    assert {path.name for path in root.iterdir()} <= {"in", "out"}


def test_ids_that_only_collecting_shows_are_not_guessed() -> None:
    plain = (
        b"def test_a(): pass\nclass TestB:\n    def test_c(self): pass\n    def helper(self): pass\ndef other(): pass\n"
    )
    assert node_ids("t.py", plain) == ("t.py::test_a", "t.py::TestB::test_c")
    assert node_ids("t.py", b"@pytest.mark.parametrize('x', [1])\ndef test_a(x): pass") is None
    assert node_ids("t.py", b"class TestB(Base):\n    def test_c(self): pass") is None
    assert node_ids("t.py", b"def test_(") is None
    assert node_ids("t.py", b"") == ()
