"""`verify`: check a bundle offline, name rows that its issuer cannot choose, grade its patches again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from denominator.cli.output import json_option, leave, print_json, print_page
from denominator.errors import InputError


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
@click.option(
    "--regrade", is_flag=True, help="Run the graders on the stored patches again, sandboxed, without an agent."
)
@click.option("--pack", metavar="PACK", default="", help="With --regrade: the pack, as a folder or a built-in name.")
@click.option(
    "--python", metavar="PATH", default="", help="With --regrade: your Python, in the place of the sealed path."
)
@click.option(
    "--site", metavar="DIR", default="", help="With --regrade: your folder with pytest, in the place of the sealed one."
)
@click.option("--sample", type=int, metavar="K", help="Name K rows that follow from your nonce and the bundle's root.")
@click.option(
    "--nonce", metavar="TEXT", default="", help="With --sample: a text that nobody could know before you did."
)
@click.option(
    "--opened",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="With --sample: what the issuer opened (bundle RUN --open ROWS).",
)
@click.option(
    "--trust-rules", is_flag=True, help="Run the rules of a house that are installed here (Python of others)."
)
@json_option
@click.pass_context
def verify(
    ctx: click.Context,
    folder: Path,
    slip: str,
    sums: str,
    allowed_signers: Path | None,
    regrade: bool,
    pack: str,
    python: str,
    site: str,
    sample: int | None,
    nonce: str,
    opened: Path | None,
    trust_rules: bool,
    as_json: bool,
) -> None:
    """Check the bundle in DIR: files missing, changed and unlisted, the journal's chain, and every label, number and the
    sentence made again from its events. Nothing in it is run (but with --regrade), and nothing is fetched.

    Exit 0: it holds what it says, whoever made it. Exit 1: it does not, and every fault is named. The verdict of the
    gate, blocked or not, is printed and moves no exit code.

    --regrade grades the stored patches again: exit 1 where a grade is not the recorded one, 2 where not all could be
    compared. It grades with this system's Python or the one that runs this; any other path that a seal names is refused,
    unless you name yours. --sample is for packs that stay private: it names rows, the issuer opens them, --opened checks and
    (with --regrade) grades them. DIR may be a bundle.json alone there.

    The same without anything installed: python3 -I -S src/denominator/verify/__main__.py DIR

    \b
    Example: denominator verify 2026-11-29-oracle.bundle --sums 5b1fd2c4
             denominator verify 2026-11-29-oracle.bundle --regrade --pack mypack
             denominator verify 2026-11-29-oracle.bundle --sample 5 --nonce 2f5e61
    """
    from denominator.cli.pages import terminal_page
    from denominator.cli.progress import LineReporter
    from denominator.pipeline.bundle_identity import known_of
    from denominator.pipeline.bundle_sampling import question_of
    from denominator.pipeline.verify_asked import NOTHING, verify_asked
    from denominator.publish.terminal.regrades import found_json, found_page
    from denominator.wiring.importers import all_importers
    from denominator.wiring.regrading import bench_here, pack_folder
    from denominator.wiring.signing import signer

    for option, given in (("--pack", pack), ("--python", python), ("--site", site)):
        if given and not regrade:
            raise InputError(f"{option} is for grading again", where=option, fix="add --regrade")
    wanted = replace(
        NOTHING, question=question_of(sample, nonce, opened), trust_rules=trust_rules, importers=all_importers
    )
    if regrade:
        bench = bench_here(folder, LineReporter(quiet=as_json), python, site)
        wanted = replace(wanted, bench=bench, pack=pack_folder(pack))
    found = verify_asked(folder, wanted, known_of(slip, sums), signer(), allowed_signers)
    if as_json:
        print_json(found_json(found))
    else:
        print_page(found_page(found, terminal_page()))
    leave(ctx, found.exit)
