"""Shares of a bill."""


def split(total, count):
    """The share of each of `count` payers."""
    if count < 1:
        raise ValueError("there must be a payer")
    return [total // count] * count
