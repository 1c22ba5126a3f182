"""A missing value is a value with a reason: never None in disguise, 0, NaN or an empty string."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class NotMeasured:
    """Unknown, and why. Two unknowns are never equal as values: use `values_agree`."""

    not_measured: str

    def __bool__(self) -> bool:
        return False

    def __str__(self) -> str:
        return f"not measured: {self.not_measured}"


@dataclass(frozen=True, slots=True)
class Known(Generic[T]):
    """A known value and where it comes from: recorded, declared or derived."""

    known: T
    by: str = "declared"


def values_agree(left: object, right: object) -> bool:
    """Do two values agree? An unknown agrees with nothing, itself included; how a value is known does not matter."""
    if isinstance(left, NotMeasured) or isinstance(right, NotMeasured):
        return False
    a = left.known if isinstance(left, Known) else left
    b = right.known if isinstance(right, Known) else right
    return type(a) is type(b) and a == b


PLACEHOLDERS = ("replace", "todo", "tbd", "unspecified", "unknown", "none given", "n/a", "sha256:", "xxx", "...")


def is_placeholder(value: object) -> bool:
    """Empty strings and template placeholders count as missing everywhere."""
    if not isinstance(value, str):
        return False
    text = value.strip()
    low = text.lower()
    return not text or low.startswith("replace") or (low.startswith("<") and low.endswith(">")) or low in PLACEHOLDERS


def counted(number: int, one: str, many: str = "") -> str:
    """ "1 task", "2 tasks", "2 families": a count with its noun."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def told_p(p: str) -> str:
    """A p value of six digits in words: "= 0.041234"; what six digits show as nothing is small, and never 0."""
    return f"= {p}" if p.strip("0.") else "below 0.000001"
