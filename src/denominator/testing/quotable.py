"""`assert_quotable`: quote check of one document as an assertion, for any test runner."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from denominator.errors import InputError
from denominator.pipeline.quote_checking import Asked, check_files, counts, files_in
from denominator.pipeline.quote_slips import slips_in
from denominator.records.documents import Audience, QuoteSettings
from denominator.records.slips import Tier

AUDIENCE = {Tier.INTERNAL: Audience.INTERNAL, Tier.EXTERNAL: Audience.EXTERNAL, Tier.QUOTABLE: Audience.DECK}


def assert_quotable(
    path: str | os.PathLike[str],
    tier: str = "external",
    *,
    slips: str | os.PathLike[str] = "slips",
    max_age_days: int = 90,
    strict: bool = False,
) -> None:
    """Every number of a file (or of the files in a folder) cites a slip of at least this tier that says the same.

    `tier` is internal, external or quotable (then what a deck asks for is asked). Raises AssertionError with one line a
    finding and what was looked for; InputError for an unknown tier, a missing folder of slips, a file that cannot be read.
    """
    if tier not in AUDIENCE:
        raise InputError(f"{tier!r} is no tier to ask for", where="tier", fix=f"one of {', '.join(AUDIENCE)}")
    if not Path(slips).is_dir():
        raise InputError("there is no such folder of slips", where=str(slips), fix="name it: slips=...")
    settings = QuoteSettings(audiences={"*": str(AUDIENCE[Tier(tier)])}, max_age_days=max_age_days)
    found, broken = slips_in(Path(slips))
    asked = Asked(settings=settings, root=Path.cwd(), today=datetime.now(UTC).date().isoformat(), strict=strict)
    outcome = check_files(files_in([Path(path)]), found, asked)
    for error in (*broken, *outcome.failed):
        raise error
    if outcome.stopping:
        raise AssertionError("\n".join([*(one.line for one in outcome.noted), *counts(outcome)]))
