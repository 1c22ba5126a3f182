"""The table of docs/formats/logs.md, made from the list that the reader itself uses."""

from __future__ import annotations

from denominator.readers.logs.shape import Signature
from denominator.readers.logs.signatures import SIGNATURES


def signature_table() -> str:
    """Every known text: family, where it may count, its cause, what changes that, an example."""
    lines = ["| family | name | where | cause | but | example |", "|---|---|---|---|---|---|"]
    for one in SIGNATURES:
        example = one.examples[0].decode("utf-8", "backslashreplace").replace("|", "\\|")
        cause = "-" if one.vague else f"`{one.cause}`"
        where = " ".join(one.where)
        lines.append(f"| {one.family} | {one.name} | {where} | {cause} | {_but(one) or '-'} | `{example}` |")
    return "\n".join(lines)


def _but(one: Signature) -> str:
    notes = [f"in setup `{one.setup_cause}`"] if one.setup_cause else []
    notes += [f"after {name} `{cause}`" for name, cause in one.after.items()]
    notes += ["nothing in V with the network off"] if one.network and "V" in one.where else []
    return "; ".join(notes)
