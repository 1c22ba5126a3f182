"""How an agent is started inside its sandbox: a repository with one commit, then the agent's program in our own place."""

from __future__ import annotations

from denominator.pipeline.world import OpenRun
from denominator.ports import AgentPlan

# Files that a .gitignore names are part of the snapshot too, hence -f. The job begins in the workspace, wherever that lies:
# without a file system of its own /work is a folder of the host's, or nothing.
LAUNCH = """\
if command -v git >/dev/null 2>&1; then
  (git init -q -b main . && git add -A -f && git commit -q --allow-empty --no-verify -m base) >/dev/null 2>&1
fi
unset GIT_AUTHOR_DATE GIT_COMMITTER_DATE
exec "$@"
"""

# The harness's pipe is fd 3. It closes when the agent's program begins, so the program cannot write there; only when it
# does not begin can "missing" be said. Whatever a shell's exit code 127 means, it is the agent's own.
BECOME = """\
import os, sys
os.set_inheritable(3, False)
os.write(3, b"started\\n")
try:
    os.execvp(sys.argv[1], sys.argv[1:])
except OSError as error:
    os.write(3, ("missing: %s: %s\\n" % (sys.argv[1], error.strerror)).encode("utf-8", "replace"))
    sys.exit(127)
"""
STARTED, MISSING = b"started\n", b"started\nmissing: "

GIT_ENV = {
    "GIT_AUTHOR_NAME": "task",
    "GIT_AUTHOR_EMAIL": "task@localhost",
    "GIT_COMMITTER_NAME": "task",
    "GIT_COMMITTER_EMAIL": "task@localhost",
    "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-01T00:00:00Z",
    # Where /etc is there and closed, git would take its own file there for a broken one.
    "GIT_CONFIG_NOSYSTEM": "1",
}
ENV = GIT_ENV | {"PYTHONPYCACHEPREFIX": "/tmp/pycache"}
FILES = {"launch.sh": LAUNCH.encode(), "become.py": BECOME.encode()}


def launched(run: OpenRun, plan: AgentPlan) -> tuple[str, ...]:
    """The command line that gives the agent its repository and then becomes the agent."""
    python = run.seal.envelope.sandbox.python
    return ("/bin/sh", "/in/launch.sh", python, "-I", "-S", "-B", "/in/become.py", *plan.argv)


def why_missing(report: bytes) -> str:
    """Why the agent's program did not begin, in the launcher's words; empty when it did."""
    if report.startswith(MISSING):
        return report[len(MISSING) :].decode("utf-8", "replace").strip()
    return ""


def never_begun(report: bytes) -> bool:
    """Did the launcher not even come as far as the agent's program?"""
    return not report.startswith(STARTED)
