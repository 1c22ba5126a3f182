"""Slips as text: one slip, a list of them, a check of two, the one-page guide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from denominator.publish.terminal.page import GREEN, RED, YELLOW, Page
from denominator.records.slips import ID_DIGITS, PairVerdict, SlipStanding, Tier

PAINT = {Tier.NONE: RED, Tier.INTERNAL: YELLOW, Tier.EXTERNAL: YELLOW, Tier.QUOTABLE: GREEN}
CHECKED = {
    "same": "SAME: nothing moved",
    "box_moved": "BOX MOVED: only the box moved",
    "other_moved": "MOVED: this is another measurement",
}
Pairs = Iterable[tuple[str, str]]


def slip_page(
    page: Page, one: SlipStanding, number: str, paste: str, lines: Sequence[str], hats: Sequence[str]
) -> None:
    """The number, its tier with the reasons, and what people said; `number` is empty where none may be shown."""
    page.title(f"SLIP {one.id[:ID_DIGITS]} {one.slip.headline}")
    page.named("number", number or "none that may be shown")
    page.named("tier", one.tier.tier, PAINT[Tier(one.tier.tier)])
    page.named("audience", one.tier.audience)
    if one.slip.gate.sentence:
        page.named("gate", one.slip.gate.sentence)
    if one.tier.footnote:
        page.named("footnote", one.tier.footnote)
    page.named("signed", "signed off" if one.signed_off else "not signed off")
    if one.revoked:
        page.named("revoked", one.revoked, RED)
    if one.superseded_by:
        page.named("later", f"superseded by slip {one.superseded_by[:ID_DIGITS]}", YELLOW)
    page.bullets("WHY NO HIGHER", one.tier.why)
    page.bullets("WHAT LIFTS IT", one.tier.lifts)
    page.bullets("WHAT PEOPLE SAID", lines)
    page.bullets("SEVERAL ROLES", hats)
    if paste:
        page.title("TO COPY")
        page.item(paste)


def pinned_page(page: Page, pairs: Pairs, left: Sequence[str], gaps: Sequence[str], notes: Sequence[str]) -> None:
    """What it pins, what the harness digest leaves out, and what is not known."""
    page.title("WHAT IT PINS")
    for name, value in pairs:
        if value:
            page.item(f"{name}: {value}")
    page.bullets("LEFT OUT OF THE HARNESS DIGEST", left)
    page.bullets("NOT KNOWN", gaps)
    page.bullets("NOTES", notes)


def list_page(page: Page, found: Sequence[SlipStanding], numbers: Sequence[str]) -> None:
    """One slip a line, in the order in which they were made."""
    if not found:
        page.item("no slips yet; next: denominator slip new RUN", 0)
    for one, number in zip(found, numbers, strict=True):
        state = (
            "revoked" if one.revoked else "superseded" if one.superseded_by else "signed off" if one.signed_off else ""
        )
        text = f"{one.id[:ID_DIGITS]}  {one.tier.tier:<8}  {number or 'no number'}  {one.slip.run_id}  {state}"
        page.item(text.rstrip(), 0, 10, PAINT[Tier(one.tier.tier)] if one.revoked else "")


def check_page(page: Page, verdict: PairVerdict, delta: str) -> None:
    """The verdict, then the fields, then the difference where there may be one."""
    page.title(CHECKED[verdict.status])
    page.named("tier", verdict.tier, PAINT[Tier(verdict.tier)])
    if verdict.moved:
        page.title("FIELDS")
    for name, old, new in verdict.moved:
        page.item(f"{name}: {old or 'empty'} -> {new or 'empty'}")
    if delta:
        page.title("DIFFERENCE")
        page.item(delta)
    elif verdict.status == "same":
        page.item("no difference is shown: a number of these is withheld")


GUIDE = (
    ("ROLES", (
        "run owner: runs, makes the slip, keeps the raw log",
        "score keeper: one verdict line with tier, slip id and the shortest honest caveat (slip verdict)",
        "quote reviewer: signs off, or rejects and names the missing field (slip signoff)",
    )),
    ("STEPS", (
        "1. freeze the harness: commit it; its digest covers all but what it lists",
        "2. warm up: warmup_tasks are counted nowhere",
        "3. set the budget: what the last run used, plus a margin; a run that breaks it stays internal",
        "4. run, and run once more: one run is one draw",
        "5. denominator slip new RUN (or an import's folder, or --hand FILE.toml)",
        "6. denominator slip check OLD NEW: nothing is compared across what moved",
        "7. denominator slip verdict ID, then slip signoff ID for a deck",
        "8. paste the line of slip show, with the footnote of its tier",
    )),
    ("RULE", (
        "none: no slip, no number, or something other than the box moved; nobody sees it",
        "internal: the box moved or is not known, or the budget was not kept; your own team",
        "external: a slip, the same box, the budget kept; docs and posts",
        "quotable: two matching slips of one lineage on a box of its own; decks and customers",
        "an unknown field matches nothing, another unknown included",
        "the tier is computed; nobody types a higher one",
    )),
    ("SCOPE", (
        "never a contract, an SLA or a price",
        "white space moves a digest, and that is accepted",
        "one run of 20 to 30 tasks is noise",
    )),
)  # fmt: skip


def guide_page(page: Page) -> None:
    """The procedure on one page."""
    for title, lines in GUIDE:
        page.title(title)
        for line in lines:
            page.item(line, 2, 3)
