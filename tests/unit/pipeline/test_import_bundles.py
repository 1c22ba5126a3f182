"""Bundles of results of other harnesses: packed, read again, and every way to tamper with one found and named."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from denominator.bundles.imports import HEAD, TERMS
from denominator.errors import BlockedError, InputError
from denominator.pipeline.auto import import_auto
from denominator.pipeline.bundle_gathering import Wish
from denominator.pipeline.bundle_identity import known_of
from denominator.pipeline.import_bundling import Asked, bundle_import
from denominator.pipeline.verifying import verify
from denominator.records.bundles import Checked
from denominator.testing.tampered_imports import RESEALED_IMPORTS
from denominator.testing.tampering import copied, reseal
from denominator.wiring.importers import all_importers, importer_names
from denominator.wiring.signing import signer
from importer_examples import examples

VANISHING = Path(__file__).parents[3] / "docs" / "examples" / "vanishing"


def made(path: Path, target: Path, wish: Wish | None = None, **asked: Any) -> Checked:
    return bundle_import(Asked(path=path, **asked), target, wish or Wish(), signer(), all_importers).checked


def asked(folder: Path, **known: str) -> Checked:
    return verify(folder, known_of(known.get("slip", ""), known.get("sums", "")), signer(), importers=all_importers)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("imports")
    made(VANISHING, folder / "b")
    return folder


def test_a_bundle_of_rows_gives_the_card_again_and_says_what_it_cannot_show(place: Path) -> None:
    found = asked(place / "b")
    card = import_auto(VANISHING, tuple(all_importers()))[1].card
    assert (found.status, found.faults, found.issuer) == ("consistent", (), "internally consistent, issuer unknown")
    assert found.sentence == card.verdict.sentence and dict(found.recomputed)["rows"] == 15
    readme = (place / "b" / "README.md").read_text()
    assert "What an import cannot show" in readme and "scorer: nobody states it" in readme
    assert json.loads((place / "b" / HEAD).read_bytes())["reread"] is True
    names = {hashlib.sha256(one.read_bytes()).hexdigest() for one in VANISHING.iterdir() if one.is_file()}
    assert {one.name for one in (place / "b" / "blobs").iterdir()} <= names
    assert any("not read" in one or "reads no other" in one for one in verify(place / "b").stated)


@pytest.mark.parametrize("name", RESEALED_IMPORTS)
def test_tampering_is_found_although_the_sums_were_made_again(place: Path, tmp_path: Path, name: str) -> None:
    tamper, kind, where, what = RESEALED_IMPORTS[name]
    folder = copied(place / "b", tmp_path / "b")
    sums = hashlib.sha256((folder / "SHA256SUMS").read_bytes()).hexdigest()
    tamper(folder)
    reseal(folder)
    found = asked(folder)
    named = [(one.kind, one.where, one.what) for one in found.faults]
    assert any(one[0] == kind and where in one[1] and what in one[2] for one in named), named
    assert (found.exit, found.sentence, found.recomputed) == (1, "", ()) and "not_judged" not in {
        one[0] for one in named
    }
    assert any(one.kind == "sums" for one in asked(folder, sums=sums).faults)


def test_a_changed_file_is_named_by_the_sums(place: Path, tmp_path: Path) -> None:
    folder = copied(place / "b", tmp_path / "b")
    (folder / TERMS).write_bytes((folder / TERMS).read_bytes() + b" ")
    assert ("changed", TERMS) in {(one.kind, one.where) for one in asked(folder).faults}


def test_originals_stay_at_home_with_thin_and_one_by_one(place: Path, tmp_path: Path) -> None:
    found = made(VANISHING, tmp_path / "thin", Wish(thin=True))
    assert found.exit == 0 and not (tmp_path / "thin" / "blobs").exists()
    assert any("only the digest" in one for one in found.stated) and any("not all here" in one for one in found.stated)
    sha = sorted((place / "b" / "blobs").iterdir())[0].name
    assert made(VANISHING, tmp_path / "some", Wish(left_out=frozenset({sha}))).exit == 0
    assert sha not in {one.name for one in (tmp_path / "some" / "blobs").iterdir()}
    with pytest.raises(InputError, match="no original file"):
        made(VANISHING, tmp_path / "none", Wish(left_out=frozenset({"0" * 64})))


def test_the_folder_of_an_import_names_its_originals_by_digest(tmp_path: Path) -> None:
    import_auto(VANISHING, tuple(all_importers()), out=tmp_path / "kept")
    found = made(tmp_path / "kept", tmp_path / "b")
    head = json.loads((tmp_path / "b" / HEAD).read_bytes())
    assert found.exit == 0 and {one["name"] for one in head["sources"]["files"]} == {"manifest.json", "runs.jsonl"}
    (tmp_path / "kept" / "sources.json").unlink()
    assert made(tmp_path / "kept", tmp_path / "c").stated[-1].startswith("what the import was read from: nobody")


def test_an_original_with_a_secret_stays_at_home_and_a_ledger_with_one_is_refused(tmp_path: Path) -> None:
    (one, *_) = examples("harbor", tmp_path)
    assert made(one.path, tmp_path / "b", part=one.part).exit == 0
    assert not any(b"/home/" in one.read_bytes() for one in (tmp_path / "b").rglob("*") if one.is_file())
    assert "held back" in (tmp_path / "b" / "README.md").read_text()
    shutil.copytree(VANISHING, tmp_path / "r")
    rows = tmp_path / "r" / "runs.jsonl"
    first, rest = rows.read_text().split("\n", 1)
    rows.write_text(json.dumps({**json.loads(first), "note": "sk-abcdefghij0123456789XYZ"}) + "\n" + rest)
    with pytest.raises(BlockedError) as refused:
        made(tmp_path / "r", tmp_path / "c")
    assert "sk-" not in str(refused.value) and not (tmp_path / "c").exists()


HELD_BACK = {"harbor", "terminal-bench"}
"""Formats whose examples all name home folders of their containers, so that originals stay at home."""


@pytest.mark.e2e
@pytest.mark.parametrize("name", importer_names())
def test_examples_of_every_format_travel(name: str, tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    again = False
    for number, one in enumerate(examples(name, tmp_path / "x")):
        target = tmp_path / f"b{number}"
        assert made(one.path, target, part=one.part).exit == 0
        assert asked(target).exit == 0
        again |= json.loads((target / HEAD).read_bytes())["reread"]
    assert again is (name not in HELD_BACK)
