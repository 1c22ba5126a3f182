"""Our own attacks in containers: the same verdicts as under bubblewrap, on the channel of G3 also at G2, which has none."""

from dataclasses import replace

import pytest

from attacks import own_bench, own_page, test_own, test_own_agents
from denominator.adapters.graders.clean_tree import CleanTree
from e2e.docker import docker_page as page
from e2e.engines import backend_of

pytestmark = pytest.mark.e2e
CHANNEL = [name for name, entry in test_own.ATTACKS.items() if entry["task"] in own_page.PARTS[0][1]]


@pytest.mark.parametrize("name", test_own.ATTACKS)
def test_an_attack_earns_nothing(sandbox, site, tmp_path, name):
    tmp_path.chmod(0o755)
    level, *grades = own_bench.judge(sandbox, tmp_path, name, str(site))
    page.OWN[name, level] = tuple(grades)


def at_g2(sandbox, name, kind, folder):
    """What the grader says of an attack on the channel, or of its twin, where tests and solution share a sandbox."""
    order = own_bench.order(name, kind, folder, "")
    verify = replace(order.task.verify, level="G2")
    return CleanTree().grade(replace(order, task=replace(order.task, verify=verify)), sandbox)


@pytest.mark.parametrize("name", CHANNEL)
def test_an_attack_on_the_channel_at_g2(sandbox, tmp_path, name):
    """It stays in the denominator; whether it wins is on the page."""
    tmp_path.chmod(0o755)
    attack, twin = (at_g2(sandbox, name, kind, tmp_path) for kind in ("attack", "twin"))
    assert attack.grade in ("green", "red", "tampered") and not attack.broken, attack
    assert (twin.grade, twin.level) == ("green", "G2"), twin
    page.OWN[name, "G2"] = attack.grade, twin.grade


@pytest.fixture(scope="module")
def draws(tmp_path_factory, site, engines):
    folder = tmp_path_factory.mktemp("own")
    test_own_agents.play(folder, site, backend_of("dockerd", engines))
    return test_own_agents.draws_of(test_own_agents.results_of(folder))


@pytest.mark.parametrize("name", test_own_agents.NAMES)
def test_an_agent_earns_nothing_and_stays_in_the_denominator(draws, name):
    level, *grades = test_own_agents.check(draws, name)
    page.OWN[name, level] = tuple(grades)
