"""What a foreign manifest demands of its own numbers: `house_clauses`, a list of tables as `[[clause]]` in an envelope."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.errors import InputError
from denominator.importers.stated import Stated
from denominator.importers.values import kind_of
from denominator.records.envelopes import Clause
from denominator.wire.codec import from_json

KEY = "house_clauses"


def house_clauses(stated: Stated, where: str, flat: Mapping[str, object]) -> None:
    """Take every clause; one that cannot be read is a mistake of the document and blocks, it is not left out."""
    found = flat.get(KEY)
    if found is None:
        return
    if not isinstance(found, list):
        stated.say(where, KEY, f"{kind_of(found)} is not a list of clauses")
        return
    for number, item in enumerate(found):
        place = f"{KEY}[{number}]"
        try:
            clause = from_json(Clause, item, place)
        except InputError as error:
            told = "; ".join(f"{one.where}: {one.what}" for one in error.problems)
            stated.say(where, place, told or error.what)
            continue
        if clause not in stated.house:
            stated.house = (*stated.house, clause)
