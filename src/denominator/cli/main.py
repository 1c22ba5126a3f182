"""The command line: the table of verbs, and the one place where errors become exit codes."""

from __future__ import annotations

import os
import sys

import click

from denominator._version import __version__
from denominator.cli.lazy import LazyGroup
from denominator.errors import DenominatorError, Exit

V = "denominator.cli."
VERBS = {
    "demo": (f"{V}demo:demo", "Run the built-in pack with four agents and print their cards."),
    "init": (f"{V}init:init", "Write denominator.toml and a first envelope into this folder."),
    "doctor": (f"{V}doctor:doctor", "Show this machine's fingerprint and what of the product works on it."),
    "pack": (f"{V}pack:pack", "Make, check, freeze and show packs of tasks."),
    "envelope": (f"{V}envelope:envelope", "Write the conditions of a measurement."),
    "seal": (f"{V}seal:seal", "Freeze an envelope with its pack, rules and box into seal.json."),
    "run": (f"{V}run:run", "Run the arms of an envelope over a pack."),
    "resume": (f"{V}resume:resume", "Go on with a run that was interrupted."),
    "status": (f"{V}status:status", "Show how far a run is."),
    "runs": (f"{V}runs:runs", "List runs, and remove what dead ones left behind."),
    "shell": (f"{V}shell:shell", "Open a task in the sandbox by hand (scratch, never counted)."),
    "show": (f"{V}show:show", "Show everything known about one task of a run."),
    "gate": (f"{V}gate:gate", "Judge a run or an imported ledger: may its number be printed?"),
    "card": (f"{V}card:card", "Print the card of a run."),
    "import": (f"{V}importing:importing", "Read the rows of other harnesses."),
    "schema": (f"{V}schema:schema", "Print the JSON Schema of a format."),
    "explain": (f"{V}explain:explain", "Explain a code that a finding or an error shows."),
    "completion": (f"{V}completion:completion", "Print shell completion for bash, zsh or fish."),
}
EPILOG = """\b
Exit codes: 0 done, publishable  1 blocked  2 usage or unusable input
            3 not comparable  4 promises still open (resume)
            5 unknown state (a person must look)  130 interrupted
\b
Example: denominator demo
"""


@click.group(cls=LazyGroup, verbs=VERBS, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="denominator")
def cli() -> None:
    """Measure coding agents on frozen task packs, and print only numbers that can be defended."""


def main() -> None:
    """Run the command line and leave with one of the documented exit codes."""
    sys.exit(run_cli(sys.argv[1:]))


def run_cli(args: list[str]) -> int:
    """Run one command line; the exit code. Bad input gives a message, never a traceback."""
    try:
        result = cli.main(args=args, prog_name="denominator", standalone_mode=False)
        return int(result) if isinstance(result, int) else int(Exit.DONE)
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        error.show()
        return int(Exit.USAGE)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        return int(Exit.INTERRUPTED)
    except DenominatorError as error:
        click.echo(f"denominator: {error}", err=True)
        return int(error.exit)
    except BrokenPipeError:
        # The reader went away; nothing more can be said on stdout.
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123, SIM115
        return int(Exit.DONE)
    except Exception as error:
        return _bug(error)


def _bug(error: Exception) -> int:
    if os.environ.get("DENOMINATOR_DEBUG"):
        raise error
    text = f"denominator: a fault of denominator itself: {type(error).__name__}: {error} [E008]"
    click.echo(f"{text}\n  next: run again with DENOMINATOR_DEBUG=1 and report what it prints", err=True)
    return int(Exit.USAGE)
