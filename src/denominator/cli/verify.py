"""`verify`: check a bundle offline."""

from __future__ import annotations

from pathlib import Path

import click

from denominator.cli.output import json_option, leave, print_json, print_page


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--slip", metavar="ID", default="", help="The id of a slip that you knew beforehand: is this its run?")
@click.option("--sums", metavar="SHA256", default="", help="The sha256 of SHA256SUMS that you knew beforehand.")
@click.option(
    "--allowed-signers",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Whose signatures you believe (ssh-keygen).",
)
@json_option
@click.pass_context
def verify(ctx: click.Context, folder: Path, slip: str, sums: str, allowed_signers: Path | None, as_json: bool) -> None:
    """Check the bundle in DIR: files missing, changed and unlisted, the journal's chain, and every label, number and the
    sentence made again from its events. Nothing in it is run, and nothing is fetched.

    Exit 0: it holds what it says, whoever made it. Exit 1: it does not, and every fault is named. The verdict of the
    gate, blocked or not, is printed and moves no exit code.

    The same without anything installed: python3 -I -S src/denominator/verify/__main__.py DIR

    \b
    Example: denominator verify 2026-11-29-oracle.bundle --sums 5b1f...
    """
    from denominator.cli.pages import terminal_page
    from denominator.pipeline.bundle_identity import known_of
    from denominator.pipeline.verifying import verify as checked_of
    from denominator.publish.terminal.bundles import verified_page
    from denominator.wire.codec import to_json
    from denominator.wiring.signing import signer

    checked = checked_of(folder, known_of(slip, sums), signer(), allowed_signers)
    if as_json:
        print_json(to_json(checked))
    else:
        print_page(verified_page(checked, terminal_page()))
    leave(ctx, checked.exit)
