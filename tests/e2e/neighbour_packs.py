"""Neighbours of the public cases that are about packs: what no agent could pass, and what `pack lock` has to refuse."""

from __future__ import annotations

import base64
import codecs
import gzip
import io
import tarfile
import zipfile
from typing import Any

from e2e.cases_lab import Task
from e2e.cases_page import FAIL, GRADER, HARNESS, PASS, SANDBOX, Want
from e2e.cases_scenes import (
    CASES,
    RIGHT,
    SOLVE,
    SUITE,
    UNIT,
    UNIT_FILES,
    UNIT_VERIFY,
    WRONG,
    command_task,
    python,
    unit_task,
)

ANY_HARNESS = Want("unscoreable", origin="HARNESS")
MOUNT = (
    UNIT
    + "\n    def test_mount(self):\n        import ctypes, os\n        libc = ctypes.CDLL(None, use_errno=True)\n        done = libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)\n        if done:\n            raise OSError(ctypes.get_errno(), 'mount: ' + os.strerror(ctypes.get_errno()))\n"
)
PTRACE = (
    UNIT
    + "\n    def test_trace(self):\n        import ctypes, os\n        libc = ctypes.CDLL(None, use_errno=True)\n        pid = os.fork()\n        if not pid:\n            import time; time.sleep(3); os._exit(0)\n        done = libc.ptrace(16, pid, 0, 0)\n        print('ptrace:', os.strerror(ctypes.get_errno()), flush=True)\n        self.assertEqual(done, 0)\n"
)
QUIET = (
    UNIT
    + "\n    def test_quiet(self):\n        import subprocess\n        done = subprocess.run(['unshare', '-m', 'true'], capture_output=True)\n        self.assertEqual(done.returncode, 0)\n"
)
NET = (
    UNIT
    + "\n    def test_net(self):\n        import socket\n        socket.create_connection(('192.0.2.1', 80), timeout=2)\n"
)


def one_more(test: str, text: str, id_: str) -> Task:
    """A task with one more expected test."""
    return unit_task(
        id_,
        hidden={**UNIT_FILES, "test_vat_unit.py": text},
        verify={**UNIT_VERIFY, "expected_tests": [*UNIT_VERIFY["expected_tests"], f"test_vat_unit.Values.{test}"]},
    )


def script(id_: str, text: str, suite: str = SUITE, **over: Any) -> Task:
    """A task that a script of the pack grades."""
    return command_task(id_, "sh $HIDDEN/run.sh", {"suite.py": suite, "run.sh": text}, **over)


S = "/usr/bin/python3 -B $HIDDEN/suite.py"
BAD = python("def total(prices, vat):\n    return 1")
# task, the agent's script, what is right
BROKEN: dict[str, tuple[str, Task, str, Want]] = {
    "025-mount": ("the sandbox refuses a mount to the tests, with the reference too", one_more("test_mount", MOUNT, "025-mount"), SOLVE, SANDBOX),
    "025-ptrace": ("it refuses to trace a process", one_more("test_trace", PTRACE, "025-ptrace"), SOLVE, ANY_HARNESS),
    "025-quiet": ("it refuses a namespace and the test prints nothing", one_more("test_quiet", QUIET, "025-quiet"), SOLVE, ANY_HARNESS),
    "025-net": ("tests reach for the network, which is off", one_more("test_net", NET, "025-net"), SOLVE, ANY_HARNESS),
    "057-126": ("the test script may not be executed", command_task("057-126", "$HIDDEN/run.sh", {"suite.py": SUITE, "run.sh": "exit 0\n"}), SOLVE, HARNESS),
    "057-import": ("the suite imports what the image lacks", script("057-import", S, "import absent_helper\n" + SUITE), SOLVE, ANY_HARNESS),
    "057-skips": ("the suite skips all its tests, status 0", script("057-skips", S, SUITE.replace('"<failure/>" if bad and n == 6 else ""', '"<skipped/>"')), SOLVE, ANY_HARNESS),
    "057-half": ("the report lacks a test that is expected, status 0", script("057-half", S, SUITE.replace("range(7)", "range(6)")), SOLVE, ANY_HARNESS),
    "057-segv": ("only the agent's patch makes the suite die of SIGSEGV", script("057-segv", S), python("import ctypes\n\ndef total(prices, vat):\n    ctypes.string_at(0)"), FAIL),
    "057-kill": ("only the agent's patch makes the suite die of SIGKILL", script("057-kill", S), python("import os\n\ndef total(prices, vat):\n    os.kill(os.getpid(), 9)"), FAIL),
    "057-124": ("only the agent's patch makes it leave with 124", script("057-124", S), python("import os\n\ndef total(prices, vat):\n    os._exit(124)"), FAIL),
    "057-zero": ("only the agent's patch makes it leave with 0 and no report", script("057-zero", S), python("import os\n\ndef total(prices, vat):\n    os._exit(0)"), FAIL),
    "057-late": ("all tests pass, and the solution makes the status 3", script("057-late", S), python("import atexit, os\natexit.register(os._exit, 3)\n" + RIGHT), Want("fail")),
    "058-exit0": ("the script ends with exit 0 after a red suite, for the reference too", script("058-exit0", f"{S} red\necho $? > status\nexit 0\n"), SOLVE, GRADER),
    "058-or": ("the script says `|| true`, for the reference too", script("058-or", f"{S} red || true\n"), SOLVE, GRADER),
    "058-one": ("the script leaves with 1 though all passed, for the reference too", script("058-one", f"{S}\nexit 1\n"), SOLVE, GRADER),
    "058-twin": ("`|| exit`, and a right patch", script("058-twin", f"{S} || exit $?\n"), SOLVE, PASS),
    "058-twin-red": ("the same, and a wrong patch", script("058-twin-red", f"{S} || exit $?\n"), BAD, FAIL),
}  # fmt: skip

COMMAND = {"runner": "command", "level": "G1", "report": "junit", "expected_tests": CASES}


def by(command: str, **files: str) -> dict[str, Any]:
    """A task graded by this command."""
    return {"verify": COMMAND | {"command": command}, "hidden": {"suite.py": SUITE, **files}}


def zipped(text: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("old/bill.py", text)
    return made.getvalue()


def tarred(text: str) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as archive:
        one = tarfile.TarInfo("x/test_vat_unit.py")
        one.size = len(text)
        archive.addfile(one, io.BytesIO(text.encode()))
    return made.getvalue()


TOKEN = "CANARY-5e5e5e-90ab"
CARD = {"slice": "canary", "canary": TOKEN}
Spoil = dict[str, Any]
# what, how the pack is spoilt; True: refused
LOCKS: dict[str, tuple[str, Spoil, bool]] = {
    "056-none": ("tests, none of them expected", {"verify": UNIT_VERIFY | {"expected_tests": [], "counter_tests": []}}, True),
    "056-counter": ("only a counter-test", {"verify": UNIT_VERIFY | {"expected_tests": []}}, True),
    "056-absent": ("an expected test that is not there", {"verify": UNIT_VERIFY | {"expected_tests": ["test_vat_unit.Values.test_gone"]}}, True),
    "056-true": ("the command `true`", {"verify": {"runner": "command", "level": "G1", "command": "true"}, "hidden": {}}, True),
    "056-hollow": ("a test that asserts nothing", {"hidden": {**UNIT_FILES, "test_vat_unit.py": UNIT.replace("self.assertEqual(sut.call('bill:total', [100], 10), 110)", "pass")}}, True),
    "056-guard": ("a script that runs its suite only if a file is there", by("sh $HIDDEN/run.sh", **{"run.sh": "if [ -f /nowhere ]; then " + S + "; fi\n"}), True),
    "056-twin": ("one test is enough", {}, False),
    "058-or": ("`|| true`", by(f"{S} || true"), True),
    "058-semicolon": ("`; exit 0`", by(f"{S}; exit 0"), True),
    "058-line": ("a second line", by(f"{S}\ntrue"), True),
    "058-background": ("`&`", by(f"{S} & wait"), True),
    "058-not": ("`!`", by(f"! {S}"), True),
    "058-grep": ("`| grep -q passed`", by(f"{S} | grep -q passed"), True),
    "058-trap": ("a trap", by(f"trap 'exit 0' EXIT; {S}"), True),
    "058-subshell": ("a pipe in brackets", by(f"( {S} | tee out.txt )"), True),
    "058-bash-c": ("a pipe inside `bash -c`", by(f"bash -c '{S} | tee out.txt'"), True),
    "058-twin-quoted": ("a bar in quotation marks", by(f"{S} --only 'a|b;c'"), False),
    "058-twin-and": ("`&&`", by(f"cd . && {S}"), False),
    "058-twin-pipefail": ("pipefail", by(f"bash -c 'set -o pipefail; {S} | tee /tmp/out.txt'"), False),
    "058-twin-file": ("into a file", by(f"{S} > /tmp/out.txt 2>&1"), False),
    "092-nested-git": ("a history in a folder below", {"late": {"repo/vendor/x/.git/HEAD": "ref: refs/heads/main\n", "repo/vendor/x/.git/packed-refs": f"{'b' * 40} refs/heads/fix\n"}}, True),
    "092-rej": ("a .rej file of the fix", {"late": {"repo/src/bill.py.rej": "-    return sum(prices)\n+    return sum(prices) + sum(prices) * vat // 100\n"}}, True),
    "092-built": ("an old build with the mended file", {"late": {"repo/build/lib/bill.py": RIGHT}}, True),
    "092-zip": ("an archive with the mended file", {"late": {"repo/dist/bill-2.zip": zipped(RIGHT)}}, True),
    "092-tar": ("an archive with the hidden test", {"late": {"repo/tests.tar.gz": tarred(UNIT)}}, True),
    "092-other-name": ("the hidden test under another name", {"late": {"repo/tests/check_totals.py": UNIT}}, True),
    "092-history": ("a shell history with the fix", {"late": {"repo/.bash_history": "ls\nsed -i 's|sum(prices)$|sum(prices) + sum(prices) * vat // 100|' src/bill.py\n"}}, True),
    "092-base64": ("the mended file in base64", {"late": {"repo/notes.txt": base64.b64encode(RIGHT.encode()).decode() + "\n"}}, True),
    "092-gzip": ("the mended file compressed", {"late": {"repo/bill.py.gz": gzip.compress(RIGHT.encode())}}, True),
    "092-twin-archive": ("an archive with something else", {"late": {"repo/data.zip": zipped("rates = [1, 2, 3]\n")}}, False),
    "092-twin-doc": ("documents that name the function", {"late": {"repo/docs/use.md": "`total(prices, vat)` returns a sum.\n"}}, False),
    "093-readme": ("the card in the README", {"more": CARD, "late": {"repo/README.md": f"See {TOKEN}\n"}}, True),
    "093-encoded": ("the card in base64 in the snapshot", {"more": CARD, "late": {"repo/x.txt": base64.b64encode(TOKEN.encode()).decode() + "\n"}}, True),
    "093-lower": ("the card in lower case in the prompt", {"more": CARD, "prompt": f"Mend it: {TOKEN.lower()}\n"}, True),
    "093-twin": ("another card's form", {"more": CARD, "hidden": {**UNIT_FILES, "n.txt": TOKEN}, "prompt": "Mend it. CANARY-ffffff-0000 is no card.\n"}, False),
    "094-readme": ("a hidden test's name in the README", {"late": {"repo/README.md": "test_vat is red.\n"}}, True),
    "094-comment": ("in a comment of a source", {"late": {"repo/src/bill.py": WRONG + "# TODO make Values.test_vat pass\n"}}, True),
    "094-spec": ("in the specification", {"late": {"spec/spec.md": "Must satisfy test_vat_unit.Values.test_vat\n"}}, True),
    "094-gold": ("a line of the reference patch in the prompt", {"prompt": "Use `return sum(prices) + sum(prices) * vat // 100`.\n"}, True),
    "094-gold-comment": ("the same as a comment", {"late": {"repo/src/bill.py": WRONG + "# return sum(prices) + sum(prices) * vat // 100\n"}}, True),
    "094-back": ("the hidden file with a backslash", {"prompt": "See hidden\\test_vat_unit.py\n"}, True),
    "094-file-name": ("in the name of a file", {"late": {"repo/out/test_vat_unit.log": "red\n"}}, True),
    "094-twin": ("the word vat", {"prompt": "The vat is added wrongly by `total`. Mend it, and run your tests.\n"}, False),
    "094-twin-visible": ("a visible test of another name", {"late": {"repo/tests/test_bill.py": "def test_nothing():\n    assert True\n"}}, False),
}  # fmt: skip

SOURCE = {
    name: f"CANARY-{number:06x}-{number * 7919:04x}"
    for number, name in enumerate(
        [
            "hex",
            "rot13",
            "reversed",
            "gzip",
            "url",
            "lower",
            "split",
            "name",
            "utf16",
            "log",
            "log64",
            "binary",
            "shape",
            "prefix",
            "twice64",
        ],
        0xA1B2C1,
    )
}


def _put(command: str) -> str:
    return f"{SOLVE}\n{command}"


def canary_scene(name: str) -> tuple[str, str, bool]:
    """What the agent does with the token of this task; True: contaminated."""
    token = SOURCE[name]

    def put(text: str) -> str:
        return _put(f"echo '# {text}' >> src/bill.py")

    return {
        "hex": ("in hexadecimal", put(token.encode().hex()), True),
        "rot13": ("in rot13", put(codecs.encode(token, "rot13")), True),
        "reversed": ("backwards", put(token[::-1]), True),
        "gzip": ("compressed, then base64", put(base64.b64encode(gzip.compress(token.encode(), mtime=0)).decode()), True),
        "twice64": ("base64 of base64", put(base64.b64encode(base64.b64encode(token.encode())).decode()), True),
        "url": ("as a web address has it", put("".join(f"%{byte:02X}" for byte in token.encode())), True),
        "lower": ("in small letters", put(token.lower()), True),
        "split": ("in two literals", put(f'"{token[:9]}" "{token[9:]}"'), True),
        "name": ("as a file's name", _put(f"echo x > src/{token}.py"), True),
        "utf16": ("in UTF-16", _put(f"printf %s '{token}' | iconv -t UTF-16LE > src/data.bin"), True),
        "binary": ("inside a binary file", _put(f"(head -c 300 /dev/zero; printf %s '{token}'; head -c 300 /dev/zero) > src/data.bin"), True),
        "log": ("printed by the agent, from nowhere it may read", _put(f"echo 'I know {token}'"), True),
        "log64": ("printed in base64", _put(f"echo 'I know {base64.b64encode(token.encode()).decode()}'"), True),
        "shape": ("another token of the same form", put("CANARY-777777-4242"), False),
        "prefix": ("the word CANARY", put("CANARY-"), False),
    }[name]  # fmt: skip


CANARIES = [
    unit_task(
        f"k-{name}",
        more={"slice": "canary", "canary": SOURCE[name]},
        hidden={**UNIT_FILES, "notes.txt": SOURCE[name]},
        allowed=("src/**",),
        prompt="Mend the total.\n",
    )
    for name in SOURCE
]
IDS_FINE = (
    "NUL",
    "com1.txt",
    "a:b",
    "-rf",
    "~root",
    "a%2Fb",
    "x=2e",
    "...",
    "caf\u00e9",
    "a*b?",
    "two  words",
    "q'uo\"te",
    "$(id)",
)
IDS_REFUSED = (
    ("..",), ("/abs/evil",), ("C:\\evil",), ("a/../../evil",), ("x\ny",), ("caf\u00e9", "cafe\u0301"), ("stra\u00dfe", "STRASSE"), ("a\x1b[31m",),
    ("\u202eb",),
)  # fmt: skip
