"""What a person declares beside a foreign run: read strictly, with every mistake and its line."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from denominator.compare.fields import BY_NAME
from denominator.errors import InputError
from denominator.importers.manifest import READ
from denominator.pipeline.declared_words import misspelt
from denominator.pipeline.foreign_declared import read_declared
from denominator.records.field_names import ALSO, NAMES


def read(folder: Path, text: str):
    (folder / "known.toml").write_text(text)
    return read_declared(folder / "known.toml")


def test_nothing_declared_is_nothing():
    assert read_declared(None) is None


def test_numbers_are_exact_and_dates_are_text(tmp_path):
    found = read(tmp_path, "temperature = 0.70\ndate = 2026-11-30\ntimes = [1.5, 2]\n[budget]\ntokens = 1000\n")
    assert found.document == {
        "temperature": Decimal("0.70"), "date": "2026-11-30", "times": [Decimal("1.5"), 2], "budget": {"tokens": 1000},
    }  # fmt: skip
    assert set(found.digests) == {"known.toml"}


def test_ids_come_from_a_file_beside_it_whose_bytes_are_part_of_the_digest(tmp_path):
    (tmp_path / "ids.txt").write_text("# two\na\n\n b \n")
    first = read(tmp_path, 'task_ids_file = "ids.txt"')
    assert first.document == {"task_ids": ["a", "b"]}
    (tmp_path / "ids.txt").write_text("a\nb\n")
    assert read(tmp_path, 'task_ids_file = "ids.txt"').digests["ids.txt"] != first.digests["ids.txt"]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("x = ", ["known.toml:1"]),
        ("", ["declares nothing"]),
        ('task_ids = ["a", "../b"]', ["known.toml:1 task_ids"]),
        ('task_ids = ["a"]\ntask_ids_file = "ids.txt"', ["known.toml:2 task_ids_file", "stands beside task_ids"]),
        ("task_ids_file = 3", ["is no name of a file"]),
        ('\nscorer = 3\nmax_attempts = "x"', ["known.toml:2 scorer", "known.toml:3 max_attempts"]),
        ('[subset]\nname = "s"\nwhy = "w"\ntask_ids = []', ["subset.task_ids"]),
        ('task_count = 3\n[subset]\nname = "s"\nwhy = "w"\ntask_ids = ["a"]', ["stands beside other declared ids"]),
        ('subset = "a"', ["subset.name", "subset.why", "subset.task_ids"]),
        ('[subset]\nname = "REPLACE"\nwhy = "w"\ntask_ids = ["a"]', ["known.toml:2 subset.name"]),
    ],
)
def test_every_mistake_has_its_place(tmp_path, text, places):
    with pytest.raises(InputError) as told:
        read(tmp_path, text)
    for place in places:
        assert place in str(told.value), told.value


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('x = 1\ntask_idz = ["a"]', "known.toml:2 task_idz: is no word that is read: did you mean task_ids?"),
        ("Task-IDs = 3", "did you mean task_ids?"),
        ('retry_polcy = "none"', "did you mean retry_policy?"),
        ("temprature = 0.5", "did you mean temperature?"),
        ('publishd = "3 %"', "did you mean published?"),
        ('[datset]\nname = "x"', "did you mean dataset?"),
        ("[dataset]\ntask_counts = 3", "known.toml:2 dataset.task_counts: is no word that is read: did you mean task_count?"),
        ("[budget]\ntool_cals = 3", "did you mean tool_calls?"),
        ("[comparison]\nmargn = 0.1", "known.toml:2 comparison.margn: is no word of [comparison]"),
        ('[subset]\nname = "s"\nwhy = "w"\ntask_ids = ["a"]\ncolour = 1', "known.toml:5 subset.colour: is no word of [subset]"),
    ],
)  # fmt: skip
def test_a_word_that_is_almost_a_known_one_is_no_condition(tmp_path, text, told):
    with pytest.raises(InputError) as refused:
        read(tmp_path, text)
    assert told in str(refused.value)


def test_conditions_of_a_persons_own_are_theirs(tmp_path):
    text = 'colour = "blue"\nmodel_family = "x"\nagent = "a"\n[own]\ntask_idz = 1\nretry_polcy = "y"\n'
    assert set(read(tmp_path, text).document) == {"colour", "model_family", "agent", "own"}


@pytest.mark.parametrize("word", sorted({*READ, *ALSO, *NAMES, *BY_NAME, "task_ids_file", "published"}))
def test_every_word_that_is_read_is_known(word):
    table, _, last = word.rpartition(".")
    document = {last: 1}
    for name in reversed(table.split(".") if table else []):
        document = {name: document}
    assert list(misspelt(document)) == []


def test_a_subset_leaves_the_document_and_names_itself(tmp_path):
    found = read(tmp_path, 'scorer = "tests"\n[subset]\nname = "s"\nwhy = "both hold them"\ntask_ids = ["b", "a"]')
    assert found.document == {"scorer": "tests"}
    assert found.subset is not None
    assert found.subset.ids == {"a", "b"}
    assert found.subset.title == "s (ids chosen afterwards: both hold them)"


VALUES = st.sampled_from(
    ["1", "0", "-1", "0.5", "nan", "true", '"x"', '""', "[]", '["a"]', "{}", "{a = 1}", "2026-11-30", "[1]", "1e400"]
)
KEYS = st.sampled_from(
    ["task_ids", "task_count", "repeats", "seeds", "draws", "controls", "strata", "scorer", "subset", "dataset", "task_ids_file",
     "verify_sha", "house_clauses", "on_timeout", "network", "treatment", "comparison", "published", "x"]
)  # fmt: skip


@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_whatever_stands_there_is_read_or_refused_in_words(table):
    with TemporaryDirectory() as name:
        text = "".join(f"{key} = {value}\n" for key, value in table.items())
        try:
            found = read(Path(name), text)
        except InputError as error:
            assert error.problems
            return
        assert found is not None


@given(st.text(max_size=40))
def test_any_text(text):
    with TemporaryDirectory() as name:
        (Path(name) / "known.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
        try:
            read_declared(Path(name) / "known.toml")
        except InputError as error:
            assert str(error)
