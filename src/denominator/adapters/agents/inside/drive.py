"""Carries out a list of steps in the repository and logs each as a tool call. Runs inside the sandbox.

`drive.py STEPS.json`: a list of `{"kind": run|write|patch|ask|abstain|sleep, "times": 1, "args": {...}, "file": NAME}`.
Exit 0 when all were carried out, whatever the commands in them returned; 1 when a write or a patch failed. A step with a
file is logged with the file's digest, so that equal steps are equal calls.
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
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def main(argv: list[str]) -> int:
    """Carries out the steps of the file named in `argv`, in order, and stops at the first write or patch that fails."""
    steps_file = Path(argv[1])
    sys.path.insert(0, str(steps_file.parent))
    started = time.monotonic_ns()
    with Path(os.environ["DENOMINATOR_TOOLS"]).open("a", encoding="utf-8") as log:
        for seq, step in enumerate(_steps(steps_file), start=1):
            body = (steps_file.parent / step["file"]).read_bytes() if "file" in step else b""
            code, result = _carry_out(step["kind"], step["args"], body)
            row = {
                "seq": seq,
                "name": step["kind"],
                "args": {**step["args"], **({"sha256": hashlib.sha256(body).hexdigest()} if "file" in step else {})},
                "exit": code,
                "result_sha256": hashlib.sha256(result).hexdigest(),
                "t_ms": (time.monotonic_ns() - started) // 1_000_000,
            }
            log.write(json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n")
            log.flush()
            if code and step["kind"] in ("write", "patch"):
                return 1
    return 0


def _steps(steps_file: Path) -> Iterator[dict[str, Any]]:
    for step in json.loads(steps_file.read_text("utf-8")):
        for _ in range(step["times"]):
            yield step


def _carry_out(kind: str, args: dict[str, str], body: bytes) -> tuple[int, bytes]:
    work = Path(os.environ["DENOMINATOR_WORK"])
    try:
        if kind == "run":
            return _run(args["command"], work)
        if kind == "write":
            target = work / args["path"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(body)
        elif kind == "patch":
            patcher = importlib.import_module("apply_patch")
            return 0, "\n".join(patcher.apply(body, work)).encode()
        elif kind in ("ask", "abstain"):
            Path(os.environ[f"DENOMINATOR_{kind.upper()}"]).write_text(args["text"], encoding="utf-8")
        elif kind == "sleep":
            time.sleep(float(args["seconds"]))
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
