"""Wrapping."""


def fill(text, width):
    """Wrap every paragraph of `text` to `width` characters."""
    blocks, lines = [], []
    for line in [*text.split("\n"), ""]:
        if line.strip(" "):
            lines.append(line)
        elif lines:
            blocks.append("\n".join(wrap(" ".join(lines).split(), width)))
            lines = []
    return "\n\n".join(blocks)


def wrap(words, width):
    """The lines that hold `words`."""
    lines = []
    for word in words:
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines
