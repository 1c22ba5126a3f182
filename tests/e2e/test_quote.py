"""`quote` as it is typed: check in five formats, baseline, changed lines, fix, list; the action, the hook, the plugin."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from denominator.pipeline.slip_store import append_line, keep_slip
from denominator.pipeline.slip_store import standing as stands
from denominator.records.slips import SlipGate, SlipLine
from quote_data import GOOD, docx, w_p

ROOT = Path(__file__).parents[2]
DAY = "2026-11-21T00:00:00Z"


@pytest.fixture
def slip(here):
    """An external slip with a verdict in ./slips; settings under which it never grows old."""
    budget = replace(GOOD.slip.budget, over_budget=False, ratio="0.81")
    made = replace(GOOD.slip, budget=budget, gate=SlipGate(status="publishable", rung="interval"))
    found = keep_slip(Path("slips"), made)
    line = SlipLine(what="verdict", slip=found, role="score_keeper", who="k", at=DAY, tier="external", caveat="one box")
    append_line(Path("slips"), found, line)
    assert stands(Path("slips"), found).tier.tier == "external"
    Path("denominator.toml").write_text("[quote]\nmax_age_days = 0\n")
    return found


@pytest.fixture
def readme(slip):
    right = f"It passes 71.4% (10/14) [slip:{slip[:8]}]."
    foot = stands(Path("slips"), slip).tier.footnote
    Path("README.md").write_text(f"# Tool\n\n{right}\n\nIt passes 62% (10/14) [slip:{slip[:8]}].\n\nRun with {foot}.\n")
    return slip


def test_check_says_what_is_wrong_and_what_it_looked_for(readme, cli):
    said = cli("quote", "check", "README.md")
    lines = said.out.splitlines()
    assert said.code == 1 and lines[0] == f"README.md:5:11 Q003 62% - slip {readme[:8]} says 10/14 = 71.4% (headline)"
    assert (
        "rate in percent 2, fraction k/n 2" in lines[1]
        and "in charts 0" in lines[1]
        and lines[-1] == "1 finding in 1 document, 0 notes"
    )
    Path("README.md").write_text(Path("README.md").read_text().replace("62%", "71.4%"))
    assert cli("quote", "check", "README.md").code == 0


def test_every_format_names_the_same_finding(readme, cli):
    made = {form: cli("quote", "check", "README.md", "--format", form) for form in ("json", "github", "junit", "sarif")}
    assert {one.code for one in made.values()} == {1}
    document = made["json"].json
    assert [(one["code"], one["line"], one["column"]) for one in document["documents"][0]["findings"]] == [
        ("Q003", 5, 11)
    ]
    assert document["looked_for"]["under a tag"] == 4 and document["exit"] == 1
    assert "::error file=README.md,line=5,title=Q003 other-value::62%25" in made["github"].out
    (suite,) = ET.fromstring(made["junit"].out)
    assert (suite.get("tests"), suite.get("failures")) == ("13", "1")
    (run,) = json.loads(made["sarif"].out)["runs"]
    assert [one["ruleId"] for one in run["results"]] == ["Q003"] and len(run["properties"]["held"]) == 12


def test_a_document_without_lines_has_a_logical_place(slip, cli):
    Path("a.docx").write_bytes(docx(w_p("It passes 62%.")))
    (run,) = json.loads(cli("quote", "check", "a.docx", "--format", "sarif").out)["runs"]
    (location,) = run["results"][0]["locations"]
    assert (
        location["logicalLocations"][1]["fullyQualifiedName"] == "a.docx paragraph 1"
        and "physicalLocation" not in location
    )


def test_one_unreadable_file_keeps_no_other_from_being_checked(readme, cli):
    Path("bad.docx").write_bytes(b"PK")
    Path("bad.md").write_bytes(b"\xff\xfe\x00")
    said = cli("quote", "check", "README.md", "bad.docx", "bad.md")
    assert said.code == 2 and "Q003" in said.out and "bad.docx" in said.err and "bad.md" in said.err


def test_a_changed_slip_is_broken_and_exit_2(readme, cli):
    path = Path("slips", f"{readme}.json")
    path.write_bytes(path.read_bytes().replace(b'"k":10', b'"k":11'))
    said = cli("quote", "check", "README.md")
    assert said.code == 2 and said.out.count("Q009") == 2 and "was changed" in said.err


def test_a_changed_raw_output_is_told_and_one_that_is_not_here_is_not(readme, cli):
    raw = Path("slips", GOOD.slip.raw.path)
    assert "Q009" not in cli("quote", "check", "README.md").out
    raw.write_text("other rows")
    assert cli("quote", "check", "README.md").out.count("Q009") == 2


def test_a_baseline_keeps_what_is_known_and_shows_what_is_new(readme, cli):
    assert cli("quote", "check", "README.md", "--write-baseline", "known.json").code == 0
    same = cli("quote", "check", "README.md", "--baseline", "known.json")
    assert same.code == 0 and "1 known from the baseline" in same.out
    text = Path("README.md").read_text()
    Path("README.md").write_text(
        "New first line.\n\n" + text + "\nIt solves 40%.\n" + text[8:].replace("71.4%", "71.3%")
    )
    new = cli("quote", "check", "README.md", "--baseline", "known.json")
    assert new.code == 1 and [line.split()[1] for line in new.out.splitlines() if line.startswith("README")] == [
        "Q001",
        "Q003",
        "Q003",
    ]
    assert cli("quote", "check", "README.md", "--baseline", "none.json").code == 2
    Path("odd.json").write_text('{"schema_version": 1, "known": {"a": "b"}}')
    assert cli("quote", "check", "README.md", "--baseline", "odd.json").code == 2


def git(*words):
    subprocess.run(
        ["git", "-c", "user.email=a@example.org", "-c", "user.name=a", *words], check=True, capture_output=True
    )


def test_only_sentences_that_changed(readme, cli):
    git("init", "-q", "."), git("add", "README.md"), git("commit", "-qm", "one")
    none = cli("quote", "check", ".", "--changed-since", "HEAD")
    assert none.code == 0 and "0 documents" in none.out
    with Path("README.md").open("a") as file:
        file.write("\nIt solves\n40% of them.\n")
    Path("new.md").write_text("It solves 30%.\n")
    said = cli("quote", "check", "README.md", "new.md", "--changed-since", "HEAD")
    assert said.code == 1 and "40%" in said.out and "30%" in said.out and "62%" not in said.out
    assert "1 in sentences that did not change" in said.out
    text = Path("README.md").read_text().replace("It solves\n", "They solve\n")
    git("commit", "-qam", "two")
    Path("README.md").write_text(text)
    assert "40%" in cli("quote", "check", "README.md", "--changed-since", "HEAD").out
    table = "Table 1: pass rate, 10/14 {}\n\n| rate |\n|---|\n| 60% |\n"
    Path("README.md").write_text(table.format("[slip:00000000]"))
    git("commit", "-qam", "three")
    Path("README.md").write_text(table.format(f"[slip:{readme[:8]}]"))
    assert "README.md:5:3 Q003 60%" in cli("quote", "check", "README.md", "--changed-since", "HEAD").out
    for ref in ("--output=x", "nothing"):
        assert cli("quote", "check", "README.md", f"--changed-since={ref}").code == 2


def test_fix_writes_definitions_and_edits_no_number(readme, cli):
    before = Path("README.md").read_text()
    assert cli("quote", "fix", "README.md", "--dry-run").code == 0 and Path("README.md").read_text() == before
    assert cli("quote", "fix", "README.md", "--json").json["fixed"][0]["added"] == [f"slip:{readme[:8]}"]
    after = Path("README.md").read_text()
    definition = after.removeprefix(before).strip()
    assert after.startswith(before) and definition.startswith(
        f'[slip:{readme[:8]}]: slips/{readme}.json "10/14 = 71.4%, CI 45.4 to 88.3;'
    )
    assert cli("quote", "fix", "README.md").out.strip() == "nothing to fix"
    Path("README.md").write_text(after.replace("71.4%, CI", "70%, CI"), newline="\r\n")
    assert cli("quote", "fix", "README.md", "--json").json["fixed"][0]["renewed"] == [f"slip:{readme[:8]}"]
    assert Path("README.md").read_bytes() == after.replace("\n", "\r\n").encode()


def test_list_says_where_a_slip_is_quoted(readme, cli):
    Path("a.docx").write_bytes(docx(w_p(f"It passes 71.4% (10/14) slip:{readme[:10]}")))
    said = cli("quote", "list", f"slip:{readme[:8]}", "README.md", "a.docx", "--json").json
    assert [one["where"] for one in said["places"]] == ["README.md:3:26", "README.md:5:24", "a.docx paragraph 1"]
    assert cli("quote", "list", "0" * 8, "README.md").out.strip() == "quoted nowhere in these files"
    assert cli("quote", "list", "xyz", "README.md").code == 2


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('[quote]\naudiences = { "*.md" = "everybody" }\n', "everybody"), ("[quote]\nmax_age_days = -1\n", "below zero"),
        ('[[quote.ignore]]\npaths = "*"\nrules = ["Q001"]\nreason = " "\n', "no reason"),
        ('[[quote.ignore]]\npaths = "*"\nrules = ["Q099"]\nreason = "because"\n', "Q001 to Q013"), ("[quote]\nodd = 1\n", "odd"),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_used_stop_it(readme, cli, toml, said):
    Path("denominator.toml").write_text(toml)
    got = cli("quote", "check", "README.md")
    assert got.code == 2 and said in got.err


def test_settings_say_audience_and_what_is_not_asked(readme, cli):
    Path("denominator.toml").write_text(
        '[quote]\nmax_age_days = 0\naudiences = { "*.md" = "deck" }\n'
        '[[quote.ignore]]\npaths = "README.md"\nrules = ["Q003", "Q004"]\nreason = "an example of a test"\n'
    )
    said = cli("quote", "check", "README.md")
    assert said.code == 1 and {line.split()[1] for line in said.out.splitlines() if line.startswith("README")} == {
        "Q013"
    }
    assert "3 suppressed with a reason" in said.out


def test_the_function_is_an_assertion(readme):
    from denominator.errors import InputError
    from denominator.testing.quotable import assert_quotable

    with pytest.raises(AssertionError, match="Q003 62%"):
        assert_quotable("README.md", max_age_days=0)
    Path("README.md").write_text(Path("README.md").read_text().replace("62%", "71.4%"))
    assert_quotable("README.md", tier="external", max_age_days=0)
    with pytest.raises(AssertionError, match="Q004"):
        assert_quotable("README.md", tier="quotable", max_age_days=0)
    for more in ({"tier": "all"}, {"slips": "none"}):
        with pytest.raises(InputError):
            assert_quotable("README.md", **more)


def test_the_plugin_gives_the_function_as_a_fixture(slip):
    Path("test_it.py").write_text(
        "import pytest\n\ndef test_it(assert_quotable):\n    assert_quotable('good.md')\n"
        "    with pytest.raises(AssertionError, match='Q001'):\n        assert_quotable('bad.md')\n"
    )
    Path("good.md").write_text("Nothing to see.\n")
    Path("bad.md").write_text("It passes 50%.\n")
    load = "import pytest, sys; from denominator.testing.pytest_plugin import PLUGIN; sys.exit(pytest.main(['-q', 'test_it.py'], [PLUGIN]))"
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-c", load], capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 0, done.stdout + done.stderr


def test_hook_and_action_call_what_exists(cli):
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["entry"] == "denominator quote check" and "pptx" in hook["files"]
    action = yaml.safe_load((ROOT / "actions" / "quote-check" / "action.yml").read_text())
    steps = action["runs"]["steps"]
    assert action["runs"]["using"] == "composite" and not any("uses" in step for step in steps)
    options = cli("quote", "check", "--help").out
    for option in ("--slips", "--format", "--changed-since", "--baseline", "--strict"):
        assert option in steps[-1]["run"] and option in options
    for step in steps:
        assert "${{" not in step["run"], "an input that is pasted into a script is code"
        subprocess.run(["bash", "-n", "-c", step["run"]], check=True)


def test_our_own_pages_pass(cli, monkeypatch):
    monkeypatch.chdir(ROOT)
    said = cli("quote", "check", "README.md", "docs", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")
    assert said.code == 0, said.out
