"""Arguments in, text out, no decisions; one file per verb, loaded only when called."""


def main() -> None:
    """Entry point of `denominator` and `denom`."""
