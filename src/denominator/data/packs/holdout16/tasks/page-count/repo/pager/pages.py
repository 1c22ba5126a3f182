"""Pages."""


def page_count(total, size):
    """How many pages `total` items need."""
    return total // size


def page(items, number, size):
    """The items of page `number`."""
    return items[(number - 1) * size : number * size]
