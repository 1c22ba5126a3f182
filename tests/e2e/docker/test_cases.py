"""The public cases that concern a sandbox, in containers: the same packs, scenes and expectations as under bubblewrap."""

import pytest

from e2e import cases_page, runs, test_cases_real
from e2e import cases_scenes as scenes
from e2e.cases_lab import play, write_pack
from e2e.docker import docker_page
from e2e.engines import backend_of

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def backend(engines):
    return backend_of("dockerd", engines)


@pytest.fixture(scope="module")
def make(tmp_path_factory):
    def made(name):
        folder = tmp_path_factory.mktemp(name)
        folder.chmod(0o755)
        return folder

    return made


def noted(name, draw):
    docker_page.CASES[name] = cases_page.said(draw)


@pytest.fixture(scope="module")
def bill(make, venv, site, backend):
    return test_cases_real.play_bill(make("bill"), venv, site, list(scenes.BILL_SCENES), backend)


@pytest.mark.parametrize("name", scenes.BILL_SCENES)
def test_scene(bill, name):
    test_cases_real.check(bill[name], cases_page.BILL[name])
    noted(name, bill[name])


def test_what_no_agent_could_pass_is_no_agents_fault(make, backend):
    """Cases 025, 057 and 058: the container, the runner or the pack fails the reference patch too."""
    folder = make("broken")
    write_pack(folder, *scenes.BROKEN)
    wrong = scenes.python("def total(prices, vat):\n    return 1")
    scripts = {task.id: [wrong if task.id == "pipe" else scenes.SOLVE] for task in scenes.BROKEN}
    run = play(folder, scripts, sandbox=backend.terms, env={**backend.env})
    for task in scenes.BROKEN:
        test_cases_real.check(run.row(task.id), cases_page.BROKEN[task.id])
        noted(task.id, run.row(task.id))
    assert run.card["verdict"]["status"] == "blocked" and "gold_must_pass is violated" in run.findings()


def test_names_that_break_paths(make, backend):
    """Case 086: an engine takes folders of every name as mounts, too."""
    folder = make("names")
    ids = [id_ for id_ in scenes.IDS if ":" in id_ or "\\" in id_ or not id_.isascii()]
    write_pack(folder, *[scenes.unit_task(id_) for id_ in ids])
    run = play(folder, {"a\\b": [scenes.SOLVE]}, sandbox=backend.terms, env={**backend.env})
    assert {draw.draw.task_id for draw in run.result.judged.sheet.draws} == set(ids) and len(ids) == 3
    assert {draw.exit for draw in run.result.judged.sheet.draws} == {"pass", "abstain"}
    assert run.row("a\\b").exit == "pass" and run.card["equation"]["never_started"] == 0


def test_who_looks_for_the_answer_finds_none(make, backend):
    """Case 092, as a run: neither the image nor what is shown in it holds the answer."""
    folder = make("answer")
    write_pack(folder, scenes.unit_task("z1"), scenes.unit_task("z2"))
    scripts = {"z1": [scenes.LOOK_FOR_ANSWER], "z2": [f"git log --oneline -3\n{scenes.SOLVE}"]}
    run = play(folder, scripts, sandbox=backend.terms, env={**backend.env})
    printed = runs.texts(runs.opened(folder, "r"), "stdout")["z1", 1]
    assert "COMMITS 1" in printed and "FOUND" not in printed, printed
    assert (run.row("z1").exit, run.row("z2").exit) == ("fail", "pass")
    for task in ("z1", "z2"):
        noted(f"092 {task}", run.row(task))
