"""Checks of the documents; `--write` renews what is generated. Run by `make check`.

Catalog pages are those of the rules, pages of formats those of the importers; console transcripts show what the commands
print; every other command in a code block is a verb with options that exist; links lead somewhere; every verb's help has an
example; no file names a development machine or a registry.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from denominator.cli.main import cli
from denominator.pipeline.catalog import all_entries
from denominator.publish.importers import importer_pages
from denominator.publish.pages import pages
from denominator.wiring.importers import own_formats

ROOT = Path(__file__).parents[1]
CONSOLE = re.compile(r"```console\n(.*?)```", re.S)
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```", re.S | re.M)
COMMAND = re.compile(r"(?:^|&&|;) *(?:\$ )?denominator (.*?)(?=&&|;|\||\n|$)", re.M)
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)")
FORBIDDEN = [
    re.compile(text) for text in (r"/work/(main|shared)", r"/root/\.pyenv", r"files\.pythonhosted", r"pypi\.org/simple")
]
DIGEST = re.compile(r"rules [0-9a-f]{12}")


def main() -> int:
    """Print every problem; 1 when there is one."""
    write = "--write" in sys.argv
    found = [*catalog(write), *importers(write), *transcripts(write), *commands(), *links(), *helps(), *paths()]
    for problem in found:
        print(problem)
    return 1 if found else 0


def catalog(write: bool) -> Iterator[str]:
    """Pages of the rules."""
    return _generated("catalog", pages(all_entries()), write, "no family has it")


def importers(write: bool) -> Iterator[str]:
    """Pages of the formats that are read."""
    return _generated("importers", importer_pages(own_formats()), write, "no importer has it")


def _generated(name: str, made: Mapping[str, str], write: bool, orphan: str) -> Iterator[str]:
    """Pages of one folder of docs, by file name."""
    folder = ROOT / "docs" / name
    folder.mkdir(exist_ok=True)
    for page, text in made.items():
        if write:
            (folder / page).write_text(text, encoding="utf-8")
        elif not (folder / page).is_file() or (folder / page).read_text(encoding="utf-8") != text:
            yield f"docs/{name}/{page}: not current (make docs)"
    yield from (f"docs/{name}/{p.name}: {orphan}" for p in folder.glob("*.md") if p.name not in made)


def transcripts(write: bool) -> Iterator[str]:
    """Console blocks of README and docs, by running them."""
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = path.read_text(encoding="utf-8")
        new = CONSOLE.sub(lambda block: f"```console\n{_played(block[1])}```", text)
        if new != text and write:
            path.write_text(new, encoding="utf-8")
        elif DIGEST.sub("", new) != DIGEST.sub("", text):
            yield f"{path.relative_to(ROOT)}: a transcript is not what the command prints (make docs)"


def _played(block: str) -> str:
    parts = []
    for command in (line[2:] for line in block.splitlines() if line.startswith("$ ")):
        argv = [sys.executable, "-m", *command.split()]
        done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=False)
        code = f"[exit {done.returncode}]\n" if done.returncode else ""
        parts.append(f"$ {command}\n{done.stdout.rstrip()}\n{code}")
    return "".join(parts)


def commands() -> Iterator[str]:
    """Commands in code blocks whose verb or option does not exist."""
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for kind, block in BLOCK.findall(path.read_text(encoding="utf-8")):
            for words in [] if kind == "console" else COMMAND.findall(block):
                if wrong := _unknown(words.partition(" #")[0].split()):
                    yield f"{path.relative_to(ROOT)}: `denominator {words.strip()}`: {wrong} does not exist"


def _unknown(words: list[str]) -> str:
    """The first word that is no verb or no option of its verb; nothing when all are."""
    command: click.Command = cli
    context = click.Context(cli, info_name="denominator")
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(context, words[0])
        if found is None:
            return words[0]
        command, words = found, words[1:]
    context = click.Context(command)
    known = {name for each in command.get_params(context) for name in (*each.opts, *each.secondary_opts)}
    asked = (word.partition("=")[0] for word in words if re.fullmatch(r"--?[a-z][\w-]*(=.*)?", word))
    return next((word for word in asked if word not in known), "")


def links() -> Iterator[str]:
    """Relative links that lead nowhere."""
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "tests").glob("*.md")]:
        for target in LINK.findall(path.read_text(encoding="utf-8")):
            if not (path.parent / target).exists():
                yield f"{path.relative_to(ROOT)}: link to {target} leads nowhere"


def helps() -> Iterator[str]:
    """Verbs without an example."""
    context = click.Context(cli, info_name="denominator")
    for name in cli.list_commands(context):
        command = cli.get_command(context, name)
        found = command.commands.values() if isinstance(command, click.Group) else [command]
        for one in found:
            if one is None or "Example:" not in (one.help or ""):
                yield f"denominator {name} {getattr(one, 'name', '')}: help without an example"


def paths() -> Iterator[str]:
    """Tracked files that name a development machine or a registry."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, listed.split("\0")):
        path = ROOT / name
        if path == Path(__file__) or not path.is_file():
            continue
        text = path.read_bytes().decode("utf-8", "replace")
        yield from (f"{name}: holds {pattern.pattern}" for pattern in FORBIDDEN if pattern.search(text))


if __name__ == "__main__":
    sys.exit(main())
