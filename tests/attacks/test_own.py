"""Solutions of our own that attack their grading, each beside an honest twin. What is attacked is in `own/<id>/attack`."""

import pytest

from attacks import own_bench, own_page

ATTACKS = {name: entry for name, entry in own_bench.attacks().items() if entry["task"] != "agent"}
# The few that show a kind each: an answer that lies, a crash, a file, a service, a record, a text of tests, a report.
SHORT = (
    "62-duplicate-keys", "70-kill-attendant", "83-forged-status", "84-response-splitting", "108-erased-calls",
    "120-reads-test-files", "131-report-is-a-pipe",
)  # fmt: skip

pytestmark = pytest.mark.needs_bwrap


def judge(sandbox, folder, name, site=""):
    own_page.ROWS[name] = own_bench.judge(sandbox, folder, name, site)


@pytest.mark.parametrize("name", SHORT)
def test_an_attack_of_each_kind_earns_nothing(sandbox, tmp_path, name):
    judge(sandbox, tmp_path, name)


@pytest.mark.e2e
@pytest.mark.parametrize("name", [name for name in ATTACKS if name not in SHORT])
def test_an_attack_earns_nothing(sandbox, site, tmp_path, name):
    judge(sandbox, tmp_path, name, str(site))


@pytest.mark.e2e
@pytest.mark.parametrize("name", own_bench.attacks())
def test_an_attack_wins_against_a_careless_design(venv, tmp_path, name):
    """It passes there, or is excused as a fault of the grader's; its twin, which is right, passes."""
    for kind, words in (("attack", ("pass", "excluded")), ("twin", ("pass",))):
        (tmp_path / kind).mkdir()
        word, how = own_bench.careless(name, kind, tmp_path / kind, venv)
        assert word in words, (kind, word, how)


def test_every_attack_names_a_careless_design():
    assert {entry["careless"] for entry in own_bench.attacks().values()} == set(own_bench.designs())
    assert all(own_bench.designs().values())
