"""No silent loosening, through the command line: a second run that demands less is blocked until somebody says why."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

import pytest

from e2e.runs import cli, envelope, make_pack

pytestmark = [pytest.mark.needs_bwrap, pytest.mark.xdist_group("lineage")]

ARM = {"label": "oracle", "agent": "oracle"}
REASON = '\n[[loosen]]\nfield = "budget.wall_s"\nwhy = "the new disks are slower"\nwho = "the lead"\n'


def write(folder, name, more="", **tables):
    (folder / name).write_text(envelope([ARM], **tables) + more)
    return name


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Runs a (30 s of wall time), b (60 s, no reason), c (60 s, with a reason)."""
    folder = tmp_path_factory.mktemp("lineage")
    make_pack(folder, "clamp-low", "double-it", "keep-sorted")
    write(folder, "a.toml")
    write(folder, "b.toml", budget={"wall_s": 60})
    write(folder, "c.toml", REASON, budget={"wall_s": 60})
    done = {}
    for run_id in "abc":
        done[run_id] = cli(folder, "run", f"{run_id}.toml", "--run-id", run_id, "--json")
    return folder, done


def found(document, severity=""):
    verdict = document["runs"][0]["card"]["verdict"]
    return [one for one in verdict["findings"] if one["code"] == "GL070" and severity in ("", one["severity"])]


def test_the_first_run_is_held_against_nothing(lab):
    _, done = lab
    assert done["a"].code == 0, done["a"].err
    assert [one["severity"] for one in found(done["a"].json)] == ["held"]


def test_a_budget_that_grew_in_silence_blocks_and_is_said_before_the_run(lab):
    folder, done = lab
    assert done["b"].code == 1
    (finding,) = found(done["b"].json)
    assert finding["severity"] == "block"
    assert "budget.wall_s was 30, is 60" in finding["what"]
    assert "weaker than the previous seal without a reason: budget.wall_s" in done["b"].err
    card = cli(folder, "card", "b")
    assert card.code == 1 and "GL070 silent-loosening" in " ".join(card.out.split())


def test_sealing_once_more_settles_nothing_but_a_reason_does_and_is_printed(lab):
    folder, done = lab
    assert done["c"].code == 0, done["c"].err
    (finding,) = found(done["c"].json)
    assert finding["severity"] == "note"
    said = "budget.wall_s was 30, is 60 (the new disks are slower; the lead)"
    assert said in finding["what"]
    assert said in done["c"].json["runs"][0]["card"]["verdict"]["sentence"]
    text = " ".join(cli(folder, "card", "c").out.split())
    brief = " ".join(cli(folder, "card", "c", "--brief").out.split())
    assert said in text and said in brief


def test_what_was_answered_for_is_the_new_measure(lab):
    folder, _ = lab
    said = cli(folder, "seal", "c.toml", "--run-id", "d", "--previous", "c")
    assert said.code == 0
    assert json.loads((folder / "runs" / "d" / "seal.json").read_text())["loosened"] == []
    assert "[[loosen]] budget.wall_s: it is not weaker than in the previous seal" in said.err


def test_the_previous_seal_can_be_named_and_a_new_lineage_begun(lab):
    folder, _ = lab
    sealed = cli(folder, "seal", "b.toml", "--run-id", "e", "--previous", "a", "--json").json[0]
    assert [one["field"] for one in sealed["loosened"]] == ["budget.wall_s"]
    assert sealed["previous"] == json.loads(cli(folder, "card", "a", "--json").out)["seal_digest"]
    fresh = cli(folder, "seal", "b.toml", "--run-id", "f", "--new-lineage", "another agent", "--json").json[0]
    assert (fresh["loosened"], fresh["previous"], fresh["lineage"]) == ([], "", "another agent")
    for args in (
        ("--previous", "a", "--new-lineage", "x"),
        ("--new-lineage", " "),
        ("--previous", "nobody"),
        ("--previous", ""),
    ):
        assert cli(folder, "seal", "b.toml", "--run-id", "g", *args).code == 2
    assert not (folder / "runs" / "g").exists()


def test_the_gate_speaks_the_formats_of_other_tools(lab):
    folder, _ = lab
    github = cli(folder, "gate", "b", "--format", "github", env={"GITHUB_STEP_SUMMARY": str(folder / "summary.md")})
    assert github.code == 1
    assert any(line.startswith("::error title=GL070 silent-loosening::") for line in github.out.splitlines())
    assert "**block** GL070 silent\\-loosening" in (folder / "summary.md").read_text()
    suite = ET.fromstring(cli(folder, "gate", "b", "--format", "junit").out)[0]
    (case,) = (one for one in suite.iter("testcase") if one.attrib["name"] == "GL070 silent-loosening")
    assert [child.tag for child in case] == ["failure"]
    (run,) = json.loads(cli(folder, "gate", "b", "--format", "sarif").out)["runs"]
    assert "GL070" in [one["ruleId"] for one in run["results"] if one["level"] == "error"]
    assert cli(folder, "gate", "b", "--format", "sarif", "--json").code == 2
    rows = ET.fromstring(cli(folder, "labels", "c", "--format", "junit").out)[0]
    assert {case.attrib["name"] for case in rows.iter("testcase")} == {"clamp-low", "double-it", "keep-sorted"}


def test_a_threshold_out_of_reach_is_refused_before_anything_runs(lab):
    folder, _ = lab
    clause = '\n[[clause]]\nname = "floor"\nmetric = "headline"\nof = "lower"\nat_least = "0.9"\nwhy = "w"\n'
    write(folder, "far.toml", clause, budget={"wall_s": 60})
    plan = ("plan", "--difference", "0.3", "--envelope", "far.toml")
    sealing = [(*verb, "far.toml", "--run-id", "h") for verb in (("run",), ("seal",), ("run", "--dry-run"))]
    for args in (*sealing, ("envelope", "check", "far.toml"), plan):
        said = cli(folder, *args)
        assert said.code == 2, args
        assert "it takes" in said.out + said.err and "clause[0].at_least" in said.out + said.err
    assert not (folder / "runs" / "h").exists()


def test_clauses_of_the_house_on_a_run_of_ours(lab):
    folder, _ = lab
    clauses = (
        '\n[[clause]]\nname = "all"\nmetric = "headline"\nof = "numerator"\nat_least = "1"\nwhy = "v"\n'
        '\n[[clause]]\nname = "none lost"\nmetric = "unscoreable_rate"\nof = "numerator"\nat_most = "0"\nwhy = "w"\n'
    )
    write(folder, "kept.toml", REASON + clauses, budget={"wall_s": 60})
    done = cli(folder, "run", "kept.toml", "--run-id", "kept")
    assert done.code == 0, done.err
    text = " ".join(done.out.split())
    assert "all: numerator of headline at least 1 (v): holds, it is 1" in text
    assert "none lost: numerator of unscoreable_rate at most 0 (w): holds, it is 0" in text
    told = REASON + '\n[[loosen]]\nfield = "clause[none lost]"\nwhy = "w"\nwho = "x"\n'
    write(folder, "missed.toml", told + clauses.replace('at_most = "0"', 'at_least = "1"'), budget={"wall_s": 60})
    missed = cli(folder, "run", "missed.toml", "--run-id", "missed", "--previous", "kept")
    assert missed.code == 1
    text = " ".join(missed.out.split())
    assert "none lost: numerator of unscoreable_rate at least 1 (w): does not hold" in text
    assert "all: numerator of headline at least 1 (v): holds" in text
    assert "holds, it is" not in text
