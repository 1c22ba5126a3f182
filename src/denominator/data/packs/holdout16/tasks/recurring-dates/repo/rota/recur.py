"""Days on which a rule fires."""

from datetime import date, timedelta

STEP_DAYS = {"day": 1, "week": 7}


def occurrences(rule, after, count):
    """The next `count` days strictly after `after`."""
    after = date.fromisoformat(after)
    found = []
    for day in _nominal(rule):
        if len(found) == count:
            break
        if day > after:
            found.append(day.isoformat())
    return found


def _nominal(rule):
    day = date.fromisoformat(rule["start"])
    interval = rule.get("interval", 1)
    while True:
        yield day
        if rule["every"] == "month":
            day = _add_months(day, interval)
        else:
            day += timedelta(days=STEP_DAYS[rule["every"]] * interval)


def _add_months(day, months):
    index = day.year * 12 + day.month - 1 + months
    return day.replace(year=index // 12, month=index % 12 + 1)
