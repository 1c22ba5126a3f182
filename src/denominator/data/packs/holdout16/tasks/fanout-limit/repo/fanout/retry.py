"""Trying again."""


def delays(base_s, cap_s, count):
    """The pauses before each of `count` further tries."""
    return [min(cap_s, base_s * 2**number) for number in range(count)]
