"""Reading and adding."""

import csv
from decimal import Decimal


class InputError(Exception):
    """The input is not what the command needs."""


def read_table(name, stdin):
    """The records of a CSV file as dicts."""
    if name == "-":
        return list(csv.DictReader(stdin))
    try:
        with open(name, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    except OSError as error:
        raise InputError(f"{name}: {error.strerror}") from None


def total(rows, column, name):
    """The sum of a column."""
    result = Decimal(0)
    for row in rows:
        if column not in row:
            raise InputError(f"{name}: no column {column}")
        result += Decimal(row[column])
    return result
