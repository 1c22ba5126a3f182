"""`resume --dry-run PATH` and `faultbench score PATH` on rows of another harness: what a resume would do. Starts nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from denominator.cli.output import print_json, print_page
from denominator.errors import Exit, InputError

OURS = ("seal.json", "journal.db", "journal.toml", "ledger.json", "terms.json")
"""Files by which a folder is a run of ours, damaged ones included, or a kept import."""


def print_plan(paths: Sequence[Path], *, as_json: bool, dry_run: bool = True) -> Exit:
    """Print the plan. It is exit 0 whatever the plan says, as a dry run of a run of ours."""
    from denominator.cli.pages import terminal_page
    from denominator.faultbench.foreign_resume import plan_foreign
    from denominator.publish.terminal.faultbench import resume_page
    from denominator.wire.codec import to_json

    if not dry_run:
        raise InputError(
            "rows of another harness are resumed by that harness",
            where=", ".join(map(str, paths)),
            fix=f"denominator resume --dry-run {paths[0]} says what it would have to do",
        )
    plan = plan_foreign(paths)
    if as_json:
        print_json({"resume": to_json(plan), "exit": int(Exit.DONE)})
    else:
        page = terminal_page()
        resume_page(page, plan)
        print_page(page)
    return Exit.DONE


def foreign_paths(name: str, runs: Path) -> tuple[Path, ...]:
    """The path, if the argument names rows of another harness and no run of ours."""
    path = Path(name)
    ours = (path.name == name and (runs / name).exists()) or any((path / file).exists() for file in OURS)
    return (path,) if name and path.exists() and not ours else ()
