"""`doctor`: this machine's fingerprint, and what of the product works on it."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.cli.output import json_option, leave, print_json, print_page
from denominator.cli.pages import terminal_page
from denominator.cli.places import settings
from denominator.errors import Exit, InputError

if TYPE_CHECKING:
    from denominator.records.boxes import Box, SandboxFacts
    from denominator.records.events import Json

BACKENDS = ("bubblewrap", "docker", "landlock")
EXTRAS = (
    ("prices", "genai_prices", "spend --prices genai-prices"),
    ("parquet", "polars", "ledgers in Parquet"),
    ("languages", "tree_sitter", "imports and requests of JavaScript and TypeScript in patches"),
)
"""Extras of the package: name, a module that it brings, what goes without it."""
INSTALL = "pip install 'denominator[{}]'"


@click.command()
@click.option("--python", help="Toolchain interpreter to test (default: the one of the settings).")
@click.option("--sandbox", "backend", type=click.Choice(BACKENDS), default=BACKENDS[0], help="The sandbox to try.")
@click.option("--image", default="", metavar="NAME", help="The image for --sandbox docker; its pin is printed.")
@json_option
@click.pass_context
def doctor(ctx: click.Context, python: str | None, backend: str, image: str, as_json: bool) -> None:
    """Show the box as a seal would record it, and which protections of the sandbox hold here.

    Exit 0 when runs can start, 2 when they cannot.

    \b
    Example: denominator doctor --sandbox docker --image python:3.12
    """
    from denominator.adapters.box import SystemBox
    from denominator.adapters.sandboxes.meanings import MEANINGS
    from denominator.records.envelopes import SandboxTerms
    from denominator.wire.codec import to_json
    from denominator.wiring.world import enter_private_mounts, make_sandbox, pin_image

    if (backend == "docker") != bool(image):
        raise InputError("docker and an image go together", fix="denominator doctor --sandbox docker --image NAME")
    python = python or (SandboxTerms().python if image else settings().python)
    terms = SandboxTerms(
        backend=backend,
        network="none",
        memory_mb=512,
        processes=64,
        disk_mb=128,
        file_mb=32,
        python=python,
        image=pin_image(image) if image else "",
    )
    box = SystemBox().read(Path.cwd(), python)
    sandbox = make_sandbox(terms, unsandboxed=False)
    enter_private_mounts(sandbox)
    try:
        facts = sandbox.facts(terms)
    finally:
        sandbox.close()
    if as_json:
        more = {"image": terms.image} if terms.image else {}
        known: dict[str, Json] = {"means": {**MEANINGS}, "walls": [*_walls(facts)]}
        print_json({"box": to_json(box), "sandbox": to_json(facts), **known, "usable": facts.usable, **more})
    else:
        _print(box, facts, terms.image)
    leave(ctx, Exit.DONE if facts.usable else Exit.USAGE)


def _walls(facts: SandboxFacts) -> tuple[str, ...]:
    """The protections without which this sandbox runs nothing."""
    from denominator.adapters.sandboxes.facts import WALLS
    from denominator.adapters.sandboxes.landlock.facts import WALLS as OF_WEAK

    return OF_WEAK if facts.weak else WALLS


def _lacks(name: str, facts: SandboxFacts) -> str:
    """What it means that a protection is missing."""
    from denominator.adapters.sandboxes.meanings import MEANINGS

    end = "no agent is run here" if name in _walls(facts) else "runs go on without it, and their cards say so"
    return f'not true here: "{MEANINGS[name]}"; {end}'


def _with_model(facts: SandboxFacts) -> str:
    """The endpoint itself is tried when a run starts: no envelope is read here."""
    if not facts.usable:
        return "does not work: no run does"
    return "works; envelope check says what the arm lacks, run tries the endpoint before it seals"


def _print(box: Box, facts: SandboxFacts, image: str) -> None:
    from dataclasses import fields

    from denominator.adapters.sandboxes.meanings import MEANINGS

    page = terminal_page()
    page.title("THE BOX (an unknown field matches nothing)")
    for field in fields(box):
        if field.name != "schema_version":
            page.item(f"{field.name:<20} {getattr(box, field.name)}", hang=21)
    page.title(f"THE SANDBOX {facts.name} {facts.version.removeprefix(facts.name).strip()} ({facts.mode})")
    for one in facts.protections:
        detail = f": {one.detail}" if one.detail else ""
        page.item(f"{'holds' if one.holds else 'DOES NOT HOLD':<14} {one.name:<21} {one.how}{detail}", hang=37)
        page.item(f"{'':<36} so {MEANINGS[one.name]}" if one.holds else f"{'':<36} {_lacks(one.name, facts)}", hang=37)
    if facts.weak:
        page.item("this sandbox is weak: what runs in it is capped at counts, and every card says so")
    if image:
        page.item(f'under [sandbox] of an envelope: image = "{image}"')
    page.title("WHAT WORKS HERE")
    run = "work" if facts.usable else f"do not work: {facts.why_not}"
    page.item(f"run, resume, demo, pack lock, shell: {run}")
    page.item(f"run of an arm with a model: {_with_model(facts)}")
    page.item("import, gate, card, spend, show, status, pack lint, explain, schema: work")
    for extra, module, what in EXTRAS:
        page.item(f"{what}: {'works' if find_spec(module) else f'needs the extra: {INSTALL.format(extra)}'}")
    if sys.platform != "linux":
        page.item("this is no Linux: runs need one; reading and judging results does not")
    print_page(page)
