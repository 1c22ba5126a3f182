"""One file of a Harbor job or of a Terminal-Bench run as it may arrive: refused in words, or read with every draw at most once."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from denominator.errors import InputError
from denominator.importers.foreign import Importer
from denominator.importers.formats.harbor import IMPORTER as HARBOR
from denominator.importers.formats.terminal_bench import IMPORTER as TERMINAL_BENCH
from denominator.wire.sources import open_source
from foreign_data import broken, read_or_refused
from importer_examples import harbor, terminal_bench

FORMATS: dict[str, tuple[Importer, tuple[str, ...]]] = {
    "harbor": (
        HARBOR,
        ("config.json", "lock.json", "result.json", "alpha__0000001/result.json", "beta__0000002/config.json"),
    ),
    "terminal-bench": (
        TERMINAL_BENCH,
        ("results.json", "run_metadata.json", "tb.lock", "alpha/alpha.1-of-2.run-1/results.json"),
    ),
}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("trials")
    return {"harbor": harbor.job(folder / "job"), "terminal-bench": terminal_bench.run(folder / "run-1")}


@pytest.mark.parametrize(("name", "member"), [(name, one) for name, (_, some) in FORMATS.items() for one in some])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_a_broken_member_is_refused_or_told(runs, name, member, data):
    path = runs[name] / member
    whole = path.read_bytes()
    try:
        path.write_bytes(data.draw(broken(whole)))
        assert read_or_refused(FORMATS[name][0], open_source(runs[name])) <= 8
    finally:
        path.write_bytes(whole)


@pytest.mark.parametrize("name", FORMATS)
def test_without_what_says_what_it_is_it_is_refused(name, tmp_path):
    (tmp_path / "notes.txt").write_text("nothing")
    importer = FORMATS[name][0]
    assert importer.recognise(open_source(tmp_path)) is None
    with pytest.raises(InputError):
        importer.read(open_source(tmp_path))
