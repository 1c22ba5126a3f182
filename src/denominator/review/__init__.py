"""People: sheets that they fill blind, what their labels decide, how far they agree."""

from __future__ import annotations

from denominator.review.agreement import TOO_FEW, agreement, key_name
from denominator.review.answers import Line
from denominator.review.checking import Answer, Checked, check
from denominator.review.choosing import HELD_OUT, SELECTIONS, axes_asked, row_name
from denominator.review.csvs import read_csv, write_csv
from denominator.review.jsonls import read_answers, write_jsonl
from denominator.review.recording import Came, adjudication, copy_refusal, new_labels
from denominator.review.sheets import Wish, make_sheet, questions, sheet_id
from denominator.review.words import OPEN_AXES, allowed_values

__all__ = [
    "HELD_OUT",
    "OPEN_AXES",
    "SELECTIONS",
    "TOO_FEW",
    "Answer",
    "Came",
    "Checked",
    "Line",
    "Wish",
    "adjudication",
    "agreement",
    "allowed_values",
    "axes_asked",
    "check",
    "copy_refusal",
    "key_name",
    "make_sheet",
    "new_labels",
    "questions",
    "read_answers",
    "read_csv",
    "row_name",
    "sheet_id",
    "write_csv",
    "write_jsonl",
]
