"""Slips of real runs: two under one seal, one that moved, one whose agent asks a model; checked, judged, signed off, shown."""

from __future__ import annotations

import shutil

import pytest

from denominator.testing.scripted_server import ScriptedServer
from e2e import runs
from e2e.runs import cli as run_cli_in
from e2e.runs import edit, envelope, make_pack

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
TASKS = ("clamp-low", "count-words", "double-it")
OWN_BOX = 'box_shared = "no"\nbox_reclaimable = "no"\n'
RUNS = {"first": "first", "second": "first-replay-1", "third": "third"}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Two runs under one seal, a third with fewer tool calls, on a box that is declared its own."""
    folder = tmp_path_factory.mktemp("slips")
    make_pack(folder, *TASKS, "keep-sorted")
    (folder / "denominator.toml").write_text(OWN_BOX)
    (folder / "envelope.toml").write_text(envelope([{"label": "gold", "agent": "oracle"}]))
    assert run_cli_in(folder, "run", "--run-id", "first", "-q", "--brief").code == 0
    assert run_cli_in(folder, "replay", "first", "--early", "a test cannot wait", "-q").code == 0
    edit(folder / "envelope.toml", "tool_calls = 50", "tool_calls = 49")
    assert run_cli_in(folder, "run", "--run-id", "third", "-q", "--brief").code == 0
    return folder


@pytest.fixture(scope="module")
def made(lab):
    """The slips of the three runs, as `slip new --json` printed them."""
    return {name: run_cli_in(lab, "slip", "new", run, "--json").json for name, run in RUNS.items()}


def test_two_runs_under_one_seal_are_quotable_and_a_moved_field_is_not(lab, made):
    assert [made[name]["tier"]["tier"] for name in ("first", "second", "third")] == ["external", "quotable", "none"]
    assert made["second"]["slip"]["previous"] == made["first"]["id"] and made["second"]["slip"]["moved"] == []
    assert made["second"]["slip"]["re_run_spread"].startswith(
        "0.000000 points over 2 tasks and 2 passes (no repeat differed"
    )
    assert "harness.covers.tool_call_cap" in made["third"]["slip"]["moved"]
    assert made["third"]["slip"]["previous_lineage"] == made["second"]["slip"]["lineage"]
    assert "runs first and first-replay-1" in made["second"]["tier"]["footnote"]


def test_check_names_the_fields_and_its_exit_code(lab, made):
    one, two, three = (made[name]["id"][:8] for name in ("first", "second", "third"))
    same = run_cli_in(lab, "slip", "check", one, two)
    assert same.code == 0 and same.out.startswith("SAME") and "DIFFERENCE" in same.out
    moved = run_cli_in(lab, "slip", "check", two, three)
    assert moved.code == 3 and moved.out.startswith("MOVED") and "DIFFERENCE" not in moved.out
    assert "harness.covers.tool_call_cap: 50 -> 49" in moved.out
    said = run_cli_in(lab, "slip", "check", two, three, "--json")
    assert said.code == said.json["exit"] == 3 and said.json["delta"] == ""
    assert run_cli_in(lab, "slip", "check", one, one).code == 2


def test_the_three_roles_from_run_to_deck(lab, made):
    slip_id = made["second"]["id"][:8]
    assert run_cli_in(lab, "slip", "show", slip_id, "--for", "docs").code == 1  # no verdict yet
    above = run_cli_in(
        lab, "slip", "verdict", made["first"]["id"][:8], "--tier", "SLA", "--caveat", "x", "--who", "ann"
    )
    assert above.code == 1 and "a contract, an SLA, a price" in above.err
    assert run_cli_in(lab, "slip", "signoff", slip_id, "--who", "bea").code == 1
    assert (
        run_cli_in(lab, "slip", "verdict", slip_id, "--tier", "quotable", "--caveat", "2 tasks", "--who", "ann").code
        == 0
    )
    assert run_cli_in(lab, "slip", "show", slip_id, "--for", "docs").code == 0
    assert run_cli_in(lab, "slip", "show", slip_id, "--for", "deck").code == 1
    assert run_cli_in(lab, "slip", "signoff", slip_id, "--who", "bea").code == 0
    assert run_cli_in(lab, "slip", "show", slip_id, "--for", "deck").code == 0
    no = run_cli_in(lab, "slip", "signoff", slip_id, "--who", "bea", "--reject", "model.snapshot", "--json")
    assert no.code == 0 and no.json["tier"]["tier"] == "internal" and not no.json["signed_off"]
    price = run_cli_in(lab, "slip", "show", slip_id, "--for", "price")
    assert price.code == 1 and price.out == ""


def test_a_slip_that_is_made_again_is_the_same_slip(lab, made):
    count = len(run_cli_in(lab, "slip", "list", "--json").json["slips"])
    again = run_cli_in(lab, "slip", "new", "third", "--json").json
    assert again["id"] == made["third"]["id"]
    assert len(run_cli_in(lab, "slip", "list", "--json").json["slips"]) == count


def test_the_raw_output_lies_where_the_slip_says(lab, made):
    shown = run_cli_in(lab, "slip", "show", made["second"]["id"][:8], "--json").json
    assert shown["slip"]["ledger_sha256"] == shown["slip"]["raw"]["sha256"]
    assert (lab / "slips" / shown["slip"]["raw"]["path"]).is_file()


def test_the_markdown_is_one_page_with_the_line_to_copy(lab, made):
    said = run_cli_in(lab, "slip", "show", made["first"]["id"][:8], "--markdown")
    assert said.code == 0 and said.out.startswith(f"## Slip {made['first']['id'][:8]}")
    assert f"2/2 [slip:{made['first']['id'][:8]}]" in said.out  # two tasks: counts only
    assert "100.0%" not in said.out and "### Left out of the harness digest" in said.out


def test_a_slip_is_of_a_run_that_has_ended(lab, tmp_path):
    said = run_cli_in(lab, "slip", "new", "nowhere")
    assert said.code == 2 and "no run is called" in said.err
    assert run_cli_in(lab, "slip", "new", "first", "--hand", "x.toml").code == 2
    assert run_cli_in(lab, "slip", "new", "runs/first/ledger.jsonl").code == 2


ASK = """
import json, os, subprocess, urllib.request
body = json.dumps({"model": os.environ["DENOMINATOR_MODEL"], "messages": [{"role": "user", "content": "mend it"}]}).encode()
head = {"Authorization": "Bearer " + os.environ["DENOMINATOR_MODEL_TOKEN"], "Content-Type": "application/json"}
request = urllib.request.Request(os.environ["DENOMINATOR_MODEL_URL"] + "/chat/completions", body, head)
call = json.load(urllib.request.urlopen(request))["choices"][0]["message"]["tool_calls"][0]
subprocess.run(json.loads(call["function"]["arguments"])["command"], shell=True, cwd="/work")
"""


def test_tokens_and_the_served_model_of_a_run_that_asks_one(tmp_path):
    make_pack(tmp_path, "clamp-low", "count-words")
    (tmp_path / "agent").mkdir(mode=0o755)
    (tmp_path / "agent" / "ask.py").write_text(ASK)
    arm = {
        "label": "asker", "agent": "command", "command": ["{python}", "/opt/agent/ask.py"],
        "mounts": [f"{tmp_path}/agent=/opt/agent"], "env": {"ADDRESS": "{model_url}"},
    }  # fmt: skip
    mend = "; ".join(f"({runs.SOLVE[task]}) 2>/dev/null" for task in ("clamp-low", "count-words"))
    with ScriptedServer([mend]) as server:
        text = envelope([arm], budget={"tokens": 100_000}, sandbox={"network": "gateway"})
        (tmp_path / "envelope.toml").write_text(runs.with_model(text, server.url, max_output_tokens=500))
        done = run_cli_in(tmp_path, "run", "--run-id", "m", "-q", "--brief", env={"RUN_PROVIDER_KEY": "sk-of-a-test"})
    assert done.code in (0, 1), done.err
    made = run_cli_in(tmp_path, "slip", "new", "m", "--json").json["slip"]
    rows = runs.ledger_of(tmp_path, "m").rows
    used = sum(row.usage.prompt + row.usage.completion for row in rows)
    assert made["budget"]["tokens_used"] == used > 0 and made["budget"]["tokens_limit"] == 100_000 * len(rows)
    assert made["budget"]["over_budget"] is False and made["model"]["served"] == [runs.MODEL]
    assert made["model"]["sampling"]["temperature"] == "0" and "sk-of-a-test" not in repr(made)
    assert str(tmp_path) not in repr(made)  # no path of this machine is on a slip
