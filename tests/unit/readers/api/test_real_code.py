"""The reader on real programs: our own source and the standard library's invent nothing, quickly."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest

import denominator
from denominator.readers.api import INVENTED, ApiInputs, Surface, surfaces

OURS = Path(denominator.__file__).parent
LIBRARY = Path(os.__file__).parent
PACKAGES = "json logging concurrent xml html xmlrpc email importlib collections".split()  # noqa: SIM905
FILES = "argparse.py ast.py dataclasses.py inspect.py pathlib.py subprocess.py tarfile.py threading.py typing.py zipfile.py".split()  # noqa: SIM905


def python_files(folder: Path, prefix: str) -> dict[str, bytes]:
    return {f"{prefix}/{p.relative_to(folder).as_posix()}": p.read_bytes() for p in folder.rglob("*.py")}


def invented(patch: dict[str, bytes], declared: tuple[str, ...] = ()) -> list[str]:
    found = surfaces(ApiInputs(repository={}, patch=patch, declared=declared))
    assert len(found) > 5
    return [f"{s.path}:{s.line} {s.kind} {s.name}: {s.why}" for s in found if s.state == INVENTED]


@pytest.mark.slow
@pytest.mark.e2e
def test_our_own_source_invents_nothing() -> None:
    files = python_files(OURS, "src/denominator")
    declared = ["click", "h11", "msgspec", "psycopg", "distributed", "polars", "yaml", "backports", "compression"]
    assert invented(files, ("pytest:pytest,_pytest", *(f"{name}:{name}" for name in declared))) == []


@pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="the table is of Python 3.11, so is the source that it is held against"
)
@pytest.mark.parametrize("name", PACKAGES + FILES)
def test_the_standard_library_invents_nothing(name: str) -> None:
    path = LIBRARY / name
    assert invented({name: path.read_bytes()} if path.is_file() else python_files(path, name)) == []


def test_a_wrong_name_in_our_own_source_is_found() -> None:
    files = python_files(OURS / "records", "src/denominator/records") | {"src/denominator/__init__.py": b""}
    path = "src/denominator/records/rows.py"
    wrong = files[path].replace(
        b"from denominator.records.labels import Label", b"from denominator.records.labels import Lable"
    )
    assert wrong != files[path]
    found = surfaces(ApiInputs(repository=files, patch={path: wrong}))
    assert [s.name for s in found if s.state == INVENTED] == ["denominator.records.labels.Lable"]
    assert {s.line for s in found} == {wrong[: wrong.index(b"Lable")].count(b"\n") + 1}


def test_two_thousand_lines_take_well_under_a_second() -> None:
    part = b"def f%d(a, b=1):\n    c = [a, b]\n    c.append(f%d(a, b=len(c)))\n    return os.path.join(str(c), json.dumps(c))\n"
    text = b"import json, os\n" + b"".join(part % (i, max(i - 1, 0)) for i in range(500))
    surfaces(ApiInputs(repository={}, patch={"warm.py": b"import os\n"}))
    start = time.process_time()
    found: tuple[Surface, ...] = surfaces(ApiInputs(repository={}, patch={"a.py": text}))
    assert time.process_time() - start < 3, "a generous limit: a quiet machine needs about a third of a second"
    assert text.count(b"\n") > 2000 and not [s for s in found if s.state == INVENTED]


def test_hostile_files_are_refused_not_followed() -> None:
    deep = b"x = " + b"(" * 90 + b"1" + b")" * 90 + b"\ny = " + b"-" * 5000 + b"1\n"
    wide = b"x = 1\n" * 400_000
    chain = b"a" + b".b" * 5000 + b"\n"
    star = b"from b import *\nname\n"
    patch = {
        "deep.py": deep,
        "wide.py": wide,
        "chain.py": chain,
        "a.py": star,
        "b.py": b"from a import *\nclass A(A): ...\nA().x\n",
    }
    states = {(s.path, s.state) for s in surfaces(ApiInputs(repository={}, patch=patch))}
    assert {("deep.py", "not_evaluated"), ("wide.py", "not_evaluated"), ("chain.py", "not_evaluated")} <= states


@pytest.mark.parametrize(
    ("source", "base"),
    [
        (b'import requests\nrequests.get("/' + b"%(" * 150_000 + b'" % 1)\n', b""),
        (b"import foo.baz\n", b"\n" * 500_000),
    ],
    ids=["percent", "blank lines"],
)
def test_files_made_to_keep_the_reader_busy_are_soon_read(source: bytes, base: bytes) -> None:
    started = time.monotonic()
    assert surfaces(ApiInputs(repository={"b.py": base}, patch={"a.py": source}))
    assert time.monotonic() - started < 8
