"""`gate --ci`: a result gates a CI job once two people agree on its labels, and not before."""

from __future__ import annotations

import json

import pytest

from e2e.test_cli_review import fill

VALUES = ("SCORER_RED", "TIMEOUT")


@pytest.fixture
def kept(here, cli):
    """An import of 60 rows, none blocked."""
    rows = [{"task_id": f"t{n:02}", "outcome": "pass" if n % 3 else "fail"} for n in range(60)]
    (here / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (here / "manifest.json").write_text(json.dumps({"dataset": {"count": 60}}))
    assert cli("import", "rows", "rows.jsonl", "manifest.json", "-o", "kept", "--brief").code == 0
    return here


def label(cli, folder, differing, rows=60):
    """Two people label `rows` rows; they differ on `differing` of them."""
    cli("review", "export", "kept", "--axis", "mix", "-o", "out")
    for name, path in zip(("ann", "bob"), sorted(folder.glob("out/copy-*.csv")), strict=True):
        answers = {(f"t{n:02}", "mix"): VALUES[n % 2] for n in range(rows)}
        if name == "bob":
            answers |= {(f"t{n:02}", "mix"): VALUES[1 - n % 2] for n in range(differing)}
        said = cli("review", "import", "kept", fill(path, answers), "--labeler", name)
        assert said.code == 0, said.err


def test_without_labels_of_people_it_gates_nothing(kept, cli):
    assert cli("gate", "kept").code == 0
    said = cli("gate", "kept", "--ci")
    assert said.code == 1 and "nobody has labelled rows" in said.err and "review export" in said.err
    document = cli("gate", "kept", "--ci", "--json").json
    assert (document["labels"]["reliable"], document["exit"], document["verdict"]["exit"]) == (False, 1, 0)
    assert "labels" not in cli("gate", "kept", "--json").json
    assert cli("gate", "kept", "--ci", "--format", "junit").code == 1


@pytest.mark.parametrize(
    ("differing", "rows", "why"),
    [(0, 60, ""), (2, 60, ""), (0, 49, "49 rows labelled by two people, it takes 50"), (20, 60, "below .80")],
)
def test_it_asks_what_review_agreement_asks(kept, cli, differing, rows, why):
    label(cli, kept, differing, rows)
    said = cli("gate", "kept", "--ci")
    assert said.code == cli("review", "agreement", "kept").code == (1 if why else 0)
    assert why in said.err if why else "gate --ci" not in said.err


def test_a_bare_file_has_no_labels_beside_it(kept, cli):
    (kept / "x.jsonl").write_text("")
    assert cli("gate", "x.jsonl", "--ci").code == 2
