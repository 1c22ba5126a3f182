"""A slip and its bundle: the record that travels, a bundle that was tampered with under a citation, the statement."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest

from denominator.exporters.intoto import SLIP_PREDICATE, STATEMENT
from denominator.pipeline.auto import import_auto
from denominator.pipeline.bundle_gathering import Wish
from denominator.pipeline.bundle_identity import known_of
from denominator.pipeline.import_bundling import Asked, bundle_import
from denominator.pipeline.quote_slips import slips_in
from denominator.pipeline.results import judge_saved
from denominator.pipeline.slip_statement import statement_of
from denominator.pipeline.slip_store import append_line, keep_slip, standing
from denominator.pipeline.slipping import Promised, slip_of_import
from denominator.pipeline.verifying import verify
from denominator.records.values import NotMeasured
from denominator.wiring.importers import all_importers
from denominator.wiring.signing import signer
from e2e.bundle_lab import Tamper, edit_json, put, remove, reseal, rewrite
from slip_data import line

VANISHING = Path(__file__).parents[3] / "docs" / "examples" / "vanishing"
NOW = "2026-11-30T00:00:00.000Z"
BOX = Promised(shared=NotMeasured("not asked"), reclaimable=NotMeasured("not asked"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """`kept`, and `slips` with a slip of it, one verdict, and its bundle beside it."""
    folder = tmp_path_factory.mktemp("slips")
    import_auto(VANISHING, tuple(all_importers()), out=folder / "kept")
    slip = slip_of_import(judge_saved(folder / "kept"), folder / "kept", folder / "slips", NOW, BOX)
    slip_id = keep_slip(folder / "slips", slip)
    append_line(folder / "slips", slip_id, line("verdict"))
    wish = Wish(slip=folder / "slips" / f"{slip_id}.json")
    bundle_import(Asked(path=folder / "kept"), folder / "slips" / f"{slip_id}.bundle", wish, signer(), all_importers)
    return folder


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "x")
    return tmp_path / "x" / "slips"


def id_in(place: Path) -> str:
    return next(one.stem for one in place.glob("*.json"))


def problems(place: Path) -> tuple[str, ...]:
    return slips_in(place)[0].bundle_problems(standing(place, id_in(place)))


def test_the_record_travels_and_the_slip_is_known_by_its_id(place: Path) -> None:
    folder = place / f"{id_in(place)}.bundle"
    assert (folder / "slip.lines.jsonl").read_bytes() == (place / f"{id_in(place)}.lines.jsonl").read_bytes()
    assert (folder / "slip.head").read_bytes() == (place / f"{id_in(place)}.head").read_bytes()
    found = verify(folder, known_of(id_in(place), ""))
    assert (found.exit, "pins" in found.issuer, problems(place)) == (0, True, ())
    assert verify(folder, known_of("0" * 64, "")).exit == 1


CASES: dict[str, tuple[Tamper, str]] = {
    "the card": (edit_json("card.json", lambda v: v["verdict"].__setitem__("status", "publishable")), "card: card.json"),
    "a row": (edit_json("ledger.json", lambda v: v["rows"].pop()), "ledger_sha256, rows"),
    "the slip": (edit_json("slip.json", lambda v: v.__setitem__("run_id", "x")), "named beforehand"),
    "no slip": (remove("slip.json"), "slip: slip.json"),
    "a verdict is cut": (remove("slip.lines.jsonl"), "1 lines were written"),
    "a verdict says otherwise": (rewrite("slip.lines.jsonl", lambda b: b.replace(b"score", b"scare", 1)), "slip.lines.jsonl"),
    "the head": (put("slip.head", b"0 " + b"0" * 64 + b"\n"), "slip: slip"),
    "no head": (remove("slip.head"), "missing: slip.head"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_citation_finds_a_bundle_that_was_tampered_with(place: Path, name: str) -> None:
    tamper, what = CASES[name]
    folder = place / f"{id_in(place)}.bundle"
    tamper(folder)
    reseal(folder)
    assert any(what in one for one in problems(place)), problems(place)


def test_a_bundle_is_checked_against_its_sums_too(place: Path) -> None:
    (place / f"{id_in(place)}.bundle" / "more").write_text("x")
    assert any("unlisted: more" in one for one in problems(place))


def test_a_record_may_grow_after_the_bundle_and_may_not_lose_a_line(place: Path) -> None:
    slip_id = id_in(place)
    append_line(place, slip_id, line("verdict"))
    assert problems(place) == ()
    for end in ("lines.jsonl", "head"):  # the record and its head are cut together: nothing beside the slip shows it
        (place / f"{slip_id}.{end}").unlink()
    assert standing(place, slip_id).lines == ()
    assert any("slip.head does not fit" in one for one in problems(place)), problems(place)


def test_raw_output_in_a_bundle_that_does_not_verify_is_found(place: Path) -> None:
    (place.parent / "kept" / "SHA256SUMS").write_text("0" * 64 + "  ledger.json\n")
    assert any(one.startswith("bundle kept: ") for one in problems(place))


def test_the_statement_has_the_four_fields_and_digests_of_files(place: Path) -> None:
    one = standing(place, id_in(place))
    found = json.loads(statement_of(one))
    assert [*found] == sorted(("_type", "subject", "predicateType", "predicate"))
    assert (found["_type"], found["predicateType"]) == (STATEMENT, SLIP_PREDICATE)
    files = {one["name"]: one["digest"]["sha256"] for one in found["subject"]}
    for name, path in (
        (f"{one.id}.json", place / f"{one.id}.json"),
        ("ledger.json", place.parent / "kept" / "ledger.json"),
    ):
        assert files[name] == hashlib.sha256(path.read_bytes()).hexdigest()
    bundled = json.loads((place / f"{one.id}.bundle" / "statement.intoto.json").read_bytes())
    for subject in bundled["subject"]:
        data = (place / f"{one.id}.bundle" / subject["name"]).read_bytes()
        assert subject["digest"]["sha256"] == hashlib.sha256(data).hexdigest()
    assert {"slip.json", "slip.head", "card.json", "ledger.json"} <= {one["name"] for one in bundled["subject"]}
