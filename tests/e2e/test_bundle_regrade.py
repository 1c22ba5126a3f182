"""Patches of a bundle graded again, and rows of a private pack opened to a verifier who named them by a nonce."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import denominator
from denominator.wire.canonical import canonical
from e2e import bundle_lab, runs

pytestmark = [
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
NONCE = "6f1d0b7ac2489e35"


def a_run(folder: Path, *tasks: str, repeats: int, bundles: Sequence[str] = ("b", "thin")) -> Path:
    """A run of the oracle, and its bundles."""
    runs.make_pack(folder, *tasks)
    arms = [{"label": "o", "agent": "oracle"}]
    (folder / "envelope.toml").write_text(runs.envelope(arms, budget={"repeats": repeats}))
    done = runs.cli(folder, "run", "envelope.toml", "--run-id", "r", "--json")
    assert done.code in (0, 1), done.err
    for name in bundles:
        made = runs.cli(folder, "bundle", "r", "-o", name, "--json", *(["--thin"] if name == "thin" else []))
        assert made.code == 0, made.err
    return folder


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_run(tmp_path_factory.mktemp("regrade"), "double-it", "clamp-low", "keep-sorted", repeats=2)


def regraded(folder: Path, *args: str) -> Any:
    done = runs.cli(folder, "verify", *args, "--regrade", "--json")
    assert done.json["exit"] == done.code
    return done.json


def states(said: Any) -> list[str]:
    return [one["state"] for one in said["regraded"]["rows"]]


def test_a_grade_turned_round_is_named_by_its_patch(tmp_path: Path) -> None:
    """The short form of what follows: one forged row, and everything that follows from it made again."""
    folder = a_run(tmp_path, "double-it", repeats=1, bundles=("b",))
    bundle_lab.forge(folder / "b")
    said = regraded(folder, "b", "--pack", "pack")
    row = said["regraded"]["rows"][0]
    assert said["checked"]["status"] == "consistent", "in itself"
    assert (said["exit"], row["task_id"], row["repeat"], row["recorded"], row["now"]) == (
        1,
        "double-it",
        1,
        "red",
        "green",
    )
    assert row["state"] == "differ" and row["seen"] == ["green"] * 3


@pytest.mark.e2e
def test_an_honest_bundle_agrees_row_by_row(place: Path, tmp_path: Path) -> None:
    moved = bundle_lab.copied(place / "b", tmp_path / "elsewhere" / "b")
    said = regraded(place, str(moved), "--pack", "pack")
    assert (said["exit"], states(said), said["regraded"]["baseline"]) == (0, ["agree"] * 6, 15)
    assert said["checked"]["status"] == "consistent"
    text = runs.cli(place, "verify", "b", "--regrade", "--pack", "pack")
    assert (text.code, "SAME GRADES  6 of 6 rows agree" in text.out) == (0, True)
    plain = runs.cli(place, "verify", "b", "--json").json
    assert plain == said["checked"], "the check alone is the document that it was"


@pytest.mark.e2e
def test_one_forged_grade_among_many_is_named(place: Path, tmp_path: Path) -> None:
    forged = bundle_lab.copied(place / "b", tmp_path / "b")
    bundle_lab.forge(forged)
    assert runs.cli(place, "verify", str(forged)).code == 0
    said = regraded(place, str(forged), "--pack", "pack")
    odd = [one for one in said["regraded"]["rows"] if one["state"] == "differ"]
    assert (said["exit"], said["regraded"]["agree"], len(odd)) == (1, 5, 1)
    rows = {
        (key.task_id, key.repeat): one.grade for key, one in ((one.key, one) for one in runs.ledger_of(place, "r").rows)
    }
    assert rows[odd[0]["task_id"], odd[0]["repeat"]] == odd[0]["now"] != odd[0]["recorded"]
    text = runs.cli(place, "verify", str(forged), "--regrade", "--pack", "pack")
    assert text.code == 1 and "ANOTHER GRADE" in text.out and odd[0]["task_id"] in text.out


@pytest.mark.e2e
def test_what_cannot_be_graded_is_no_agreement(place: Path, tmp_path: Path) -> None:
    for args, why in (
        (("thin", "--pack", "pack"), "only its digest travels"),
        (("b",), "name it with --pack"),
        (("b", "--pack", "holdout16"), "are not here"),
    ):
        said = regraded(place, *args)
        assert (said["exit"], states(said)) == (2, ["could_not"] * 6)
        assert all(why in one["why"] for one in said["regraded"]["rows"])
    other = tmp_path / "pack"
    shutil.copytree(place / "pack", other)
    (other / "tasks/double-it/prompt.md").write_text("Something else.\n")
    said = regraded(place, "b", "--pack", str(other))
    assert (said["exit"], said["regraded"]["agree"], said["regraded"]["could_not"]) == (2, 4, 2)
    no_bwrap = tmp_path / "bin"
    no_bwrap.mkdir()
    done = runs.cli(place, "verify", "b", "--regrade", "--pack", "pack", "--json", env={"PATH": str(no_bwrap)})
    assert (done.code, done.json["regraded"]["could_not"]) == (2, 6), done.err
    assert "no sandbox here" in done.json["regraded"]["rows"][0]["why"]


@pytest.mark.e2e
def test_a_bundle_with_a_fault_is_not_graded(place: Path, tmp_path: Path) -> None:
    broken = bundle_lab.copied(place / "b", tmp_path / "b")
    (broken / "more.txt").write_text("x")
    said = regraded(place, str(broken), "--pack", "pack")
    assert (said["exit"], said["regraded"]["not_measured"]) == (1, "the bundle has faults")


@pytest.mark.e2e
def test_what_a_violated_control_hides_is_not_told_by_grading_again(tmp_path: Path) -> None:
    runs.make_pack(tmp_path, "double-it", "keep-sorted")
    breaks = "for f in *.py; do echo 'raise SystemExit(3)' >> $f; done; exit 0"
    arm = {"label": "o", "agent": "command", "command": ["/bin/sh", "-c", breaks]}
    (tmp_path / "envelope.toml").write_text(runs.envelope([arm]))
    assert runs.cli(tmp_path, "run", "envelope.toml", "--run-id", "v").code == 1
    assert runs.cli(tmp_path, "bundle", "v", "-o", "b").code == 0
    done = runs.cli(tmp_path, "verify", "b", "--regrade", "--pack", "pack", "--json")
    assert (done.code, states(done.json)) == (0, ["agree"] * 2)
    told = json.dumps(done.json["regraded"])
    assert all(word not in told for word in ('"green"', '"red"', "test_", "passed", "failed")), told


@pytest.mark.e2e
def test_rows_of_a_private_pack_are_named_opened_and_graded(place: Path, tmp_path: Path) -> None:
    """The verifier has the thin bundle, or nothing but its bundle.json, and no pack."""
    (tmp_path / "root").mkdir()
    shutil.copy(place / "thin/bundle.json", tmp_path / "root")
    alone = str(tmp_path / "root/bundle.json")
    asked = ["--sample", "3", "--nonce", NONCE]
    named = runs.cli(place, "verify", "thin", *asked, "--json").json
    places = [one["index"] for one in named["sample"]["rows"]]
    assert (named["exit"], len(places), named["sample"]["opened"]) == (0, 3, False)
    assert [one["index"] for one in runs.cli(place, "verify", alone, *asked, "--json").json["sample"]["rows"]] == places
    assert named["sample"]["chances"][0] == {"bad": 1, "exact": "1/2", "missed": "0.500000"}
    opened = str(tmp_path / "opened")
    made = runs.cli(place, "bundle", "r", "--open", ",".join(map(str, places)), "-o", opened, "--json")
    assert (made.code, made.json["rows"], made.json["rows_root"]) == (0, places, named["sample"]["root"]), made.err
    for where in ("thin", alone):
        said = regraded(place, where, *asked, "--opened", opened)
        assert (said["exit"], states(said)) == (0, ["agree"] * 3)
        assert [one["index"] for one in said["regraded"]["rows"]] == places
    proofs = runs.cli(place, "verify", "thin", *asked, "--opened", opened)
    assert (proofs.code, "proved under the roots" in proofs.out) == (0, True)
    assert bare([alone, *asked, "--opened", opened, "--json"], tmp_path)["sample"]["not_opened"] == []
    _other_nonce(place, opened)
    _forged(place, asked, opened, tmp_path)


def _other_nonce(place: Path, opened: str) -> None:
    """Rows opened for one nonce do not answer another."""
    nonces = (f"{number:016d}" for number in range(20))
    said = next(
        one
        for nonce in nonces
        if (
            one := runs.cli(
                place, "verify", "thin", "--sample", "3", "--nonce", nonce, "--opened", opened, "--json"
            ).json
        )["exit"]
    )
    assert said["exit"] == 2 and said["sample"]["not_opened"] and not said["sample"]["faults"]


def _forged(place: Path, asked: list[str], opened: str, tmp_path: Path) -> None:
    def tampered(change: Callable[[Any, Path], None]) -> Any:
        forged = tmp_path / "forged"
        shutil.rmtree(forged, ignore_errors=True)
        shutil.copytree(opened, forged)
        value = json.loads((forged / "opened.json").read_bytes())
        change(value, forged)
        (forged / "opened.json").write_bytes(canonical(value) + b"\n")
        return regraded(place, "thin", *asked, "--opened", str(forged))

    said = tampered(lambda value, _: value["opened"][0]["row"].update(grade="red"))
    assert said["exit"] == 1 and "not under rows_root" in said["sample"]["faults"][0]["what"]
    assert "not_measured" in said["regraded"]
    said = tampered(lambda value, _: value["opened"].pop())
    assert (said["exit"], len(said["sample"]["not_opened"]), said["regraded"]["agree"]) == (2, 1, 2)
    said = tampered(lambda _, folder: [one.write_text("pass\n") for one in folder.rglob("hidden/*.py")])
    assert (said["exit"], said["regraded"]["could_not"]) == (2, 3)
    said = tampered(lambda _, folder: shutil.rmtree(folder / "blobs"))
    assert (said["exit"], said["regraded"]["could_not"]) == (2, 3)


@pytest.mark.e2e
def test_a_forged_grade_in_an_opened_row_is_named(place: Path, tmp_path: Path) -> None:
    """The forger's bundle is consistent, and opens with right proofs: the patch itself tells."""
    forged = bundle_lab.copied(place / "b", tmp_path / "b")
    bundle_lab.forge(forged)
    asked = ["--sample", "6", "--nonce", NONCE]
    said = regraded(place, str(forged), *asked, "--pack", "pack")
    assert (said["exit"], said["regraded"]["differ"], said["regraded"]["agree"]) == (1, 1, 5)
    few = regraded(place, "b", "--sample", "2", "--nonce", NONCE, "--pack", "pack")
    assert (few["exit"], states(few)) == (0, ["agree"] * 2)


@pytest.mark.e2e
@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("verify", "b", "--sample", "7", "--nonce", NONCE), "7 of 6 rows cannot be drawn"),
        (("verify", "b", "--sample", "0", "--nonce", NONCE), "0 of 6 rows cannot be drawn"),
        (("verify", "b", "--sample", "2"), "--nonce"),
        (("verify", "b", "--nonce", NONCE), "add --sample K"),
        (("verify", "b", "--opened", "b", "--sample", "2", "--nonce", NONCE), "there is no opened.json"),
        (("verify", "b", "--pack", "pack"), "add --regrade"),
        (("verify", "b", "--regrade", "--pack", "nowhere"), "no pack"),
        (("verify", "b/bundle.json"), "name the folder of the bundle"),
        (("verify", "b/bundle.json", "--regrade", "--sample", "2", "--nonce", NONCE), "holds no row"),
        (("verify", "b/bundle.json", "--sample", "2", "--nonce", NONCE, "--sums", "0" * 64), "decide nothing"),
        (("bundle", "r", "--open", "6"), "there is no row 6: the ledger has 6, 0 to 5"),
        (("bundle", "r", "--open", "x"), "no list of rows"),
        (("bundle", "r", "--open", "1", "--thin"), "makes no bundle"),
        (("bundle", "r", "--open", "1", "-o", "b"), "something already"),
    ],
)
def test_what_cannot_be_asked_is_refused(place: Path, args: tuple[str, ...], words: str) -> None:
    done = runs.cli(place, *args)
    assert (done.code, words in done.err) == (2, True), done.err


def bare(args: list[str], cwd: Path) -> Any:
    """An interpreter without site-packages, environment or the folder it stands in."""
    script = Path(denominator.__file__).parent / "verify" / "__main__.py"
    command = [sys.executable, "-I", "-S", str(script), *args]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env={"PATH": os.environ["PATH"]})
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)
