"""Consoles that show little, readers that leave, streams that are closed: printing never changes what a verb says by its exit code."""

from __future__ import annotations

import io
import json
import sys

import pytest

from denominator.cli import output
from denominator.cli.main import run_cli
from e2e.cli_lab import ANSI, process, shell_line, terminal

TASK = "größe-² ✅ 第二行"
ROWS = (
    json.dumps({"run_id": "i6", "task_id": TASK, "attempt": 1, "outcome": "pass", "reason": None}, ensure_ascii=False)
    + "\n"
)
MANIFEST = json.dumps({"claim_id": "größe-²", "dataset": {"name": "naïve-✅", "task_count": 1}}, ensure_ascii=False)
CONSOLES = ["ascii", "cp1252", "gbk", "latin-1", "utf-8", "ascii:strict", "utf-16"]


@pytest.fixture
def foreign(here):
    (here / "in").mkdir()
    (here / "in" / "runs.jsonl").write_text(ROWS, encoding="utf-8")
    (here / "in" / "manifest.json").write_text(MANIFEST, encoding="utf-8")
    return here


class Console(io.TextIOWrapper):
    """A console of an encoding, as Python opens one."""

    def __init__(self, name: str) -> None:
        encoding, _, errors = name.partition(":")
        super().__init__(io.BytesIO(), encoding=encoding, errors=errors or "strict")

    def text(self) -> str:
        self.flush()
        return self.buffer.getvalue().decode(self.encoding)


def on_console(name: str, monkeypatch: pytest.MonkeyPatch, *args: str) -> tuple[int, str, str]:
    out, err = Console(name), Console(name)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    code = run_cli(list(args))
    monkeypatch.undo()
    assert "E008" not in err.text(), err.text()
    return code, out.text(), err.text()


@pytest.mark.parametrize("console", CONSOLES)
@pytest.mark.parametrize("more", [(), ("--brief",), ("--json",)], ids=["card", "brief", "json"])
def test_case_088_a_console_that_cannot_show_a_character(console, more, foreign, monkeypatch):
    monkeypatch.chdir(foreign)
    code, out, err = on_console(console, monkeypatch, "import", "rows", str(foreign / "in"), *more)
    assert code == 0
    if more == ("--json",):
        assert json.loads(out)["card"]["pack"] == "größe-²", "what cannot be shown is escaped, not lost"
    else:
        assert "1 declared" in out and "runs.jsonl" in err


@pytest.mark.parametrize("console", CONSOLES)
def test_errors_on_any_console(console, foreign, monkeypatch):
    code, out, err = on_console(console, monkeypatch, "card", "größe-✅\udcff")
    assert (code, out) == (2, "") and "no run is called" in err


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "gbk"])
def test_case_088_as_a_process_and_files_are_utf8(encoding, foreign):
    said = process(
        foreign,
        "import",
        "rows",
        "in",
        "-o",
        f"kept-{encoding}",
        env={"PYTHONIOENCODING": encoding, "LANG": "C", "LC_ALL": "C"},
    )
    assert said.code == 0
    assert TASK in (foreign / f"kept-{encoding}" / "ledger.json").read_text(encoding="utf-8")


def test_json_goes_through_any_pipe(foreign):
    said = process(
        foreign,
        "import",
        "rows",
        "in",
        "--json",
        env={"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    )
    assert said.code == 0 and said.json["card"]["pack"] == "größe-²"


STREAMS = {
    "a reader that leaves": ("denominator {} | head -c 1 > /dev/null; exit ${{PIPESTATUS[0]}}", None),
    "stdout closed": ("denominator {} >&-", None),
    "stderr closed": ("denominator {} 2>&-", None),
    "all closed": ("denominator {} <&- >&- 2>&-", None),
    "stderr full": ("denominator {} 2> /dev/full", None),
    "stdout full": ("denominator {} > /dev/full", 2),
}


@pytest.mark.parametrize("stream", STREAMS)
@pytest.mark.parametrize(("verb", "code"), [("import rows in", 0), ("card nothing", 2)])
def test_streams_that_are_not_there(stream, verb, code, foreign):
    line, other = STREAMS[stream]
    said = shell_line(foreign, line.format(verb))
    expected = other if other is not None and verb != "card nothing" else code
    assert said.code == expected
    if stream == "stdout full" and verb != "card nothing":
        assert "No space left on device" in said.err


@pytest.mark.parametrize(("line", "code"), [("--help >&-", 0), ("--help > /dev/full", 2), ("--help | true", 0)])
def test_the_help_that_is_not_read(line, code, foreign):
    assert shell_line(foreign, f"denominator {line}; exit ${{PIPESTATUS[0]}}").code == code


def test_a_reader_that_leaves_early_does_not_turn_blocked_into_done(foreign):
    """More text than a pipe holds, so that the pipe breaks while we write."""
    rows = "".join(
        json.dumps({"run_id": "r", "task_id": f"t{n}", "attempt": 1, "outcome": "maybe"}) + "\n" for n in range(1500)
    )
    (foreign / "odd.jsonl").write_text(rows)
    said = shell_line(foreign, "denominator import rows odd.jsonl --json | true; exit ${PIPESTATUS[0]}")
    assert said.code == 1


def test_control_characters_of_foreign_rows_are_shown(foreign, cli):
    (foreign / "ctl.jsonl").write_text(
        '{"run_id": "r\\u0007", "task_id": "a\\u001b[31mb\\u202e", "attempt": 1, "outcome": "pass"}\n'
    )
    for more in ((), ("--brief",)):
        said = cli("import", "rows", "ctl.jsonl", *more)
        assert said.code == 1 and not set(said.out + said.err) & set("\x07\x1b\u202e")
        assert "r\\u0007" in said.out


@pytest.mark.parametrize("text", ["a\x1b[31mb", "\x9b31m", "\x00", "\r", "\u2028", "\u202e", "\u2066"])
def test_clean_leaves_no_control(text):
    shown = output.clean(text)
    assert "\\" in shown and shown.isprintable()
    assert output.clean("ok\tü\n✅") == "ok\tü\n✅"


@pytest.mark.parametrize(("env", "colour"), [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)])
def test_colour_only_at_a_terminal_that_wants_it(env, colour, foreign):
    said = terminal(foreign, "import", "rows", "in", "--brief", env=env)
    assert said.code == 0 and (ANSI in said.err) is colour


def test_no_colour_where_there_is_no_terminal(foreign, cli):
    said = cli("import", "rows", foreign / "in")
    assert ANSI not in said.out + said.err
