"""Dates and day counts of billing periods."""

from datetime import date


def parse_day(text):
    """The date that an ISO string names."""
    return date.fromisoformat(text)


def days_between(start, end):
    """Days in the half-open span from `start` to `end`."""
    return (end - start).days
