"""Every attack on a grader and every probe of the sandbox, in containers: the same verdicts as under bubblewrap.

That each attack wins against a careless grader is shown in tests/attacks; here are the two phases alone. At G3 every one gets
its `required` verdict; what G2 cannot tell is what it cannot tell anywhere.
"""

import json
import os
import secrets
import time
from pathlib import Path

import pytest

from attacks import phases
from attacks.test_attacks import ATTACKS, HANGS, MAY_WIN_AT_G2, base, judge, snapshot, upstream
from attacks.test_probes import LIMITS, PROBES, job, stand_in_harness, tools
from denominator.adapters.sandboxes.facts import NAMES
from denominator.records.envelopes import SandboxTerms

__all__ = ["base", "tools", "upstream"]

pytestmark = pytest.mark.e2e
EVIDENCE = Path(__file__).parents[3] / "docs/evidence/docker.md"
HONEST = {"00-honest-gold": {"green"}, "00-honest-wrong": {"red"}}
ENGINES = ("dockerd", "podman")
ROWS: dict[str, tuple[str, str]] = {}
CONTAINED: dict[tuple[str, str], str] = {}
HELD: dict[str, dict[str, str]] = {}


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
    ROWS[name] = (wide.grade, apart.grade)
    judge(name, [wide, wide, apart])


@pytest.mark.parametrize("engine", ENGINES)
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
    CONTAINED[engine, name] = "contained"


@pytest.mark.parametrize("engine", ENGINES)
def test_protections(engine, boxes):
    protections = boxes(engine).facts(SandboxTerms()).protections
    HELD[engine] = {each.name: "holds" if each.holds else "does not hold" for each in protections}
    assert set(HELD[engine].values()) == {"holds"}


def evidence() -> str:
    """The page docs/evidence/docker.md, from the rows of a whole run."""
    lines = [
        "# Attacks and probes in containers",
        "",
        "Written by `tests/e2e/docker/test_attacks.py` from a whole run (`make e2e` with `DENOMINATOR_EVIDENCE=write`); the same",
        "test fails when a run differs from this page. The engines are private ones of the system's packages (dockerd; Podman with",
        "runc), the base image is made of chosen folders of the host, without any registry. That every attack wins against a",
        "careless grader, and what each does, is on [the page of bubblewrap](attacks-g2.md); the same two phases run here.",
        "",
        "| attack | required | G2, all paths | G3, all paths |",
        "|---|---|---|---|",
    ]
    for name in ATTACKS:
        required = "green" if name == "00-honest-gold" else "red" if name in HONEST else "red or tampered"
        note = " (possible at G2)" if name in MAY_WIN_AT_G2 and ROWS[name][0] == "green" else ""
        lines.append(f"| {name} | {required} | {ROWS[name][0]}{note} | {ROWS[name][1]} |")
    lines += ["", "| probe | " + " | ".join(ENGINES) + " |", "|---|---|---|"]
    lines += [f"| {name} | " + " | ".join(CONTAINED[each, name] for each in ENGINES) + " |" for name in PROBES]
    lines += ["", "| protection, tried | " + " | ".join(ENGINES) + " |", "|---|---|---|"]
    lines += [f"| {name} | " + " | ".join(HELD[each][name] for each in ENGINES) + " |" for name in NAMES]
    return "\n".join(lines) + "\n"


def test_the_evidence_is_current():
    whole = ROWS.keys() == ATTACKS.keys() and len(CONTAINED) == len(PROBES) * len(ENGINES) and len(HELD) == len(ENGINES)
    if not whole:
        pytest.skip("not everything ran in this process")
    if os.environ.get("DENOMINATOR_EVIDENCE") == "write":
        EVIDENCE.write_text(evidence())
    assert EVIDENCE.read_text() == evidence()
