"""A real run packed, moved, verified; and every way to tamper with it that `bundle_lab` knows."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

import denominator
from denominator.bundles.layout import KINDS
from denominator.pipeline.bundle_identity import known_of
from denominator.pipeline.verifying import verify
from denominator.records.bundles import Checked
from denominator.wiring.signing import signer
from e2e import bundle_lab, runs

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
SOURCE = Path(denominator.__file__).parent
needs_ssh = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of the oracle over three tasks, its slip, and its bundle."""
    folder = tmp_path_factory.mktemp("bundle")
    runs.make_pack(folder, "double-it", "clamp-low", "keep-sorted")
    (folder / "envelope.toml").write_text(runs.envelope([{"label": "o", "agent": "oracle"}]))
    done = runs.cli(folder, "run", "envelope.toml", "--run-id", "r", "--json")
    assert done.code in (0, 1), done.err
    made = runs.cli(folder, "bundle", "r", "-o", "b", "--json")
    assert made.code == 0, made.err
    return folder


@pytest.fixture
def copy(place: Path, tmp_path: Path) -> Path:
    return bundle_lab.copied(place / "b", tmp_path / "b")


def asked(folder: Path, **known: str) -> Checked:
    return verify(folder, known_of(known.get("slip", ""), known.get("sums", "")), signer())


def sums_of(folder: Path) -> str:
    return hashlib.sha256((folder / "SHA256SUMS").read_bytes()).hexdigest()


def test_an_untouched_bundle_gives_the_card_of_the_run(place: Path) -> None:
    said = runs.cli(place, "verify", "b", "--json")
    card = runs.cli(place, "card", "r", "--json").json
    assert (said.code, said.json["status"], said.json["faults"]) == (0, "consistent", [])
    assert said.json["issuer"] == "internally consistent, issuer unknown"
    assert said.json["sentence"] == card["verdict"]["sentence"]
    assert "self-declared" in said.json["stated"][0] and card["environment"]["sealed_at"] in said.json["stated"][0]
    beside = {"beside"}  # what lies beside the run is shown with its card and is no part of it
    assert json.loads((place / "b" / "card.json").read_bytes()) == {k: v for k, v in card.items() if k not in beside}
    assert dict(said.json["recomputed"])["rows"] == 3
    text = runs.cli(place, "verify", "b")
    assert (text.code, "CONSISTENT" in text.out, "issuer unknown" in text.out) == (0, True, True)


def test_the_line_that_started_the_run_travels_and_an_older_journal_says_that_it_has_none(
    place: Path, copy: Path
) -> None:
    before = (copy / "commands.txt").read_text().splitlines()
    assert before[:2] == ["# typed: start 1", "denominator run envelope.toml --run-id r --json"]
    bundle_lab.edit_lines(bundle_lab.EVENTS, bundle_lab.both(_without_argv, bundle_lab.chained))(copy)
    _, evidence = bundle_lab.evidence_of(copy)
    after = bundle_lab.derived_files(evidence, bundle_lab.judge_again(evidence))["commands.txt"].decode().splitlines()
    assert (after[0], "no command line was kept" in after[1], after[2:]) == (before[0], True, before[2:])


def _without_argv(values: list[Any]) -> None:
    del bundle_lab.first(values, "run.started")["payload"]["argv"]


def test_coreutils_and_the_ledger_of_the_run_agree(place: Path) -> None:
    done = subprocess.run(
        ["sha256sum", "-c", "--strict", "SHA256SUMS"], cwd=place / "b", capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    for name in ("ledger.jsonl", "seal.json", "baseline.json"):
        assert (place / "b" / name).read_bytes() == (place / "runs" / "r" / name).read_bytes()


@pytest.mark.parametrize("name", bundle_lab.PLAIN)
def test_what_the_sums_find(copy: Path, name: str) -> None:
    tamper, *expected = bundle_lab.PLAIN[name]
    tamper(copy)
    assert_found(asked(copy), *expected)


@pytest.mark.parametrize("name", bundle_lab.RESEALED)
def test_what_is_found_although_the_sums_were_made_again(copy: Path, name: str) -> None:
    sums = sums_of(copy)
    tamper, *expected = bundle_lab.RESEALED[name]
    if "signature" in expected and shutil.which("ssh-keygen") is None:
        pytest.skip("ssh-keygen is not installed")
    tamper(copy)
    bundle_lab.reseal(copy)
    found = asked(copy)
    assert_found(found, *expected)
    if expected[0] != "signature":
        assert_found(asked(copy, sums=sums), "sums", "SHA256SUMS", "named beforehand")


def assert_found(found: Checked, kind: str, where: str, what: str) -> None:
    assert (found.status, found.exit) == ("faulty", 1)
    named = [(one.kind, one.where, one.what) for one in found.faults]
    assert any(one[0] == kind and where in one[1] and what in one[2] for one in named), named
    assert {one[0] for one in named} <= {*KINDS}
    assert not found.sentence and not found.recomputed and found.issuer.startswith("not asked")
    assert not any(one[0] == "not_judged" for one in named), named


def test_a_perfect_forgery_is_consistent_and_of_nobody(place: Path, copy: Path) -> None:
    sums = sums_of(copy)
    bundle_lab.forge(copy)
    assert json.loads((copy / "card.json").read_bytes()) != json.loads((place / "b" / "card.json").read_bytes())
    found = asked(copy)
    assert (found.status, found.issuer) == ("consistent", "internally consistent, issuer unknown")
    assert "self-declared" in found.stated[0]
    assert_found(asked(copy, sums=sums), "sums", "SHA256SUMS", "named beforehand")


def test_sums_known_beforehand_say_which_bundle_it_is(place: Path) -> None:
    found = asked(place / "b", sums=sums_of(place / "b"))
    assert (found.exit, "you named" in found.issuer, "unknown" in found.issuer) == (0, True, False)


def test_a_slip_known_beforehand_decides(place: Path, tmp_path: Path) -> None:
    assert runs.cli(place, "slip", "new", "r").code in (0, 1)
    (file,) = [path for path in (place / "slips").glob("*.json") if len(path.stem) == 64]
    made = runs.cli(place, "bundle", "r", "-o", str(tmp_path / "s"), "--slip", str(file))
    assert made.code == 0, made.err
    found = asked(tmp_path / "s", slip=file.stem)
    assert (found.exit, f"slip {file.stem[:12]} pins" in found.issuer) == (0, True), found
    assert "can be met by trying" in asked(tmp_path / "s", slip=f"slip:{file.stem[:8]}").issuer
    assert_found(asked(tmp_path / "s", slip="0" * 64), "slip", "slip.json", "named beforehand")
    assert_found(asked(place / "b", slip=file.stem), "slip", "slip.json", "no slip in it")
    bundle_lab.forge(tmp_path / "s")
    assert_found(asked(tmp_path / "s", slip=file.stem), "slip", "slip.json", "another ledger")
    own = json.loads(file.read_bytes())
    for change, what in (({"run_id": "x"}, "another run"), ({"ledger_sha256": "0" * 64}, "another ledger")):
        other = bundle_lab.copied(place / "b", tmp_path / what.split()[1])
        (other / "slip.json").write_bytes(bundle_lab.canonical(own | change))
        bundle_lab.reseal(other)
        assert_found(asked(other), "slip", "slip.json", what)
    refused = runs.cli(
        place, "bundle", "r", "-o", str(tmp_path / "t"), "--slip", str(tmp_path / "ledger" / "slip.json")
    )
    assert (refused.code, "the slip is not of this run" in refused.err, (tmp_path / "t").exists()) == (2, True, False)


@needs_ssh
def test_a_signature_names_a_key_and_only_the_reader_knows_whose_it_is(place: Path, tmp_path: Path) -> None:
    for name in ("mine", "other"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", str(tmp_path / name)], check=True
        )
    made = runs.cli(place, "bundle", "r", "-o", str(tmp_path / "s"), "--sign", str(tmp_path / "mine"))
    assert made.code == 0, made.err
    found = asked(tmp_path / "s")
    assert (
        found.exit == 0
        and "signed by key ED25519 SHA256:" in found.issuer
        and "identity unknown to you" in found.issuer
    )
    keys = {name: (tmp_path / f"{name}.pub").read_text().strip() for name in ("mine", "other")}
    allowed = tmp_path / "allowed"
    for text, code in (
        (f"lab@example.org {keys['mine']}\n", 0),
        (f'lab@example.org namespaces="denominator-bundle" {keys["mine"]}\n', 0),
        (f'lab@example.org namespaces="file" {keys["mine"]}\n', 1),
        (f"lab@example.org {keys['other']}\n", 1),
    ):
        allowed.write_text(text)
        said = runs.cli(place, "verify", str(tmp_path / "s"), "--allowed-signers", str(allowed), "--json")
        assert said.code == code, (text, said.out)
        assert ("signed by lab@example.org" in said.json["issuer"]) == (code == 0)
    assert runs.cli(place, "verify", "b", "--allowed-signers", str(allowed)).code == 1
    assert runs.cli(place, "verify", "b", "--allowed-signers", str(tmp_path / "none")).code == 2
    other = bundle_lab.copied(tmp_path / "s", tmp_path / "forged")
    bundle_lab.forge(other)
    assert_found(asked(other), "signature", "SHA256SUMS.sig", "no signature of these sums")
    data = (tmp_path / "s" / "SHA256SUMS").read_bytes()
    signed = subprocess.run(
        ["ssh-keygen", "-Y", "sign", "-q", "-n", "file", "-f", str(tmp_path / "mine")],
        input=data,
        capture_output=True,
        check=True,
    )
    (tmp_path / "s" / "SHA256SUMS.sig").write_bytes(signed.stdout)
    assert_found(asked(tmp_path / "s"), "signature", "SHA256SUMS.sig", "no signature of these sums")
    assert runs.cli(place, "bundle", "r", "-o", str(tmp_path / "u"), "--sign", str(tmp_path / "no")).code == 2
    assert not (tmp_path / "u").exists()


def bare(args: list[str], script: Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    """An interpreter without site-packages, environment or the folder it stands in."""
    command = [sys.executable, "-I", "-S", str(script), *args]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env={"PATH": os.environ["PATH"]})


def test_the_standard_library_and_our_source_are_enough(place: Path, tmp_path: Path) -> None:
    shutil.copytree(SOURCE, tmp_path / "src" / "denominator", ignore=shutil.ignore_patterns("__pycache__"))
    moved = bundle_lab.copied(place / "b", tmp_path / "elsewhere" / "x")
    script = tmp_path / "src" / "denominator" / "verify" / "__main__.py"
    done = bare([str(moved), "--json"], script, tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)
    assert said == runs.cli(place, "verify", "b", "--json").json
    text = bare([str(moved), "--sums", sums_of(moved)], script, moved)
    assert (text.returncode, "CONSISTENT" in text.stdout, "you named" in text.stdout) == (0, True, True)
    module = subprocess.run(
        [sys.executable, "-S", "-m", "denominator.verify", "."], cwd=moved, env={"PYTHONPATH": str(tmp_path / "src")}, capture_output=True,
    )  # fmt: skip
    assert module.returncode == 0, module.stderr
    (moved / "more").write_text("x")
    wrong = bare([str(moved)], script, tmp_path)
    assert (wrong.returncode, "unlisted: more" in wrong.stdout) == (1, True)
    nothing = bare([str(tmp_path)], script, tmp_path)
    assert (nothing.returncode, "is no bundle" in nothing.stderr, "Traceback" in nothing.stderr) == (2, True, False)


def test_archives_are_the_same_bytes_every_time(place: Path, tmp_path: Path) -> None:
    for end in ("tar.gz", "zip"):
        for folder in ("one", "two"):
            (tmp_path / folder).mkdir(exist_ok=True)
            done = runs.cli(place, "bundle", "r", "-o", str(tmp_path / folder / f"b.{end}"), "--json")
            assert done.code == 0, done.err
            assert done.json["sums_sha256"] == sums_of(place / "b")
        data = (tmp_path / "one" / f"b.{end}").read_bytes()
        assert data == (tmp_path / "two" / f"b.{end}").read_bytes()
        assert hashlib.sha256(data).hexdigest() == done.json["archive_sha256"]
    assert sorted(os.listdir(tmp_path / "one")) == ["b.tar.gz", "b.zip"]
    with tarfile.open(tmp_path / "one" / "b.tar.gz") as tar:
        assert {(one.mtime, one.uid, one.mode, one.isreg()) for one in tar} == {(0, 0, 0o644, True)}
        tar.extractall(tmp_path / "t", filter="data")
    with zipfile.ZipFile(tmp_path / "one" / "b.zip") as packed:
        packed.extractall(tmp_path / "z")
    for folder in ("t", "z"):
        assert asked(tmp_path / folder / "b", sums=sums_of(place / "b")).exit == 0
    said = runs.cli(place, "verify", str(tmp_path / "one" / "b.zip"))
    assert (said.code, "unpack it" in said.err) == (2, True)


def test_thin_bundles_and_single_artifacts_left_out(place: Path, tmp_path: Path) -> None:
    assert runs.cli(place, "bundle", "r", "-o", str(tmp_path / "thin"), "--thin").code == 0
    assert not (tmp_path / "thin" / "blobs").exists()
    found = asked(tmp_path / "thin")
    assert found.exit == 0 and any("only the digest" in one for one in found.stated)
    blob = sorted(os.listdir(place / "b" / "blobs"))[0]
    assert runs.cli(place, "bundle", "r", "-o", str(tmp_path / "some"), "--leave-out", blob).code == 0
    assert blob not in os.listdir(tmp_path / "some" / "blobs") and asked(tmp_path / "some").exit == 0
    for wrong in ("abc", "0" * 64):
        assert runs.cli(place, "bundle", "r", "-o", str(tmp_path / "no"), "--leave-out", wrong).code == 2
    assert runs.cli(place, "bundle", "r", "-o", "b").code == 2


@pytest.fixture(scope="module")
def leaking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose agent writes what looks like a key, and a path of somebody's home, into the tree."""
    folder = tmp_path_factory.mktemp("leaking")
    runs.make_pack(folder, "double-it")
    writes = "printf 'KEY = \"sk-%s\"\\n# see /home/somebody/x\\n' abcdefghij0123456789XYZ >> twice.py"
    arm = {"label": "o", "agent": "command", "command": ["/bin/sh", "-c", f"{writes}; exit 0"]}
    (folder / "envelope.toml").write_text(runs.envelope([arm]))
    assert runs.cli(folder, "run", "envelope.toml", "--run-id", "r").code in (0, 1)
    return folder


def test_secrets_and_home_paths_are_refused_before_anything_is_written(leaking: Path) -> None:
    # The command of this agent is sealed, so the seal holds both as well, and no option can cut a seal.
    before = sorted(os.listdir(leaking))
    for more in ([], ["--thin"]):
        done = runs.cli(leaking, "bundle", "r", "-o", "b", *more)
        assert done.code == 1
        assert "seal.json:1: a home folder" in done.err and "cannot be cut" in " ".join(done.err.split())
        assert "sk-" not in done.err and "somebody" not in done.err and "abcdefghij" not in done.err
        assert ("blobs/" in done.err) == (not more)
    assert runs.cli(leaking, "bundle", "r", "-o", "b.zip").code == 1
    assert sorted(os.listdir(leaking)) == before


PRINTED = Path(__file__).parents[2] / "docs" / "formats" / "bundle.md"
TOO_DEEP = {"a hidden file is added", "a pipe", "an empty folder", "empty sums", "the sums are cut off", "no sums"}
"""What the printed script does not see, or sees only by failing."""
SEEN = {
    "an event is changed", "an event is gone", "two events changed places", "an event twice", "the first event is gone",
    "the time of the seal", "a budget of the seal",
}  # fmt: skip


def test_the_script_printed_in_the_docs_does_the_minimum(place: Path, tmp_path: Path) -> None:
    found = re.search(r"```python\n(.*?)```", PRINTED.read_text(), re.DOTALL)
    assert found is not None and len(found[1].splitlines()) <= 30
    script = tmp_path / "check.py"
    script.write_text(found[1])
    whole = bare([str(place / "b")], script, tmp_path)
    assert (whole.returncode, whole.stdout.split()[-1], whole.stderr) == (0, sums_of(place / "b"), "")
    cases = {name: case for name, case in bundle_lab.PLAIN.items() if name not in TOO_DEEP}
    cases |= {name: case for name, case in bundle_lab.RESEALED.items() if name in SEEN}
    assert len(cases) >= 25
    for number, (name, (tamper, *_)) in enumerate(cases.items()):
        folder = bundle_lab.copied(place / "b", tmp_path / str(number))
        tamper(folder)
        if name in SEEN:
            bundle_lab.reseal(folder)
        done = bare([str(folder)], script, tmp_path)
        assert (done.returncode, done.stderr) == (1, ""), (name, done.stdout, done.stderr)


CASE: dict[str, Any] = {
    "events.json": [{"task_id": one, "task_pass": one == "a"} for one in "abcd"],
    "rate.json": {"run_id": "b1", "n": 4, "task_pass_count": 2, "task_pass_rate": 0.5},
    "scoring_contract.json": {"run_id": "b1", "locked_at": "2026-10-12T08:00:00Z", "task_ids": ["a", "b", "c", "d"]},
}


def test_a_contract_bundle_that_does_not_recompute(tmp_path: Path) -> None:
    """The public situation 100: a rate that its own events do not give, and a digest that differs."""
    for name, value in CASE.items():
        (tmp_path / name).write_text(json.dumps(value))
    (tmp_path / "commands.txt").write_text("score scoring_contract.json events.json\n")
    (tmp_path / "SHA256SUMS").write_text("0" * 64 + "  events.json\n")
    said = runs.cli(tmp_path, "verify", str(tmp_path))
    flat = " ".join(said.out.split())
    assert said.code == 1 and "BLOCKED" in flat
    assert "digest mismatch: events.json" in flat
    assert "rate.json does not follow from events.json (2/4 vs 1/4)" in flat
    assert "unlisted: rate.json" in flat and "unlisted: scoring_contract.json" in flat
    right = {**CASE["rate.json"], "task_pass_count": 1, "task_pass_rate": 0.25}
    (tmp_path / "rate.json").write_text(json.dumps(right))
    bundle_lab.reseal(tmp_path)
    found = asked(tmp_path)
    assert (found.status, found.issuer, found.exit) == ("consistent", "internally consistent, issuer unknown", 0)
