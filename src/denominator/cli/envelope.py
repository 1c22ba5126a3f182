"""`envelope`: the conditions of a measurement."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from denominator.cli.output import json_option, leave, print_json, print_text
from denominator.cli.places import default_envelope
from denominator.errors import Exit


@click.group()
def envelope() -> None:
    """Write and check the conditions of a measurement."""


def agent_options(command: Callable[..., None]) -> Callable[..., None]:
    """What kind of agent the new envelope is for."""
    model = click.option("--model", is_flag=True, help="With --agent command: the agent calls a model.")
    kind = click.option(
        "--agent",
        metavar="KIND",
        help="command, script, oracle, nop, or a real agent such as aider: all filled in but what you alone know.",
    )
    return kind(model(command))


@envelope.command("init", short_help="Write a commented envelope, and a stand-in agent.")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path), default="envelope.toml")
@agent_options
@json_option
def init_envelope(path: Path, agent: str | None, model: bool, as_json: bool) -> None:
    """Write a commented envelope to PATH, and a stand-in for its agent; files that exist are left alone.

    \b
    Example: denominator envelope init --agent command A.toml
    """
    from denominator.errors import InputError

    if os.path.lexists(path):
        raise InputError("the file exists and was left as it is", where=str(path), fix="choose another name")
    done = write_new(new_files(path, agent, model))
    if as_json:
        print_json(dict(done))
    else:
        print_text("\n".join(f"{name}: {what}" for name, what in done.items()))
        print_text(f"next: {next_step(path, agent)}")


def new_files(path: Path, agent: str | None, model: bool) -> dict[Path, str]:
    """The texts of a new envelope and of what stands beside it."""
    from denominator.envelopes import envelope_template, starter, starter_files
    from denominator.errors import InputError
    from denominator.wiring.presets import preset_starts

    if agent is None and model:
        raise InputError("goes with --agent command", where="--model", fix="--agent command --model")
    beside = {path.parent / name: text for name, text in starter_files(agent or "").items()}
    return {path: starter(agent, model=model, presets=preset_starts()) if agent else envelope_template(), **beside}


def write_new(texts: Mapping[Path, str]) -> dict[str, str]:
    """Write files that are not there yet; what was done, by name."""
    done = {}
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with path.open("x", encoding="utf-8") as out:
                out.write(text)
            done[str(path)] = "written"
        except FileExistsError:
            done[str(path)] = "exists, left as it is"
    return done


def next_step(path: Path, agent: str | None) -> str:
    """What to type after an envelope was written."""
    if agent not in ("script", "oracle", "nop"):
        return f"fill in every REPLACE in {path}, then denominator envelope check {path}"
    return f"denominator run {path}"


@envelope.command("check")
@click.argument("path", type=click.Path(dir_okay=False, path_type=Path), required=False)
@json_option
@click.pass_context
def check(ctx: click.Context, path: Path | None, as_json: bool) -> None:
    """List everything that PATH still lacks or cannot reach.

    What no run over its pack can reach is listed too. Exit 2 when there is something.

    \b
    Example: denominator envelope check A.toml
    """
    from denominator.envelopes import complete, read_envelope
    from denominator.wiring.arms import arm_problems, placed
    from denominator.wiring.probes import probe_problems
    from denominator.wiring.reading import unreachable_here

    path = path or default_envelope()
    found = read_envelope(path)
    arms = [placed(arm, path.parent) for arm in found.arm] if not complete(found) else []
    problems = complete(found) or [
        *unreachable_here(found, path),
        *(p for arm in arms for p in arm_problems(arm, found) or probe_problems(found, arm, str(path))),
    ]
    if as_json:
        print_json([{"where": p.where, "what": p.what, "fix": p.fix} for p in problems])
    elif problems:
        print_text("\n".join(f"  - {problem}" for problem in problems) + f"\n{len(problems)} to fill in or mend")
    else:
        print_text(f"{path} is complete\nnext: denominator run {path}")
    leave(ctx, Exit.USAGE if problems else Exit.DONE)
