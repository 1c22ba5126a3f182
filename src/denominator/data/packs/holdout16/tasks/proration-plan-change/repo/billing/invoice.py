"""Invoice lines for subscription events."""

from billing.periods import days_between, parse_day
from billing.proration import prorate


def start_plan(period_start, period_end, start_on, cents):
    """The invoice of a subscription that starts inside a period."""
    start, end, first = parse_day(period_start), parse_day(period_end), parse_day(start_on)
    days = days_between(first, end)
    charge = prorate(cents, days, days_between(start, end))
    return {"lines": [{"kind": "charge", "cents": charge, "days": days}], "total": charge}
