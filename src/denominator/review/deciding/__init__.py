"""When labels of people change a count: pure, and the same whatever order the labels come in."""

from __future__ import annotations

from denominator.review.deciding.apply import Relabel, with_people
from denominator.review.deciding.decided import decided, people_digest
from denominator.review.deciding.identity import by_person, heads, is_adjudication, label_id, one_name, person_of
from denominator.review.deciding.ruling import PEOPLE, Ruling

__all__ = [
    "PEOPLE",
    "Relabel",
    "Ruling",
    "by_person",
    "decided",
    "heads",
    "is_adjudication",
    "label_id",
    "one_name",
    "people_digest",
    "person_of",
    "with_people",
]
