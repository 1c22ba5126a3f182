"""Bundles of results of other harnesses: packed, read again, and every way to tamper with one found and named."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from denominator.bundles.imports import HEAD, LEDGER, TERMS
from denominator.bundles.layout import STATEMENT
from denominator.errors import BlockedError, InputError
from denominator.pipeline.auto import import_auto
from denominator.pipeline.bundle_gathering import Wish
from denominator.pipeline.bundle_identity import known_of
from denominator.pipeline.import_bundling import Asked, bundle_import
from denominator.pipeline.verifying import verify
from denominator.records.bundles import Checked
from denominator.wiring.importers import all_importers, importer_names
from denominator.wiring.signing import signer
from e2e.bundle_lab import Tamper, a_blob, copied, edit_json, first_blob, link, put, remove, reseal, rewrite
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


def _set(key: str, value: Any) -> Any:
    return lambda document: document.__setitem__(key, value)


def _original(change: bytes) -> Tamper:
    """Another original file, named as such everywhere."""

    def tamper(folder: Path) -> None:
        head = json.loads((folder / HEAD).read_bytes())
        one = next(one for one in head["sources"]["files"] if one["name"] == "runs.jsonl")
        data = (folder / "blobs" / one["sha256"]).read_bytes() + change
        (folder / "blobs" / one["sha256"]).unlink()
        one |= {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
        (folder / "blobs" / one["sha256"]).write_bytes(data)
        edit_json(HEAD, _set("sources", head["sources"]))(folder)

    return tamper


def _name(name: str) -> Tamper:
    return edit_json(HEAD, lambda head: head["sources"]["files"][0].__setitem__("name", name))


CASES: dict[str, tuple[Tamper, str, str, str]] = {
    "a row is gone": (edit_json(LEDGER, lambda v: v["rows"].pop()), "head", HEAD, "rows"),
    "a row says otherwise": (edit_json(LEDGER, lambda v: v["labels"][9].__setitem__("value", "pass")), "ledger", LEDGER, "original"),
    "the ledger is spread out": (rewrite(LEDGER, lambda b: b.replace(b",", b", ", 1)), "unreadable", LEDGER, "canonical"),
    "the ledger is gone": (remove(LEDGER), "missing", LEDGER, "without"),
    "a ceiling of the terms": (edit_json(TERMS, _set("invalid_ceiling", "0.9")), "ledger", TERMS, "invalid_ceiling"),
    "what nobody stated": (edit_json(TERMS, lambda v: v["missing"].pop()), "ledger", TERMS, "missing"),
    "the verdict": (edit_json("card.json", lambda v: v["verdict"].__setitem__("status", "publishable")), "card", "card.json", "status"),
    "a number": (edit_json("card.json", lambda v: v["estimates"][0].__setitem__("numerator", 9)), "card", "card.json", "estimates"),
    "the README": (rewrite("README.md", lambda b: b.replace(b"cannot show", b"shows")), "derived", "README.md", ""),
    "the statement": (edit_json(STATEMENT, lambda v: v["subject"].pop()), "derived", STATEMENT, ""),
    "the statement is gone": (remove(STATEMENT), "missing", STATEMENT, ""),
    "the run id": (edit_json(HEAD, _set("run_id", "x")), "head", HEAD, "run_id"),
    "other rules": (edit_json(HEAD, _set("rules_digest", "0" * 64)), "rules", HEAD, "nothing was judged"),
    "rules of a house": (edit_json(HEAD, _set("house", ["H001 x@1 y"])), "rules", HEAD, "H001"),
    "a note": (edit_json(HEAD, _set("notes", ["all went well"])), "card", "card.json", "notes"),
    "an original is changed": (first_blob(lambda p: p.write_bytes(b"x")), "artifact", "blobs/", "not those"),
    "an original is gone": (first_blob(lambda p: p.unlink()), "artifact", "blobs/", "and is not"),
    "an original of nobody": (a_blob(b"more"), "artifact", "blobs/", "no original file"),
    "an original is said to be left out": (
        edit_json(HEAD, lambda v: v["sources"]["files"][0].__setitem__("left_out", "lost")), "artifact", "blobs/", "and is there",
    ),
    "another row in the original": (
        _original(b'{"task_id":"parse-9","outcome":"pass"}\n'), "ledger", LEDGER, "original files",
    ),
    "an original that cannot be read": (_original(b"\xff\xfe{"), "ledger", LEDGER, ""),
    "a name that leaves the folder": (_name("../../escaped"), "ledger", LEDGER, "no name of an original"),
    "an absolute name": (_name("/tmp/escaped"), "ledger", LEDGER, "no name of an original"),
    "a file of a run": (put("events.jsonl"), "foreign", "events.jsonl", "no file of a bundle"),
    "a link": (link("seal.json", "/etc/hostname"), "link", "seal.json", ""),
    "labels of a machine": (put("labels.jsonl", b'{"by":"rule"}\n'), "unreadable", "labels.jsonl", ""),
    "a head of no record": (edit_json(HEAD, lambda v: v.pop("rows")), "unreadable", HEAD, "rows"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_tampering_is_found_although_the_sums_were_made_again(place: Path, tmp_path: Path, name: str) -> None:
    tamper, kind, where, what = CASES[name]
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
