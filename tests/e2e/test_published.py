"""`published`: a score that was printed, our run or rows beside it; every verdict, with the fingerprint before the numbers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from e2e import runs
from e2e.cli_lab import FOUR, Said, process

Cli = Callable[..., Said]
IDS = [f"t{n:02}" for n in range(1, 21)]
PRINT = {
    "harness_commit": "abc123",
    "python": "3.11.9",
    "platform": "Linux x86_64",
    "model": "m-1",
    "endpoint": "https://user:sk-secret@api.example/v1?key=sk-secret",
    "budget_tokens": 1000,
    "wall_s": 600,
    "max_attempts": 1,
    "retries": 0,
    "seed": 7,
    "pack_digest": "sha256:ff",
    "verify_cmd": "pytest -q",
}
TOML = """
name = "the paper"
source = "https://nothing.is.fetched.example/table-2"
verify_cmd = "pytest -q"
{score}
[pack]
digest = "ff"
task_ids = {ids}
[conditions]
budget_tokens = {tokens}
wall_s = 600
attempts = {attempts}
retries = 0
seed = "7"
[harness]
commit = "{commit}"
python = "3.11.9"
platform = "Linux x86_64"
[model]
id = "m-1"
endpoint_host = "api.example"
"""


def row(task: str, passed: bool) -> dict[str, Any]:
    return {
        "task_id": task, "passed": passed, "verify_cmd": "pytest -q", "agent_exit": 0, "wall_clock_s": 12,
        "tokens_in": 100, "tokens_out": 20, "patch_sha256": "a" * 64,
    }  # fmt: skip


def write_rows(
    folder: Path, passed: int, name: str = "ours.jsonl", tasks: list[str] = IDS, skip: int = 0, **prints: Any
) -> Path:
    told = {key: value for key, value in {**PRINT, **prints}.items() if value is not None}
    lines: list[dict[str, Any]] = [{"_fingerprint": told}]
    lines += [row(task, skip <= place < skip + passed) for place, task in enumerate(tasks)]
    path = folder / name
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def write_toml(folder: Path, passed: int = 12, **changes: Any) -> Path:
    told = {
        "score": f"[score]\npassed = {passed}\ntasks = 20",
        "ids": json.dumps(IDS),
        "tokens": 1000,
        "attempts": 1,
        "commit": "abc123",
    }
    path = folder / "p.toml"
    path.write_text(TOML.format(**{**told, **changes}))
    return path


def diff(cli: Cli, *args: str) -> Said:
    return cli("published", "diff", *(args or ("p.toml", "ours.jsonl")), "--json")


def test_init_writes_a_description_that_says_what_it_lacks(here: Path, cli: Cli) -> None:
    assert cli("published", "init").code == 0
    assert cli("published", "init").code == 2
    write_rows(here, 9)
    said = diff(cli, "published.toml", "ours.jsonl")
    assert said.code == 2 and "states no count and no percent" in said.err


def test_inside_noise_under_one_fingerprint(here: Path, cli: Cli) -> None:
    write_toml(here, 12)
    write_rows(here, 9)
    said = diff(cli)
    found = said.json
    assert (said.code, found["verdict"], found["directional"]) == (0, "inside_noise", False), said.out
    assert {one["state"] for one in found["fingerprint"]} == {"same"}
    assert found["tokens_per_solved"]["value"] == "266.666667" and found["wall_p50"]["value"].startswith("12000")
    text = cli("published", "diff", "p.toml", "ours.jsonl").out
    assert text.index("FINGERPRINT") < text.index("VERDICT") < text.index("NUMBERS") and "add tasks" in text


def test_outside_noise_and_the_likely_cause(here: Path, cli: Cli) -> None:
    write_toml(here, 19, commit="other")
    write_rows(here, 4, seed=None)
    said = diff(cli)
    assert (said.code, said.json["verdict"]) == (3, "outside_noise")
    assert said.json["likely"] == ["the harness's commit or digest (moved)", "the seed (not known)"]
    text = cli("published", "diff", "p.toml", "ours.jsonl").out
    assert "LIKELY CAUSE" in text and "one at a time" in text
    write_toml(here, 19)
    write_rows(here, 4)
    assert (diff(cli).code, diff(cli).json["likely"]) == (0, [])


@pytest.mark.parametrize("change", [{"tokens": 2000}, {"attempts": 3}])
def test_budget_or_attempts_differ(change: dict[str, Any], here: Path, cli: Cli) -> None:
    write_toml(here, 19, **change)
    write_rows(here, 4)
    said = diff(cli)
    assert (said.code, said.json["verdict"]) == (3, "not_the_same_benchmark")
    assert "not_measured" in said.json["difference"] and "run both again" in said.json["next"]


def test_other_tasks_are_not_the_same_benchmark(here: Path, cli: Cli) -> None:
    write_toml(here, 19, ids=json.dumps([*IDS[:19], "z"]))
    (here / "manifest.json").write_text(json.dumps({"task_ids": IDS}))
    write_rows(here, 4)
    said = diff(cli, "p.toml", "ours.jsonl", "manifest.json")
    assert (said.code, said.json["verdict"]) == (3, "not_the_same_benchmark") and "z" in said.json["sentence"]


def test_no_task_list_is_context(here: Path, cli: Cli) -> None:
    (here / "p.toml").write_text('name = "a post"\n[score]\npassed = 19\ntasks = 20\n')
    (here / "manifest.json").write_text(json.dumps({"task_ids": IDS}))
    write_rows(here, 4)
    said = diff(cli, "p.toml", "ours.jsonl", "manifest.json")
    assert (said.code, said.json["verdict"]) == (3, "unverifiable") and "no task list" in said.json["sentence"]


def test_an_impossible_percent_is_said(here: Path, cli: Cli) -> None:
    write_toml(here, score="[score]\npercent = 71\ntasks = 20")
    write_rows(here, 4)
    said = diff(cli)
    assert (said.code, said.json["verdict"]) == (3, "unverifiable") and "impossible" in said.json["sentence"]
    write_toml(here, score="[score]\npercent = 60.0\ntasks = 20")
    assert (diff(cli).code, diff(cli).json["published"]["least"]) == (0, 12)


@pytest.mark.parametrize("statuses", [("pass", "fail", "pass"), ("fail", "pass", "fail")])
def test_red_on_the_clean_checkout(statuses: tuple[str, ...], here: Path, cli: Cli) -> None:
    write_toml(here, 19)
    write_rows(here, 4)
    lines = [{"task_id": "t03", "agent": None, "repeat": n, "status": status} for n, status in enumerate(statuses, 1)]
    (here / "baseline.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    said = diff(cli, "p.toml", "ours.jsonl", "baseline.jsonl")
    assert (said.code, said.json["verdict"], said.json["censor"]) == (1, "red_on_the_clean_checkout", ["t03"]), said.out
    assert "not_measured" in said.json["difference"]


def test_our_own_gate_blocks(here: Path, cli: Cli) -> None:
    write_toml(here, 19)
    write_rows(here, 4, tasks=IDS[:18])
    said = diff(cli)
    assert (said.code, said.json["verdict"]) == (1, "withheld")
    assert "not_measured" in said.json["ours"]["least"] and "not_measured" in said.json["tokens_per_solved"]


def test_published_rows_are_paired_with_ours(here: Path, cli: Cli) -> None:
    (here / "theirs").mkdir()
    write_rows(here / "theirs", 16, "rows.jsonl")
    (here / "theirs" / "manifest.json").write_text(json.dumps({"task_ids": IDS}))
    (here / "mine").mkdir()
    write_rows(here / "mine", 6)
    (here / "mine" / "manifest.json").write_text(json.dumps({"task_ids": IDS}))
    said = diff(cli, "theirs", "mine")
    assert (said.code, said.json["verdict"]) == (0, "outside_noise"), said.out
    assert "McNemar" in said.json["method"]
    write_toml(here, 16)
    text = (
        here / "p.toml"
    ).read_text() + f"[outcomes]\npassed = {json.dumps(IDS[:16])}\nfailed = {json.dumps(IDS[16:])}\n"
    (here / "p.toml").write_text(text)
    assert "McNemar" in diff(cli, "p.toml", "mine").json["method"]


def test_a_kept_import_gives_the_same(here: Path, cli: Cli) -> None:
    write_toml(here, 12)
    write_rows(here, 9)
    (here / "manifest.json").write_text(json.dumps({"task_ids": IDS}))
    cli("import", "rows", "ours.jsonl", "manifest.json", "-o", "kept")
    one, other = diff(cli, "p.toml", "kept"), diff(cli, "p.toml", "ours.jsonl", "manifest.json")
    assert (one.code, one.json["verdict"], one.json["fingerprint"]) == (0, "inside_noise", other.json["fingerprint"])


def test_no_key_is_shown(here: Path, cli: Cli) -> None:
    write_toml(here, 12)
    write_rows(here, 9)
    for args in (("--json",), ()):
        assert "sk-secret" not in cli("published", "diff", "p.toml", "ours.jsonl", *args).out


@pytest.mark.parametrize(
    "bad",
    [b"", b"name = ", b"\xff", b"colour = 1", b"[score]\npassed = 3.5\ntasks = 4", b"[score]\npassed = 5\ntasks = 4"],
)
def test_what_is_no_published_score(bad: bytes, here: Path, cli: Cli) -> None:
    (here / "p.toml").write_bytes(bad)
    write_rows(here, 9)
    assert diff(cli).code == 2
    assert cli("published", "run", "p.toml", "--envelope", "e.toml").code == 2


def test_what_is_nowhere(here: Path, cli: Cli) -> None:
    write_toml(here)
    assert diff(cli, "p.toml", "nowhere").code == 2
    assert diff(cli, "nowhere.toml", "nowhere").code == 2
    assert diff(cli, "p.toml", "").code == 2


def test_a_checkout_that_is_verified_once_is_refused(here: Path, cli: Cli) -> None:
    write_toml(here)
    (here / "e.toml").write_text(runs.envelope([{"label": "o", "agent": "oracle"}], run={"baseline_repeats": 2}))
    said = cli("published", "run", "p.toml", "--envelope", "e.toml")
    assert said.code == 2 and "baseline_repeats" in said.err


# --- runs of our own

needs_bwrap = [
    pytest.mark.slow,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
]


def eight(folder: Path) -> list[str]:
    """A pack of eight copies of one task and a control; the ids of the eight."""
    root = folder / "pack"
    shutil.copytree(FOUR, root)
    ids = [f"words-{n}" for n in range(1, 9)]
    for task in ids:
        shutil.copytree(root / "tasks" / "count-words", root / "tasks" / task)
        runs.edit(root / "tasks" / task / "task.toml", 'id = "count-words"', f'id = "{task}"')
    for task in ("count-words", "clamp-low", "double-it"):
        shutil.rmtree(root / "tasks" / task)
    return ids


def published_of(folder: Path, run_id: str, passed: int, ids: list[str], name: str, **changes: str) -> Path:
    """A published.toml with the fingerprint that our run has, but for some changes."""
    told = json.loads((folder / "runs" / run_id / "fingerprint.json").read_text())["_fingerprint"] | changes
    path = folder / name
    path.write_text(
        f'name = "an earlier table"\nverify_cmd = {json.dumps(told["verify_cmd"])}\n'
        f"[score]\npassed = {passed}\ntasks = {len(ids)}\n"
        f'[pack]\nversion = "{told["pack_version"]}"\ndigest = "{told["pack_digest"]}"\ntask_ids = {json.dumps(ids)}\n'
        f"[conditions]\nwall_s = {told['wall_cap_s']}\nattempts = {told['max_attempts']}\nretries = {told['retries']}\n"
        f"repeats = {told['repeats']}\n"
        f'[harness]\nname = "{told["harness_name"]}"\ncommit = "{told["harness_commit"]}"\npython = "{told["python"]}"\n'
        f'platform = "{told["platform"]}"\n[model]\nid = "none"\n'
    )
    return path


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Runs of an agent that solves everything and of one that does nothing, made by `published run`."""
    folder = tmp_path_factory.mktemp("published")
    ids = eight(folder)
    runs.lock(folder / "pack")
    (folder / "p.toml").write_text('name = "x"\n[score]\npassed = 8\ntasks = 8\n')
    (folder / "e.toml").write_text(runs.envelope([{"label": one, "agent": one} for one in ("oracle", "nop")]))
    done = process(folder, "published", "run", "p.toml", "--envelope", "e.toml", "--run-id", "r", "-q", "--json")
    assert done.code in (0, 1), done.err
    assert "published diff p.toml r-oracle" in done.err
    return folder, ids


class TestOurRuns:
    pytestmark = needs_bwrap

    def test_the_fingerprint_lies_beside_the_run(self, bench: tuple[Path, list[str]]) -> None:
        told = json.loads((bench[0] / "runs" / "r-oracle" / "fingerprint.json").read_text())
        found = told["_fingerprint"]
        assert (
            found["model_id"] == found["endpoint_host"] == "none"
            and found["max_attempts"] == "1"
            and found["retries"] == "0"
        )
        assert len(found["pack_digest"]) == 64 and found["verify_cmd"] == "unittest"

    @pytest.mark.parametrize(
        ("run_id", "passed", "changes", "verdict", "code"),
        [
            ("r-oracle", 8, {}, "inside_noise", 0),
            ("r-oracle", 7, {"python": "Python 9"}, "inside_noise", 3),
            ("r-nop", 8, {}, "outside_noise", 0),
            ("r-nop", 8, {"harness_commit": "other"}, "outside_noise", 3),
            ("r-nop", 8, {"wall_cap_s": "31"}, "not_the_same_benchmark", 3),
            ("r-nop", 8, {"max_attempts": "2"}, "not_the_same_benchmark", 3),
            ("r-nop", 8, {"pack_digest": "0" * 64}, "not_the_same_benchmark", 3),
        ],
    )
    def test_verdicts(
        self,
        run_id: str,
        passed: int,
        changes: dict[str, str],
        verdict: str,
        code: int,
        bench: tuple[Path, list[str]],
        tmp_path: Path,
    ) -> None:
        folder, ids = bench
        path = published_of(folder, run_id, passed, ids, f"{tmp_path.name}.toml", **changes)
        said = process(folder, "published", "diff", str(path), run_id, "--json")
        assert (said.json["verdict"], said.code) == (verdict, code), said.out + said.err

    def test_no_task_list(self, bench: tuple[Path, list[str]]) -> None:
        said = process(bench[0], "published", "diff", "p.toml", "r-nop", "--json")
        assert (said.code, said.json["verdict"]) == (3, "unverifiable")

    def test_a_task_that_is_red_with_its_own_reference_patch(self, tmp_path: Path) -> None:
        ids = eight(tmp_path)
        bad = tmp_path / "pack" / "tasks" / ids[0] / "hidden" / "test_wordy_values.py"
        bad.write_text(bad.read_text().replace("self.assert", "self.fail('clean checkout is red'); self.assert"))
        runs.lock(tmp_path / "pack")
        (tmp_path / "p.toml").write_text(
            f'name = "x"\n[score]\npassed = 8\ntasks = 8\n[pack]\ntask_ids = {json.dumps(ids)}\n'
        )
        (tmp_path / "e.toml").write_text(runs.envelope([{"label": "nop", "agent": "nop"}]))
        done = process(tmp_path, "published", "run", "p.toml", "--envelope", "e.toml", "--run-id", "r", "-q")
        assert done.code in (0, 1), done.err
        said = process(tmp_path, "published", "diff", "p.toml", "r", "--json")
        assert (said.code, said.json["verdict"], said.json["censor"]) == (1, "red_on_the_clean_checkout", [ids[0]]), (
            said.out
        )
