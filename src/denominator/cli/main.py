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
    "selfcheck": (f"{V}selfcheck:selfcheck", "Try all attacks, tampering and damage that ship: do the gates bite?"),
    "pack": (f"{V}pack:pack", "Make, check, freeze and show packs of tasks."),
    "envelope": (f"{V}envelope:envelope", "Write the conditions of a measurement."),
    "seal": (f"{V}seal:seal", "Freeze an envelope with its pack, rules and box into seal.json."),
    "run": (f"{V}run:run", "Run the arms of an envelope over a pack."),
    "resume": (f"{V}resume:resume", "Go on with a run that was interrupted."),
    "status": (f"{V}status:status", "Show how far a run is."),
    "runs": (f"{V}runs:runs", "List runs, keep their calls, remove what dead ones left."),
    "shell": (f"{V}shell:shell", "Open a task in the sandbox by hand (scratch, never counted)."),
    "show": (f"{V}show:show", "Show everything known about one task of a run."),
    "labels": (f"{V}labels:labels", "List whose failure each row was, by which rule, on which evidence."),
    "review": (f"{V}review:review", "Let people label rows, and see how far they agree."),
    "gate": (f"{V}gate:gate", "Judge a run or an imported ledger: may its number be printed?"),
    "card": (f"{V}card:card", "Print the card of a run."),
    "report": (f"{V}report:report", "Write one HTML file of a run, or of two arms, down to every failing attempt."),
    "spend": (f"{V}spend:spend", "Show what each arm spent, and what that bought."),
    "compare": (f"{V}compare:compare", "Say whether two arms may be compared, and which sentence that allows."),
    "look": (f"{V}look:look", "Look at a comparison while it is going on, without spoiling it."),
    "replay": (f"{V}replay:replay", "Run the tasks of a run again later, under its seal, and count the flips."),
    "contract": (f"{V}contract:contract", "Lock what is scored and what a pass is, then score events under it."),
    "spread": (f"{V}spread:spread", "Show how much a run moves when it is run again, and whether two differ by more."),
    "plan": (f"{V}plan:plan", "Say how many tasks and repeats a difference takes, and what they cost."),
    "published": (f"{V}published:published", "Reproduce a published score and set fingerprints side by side."),
    "faultbench": (f"{V}faultbench:faultbench", "Interrupt a runner on purpose, and count what is lost or done twice."),
    "probe": (f"{V}probe:probe", "Count which promises an endpoint keeps: format, usage, streams, errors, time."),
    "slip": (f"{V}slip:slip", "Pin a number to what made it, and say who may be shown it."),
    "import": (f"{V}importing:importing", "Read the rows of other harnesses."),
    "audit": (f"{V}audit:audit", "Set what a run of another harness published beside what its own rows say."),
    "export": (f"{V}export:export", "Write a judged run in a format that other programs read."),
    "bundle": (f"{V}bundle:bundle", "Pack a finished run so that a stranger can recompute it offline."),
    "verify": (f"{V}verify:verify", "Check a bundle offline: its files, its chain, every number and the sentence."),
    "quote": (f"{V}quote:quote", "Hold the numbers of documents against the slips that they cite."),
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


def _print_config(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
    if wanted:
        from denominator.cli.config import print_config

        print_config(as_json=False)
        ctx.exit()


@click.group(cls=LazyGroup, verbs=VERBS, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="denominator")
@click.option(
    "--print-config",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_print_config,
    help="Show every setting, its value and where it comes from.",
)
def cli() -> None:
    """Measure coding agents on frozen task packs, and print only numbers that can be defended."""


def main() -> None:
    """Run the command line and leave with one of the documented exit codes."""
    _fill_standard_streams()
    sys.exit(run_cli(sys.argv[1:]))


def _fill_standard_streams() -> None:
    """Where somebody closed stdin, stdout or stderr, no file of ours may get its number."""
    for fd in (0, 1, 2):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def run_cli(args: list[str]) -> int:
    """Run one command line; the exit code. Bad input gives a message, never a traceback."""
    try:
        result = cli.main(args=args, prog_name="denominator", standalone_mode=False, obj=tuple(args))
        return int(result) if isinstance(result, int) else int(Exit.DONE)
    except click.ClickException as error:
        return _say(_usage(error), Exit.USAGE)
    except (click.Abort, KeyboardInterrupt):
        return _say("interrupted", Exit.INTERRUPTED)
    except DenominatorError as error:
        return _say(f"denominator: {error}", error.exit)
    except SystemExit as done:  # click's own: shell completion has ended, or a pipe broke
        return _pipe_broke(args) if type(sys.stdout).__name__.endswith("PacifyFlushWrapper") else int(done.code or 0)
    except OSError as error:
        what = f"denominator: {_of_machine(error)} [E005]"
        return _say(f"{what}\n  next: see whether it is there, and may be read and written", Exit.USAGE)
    except Exception as error:
        return _bug(error)


def _say(text: str, code: Exit) -> int:
    """The last words of a command that failed."""
    from denominator.cli.output import note

    note(text)
    return int(code)


def _pipe_broke(args: list[str]) -> int:
    """Of a help that nobody reads on: nothing is amiss. Any other pipe is not one of ours to print to."""
    if {"--help", "-h", "--version"} & set(args):
        return int(Exit.DONE)
    return _say("denominator: this machine: a pipe broke [E005]\n  next: run it again", Exit.USAGE)


def _usage(error: click.ClickException) -> str:
    """What was typed wrong and how it is typed right."""
    ctx = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":  # newer click only
        return error.format_message()
    hint = f"{ctx.get_usage()}\nTry '{ctx.command_path} --help' for help.\n\n" if ctx else ""
    return f"{hint}Error: {error.format_message()}"


def _of_machine(error: OSError) -> str:
    """What the system refused, and where."""
    names = [os.fsdecode(name) for name in (error.filename, error.filename2) if isinstance(name, str | bytes)]
    return f"{' -> '.join(names) or 'this machine'}: {error.strerror or error}"


def _bug(error: Exception) -> int:
    if os.environ.get("DENOMINATOR_DEBUG"):
        raise error
    text = f"denominator: a fault of denominator itself: {type(error).__name__}: {error} [E008]"
    return _say(f"{text}\n  next: run again with DENOMINATOR_DEBUG=1 and report what it prints", Exit.USAGE)
