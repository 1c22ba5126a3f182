"""`bundle`: a finished run in a form that travels."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from denominator.cli.output import json_option, leave, note, print_json, print_text
from denominator.cli.places import opened, runs_dir_option, runs_place
from denominator.errors import InputError

if TYPE_CHECKING:
    from denominator.pipeline.bundle_gathering import Wish
    from denominator.pipeline.bundling import Made
    from denominator.pipeline.world import OpenRun


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
    "--contract", type=click.Path(path_type=Path), metavar="FILE",
    help="The locked scoring contract that the run was made under; rate.json is then under it.",
)  # fmt: skip
@click.option(
    "--sign", type=click.Path(path_type=Path), metavar="KEY", help="Sign SHA256SUMS with this key (ssh-keygen -Y)."
)
@click.option(
    "--open",
    "rows",
    metavar="ROWS",
    default="",
    help="No bundle: open these rows of it (3,14,15) to whoever asked for them.",
)
@click.option(
    "--run", "part", default="", metavar="NAME", help="Of results of others: which run, where PATH holds several."
)
@click.option(
    "--declare", type=click.Path(dir_okay=False, path_type=Path), help="Of results of others: what you know of them."
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
    contract: Path | None,
    sign: Path | None,
    rows: str,
    part: str,
    declare: Path | None,
    runs_dir: str | None,
    as_json: bool,
) -> None:
    """Pack RUN (a run id or its folder; default: the latest run) so that a stranger can verify and recompute it offline.

    RUN may also be results of another harness: the folder that `import -o` wrote, or PATH as `audit PATH` takes it; its
    original files travel where they are small.

    Secrets and paths of home folders are looked for first; where one is found nothing is written (exit 1).

    --open writes RUN.opened in its place: single rows with their proofs, patches and tasks, hidden tests and gold too,
    for a verifier of a private pack, who named them (verify --sample).

    \b
    Example: denominator bundle 2026-11-29-oracle -o oracle.tar.gz
             denominator bundle 2026-11-29-oracle --thin --sign ~/.ssh/id_ed25519
             denominator bundle 2026-11-29-oracle --open 3,14,15
             denominator bundle results/ --declare known.toml -o evidence
    """
    from denominator.pipeline.bundle_gathering import Wish
    from denominator.pipeline.bundling import bundle as made_of
    from denominator.pipeline.bundling import digests
    from denominator.wiring.signing import signer

    wish = Wish(thin=thin, left_out=digests(leave_out), slip=slip, key=sign, contract=contract)
    if rows:
        if wish != Wish():
            raise InputError("opens rows and makes no bundle", where="--open", fix="leave out the options of a bundle")
        _open(ctx, opened(run, runs_dir), rows, out, as_json)
        return
    if (path := _results_of_others(run, runs_dir)) is not None:
        made = _of_import(path, part, declare, out, wish)
    elif part or declare:
        raise InputError(
            "a run of ours is whole", where="--run, --declare", fix="leave them out, or name results of others"
        )
    else:
        own = opened(run, runs_dir)
        made = made_of(own, out or Path(f"{own.run_id}.bundle"), wish, signer())
    _print(made, as_json=as_json)
    leave(ctx, 0)


def _results_of_others(run: str | None, runs_dir: str | None) -> Path | None:
    """The path, where it is no run of ours."""
    path = Path(run) if run and run.strip() else None
    if path is None or not path.exists() or (path / "seal.json").exists():
        return None
    return None if (runs_place(runs_dir) / path / "seal.json").exists() else path


def _of_import(path: Path, part: str, declare: Path | None, out: Path | None, wish: Wish) -> Made:
    from denominator.pipeline.import_bundling import Asked, bundle_import
    from denominator.wiring.importers import all_importers
    from denominator.wiring.signing import signer

    if wish.contract is not None:
        raise InputError("is for runs of ours", where="--contract", fix="leave it out")
    target = out or Path(f"{path.absolute().name}.bundle")
    return bundle_import(Asked(path=path, part=part, declare=declare), target, wish, signer(), all_importers)


def _print(made: Made, *, as_json: bool) -> None:
    from denominator.publish.terminal.bundles import gate_words

    if as_json:
        print_json(
            {
                "bundle": made.place, "files": made.files, "sums_sha256": made.sums_sha256, "issuer": made.checked.issuer,
                "archive_sha256": made.archive_sha256, "stated": list(made.checked.stated),
                "items": [{"asked": one.asked, "file": one.file, "state": one.state} for one in made.items],
            }
        )  # fmt: skip
        return
    print_text(made.place)
    if made.items:
        note("\n".join(f"{one.asked}: {one.file}, {one.state}" for one in made.items))
    if made.checked.sentence:
        note(f"the gate says: {'; '.join((gate_words(made.checked), *made.checked.stamps))}")
    note(
        f"sha256 of SHA256SUMS: {made.sums_sha256}\n  tell it on another way than the bundle: it decides which one it is"
    )
    note(f"next: denominator verify {made.place}" if not made.archive_sha256 else "next: unpack it; denominator verify")


def _open(ctx: click.Context, own: OpenRun, rows: str, out: Path | None, as_json: bool) -> None:
    from denominator.pipeline.bundle_opening import open_rows, places_of
    from denominator.wire.codec import to_json

    made = open_rows(own, places_of(rows), out or Path(f"{own.run_id}.opened"))
    if as_json:
        print_json(to_json(made))
    else:
        print_text(made.place)
        note(f"{len(made.rows)} rows under root {made.rows_root}; their hidden tests are no secret any more")
        if made.gone:
            note(f"{made.gone} patches or contents are gone: these rows cannot be graded again")
        note(f"next: the verifier adds --opened {made.place} --regrade")
    leave(ctx, 0)
