"""Carries out a list of steps in the repository and logs each as a tool call. Runs inside the sandbox.

`drive.py STEPS.json`: a list of `{"kind": run|write|patch|ask|abstain|sleep, ...}`. Exit 0 when all were carried out,
whatever the commands in them returned; 1 when a write or a patch failed.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any


def main(argv: list[str]) -> int:
    """Carries out the steps of the file named in `argv`, in order, and stops at the first write or patch that fails."""
    steps_file = Path(argv[1])
    sys.path.insert(0, str(steps_file.parent))
    started = time.monotonic_ns()
    with Path(os.environ["DENOMINATOR_TOOLS"]).open("a", encoding="utf-8") as log:
        for seq, step in enumerate(json.loads(steps_file.read_text("utf-8")), start=1):
            code, result = _carry_out(step, steps_file.parent)
            row = {
                "seq": seq,
                "name": step["kind"],
                "args": {name: value for name, value in step.items() if name != "kind"},
                "exit": code,
                "result_sha256": hashlib.sha256(result).hexdigest(),
                "t_ms": (time.monotonic_ns() - started) // 1_000_000,
            }
            log.write(json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n")
            log.flush()
            if code and step["kind"] in ("write", "patch"):
                return 1
    return 0


def _carry_out(step: dict[str, Any], folder: Path) -> tuple[int, bytes]:
    work = Path(os.environ["DENOMINATOR_WORK"])
    kind = step["kind"]
    try:
        if kind == "run":
            return _run(step["command"], work)
        if kind == "write":
            target = work / step["path"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((folder / step["file"]).read_bytes())
        elif kind == "patch":
            patcher = importlib.import_module("apply_patch")
            return 0, "\n".join(patcher.apply((folder / step["file"]).read_bytes(), work)).encode()
        elif kind in ("ask", "abstain"):
            Path(os.environ[f"DENOMINATOR_{kind.upper()}"]).write_text(step["text"], encoding="utf-8")
        elif kind == "sleep":
            time.sleep(float(step["seconds"]))
    # What goes wrong in a step is the scripted agent's own failure: said, logged, and visible in the exit code.
    except Exception as error:
        said = f"{kind}: {type(error).__name__}: {error}"
        print(said, file=sys.stderr, flush=True)
        return 1, said.encode("utf-8", "replace")
    return 0, b""


def _run(command: str, work: Path) -> tuple[int, bytes]:
    # A file, not a pipe: a process left in the background must not keep us waiting for the end of its output.
    with tempfile.TemporaryFile() as out:
        shell = ["/bin/sh", "-c", command]
        done = subprocess.run(
            shell, cwd=work, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, check=False
        )
        out.seek(0)
        output = out.read()
    print(f"$ {command}", flush=True)
    sys.stdout.buffer.write(output)
    sys.stdout.buffer.flush()
    return (done.returncode if done.returncode >= 0 else 128 - done.returncode), output


if __name__ == "__main__":
    sys.exit(main(sys.argv))
