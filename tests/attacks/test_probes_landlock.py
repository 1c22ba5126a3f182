"""The probes 50 to 58 against the weak sandbox: each is contained, but for what its facts say that does not hold."""

import json
import secrets
import time
from pathlib import Path

import pytest

from attacks.phases import CORPUS
from attacks.test_probes import LIMITS, PROBES, stand_in_harness, upstream  # noqa: F401 - a fixture
from denominator.adapters.sandboxes.landlock import calls
from denominator.adapters.sandboxes.landlock.backend import Landlock
from denominator.ports import Job, Mount
from denominator.records.envelopes import SandboxTerms

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(calls.abi() < calls.LEAST_ABI, reason="the Landlock of this kernel is too old"),
]

NEEDS = {"53-fork-bomb": "process_limit", "54-memory-bomb": "memory_limit", "55-disk-fill": "file_size_limit"}
"""What contains a probe, where that is no wall: it is skipped where the facts say that it does not hold."""


@pytest.fixture(scope="module")
def box():
    made = Landlock()
    yield made
    made.close()


def outside(path: Path) -> str:
    """A path of the host, so written that it is not taken for one inside."""
    return f"/{path}"


@pytest.mark.parametrize("name", PROBES)
def test_contained(name, box, upstream, tmp_path):  # noqa: F811
    assert json.loads((CORPUS / name / "expected.json").read_text())["required"] == "contained"
    held = {each.name for each in box.facts(SandboxTerms()).protections if each.holds}
    if NEEDS.get(name, "no_network") not in held:
        pytest.skip(f"the facts say that {NEEDS[name]} does not hold here")
    tools = tmp_path / "bin"
    tools.mkdir(mode=0o755)
    (tools / "python").write_text('#!/bin/sh\nexec /usr/bin/python3 "$@"\n')
    (tools / "python").chmod(0o755)
    hidden = tmp_path / "run/pack/hidden/test_hidden.py"
    hidden.parent.mkdir(parents=True)
    hidden.write_text("# hidden\n")
    work = box.workspace(tmp_path / "work", role="agent", slot=0, disk_bytes=LIMITS.disk_bytes)
    out = box.workspace(tmp_path / "out", role="agent", slot=0, disk_bytes=LIMITS.disk_bytes)
    harness = f"harness-{secrets.token_hex(8)}"
    env = {"RUNDIR": outside(tmp_path / "run"), "HIDDEN_TESTS_DIR": outside(hidden.parent), "UPSTREAM": upstream}
    pattern = Path("/proc/sys/kernel/core_pattern").read_text()
    with stand_in_harness(harness):
        ended = box.run(
            Job(
                argv=("bash", "/probe/agent.sh"),
                role="agent",
                limits=LIMITS,
                workdir=work,
                outdir=out,
                mounts=(Mount(host=CORPUS / name, inside="/probe"), Mount(host=tools, inside="/opt/tools")),
                env={
                    "PATH": "/opt/tools:/usr/bin:/bin",
                    "VIRTUAL_ENV": "/usr",
                    "OUT": "/out",
                    "HARNESS_CMD": harness,
                    **env,
                },
            )
        )
    assert not ended.start_error
    if name.startswith("56"):
        time.sleep(1.5)  # the daemon would touch its file one second after the end
    assert list(out.iterdir()) == [], ended
    assert hidden.read_text() == "# hidden\n"
    assert Path("/proc/sys/kernel/core_pattern").read_text() == pattern
    box.discard(work)
    box.discard(out)
