"""Without a sandbox: paths of the inside are the host's, and nothing is promised."""

from dataclasses import replace

from denominator.adapters.sandboxes.bare import Bare
from denominator.adapters.sandboxes.facts import NAMES
from denominator.ports import Job, Mount
from denominator.records.envelopes import SandboxTerms
from denominator.testing.sandbox_suite import LIMITS


def test_nothing_is_promised():
    facts = Bare().facts(SandboxTerms())
    assert {each.name for each in facts.protections} == set(NAMES)
    assert not any(each.holds for each in facts.protections)
    ended = Bare().run(Job(argv=("true",), role="agent", limits=LIMITS))
    assert ended.enforced["memory"] == "not enforced: no sandbox"


def test_paths_are_the_hosts(tmp_path):
    work = Bare().workspace(tmp_path / "work", role="agent", slot=0, disk_bytes=1)
    (tmp_path / "shown").mkdir()
    (tmp_path / "shown/f").write_text("shown\n")
    job = Job(
        argv=("sh", "-c", 'cat "$0" "$1"; pwd; echo x > made; echo "$PLACES"', "/in/f", "/in/f"),
        role="agent",
        limits=LIMITS,
        workdir=work,
        mounts=(Mount(host=tmp_path / "shown", inside="/in"),),
        env={"PLACES": "/work:/in/a:/input"},
    )
    ended = Bare().run(job)
    shown = tmp_path / "shown"
    assert ended.stdout.decode().splitlines() == ["shown", "shown", str(work), f"{work}:{shown}/a:/input"]
    assert (work / "made").exists()
    Bare().discard(work)
    assert not work.exists()


def test_its_process_group_is_killed_and_not_the_harness(tmp_path):
    script = "sleep 300 & echo $! >&3; sleep 300"
    ended = Bare().run(Job(argv=("sh", "-c", script), role="agent", limits=replace(LIMITS, wall_s=0.5), report=True))
    assert (ended.signal, ended.killed_by) == (9, "budget_wall")
    state = "gone"
    try:
        with open(f"/proc/{int(ended.report)}/stat") as file:
            state = file.read().rpartition(")")[2].split()[0]
    except OSError:
        pass
    assert state in ("gone", "Z", "X")
