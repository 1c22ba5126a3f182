"""`review`: sheets for people, their labels, what they dispute, how far they agree."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from denominator.cli.output import json_option, leave, note, print_json, print_page, print_text
from denominator.cli.places import opened, refuse_empty, runs_dir_option
from denominator.errors import Exit

if TYPE_CHECKING:
    from denominator.pipeline.reviewing import Subject
    from denominator.records.labels import Label

AXES = "origin, reason, failure_class, mix"
at_option = click.option(
    "--at", metavar="UTC-TIME", help="When it was said (default: now), as in 2026-11-29T14:30:00Z."
)


@click.group()
def review() -> None:
    """Let people label rows: two who agree, or an adjudication, decide one. Nobody makes a pass."""


def _subject(run: str, runs_dir: str | None) -> Subject:
    """A run of ours by id or folder, or the folder of an import."""
    from denominator.pipeline.reviewing import of_import, of_run

    refuse_empty(run)
    if os.path.isfile(os.path.join(run, "ledger.json")):  # noqa: PTH113, PTH118
        return of_import(Path(run))
    return of_run(opened(run, runs_dir))


def _split(axes: Sequence[str]) -> list[str]:
    return [word for text in axes for word in text.split(",")]


def _now(at: str | None) -> str:
    from denominator.adapters.clock import SystemClock

    return SystemClock().wall() if at is None else at


@review.command("export", short_help="Write a blind sheet, a copy for each labeler.")
@click.argument("run")
@click.option("--axis", "axes", multiple=True, metavar="AXIS,...", help=f"What to ask: {AXES} (default: origin,mix).")
@click.option(
    "--share", type=click.IntRange(1, 100), default=100, metavar="N", help="Percent of the rows (default 100)."
)
@click.option("--held-out", "seed", metavar="SEED", help="Draw with this seed instead of the digest of the seal.")
@click.option("--only", type=click.Choice(["disagreed", "low", "unresolved"]), help="These rows; no agreement follows.")
@click.option(
    "--format", "form", type=click.Choice(["csv", "jsonl"]), default="csv", help="For spreadsheets or programs."
)
@click.option(
    "--labeler", "labelers", multiple=True, metavar="ID", help="Make a copy for this person (repeat; default: 2)."
)
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="New folder for the copies.")
@runs_dir_option
@json_option
def export(
    run: str,
    axes: tuple[str, ...],
    share: int,
    seed: str | None,
    only: str | None,
    form: str,
    labelers: tuple[str, ...],
    out: Path,
    runs_dir: str | None,
    as_json: bool,
) -> None:
    """Write a blind sheet of RUN (a run id, its folder, or the folder of an import): a copy for each labeler.

    The same rows in orders of their own, drawn by a hash of row and seed; what the rules said is not in it.

    \b
    Example: denominator review export 2026-11-29-oracle --share 30 -o sheets
    """
    from denominator.pipeline.reviewing_out import export_sheet
    from denominator.wire.codec import to_json

    if seed is not None:
        refuse_seed(seed)
    done = export_sheet(
        _subject(run, runs_dir), out, axes=_split(axes), share=share, seed=seed or "", only=only or "",
        labelers=labelers, form=form,
    )  # fmt: skip
    if as_json:
        print_json({"sheet": to_json(done.sheet), "files": [str(path) for path in done.files]})
        return
    sheet = done.sheet
    print_text(f"sheet {sheet.id[:12]}: {len(sheet.rows)} of {sheet.pool} rows, axes {', '.join(sheet.axes)}")
    if sheet.blind:
        print_text(f"drawn by hash of row and seed {sheet.seed[:12]}" + (" (chosen by hand)" if seed else ""))
    else:
        print_text(f"only {sheet.selection} rows: not blind-random, so no agreement is computed from its labels")
    for path in done.files:
        print_text(str(path))


def refuse_seed(seed: str) -> None:
    """An empty seed comes from a variable that was not set."""
    if not seed.strip():
        raise click.BadParameter("the seed is empty", param_hint="--held-out")


@review.command("import", short_help="Take in what a labeler wrote in a sheet.")
@click.argument("run")
@click.argument("sheets", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--labeler", required=True, metavar="ID", help="Who filled these sheets.")
@at_option
@runs_dir_option
@json_option
def import_(
    run: str, sheets: tuple[Path, ...], labeler: str, at: str | None, runs_dir: str | None, as_json: bool
) -> None:
    """Append what LABELER wrote in SHEETS to the labels of RUN: all of it, or nothing and every mistake.

    A sheet that is imported again adds nothing; a changed answer replaces the earlier one, which stays in the file.

    \b
    Example: denominator review import RUN sheets/copy-1.csv --labeler ann
    """
    from dataclasses import asdict

    from denominator.pipeline.reviewing_in import import_sheets

    done = import_sheets(_subject(run, runs_dir), sheets, labeler, _now(at))
    if as_json:
        print_json({"files": [asdict(one) for one in done]})
        return
    for one in done:
        kinds = f"{one.new} labels recorded ({one.replaced} replace earlier ones), {one.open} questions not answered"
        print_text(f"{one.file}: {kinds}")
        if one.known:
            note(f"{one.file}: {one.known} answers were recorded before; nothing was added for them")
        if not one.blind:
            note(f"{one.file}: rows that somebody picked: no agreement is computed from them")


@review.command("adjudicate", short_help="Settle a row that people dispute.")
@click.argument("run")
@click.argument("row", metavar="ROWKEY")
@click.option("--axis", required=True, help=f"One of {AXES}.")
@click.option("--value", required=True, help="What it is.")
@click.option("--reason", default="", help="With --axis origin, where it is not the model's.")
@click.option("--by", required=True, metavar="NAME", help="Who decides.")
@click.option("--why", required=True, metavar="TEXT", help="What shows it.")
@click.option("--evidence", multiple=True, metavar="event:N|file:PATH", help="What is quoted; a graded row needs it.")
@click.option("--quote", default="", metavar="TEXT", help="The words of the file, to the letter.")
@at_option
@runs_dir_option
@json_option
def adjudicate(run: str, row: str, at: str | None, runs_dir: str | None, as_json: bool, **said: Any) -> None:
    """Settle ROWKEY (TASK, TASK#REPEAT, TASK#REPEAT.ATTEMPT or its name on a sheet) of RUN for good reason.

    It decides over what labelers said. One that could not stand is refused: a pass, a graded row without evidence.

    \b
    Example: denominator review adjudicate RUN page-count --axis mix \\
                 --value SCORER_RED --by ann --why "one test of four is red"
    """
    from denominator.pipeline.adjudicating import adjudicate as settle
    from denominator.wire.codec import to_json

    subject = _subject(run, runs_dir)
    labels = settle(subject, row, at=_now(at), **said)
    for text in _replaced(subject, labels):
        note(text)
    if as_json:
        print_json({"labels": [to_json(label) for label in labels]})
    elif labels:
        print_text("\n".join(f"recorded: {label.key.task_id} {label.axis} = {label.value}" for label in labels))
    else:
        print_text("nothing new: this is what stands")


def _replaced(subject: Subject, labels: Sequence[Label]) -> Iterator[str]:
    """Whose adjudication gives way to these labels."""
    from denominator.review.deciding import label_id, person_of

    known = {label_id(one): one for one in subject.result.ledger.labels}
    for label in labels:
        old = known.get(label.supersedes)
        if old is not None:
            yield f"{label.axis}: this takes the place of {old.value}, adjudicated by {person_of(old)}; both stay on record"


@review.command("status")
@click.argument("run")
@runs_dir_option
@json_option
def status(run: str, runs_dir: str | None, as_json: bool) -> None:
    """Show which rows of RUN people decided and which they dispute.

    \b
    Example: denominator review status 2026-11-29-oracle
    """
    from denominator.review import key_name
    from denominator.wire.codec import to_json

    work = _subject(run, runs_dir).result.judged.sheet.people
    if as_json:
        print_json(to_json(work))
        return
    print_text(f"labelers: {', '.join(work.people) or 'nobody yet'}")
    print_text(f"rows people decided: {len(work.decided)} ({len(work.changed)} other than the rules said)")
    for key in work.decided:
        marks = [mark for mark, keys in (("changed", work.changed), ("adjudicated", work.adjudicated)) if key in keys]
        print_text(f"  {key_name(key)} {', '.join(marks) or 'as the rules said'}")
    for one in work.disputes:
        said = f"people say {', '.join(one.values)}, {one.stands or 'nothing'} stands"
        print_text(f"  {key_name(one.key)} {one.axis}: {said}: {one.why}")


@review.command("agreement", short_help="Show how far labelers agree, and the rules with them.")
@click.argument("run")
@click.option("--axis", "axes", multiple=True, metavar="AXIS,...", help=f"Of {AXES} (default: those with labels).")
@runs_dir_option
@json_option
@click.pass_context
def agreement(ctx: click.Context, run: str, axes: tuple[str, ...], runs_dir: str | None, as_json: bool) -> None:
    """Say how far labelers of RUN agree with each other, and the rules with them, axis by axis.

    Under 50 items that two people labelled there are counts and no coefficient. Exit 0 when some pair of labelers is
    reliable on every axis shown (alpha at least .80, lower end at least .667), else 1: as a gate of a CI job a card
    needs that first.

    \b
    Example: denominator review agreement 2026-11-29-oracle --axis mix
    """
    from denominator.cli.pages import terminal_page
    from denominator.pipeline.label_gate import reliable
    from denominator.pipeline.reviewing import agreement_of
    from denominator.publish.terminal.agreement import add_agreement
    from denominator.wire.codec import to_json

    subject = _subject(run, runs_dir)
    found = agreement_of(subject, _split(axes))
    good = reliable(found)
    code = Exit.DONE if good else Exit.BLOCKED
    if as_json:
        print_json({"axes": [to_json(one) for one in found], "reliable": good, "exit": int(code)})
    else:
        page = terminal_page()
        add_agreement(page, found)
        page.item(f"labels are {'' if good else 'not '}shown to be reliable", 0)
        print_page(page)
    if subject.result.judged.split_hidden:
        note("a control is violated: only what two see otherwise is listed, for the rest would tell how many passed")
    leave(ctx, code)
