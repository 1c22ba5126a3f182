"""Without a file system of its own an agent names its folders by the host's paths: they are its own, and the run is not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from denominator.adapters.sandboxes.landlock import calls
from denominator.pipeline.results import judge_run
from e2e import runs

pytestmark = [pytest.mark.e2e]
OWN = r"""
log() { printf '{"seq": %s, "name": "run", "args": %s}\n' "$1" "$2" >> "$DENOMINATOR_TOOLS"; }
here=$(pwd)
log 1 "{\"command\": \"cat $here/bounds.py $here/./sub/../wordy.py; ls $here\"}"
log 2 "{\"path\": \"$here/bounds.py\"}"
log 3 "{\"command\": \"cd $here && ls $TMPDIR; ls $(dirname "$DENOMINATOR_TOOLS"); cat ${DENOMINATOR_PROMPT:-README.md} $HOME/x\"}"
"""
BEYOND = OWN + 'log 4 "{\\"command\\": \\"cat $here/../../../seal.json\\"}"\n'
RUN_FILE = OWN + 'log 4 "{\\"command\\": \\"cat RUNROOT/r/journal.db\\"}"\n'


def looked(folder: Path, sandbox: str, script: str, *words: str) -> tuple[str, ...]:
    """What a real run of this agent says of its looks beyond the task."""
    runs.make_pack(folder, "clamp-low")
    script = script.replace("RUNROOT", str(folder / "runs"))
    arm = {"label": "own", "agent": "command", "command": ["sh", "-c", script]}
    (folder / "envelope.toml").write_text(runs.envelope([arm], sandbox={"backend": sandbox}))
    argv = ["run", "envelope.toml", "--run-id", "r", *words]
    done = runs.cli(folder, *argv)
    assert done.code in (0, 1), done.err
    (draw,) = judge_run(runs.opened(folder, "r")).judged.sheet.draws
    assert draw.row is not None and isinstance(draw.row.looked_beyond, tuple), draw
    return draw.row.looked_beyond


@pytest.mark.parametrize(("script", "found"), [(OWN, ""), (BEYOND, "the run"), (RUN_FILE, "the run")])
@pytest.mark.parametrize("backend", ["bare", "landlock"])
def test_its_own_folders_are_its_own_whatever_they_are_called(
    tmp_path: Path, backend: str, script: str, found: str
) -> None:
    if backend == "landlock" and calls.abi() < calls.LEAST_ABI:
        pytest.skip("the Landlock of this kernel is too old")
    if backend == "landlock" and script is BEYOND and os.geteuid() == 0:
        pytest.skip("as root a workspace has a place of its own, above which there is no run")
    tmp_path.chmod(0o755)
    sandbox, words = ("bubblewrap", ("--no-sandbox",)) if backend == "bare" else ("landlock", ())
    if script is BEYOND and backend == "landlock" and os.geteuid() == 0:
        found = ""  # its folder is a place of a mount of its own: climbing from there leads to no run
    told = looked(tmp_path, sandbox, script, *words)
    assert {one.partition(":")[0] for one in told} == ({found} if found else set()), told


@pytest.mark.parametrize("backend", ["bare", "landlock"])
def test_the_repository_of_an_agent_is_its_workspace(tmp_path: Path, backend: str) -> None:
    """It begins there, and the one commit is made there, whatever lies at /work on this machine."""
    if backend == "landlock" and calls.abi() < calls.LEAST_ABI:
        pytest.skip("the Landlock of this kernel is too old")
    tmp_path.chmod(0o755)
    sandbox, words = ("bubblewrap", ("--no-sandbox",)) if backend == "bare" else ("landlock", ())
    top = 'test "$(git rev-parse --show-toplevel)" = "$(pwd -P)" && test "$(git log --format=%s)" = base'
    path = '{"seq": 1, "name": "run", "args": {"path": "/proc/%s/mem"}}\\n'
    script = f"number=1; {top} && number=4; printf '{path}' $number > \"$DENOMINATOR_TOOLS\""
    assert [one.rpartition(" ")[2] for one in looked(tmp_path, sandbox, script, *words)] == ["/proc/4/mem"]
