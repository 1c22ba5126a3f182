"""`quote`: every rate in a document cites a slip that says the same."""

from __future__ import annotations

import click

from denominator.cli.lazy import LazyGroup

V = "denominator.cli."
VERBS = {
    "check": (f"{V}quote_check:check", "Hold every number of documents against the slips that they cite."),
    "fix": (f"{V}quote_fix:fix", "Write definitions with tooltips for the tags of Markdown files; numbers stay."),
    "list": (f"{V}quote_list:list_", "Say where a slip is quoted."),
}


@click.group(cls=LazyGroup, verbs=VERBS)
def quote() -> None:
    """Check the numbers of documents: Markdown, HTML, reStructuredText, notebooks, docx, pptx, PDF.

    \b
    Example: denominator quote check README.md docs --slips slips
    """
