"""Splitting and joining."""

QUOTE = '"'


def split(line):
    """The fields of a line."""
    fields, at = [], 0
    while True:
        if line.startswith(QUOTE, at):
            field, at = _quoted(line, at + 1)
        else:
            end = line.find(",", at)
            end = len(line) if end < 0 else end
            field, at = line[at:end], end
        fields.append(field)
        if at == len(line):
            return fields
        if line[at] != ",":
            raise ValueError(f"text after a closing quote at {at}")
        at += 1


def _quoted(line, at):
    parts = []
    while True:
        end = line.find(QUOTE, at)
        if end < 0:
            raise ValueError("a quote is not closed")
        parts.append(line[at:end])
        if not line.startswith(QUOTE, end + 1):
            return "".join(parts), end + 1
        parts.append(QUOTE)
        at = end + 2


def join(fields):
    """The line that holds the fields."""
    if list(fields) == [""]:
        return QUOTE + QUOTE
    return ",".join(_quote(field) if any(sign in field for sign in ',"\n') else field for field in fields)


def _quote(field):
    return QUOTE + field.replace(QUOTE, QUOTE * 2) + QUOTE
