"""`import`: the results of other harnesses, into the same ledger, gate and card."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.output import brief_option, json_option, leave, note, print_card, print_json, print_text

if TYPE_CHECKING:
    from denominator.importers.report import Report
    from denominator.pipeline.results import Result

OWN = ("auto", "list", "rows")
"""Commands that are no format."""


class Formats(click.Group):
    """The commands of ours, then one for each format; no importer is loaded to print help."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Ours first."""
        return [*OWN, *(name for name in formats() if name not in OWN)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command of ours, or that of a format."""
        if cmd_name in OWN:
            return super().get_command(ctx, cmd_name)
        return _format(cmd_name) if cmd_name in formats() else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Like click's, with the nearest format named."""
        name = args[0]
        if name not in OWN and not name.startswith("-") and name not in (known := self.list_commands(ctx)):
            from difflib import get_close_matches

            near = get_close_matches(name, known, 1)
            hint = f" Did you mean {near[0]!r}?" if near else f" One of: {', '.join(known)}."
            raise click.UsageError(f"No format is called {name!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)


@cache
def formats() -> tuple[str, ...]:
    """The names of formats, looked up once a command line."""
    from denominator.wiring.importers import importer_names

    return importer_names()


@click.group("import", cls=Formats)
def importing() -> None:
    """Read the results of other harnesses into the same ledger, gate and card.

    `auto` recognises the format, `list` says what each format is, `rows` reads tables of any harness.

    \b
    Example: denominator import auto results/
    """


RUN_HELP = "Which run, where PATH holds several."
DECLARE_HELP = "TOML with what you know and the format does not record (ids, retries, scorer ...): marked as declared."
run_option = click.option("--run", "part", default="", metavar="NAME", help=RUN_HELP)
_OPTIONS: tuple[Callable[..., Any], ...] = (
    click.argument("path", type=click.Path(exists=True, path_type=Path)),
    click.option("--declare", type=click.Path(dir_okay=False, path_type=Path), help=DECLARE_HELP),
    click.option(
        "-o", "--out", type=click.Path(path_type=Path), help="Keep ledger, terms and card in this new folder."
    ),
    brief_option,
    json_option,
)


def foreign_options(verb: Callable[..., Any]) -> Callable[..., Any]:
    """What every verb that reads foreign runs takes, but for which of them."""
    for option in reversed(_OPTIONS):
        verb = option(verb)
    return verb


def _format(name: str) -> click.Command:
    """The command of one format."""

    @click.command(name, help=FORMAT_HELP.format(name=name), short_help=f"Read a result of {name}.")
    @foreign_options
    @run_option
    @click.pass_context
    def command(
        ctx: click.Context, path: Path, part: str, declare: Path | None, out: Path | None, brief: bool, as_json: bool
    ) -> None:
        from denominator.pipeline.auto import import_named
        from denominator.wiring.importers import all_importers, importer

        report, result = import_named(importer(name), all_importers, path, part, declare, out)
        _print(ctx, report, result, out, brief=brief, as_json=as_json)

    return command


FORMAT_HELP = """Read PATH (a folder, an archive or one file) as a result of {name}.

docs/importers says what is read of each format, how every ending is mapped, and what the format cannot tell.
Exit 0 publishable, 1 blocked or not balanced, 2 unreadable, or several runs and none chosen.

\b
Example: denominator import {name} results/ -o imported
"""


@importing.command("auto", short_help="Recognise the format of a result, and read it.")
@foreign_options
@run_option
@click.pass_context
def auto(
    ctx: click.Context, path: Path, part: str, declare: Path | None, out: Path | None, brief: bool, as_json: bool
) -> None:
    """Read PATH as what it is: one of the formats of `import list`, or rows that `import rows` knows.

    Exit 0 publishable, 1 blocked or not balanced, 2 unknown (what was seen is said), several formats, or several runs.

    \b
    Example: denominator import auto results/ --brief
    """
    from denominator.pipeline.auto import import_auto
    from denominator.wiring.importers import all_importers

    report, result = import_auto(path, tuple(all_importers()), part, declare, out)
    _print(ctx, report, result, out, brief=brief, as_json=as_json)


@importing.command("list", short_help="The formats that can be read.")
@json_option
def list_(as_json: bool) -> None:
    """Print every format with one line on what it is.

    \b
    Example: denominator import list
    """
    from denominator.wiring.importers import all_importers

    titles = {one.name: one.title for one in all_importers()}
    if as_json:
        print_json([{"name": name, "title": title} for name, title in titles.items()])
    else:
        width = max(map(len, titles), default=0)
        print_text("\n".join(f"{name:<{width}}  {title}" for name, title in titles.items()))


def _print(ctx: click.Context, report: Report, result: Result, out: Path | None, *, brief: bool, as_json: bool) -> None:
    """Report and card, or both as one document; then leave with the gate's code."""
    from denominator.wire.codec import to_json

    if as_json:
        print_json({"report": to_json(report), "card": to_json(result.card), "exit": int(result.exit)})
    else:
        for line in report.lines():
            note(line)
        print_card(result.card, brief)
        if out is not None:
            note(f"kept in {out}: ledger, terms and card\n  next: denominator card {out}")
    leave(ctx, result.exit)


@importing.command("rows", short_help="Read rows of another harness as one run.")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--map", "column_map", type=click.Path(dir_okay=False, path_type=Path), help="columns.toml for rows of any shape."
)
@click.option("--where", multiple=True, metavar="COLUMN=VALUE", help="Only rows with this value (one arm of several).")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Keep ledger, terms and card in this new folder.")
@brief_option
@json_option
@click.pass_context
def rows(
    ctx: click.Context,
    paths: tuple[Path, ...],
    column_map: Path | None,
    where: tuple[str, ...],
    out: Path | None,
    brief: bool,
    as_json: bool,
) -> None:
    """Read PATHS (files or one folder) as one run: rows and their companions, JSON, JSONL or CSV.

    The report says which shape was recognised and what was put aside. Exit 0 publishable, 1 blocked or not balanced,
    2 unreadable.

    \b
    Example: denominator import rows results/ --json
    """
    from denominator.pipeline.importing import import_paths
    from denominator.pipeline.large_import import LARGE_BYTES

    report, result = import_paths(paths, column_map, where, out, large=LARGE_BYTES)
    _print(ctx, report, result, out, brief=brief, as_json=as_json)
