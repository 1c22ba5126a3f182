"""What `verify` found, as text for a terminal."""

from __future__ import annotations

from denominator.publish.terminal.page import GREEN, RED, Page
from denominator.records.bundles import Checked
from denominator.records.words import Rung

WIDTH = 100


def verified_page(checked: Checked, page: Page | None = None) -> Page:
    """Verdict first, then every fault, then what was made again and what stands as stated."""
    page = page or Page(WIDTH, color=False)
    good = checked.status == "consistent"
    page.title(f"{'CONSISTENT' if good else 'BLOCKED'}  {checked.run_id or 'bundle'}")
    page.item(checked.issuer, paint=GREEN if good else RED)
    if checked.sums_sha256:
        page.named("sums", checked.sums_sha256)
    page.bullets("faults", (f"{one.kind}: {one.where}: {one.what}" for one in checked.faults))
    if checked.sentence:
        page.title(f"the gate says: {gate_words(checked)}")
        for stamp in checked.stamps:
            page.named("stamp", stamp)
        page.item(checked.sentence)
    page.bullets("made again from the ledger", (f"{number} {name}" for name, number in checked.recomputed))
    page.bullets("as stated, and shown by no file here", checked.stated)
    return page


def gate_words(checked: Checked) -> str:
    """The verdict with its rung, and in words what may be cited where that is less than a rate."""
    rung = checked.rung.replace("_", " ")
    said = f"{checked.verdict} ({rung})" if rung else checked.verdict
    return f"{said}; only counts may be cited, no rate" if checked.rung == Rung.COUNTS else said
