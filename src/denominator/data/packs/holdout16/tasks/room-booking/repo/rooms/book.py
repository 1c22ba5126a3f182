"""Bookings of one room."""


def free(bookings, start, end):
    """Whether nothing is booked between `start` and `end`."""
    if end <= start:
        raise ValueError("a booking must end after it starts")
    return all(end <= other_start or other_end <= start for other_start, other_end in bookings)


def gaps(bookings, opens, closes):
    """The free spans between `opens` and `closes`."""
    found, at = [], opens
    for start, end in sorted(bookings):
        if at >= closes:
            break
        if start > at:
            found.append([at, min(start, closes)])
        at = max(at, end)
    if at < closes:
        found.append([at, closes])
    return found
