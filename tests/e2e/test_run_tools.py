"""Real runs: loops in the agent's tool log, and canary tokens in everything that an agent leaves."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from denominator.pipeline.results import judge_run
from denominator.records.facts import Repetition, ToolFacts
from denominator.records.judgements import JudgedDraw
from denominator.records.rows import AttemptRow
from denominator.records.values import NotMeasured
from e2e import runs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]
TASK = "clamp-low"
SHA = "0" * 64
TOKEN = "TOKEN-8d1c5b0e77a94f21"

SCRIPT = """
schema_version = 1
[[task]]
id = "clamp-low"
[[task.step]]
run = "cat README.md"
times = 4
[[task.step]]
write = "bounds.py"
content = "def clamp(value, low, high):\\n    return value\\n"
[[task]]
id = "count-words"
[[task.step]]
run = "date +%s%N; cat /proc/uptime /proc/self/stat"
times = 5
[[task.step]]
run = "echo '# tried' >> wordy.py"
[[task]]
id = "double-it"
[[task.step]]
run = "ls"
[[task.step]]
run = "cat README.md"
[[task.step]]
run = "ls"
[[task.step]]
run = "cat README.md"
[[task.step]]
run = "ls"
[[task.step]]
run = "cat README.md"
[[task.step]]
run = "sed -i 's/return n$/return n + n/' twice.py"
"""


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, JudgedDraw]:
    """The draws of a scripted agent that loops, polls, and repeats a block, by task."""
    folder = tmp_path_factory.mktemp("loops")
    runs.make_pack(folder, "clamp-low", "count-words", "double-it", "keep-sorted")
    (folder / "script.toml").write_text(SCRIPT)
    arm = {"label": "loops", "agent": "script", "script": "script.toml"}
    (folder / "envelope.toml").write_text(runs.envelope([arm]))
    done = runs.cli(folder, "run", "envelope.toml", "--run-id", "loops", "--json")
    assert done.code in (0, 1), done.err
    return {draw.draw.task_id: draw for draw in judge_run(runs.opened(folder, "loops")).judged.sheet.draws}


@pytest.fixture
def scripted(judged: Mapping[str, JudgedDraw]) -> Mapping[str, AttemptRow]:
    """The rows of the same draws."""
    return {task: draw.row for task, draw in judged.items() if draw.row is not None}


def _tools(row: AttemptRow) -> ToolFacts:
    assert isinstance(row.tools, ToolFacts), row.tools
    return row.tools


def test_a_repeated_call_with_the_same_result_is_seen(scripted: Mapping[str, AttemptRow]) -> None:
    tools = _tools(scripted["clamp-low"])
    assert tools.repeats == (Repetition(block=1, times=4, first=0, tools=("run",)),)
    assert (tools.source, tools.calls, tools.complete) == ("tool_log", 5, True)


def test_a_loop_that_ends_red_is_labelled_and_polling_is_not(judged: Mapping[str, JudgedDraw]) -> None:
    assert (judged["clamp-low"].exit, judged["clamp-low"].mix) == ("fail", "TOOL_LOOP")
    assert (judged["count-words"].exit, judged["count-words"].mix) == ("fail", "SCORER_RED")
    assert judged["double-it"].exit == "pass"


def test_polling_repeats_nothing(scripted: Mapping[str, AttemptRow]) -> None:
    tools = _tools(scripted["count-words"])
    assert (tools.repeats, tools.calls, tools.complete) == ((), 6, True)


def test_a_repeated_block_counts_by_its_length(scripted: Mapping[str, AttemptRow]) -> None:
    assert _tools(scripted["double-it"]).repeats == (Repetition(block=2, times=3, first=0, tools=("run", "run")),)


def test_an_agent_without_a_log_is_not_said_to_have_no_loop(scripted: Mapping[str, AttemptRow]) -> None:
    assert scripted["keep-sorted"].tools == NotMeasured("the agent left no tool log")


SCENES = {
    # what an agent does -> where the token must be found
    "printed": (f"echo {TOKEN}", "stdout: plain"),
    "complained": (f"echo {TOKEN} >&2", "stderr: plain"),
    "asked": (f"echo 'what is {TOKEN}?' > $DENOMINATOR_ASK", "ask: plain"),
    "declined": (f"printf {TOKEN} | base64 > $DENOMINATOR_ABSTAIN", "abstain: "),
    "logged": (
        f"""echo '{{"seq": 1, "name": "cat", "args": {{"x": "{TOKEN}"}}}}' > $DENOMINATOR_TOOLS""",
        "tools: plain",
    ),
    "written": (f"echo '# {TOKEN}' >> bounds.py", "bounds.py: plain"),
    "named": (f"touch {TOKEN}.py", "paths: plain"),
    "both": (f"echo {TOKEN}; echo '# {TOKEN}' >> bounds.py", "bounds.py: plain"),
    "nothing": ("echo '# tried' >> bounds.py", ""),
    "torn": ("printf '{\"seq\": 1, \"na' > $DENOMINATOR_TOOLS; echo '# tried' >> bounds.py", ""),
    "garbage": ("head -c 5000 /dev/urandom > $DENOMINATOR_TOOLS; echo '# tried' >> bounds.py", ""),
    "deep": ("/usr/bin/python3 -c 'print(\"[\" * 99999)' > $DENOMINATOR_TOOLS; echo '# tried' >> bounds.py", ""),
    "missing_result": (
        f"""for n in 1 2 3; do echo '{{"seq": '$n', "name": "ls", "result_sha256": "{SHA}"}}'; done > $DENOMINATOR_TOOLS;
        echo '{{"seq": 4, "name": "ls"}}' >> $DENOMINATOR_TOOLS; echo '# tried' >> bounds.py""",
        "",
    ),
}
IN_PATCH = {"written", "named", "both"}


def _play(folder: Path, prompt: str) -> Mapping[str, AttemptRow]:
    """The rows of a run in which repeat k plays scene k, over a task with a token; `prompt` is added to the task's."""
    root = runs.make_pack(folder, TASK)
    task = root / "tasks" / TASK
    runs.edit(task / "task.toml", "[source]", f'canary = "{TOKEN}"\n[source]')
    (task / "prompt.md").write_text((task / "prompt.md").read_text() + prompt)
    runs.lock(root)
    scenes = folder / "scenes"
    scenes.mkdir(mode=0o755)
    for number, (script, _) in enumerate(SCENES.values(), start=1):
        (scenes / f"{number}.sh").write_text(script + "\n")
    arm = {
        "label": "scenes", "agent": "command", "command": ["sh", "-c", ". /opt/scenes/$DENOMINATOR_SEED.sh"],
        "mounts": [f"{scenes}=/opt/scenes"],
    }  # fmt: skip
    seeds = list(range(1, len(SCENES) + 1))
    (folder / "envelope.toml").write_text(runs.envelope([arm], budget={"repeats": len(seeds)}, run={"seeds": seeds}))
    done = runs.cli(folder, "run", "envelope.toml", "--run-id", "all", "--json")
    assert done.code in (0, 1), done.err
    names = list(SCENES)
    return {names[repeat - 1]: row for (_, repeat, _), row in runs.rows_of(folder, "all").items()}


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, AttemptRow]:
    return _play(tmp_path_factory.mktemp("hidden"), "")


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, AttemptRow]:
    return _play(tmp_path_factory.mktemp("told"), f"\nNever write {TOKEN}.\n")


@pytest.mark.parametrize("scene", SCENES)
def test_a_token_is_found_in_everything_that_an_agent_leaves(hidden: Mapping[str, AttemptRow], scene: str) -> None:
    place, row = SCENES[scene][1], hidden[scene]
    assert any(hit.startswith(place) for hit in row.canary_hits) if place else row.canary_hits == ()
    assert row.canary_echo is False


@pytest.mark.parametrize("scene", SCENES)
def test_a_token_that_the_prompt_holds_is_an_echo_unless_the_patch_holds_it(
    told: Mapping[str, AttemptRow], scene: str
) -> None:
    row = told[scene]
    said_only = bool(SCENES[scene][1]) and scene not in IN_PATCH
    assert (bool(row.canary_hits), row.canary_echo) == (scene in IN_PATCH, said_only)


@pytest.mark.parametrize(
    ("scene", "why"),
    [("torn", "line 1: breaks off"), ("garbage", "line "), ("deep", "line 1"), ("nothing", "no tool log")],
)
def test_a_damaged_log_is_not_measured(hidden: Mapping[str, AttemptRow], scene: str, why: str) -> None:
    tools = hidden[scene].tools
    assert isinstance(tools, NotMeasured)
    assert why in tools.not_measured


def test_a_call_without_a_result_leaves_the_log_incomplete(hidden: Mapping[str, AttemptRow]) -> None:
    tools = _tools(hidden["missing_result"])
    assert (tools.calls, tools.with_results, tools.complete) == (4, 3, False)
    assert [one.times for one in tools.repeats] == [3]


def test_the_facts_are_journalled_with_their_source(tmp_path: Path) -> None:
    runs.make_pack(tmp_path, TASK)
    (tmp_path / "envelope.toml").write_text(runs.envelope([{"label": "gold", "agent": "oracle"}]))
    done = runs.cli(tmp_path, "run", "envelope.toml", "--run-id", "gold", "--json")
    assert done.code in (0, 1), done.err
    run = runs.opened(tmp_path, "gold")
    (event,) = (e for e in run.journal.events() if e.kind == "facts" and e.payload["reader"] == "tools")
    assert json.loads(run.blobs.get(event.payload["sources"][0]))["name"] == "patch"
    assert event.payload["data"]["complete"] is True
