"""Every attack on a grader and every probe of the sandbox, in containers: the same verdicts as under bubblewrap.

That each attack wins against a careless grader is shown in tests/attacks; here are the two phases alone. At G3 every one gets
its `required` verdict; what G2 cannot tell is what it cannot tell anywhere.
"""

import json
import secrets
import time
from pathlib import Path

import pytest

from attacks import phases
from attacks.test_attacks import ATTACKS, HANGS, base, judge, snapshot, upstream
from attacks.test_probes import LIMITS, PROBES, job, stand_in_harness, tools
from denominator.records.envelopes import SandboxTerms
from e2e.docker import docker_page as page

__all__ = ["base", "tools", "upstream"]

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("name", ATTACKS)
def test_attack(name, sandbox, venv, site, upstream, base, tmp_path):
    attack = ATTACKS[name]
    tmp_path.chmod(0o755)
    run = tmp_path / "run"
    hidden = phases.make_hidden(attack.task, run / "pack/hidden")
    separated = phases.make_hidden("sut", run / "pack/separated")
    before = snapshot(run / "pack"), snapshot(site), snapshot(base)
    (tmp_path / "spaces").mkdir()
    work = phases.make_workspace(sandbox, base, tmp_path / "spaces/work")
    out = sandbox.workspace(tmp_path / "spaces/out", role="agent", slot=0, disk_bytes=1 << 20)
    timeout = 6 if name in HANGS else 50
    try:
        ended = phases.run_agent(sandbox, attack, work, out, venv, run, upstream)
        assert ended.start_error == ""
        phases.applied(base, work, tmp_path / "tree", ("**",))
        wide = phases.graded(sandbox, attack.task, hidden, tmp_path / "tree", site, timeout)
        apart = phases.graded(sandbox, "sut", separated, tmp_path / "tree", site, timeout)
    finally:
        sandbox.discard(work)
        sandbox.discard(out)
    assert (snapshot(run / "pack"), snapshot(site), snapshot(base)) == before
    page.ROWS[name] = (wide.grade, apart.grade)
    judge(name, [wide, wide, apart])


@pytest.mark.parametrize("engine", page.ENGINES)
@pytest.mark.parametrize("name", PROBES)
def test_probe(name, engine, boxes, tools, upstream, tmp_path):
    box = boxes(engine)
    tmp_path.chmod(0o755)
    run = tmp_path / "run"
    hidden = run / "pack/hidden/test_hidden.py"
    hidden.parent.mkdir(parents=True)
    hidden.write_text("# hidden\n")
    work = box.workspace(tmp_path / "work", role="agent", slot=0, disk_bytes=LIMITS.disk_bytes)
    out = box.workspace(tmp_path / "out", role="agent", slot=0, disk_bytes=LIMITS.disk_bytes)
    harness = f"harness-{secrets.token_hex(8)}"
    env = {"RUNDIR": str(run), "UPSTREAM": upstream, "HARNESS_CMD": harness, "HIDDEN_TESTS_DIR": str(hidden.parent)}
    pattern = Path("/proc/sys/kernel/core_pattern").read_text()
    with stand_in_harness(harness):
        ended = box.run(job(name, tools, env=env, workdir=work, outdir=out))
    if name.startswith("56"):
        time.sleep(1.5)  # the daemon would touch its file one second after the end
    left = list(out.iterdir())
    box.discard(work)
    box.discard(out)
    assert not ended.start_error
    assert json.loads((phases.CORPUS / name / "expected.json").read_text())["required"] == "contained"
    assert (left, hidden.read_text()) == ([], "# hidden\n")
    assert Path("/proc/sys/kernel/core_pattern").read_text() == pattern
    page.CONTAINED[engine, name] = "contained"


@pytest.mark.parametrize("engine", page.ENGINES)
def test_protections(engine, boxes):
    protections = boxes(engine).facts(SandboxTerms()).protections
    page.HELD[engine] = {each.name: "holds" if each.holds else "does not hold" for each in protections}
    assert set(page.HELD[engine].values()) == {"holds"}
