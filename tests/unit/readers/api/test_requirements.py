"""Packages that a repository itself declares."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.readers.api import Requirements, read_requirements

PROJECT = b"""
[build-system]
requires = ["setuptools>=61"]
[project]
dependencies = ["requests[socks]>=2; python_version > '3'", "PyYAML"]
[project.optional-dependencies]
dev = ["pytest"]
[dependency-groups]
lint = ["ruff", {include-group = "dev"}]
[tool.poetry.dependencies]
python = "^3.11"
httpx = "*"
[tool.poetry.group.docs.dependencies]
sphinx = "*"
[tool.uv]
dev-dependencies = ["hypothesis"]
"""
SETUP = b"[options]\ninstall_requires =\n    attrs>=20 ; python_version > '3'\n    click\n[options.extras_require]\nx = rich\n"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, Requirements()),
        ({"pyproject.toml": b"[project]\ndependencies = []\n"}, Requirements((), True, True)),
        (
            {"pyproject.toml": PROJECT},
            Requirements(
                ("PyYAML", "httpx", "hypothesis", "pytest", "requests", "ruff", "setuptools:setuptools", "sphinx"), True
            ),
        ),
        ({"setup.cfg": SETUP}, Requirements(("attrs", "click", "rich"), True)),
        ({"requirements-dev.txt": b"-r base.txt\n# no\na==1 # b\n--hash=x\n"}, Requirements(("a",), True)),
        ({"requirements.txt": b"a\n-e git+https://x/y\n"}, Requirements((), False, False)),
        ({"pyproject.toml": b'[project]\ndynamic = ["dependencies"]\n'}, Requirements((), False, False)),
        ({"pyproject.toml": b"[project\n"}, Requirements((), False, False)),
        ({"setup.py": b"", "requirements.txt": b"a\n"}, Requirements(("a",), True, False)),
        ({"a/b/c/d/requirements.txt": b"a\n"}, Requirements()),
    ],
)
def test_what_is_declared(files: dict[str, bytes], expected: Requirements) -> None:
    assert read_requirements(files) == expected


@given(st.sampled_from(["pyproject.toml", "setup.cfg", "requirements.txt"]), st.binary(max_size=80))
def test_no_file_breaks_it(name: str, data: bytes) -> None:
    found = read_requirements({name: data})
    assert found.whole or not found.names
