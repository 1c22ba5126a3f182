"""Attacks of our own from the agent's phase, through the whole product: harvest, the workspace's repository, endpoint, counting."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from attacks import own_bench, own_page, test_pipeline_attacks
from denominator.pipeline.results import Result, judge_run
from denominator.records.judgements import JudgedDraw
from denominator.testing.scripted_server import ScriptedServer
from e2e import runs
from e2e.engines import BUBBLEWRAP, Backend

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.needs_bwrap,
    pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    pytest.mark.xdist_group("own-agents"),
]
NAMES = tuple(name for name, entry in own_bench.attacks().items() if entry["task"] == "agent")
ARMS = ("attack", "twin")


def play(folder: Path, site: Path, backend: Backend) -> None:
    """Run `a`: one arm attacks, the other does the honest thing of the same look; repeat k is attack k."""
    folder.chmod(0o755)
    test_pipeline_attacks.make_pack(folder)
    site = Path(shutil.copytree(site, folder / "site"))
    for number, name in enumerate(NAMES, start=1):
        shutil.copytree(own_bench.OWN / name, folder / "attacks" / str(number))
    arms = [
        {
            "label": kind, "agent": "command",
            "command": ["bash", "-c", f"cd /work; exec bash /opt/attacks/$DENOMINATOR_SEED/{kind}/agent.sh"],
            "mounts": [f"{folder}/attacks=/opt/attacks"], "env": {"ADDRESS": "{model_url}"},
        }
        for kind in ARMS
    ]  # fmt: skip
    text = runs.envelope(
        arms,
        budget={"repeats": len(NAMES), "tokens": 10_000},
        run={"seeds": list(range(1, len(NAMES) + 1))},
        sandbox={"memory_mb": 512, "site": str(site), "network": "gateway", **backend.terms},
    )
    with ScriptedServer([]) as server:
        (folder / "envelope.toml").write_text(runs.with_model(text, server.url))
        env = {"RUN_PROVIDER_KEY": "sk-none-1", **backend.env}
        done = runs.cli(folder, "run", "envelope.toml", "--run-id", "a", "--json", env=env)
    assert done.code in (0, 1), done.err
    (folder / "card.json").write_text(json.dumps(done.json["runs"]))


def results_of(folder: Path) -> dict[str, Result]:
    """Each arm's run, judged."""
    return {kind: judge_run(runs.opened(folder, f"a-{kind}")) for kind in ARMS}


def draws_of(results: dict[str, Result]) -> dict[tuple[str, str], JudgedDraw]:
    """The draw of each arm and attack."""
    found = {(kind, draw.draw.repeat): draw for kind in ARMS for draw in results[kind].judged.sheet.draws}
    return {(kind, name): found[kind, number] for kind in ARMS for number, name in enumerate(NAMES, start=1)}


def check(draws: dict[tuple[str, str], JudgedDraw], name: str) -> tuple[str, str, str]:
    """An attack earns nothing and stays in the denominator; its twin passes. The row of a page."""
    attack, twin = draws["attack", name], draws["twin", name]
    assert (attack.exit, attack.origin) == ("fail", "MODEL"), attack
    assert twin.exit == "pass", twin
    return "G2", attack.exit, twin.exit


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, site: Path) -> Path:
    folder = tmp_path_factory.mktemp("own")
    play(folder, site, BUBBLEWRAP)
    return folder


@pytest.fixture(scope="module")
def results(folder: Path) -> dict[str, Result]:
    return results_of(folder)


@pytest.fixture(scope="module")
def draws(results: dict[str, Result]) -> dict[tuple[str, str], JudgedDraw]:
    return draws_of(results)


@pytest.mark.parametrize("name", NAMES)
def test_an_agent_earns_nothing_and_stays_in_the_denominator(draws, name: str) -> None:
    own_page.ROWS[name] = check(draws, name)


def test_what_attacks_the_endpoint_does_reach_the_gateway(folder: Path, draws) -> None:
    said = runs.texts(runs.opened(folder, "a-attack"), "stdout")["median", NAMES.index("148-blames-the-endpoint") + 1]
    assert int(said.split()[1]) >= 100, said
