"""Printing: data on stdout, words for people on stderr when stdout is data. Printing never changes an exit code."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
from collections.abc import Iterable
from typing import IO, TYPE_CHECKING

import click

from denominator.errors import InputError, MachineError

if TYPE_CHECKING:
    from denominator.publish.findings import About
    from denominator.publish.terminal.page import Page
    from denominator.records.cards import Card
    from denominator.records.events import Json
    from denominator.records.findings import Finding

CODES = (*range(32), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A))
CONTROLS = {code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" for code in CODES if chr(code) not in "\n\t"}
"""C0 and C1 control codes, line separators, and what turns the direction of a line."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")
format_option = click.option(
    "--format",
    "format_",
    type=click.Choice(("text", "json", "github", "junit", "sarif")),
    default="text",
    show_default=True,
    help="How findings are printed; github also writes the step's summary.",
)
brief_option = click.option("--brief", is_flag=True, help="Only verdict, counts, what blocks, and the sentence.")


def print_card(card: Card, brief: bool = False, full: bool = False) -> None:
    """A card as text, as wide as the terminal allows; `full` names every metric."""
    from denominator.publish.terminal import render_brief, render_card

    width = min(shutil.get_terminal_size((80, 24)).columns, 100)
    if brief:
        return _out(render_brief(card, width, color=use_color()))
    return _out(render_card(card, width, color=use_color(), full=full))


def format_chosen(format_: str, as_json: bool) -> str:
    """`--json` is `--format json`; two formats at once are a mistake."""
    if as_json and format_ not in ("text", "json"):
        fix = f"leave out --json, or --format {format_}"
        raise InputError(f"one document on stdout, not json and {format_}", where="--format", fix=fix)
    return "json" if as_json else format_


def print_findings(findings: Iterable[Finding], format_: str, about: About) -> None:
    """Findings in one of the formats of other tools; with github the summary of the step too, where there is one."""
    from denominator.publish.findings import write

    given = tuple(findings)
    print_raw(write(given, format_, about))
    if format_ == "github" and os.environ.get("GITHUB_STEP_SUMMARY"):
        _summarize(given, about, os.environ["GITHUB_STEP_SUMMARY"])


def _summarize(findings: tuple[Finding, ...], about: About, path: str) -> None:
    """Add to the file that the step's runner named, up to its limit. A summary that cannot be written stops nothing."""
    from denominator.publish.findings import SUMMARY_BYTES, write_summary

    try:
        with open(path, "a", encoding="utf-8") as file:  # noqa: PTH123
            file.write(write_summary(findings, about, SUMMARY_BYTES - file.tell()))
    except OSError as error:
        note(f"the summary of the step cannot be written: {path}: {error.strerror}")


def print_json(value: Json) -> None:
    """One JSON document, indented for people who look anyway; escaped where the console cannot show a character."""
    text = json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True)
    _out(text if _encodable(text, sys.stdout) else json.dumps(value, indent=2, sort_keys=True))


def print_text(text: str) -> None:
    """Text as data; control characters are shown, not obeyed."""
    _out(clean(text))


def print_page(page: Page) -> None:
    """A page with its own paint: it has already shown every control character of foreign text as its code."""
    _out(page.text().removesuffix("\n"))


def print_raw(text: str) -> None:
    """Text as data without a newline of ours; control characters are shown, not obeyed."""
    _out(clean(text), "")


def note(text: str) -> None:
    """A line for people, on stderr. One that cannot be written is lost and stops nothing."""
    try:
        _write(sys.stderr, clean(text) + "\n")
    except (OSError, ValueError):
        let_go("stderr")


def draw(text: str) -> None:
    """Text as it is on stderr, terminal control included, and nothing behind it. What cannot be written is lost."""
    try:
        _write(sys.stderr, text)
    except (OSError, ValueError):
        let_go("stderr")


def _out(text: str, end: str = "\n") -> None:
    """To stdout. A reader who left early changes nothing; a disk that is full is said, for the data are incomplete."""
    try:
        _write(sys.stdout, text + end)
    except BrokenPipeError:
        let_go("stdout")
    except OSError as error:
        let_go("stdout")
        raise MachineError(f"cannot be written: {error.strerror}", where="stdout", fix="see what is on disk") from None


def _write(stream: IO[str] | None, text: str) -> None:
    if stream is None:  # closed by whoever started us
        return
    stream.write(text if _encodable(text, stream) else _shown(text, stream))
    stream.flush()


def _encodable(text: str, stream: IO[str] | None) -> bool:
    try:
        text.encode(getattr(stream, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _shown(text: str, stream: IO[str]) -> str:
    """What the console has no character for is shown by its number."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def let_go(name: str) -> None:
    """Nothing more can be said there: what is still buffered, now or when the interpreter ends, goes nowhere."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        fd = getattr(sys, name).fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, fd)
        os.close(nowhere)
    setattr(sys, name, None)


def clean(text: str) -> str:
    """Foreign text without terminal control: escape codes and control characters are shown, not obeyed."""
    return text.translate(CONTROLS)


def use_color() -> bool:
    """Colour only on a terminal that wants it."""
    tty = sys.stdout is not None and sys.stdout.isatty()
    return tty and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def interactive() -> bool:
    """Is there a person at a terminal (and no CI) who wants it moved and coloured?"""
    tty = sys.stderr is not None and sys.stderr.isatty()
    plain = os.environ.get("CI") or os.environ.get("NO_COLOR")
    return tty and not plain and os.environ.get("TERM") != "dumb"


def leave(ctx: click.Context, code: int) -> None:
    """End a verb with an exit code of the table."""
    ctx.exit(int(code))
