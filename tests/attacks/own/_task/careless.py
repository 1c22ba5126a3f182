"""A careless grader of each bench, for a throw-away sandbox: one folder, exit codes, first answers, faults excused. Says its word on fd 3."""

import json
import os
import socket
import subprocess
import sys
import urllib.request

LIMIT_S = 4
CASES = [([4, 1, 3, 2], 2.5), ([2, 1], 1.5)]
SERVE = """
import json, os, sys
sock = int(sys.argv[1])
for line in os.fdopen(os.dup(sock), "rb"):
    request = json.loads(line)
    try:
        import calc
        answer = {"id": request["id"], "ok": calc.median(request["args"])}
    except Exception as error:
        answer = {"id": request["id"], "raised": [type(error).__name__, str(error)]}
    os.write(sock, json.dumps(answer).encode() + b"\\n")
"""
PAY = """
import shop
calls = []
good = shop.pay(calls.append, 5) == "paid" and len(calls) == 1
raise SystemExit(not good)
"""


def by_exit(argv):
    """The exit status decides; what looks like a fault of the harness is excused."""
    done = subprocess.run(argv, capture_output=True, timeout=LIMIT_S, text=True, errors="replace")
    if done.returncode >= 124 or "bwrap:" in done.stderr:
        raise OSError(done.stderr)
    return done.returncode == 0


def calls():
    """One child, one line an answer, the words of a failure written to a log as they come."""
    ours, theirs = socket.socketpair()
    ours.settimeout(LIMIT_S)
    with subprocess.Popen([sys.executable, "-c", SERVE, str(theirs.fileno())], pass_fds=[theirs.fileno()]):
        theirs.close()
        with ours, ours.makefile("rb") as lines, open("/tmp/log", "w", encoding="utf-8") as log:
            good = True
            for number, (xs, right) in enumerate(CASES):
                ours.sendall(json.dumps({"id": number, "args": xs}).encode() + b"\n")
                answer = json.loads(lines.readline())
                log.write("".join(answer.get("raised", [])))
                good = good and answer.get("ok") == right
            return good


def report():
    path = os.environ["REPORT"] = "/tmp/report"
    with subprocess.Popen([sys.executable, "/hidden/check.py"]) as process:
        process.wait(LIMIT_S)
    import time

    time.sleep(0.1)
    with open(path) as file:
        return json.load(file)["success"]


def tool():
    done = subprocess.run([sys.executable, "tool.py"], input="3 1 2", capture_output=True, timeout=LIMIT_S, text=True)
    return done.returncode == 0 and open("out.txt").read() == "1 2 3"


def app():
    os.environ["PORT"] = "8123"
    process = subprocess.Popen([sys.executable, "app.py"])
    import time

    time.sleep(1)
    request = urllib.request.Request("http://127.0.0.1:8123/sum", b"[1, 2, 3]")
    with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
        good = json.load(answer) == {"total": 6}
    process.kill()
    return good


KINDS = {
    "calls": calls, "report": report, "tool": tool, "app": app,
    "stubs": lambda: by_exit([sys.executable, "-c", PAY]),
    "unittest": lambda: by_exit([sys.executable, "-m", "unittest", "discover", "-s", "/hidden", "-p", "test_hidden.py", "-t", "/hidden"]),
    "values": lambda: by_exit([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "/hidden/test_hidden.py"]),
}  # fmt: skip

if __name__ == "__main__":
    import signal

    signal.signal(signal.SIGALRM, lambda *_: sys.exit("too late"))
    signal.alarm(3 * LIMIT_S)
    os.environ["PYTHONPATH"] = os.getcwd()
    os.set_inheritable(3, False)
    try:
        word = "pass" if KINDS[sys.argv[1]]() else "fail"
    except BaseException as error:
        word = "excluded"
        print(f"{type(error).__name__}: {str(error)[:300]!r}", file=sys.stderr)
    os.write(3, word.encode())
    os._exit(0)
