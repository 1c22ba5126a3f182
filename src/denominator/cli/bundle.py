"""`bundle`: a finished run in a form that travels."""

from __future__ import annotations

from pathlib import Path

import click

from denominator.cli.output import json_option, leave, note, print_json, print_text
from denominator.cli.places import opened, runs_dir_option


@click.command()
@click.argument("run", required=False)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    help="A new folder, or NAME.tar.gz or NAME.zip (default: RUN.bundle).",
)
@click.option("--thin", is_flag=True, help="Of patches and grading reports only the digests.")
@click.option(
    "--leave-out", multiple=True, metavar="SHA256", help="Of this patch or report only the digest; repeatable."
)
@click.option(
    "--slip", type=click.Path(path_type=Path), metavar="FILE", help="Put this slip of the run in (slips/ID.json)."
)
@click.option(
    "--sign", type=click.Path(path_type=Path), metavar="KEY", help="Sign SHA256SUMS with this key (ssh-keygen -Y)."
)
@runs_dir_option
@json_option
@click.pass_context
def bundle(
    ctx: click.Context,
    run: str | None,
    out: Path | None,
    thin: bool,
    leave_out: tuple[str, ...],
    slip: Path | None,
    sign: Path | None,
    runs_dir: str | None,
    as_json: bool,
) -> None:
    """Pack RUN (a run id or its folder; default: the latest run) so that a stranger can verify and recompute it offline.

    Secrets and paths of home folders are looked for first; where one is found nothing is written (exit 1).

    \b
    Example: denominator bundle 2026-11-29-oracle -o oracle.tar.gz
             denominator bundle 2026-11-29-oracle --thin --sign ~/.ssh/id_ed25519
    """
    from denominator.pipeline.bundle_gathering import Wish
    from denominator.pipeline.bundling import bundle as made_of
    from denominator.pipeline.bundling import digests
    from denominator.wiring.signing import signer

    wish = Wish(thin=thin, left_out=digests(leave_out), slip=slip, key=sign)
    own = opened(run, runs_dir)
    made = made_of(own, out or Path(f"{own.run_id}.bundle"), wish, signer())
    if as_json:
        print_json(
            {
                "bundle": made.place, "files": made.files, "sums_sha256": made.sums_sha256, "issuer": made.checked.issuer,
                "archive_sha256": made.archive_sha256, "stated": list(made.checked.stated),
            }
        )  # fmt: skip
    else:
        print_text(made.place)
        note(
            f"sha256 of SHA256SUMS: {made.sums_sha256}\n  tell it on another way than the bundle: it decides which one it is"
        )
        note(
            f"next: denominator verify {made.place}"
            if not made.archive_sha256
            else "next: unpack it; denominator verify"
        )
    leave(ctx, 0)
