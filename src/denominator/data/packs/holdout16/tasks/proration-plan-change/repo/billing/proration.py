"""Price of a part of a billing period."""


def prorate(cents, days, period_days):
    """The share of `cents` that `days` out of `period_days` cost."""
    return int(cents * days / period_days)
