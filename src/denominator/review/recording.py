"""Answers -> labels: who, when, why, from which file; a later answer of the same person replaces the earlier one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from denominator.records.keys import AttemptKey
from denominator.records.labels import Evidence, Label
from denominator.records.reviews import ReviewCopy, ReviewSheet
from denominator.review.checking import Answer
from denominator.review.deciding import heads, is_adjudication, label_id, one_name, person_of
from denominator.review.words import ADJUDICATION, PERSON

SHEET = "sheet"
COPY = "copy "


@dataclass(frozen=True, slots=True, kw_only=True)
class Came:
    """From whom, when and in which file answers came. `copy` is the copy that it is."""

    labeler: str
    at: str
    file_sha256: str
    copy: str


def new_labels(answers: Iterable[Answer], sheet: ReviewSheet, came: Came, known: Sequence[Label]) -> tuple[Label, ...]:
    """The labels that these answers add to those that are known; nothing for what a person said in the same words before."""
    standing = _standing(known, came.labeler)
    found = []
    for answer in answers:
        before = standing.get((answer.key, answer.axis))
        if before is None or (before.value, before.why, before.sheet) != (answer.value, answer.why, sheet.id):
            found.append(_label(answer, sheet, came, label_id(before) if before else ""))
    return tuple(found)


def adjudication(
    key: AttemptKey,
    axis: str,
    value: str,
    by: str,
    why: str,
    at: str,
    quotes: Iterable[Evidence],
    known: Iterable[Label],
) -> Label | None:
    """A label that settles what labelers said, in the place of an earlier one; nothing when that one says the same."""
    before = heads(one for one in known if is_adjudication(one) and (one.key, one.axis) == (key, axis))
    label = Label(
        key=key,
        axis=axis,
        value=value,
        by=f"{PERSON}{one_name(by)}",
        evidence=tuple(quotes),
        why=why,
        sheet=ADJUDICATION,
        supersedes=label_id(before[-1]) if before else "",
        at=at,
    )
    if len(before) == 1 and label == replace(before[0], at=at, supersedes=label.supersedes):
        return None
    return label


def copy_refusal(copy: ReviewCopy, sheet: ReviewSheet, labeler: str, known: Iterable[Label]) -> str:
    """Why this copy is not this labeler's, or nothing: two people must not hand in the same one."""
    name = one_name(labeler)
    if copy.labeler and one_name(copy.labeler) != name:
        return f"copy {copy.name} was made for {copy.labeler}, not for {labeler}"
    filled = {(person_of(label), one.stream) for label in known if label.sheet == sheet.id for one in label.evidence}
    stream = f"{COPY}{copy.name}"
    others = sorted(person for person, found in filled if found == stream and person != name)
    if others:
        return f"copy {copy.name} was handed in by {others[0]}: each labeler fills a copy of their own"
    own = sorted(found for person, found in filled if person == name and found.startswith(COPY) and found != stream)
    return f"{labeler} handed in {own[0]} of this sheet before, and this is {stream}" if own else ""


def _standing(known: Iterable[Label], labeler: str) -> dict[tuple[AttemptKey, str], Label]:
    """What a person says now, by row and axis."""
    own = [one for one in known if not is_adjudication(one) and person_of(one) == one_name(labeler)]
    return {(label.key, label.axis): label for label in heads(own)}


def _label(answer: Answer, sheet: ReviewSheet, came: Came, supersedes: str) -> Label:
    file = Evidence(kind=SHEET, ref=came.file_sha256, stream=f"{COPY}{came.copy}", quote=f"line {answer.line}")
    return Label(
        key=answer.key,
        axis=answer.axis,
        value=answer.value,
        by=f"{PERSON}{one_name(came.labeler)}",
        evidence=(file,),
        why=answer.why,
        sheet=sheet.id,
        blind=sheet.blind,
        supersedes=supersedes,
        at=came.at,
    )
