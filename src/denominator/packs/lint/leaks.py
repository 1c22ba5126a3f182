"""What counts as distinctive, and where it is found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from denominator.packs.lint.material import Text

LINE_LEAST = 10
LINE_IN_PROSE = 24
LINE_IN_CODE = 60
RUN_IN_CODE = 3
_INTERFACE = re.compile(
    r"^(?:async\s+def|def|class|import|from|@|#|\"\"\"|'''|//|return$|else|try|pass$|function|export)\b|^[#@\"'/]"
)
_CODE_MARKS = re.compile(r"[()\[\]{}=<>+\-*/%:;.,]")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Hit:
    """A place (`file:line`) and the text that should not be there."""

    where: str
    text: str


def squeeze(line: str) -> str:
    """A line without white space, so that wrapping and indenting hide nothing."""
    return re.sub(r"\s+", "", line)


def distinctive(line: str, least: int) -> bool:
    """Code that nobody writes twice by chance: long, with several names and marks; no import, signature or comment."""
    text = line.strip()
    if _INTERFACE.match(text) or len(squeeze(text)) < least:
        return False
    return len(set(_NAME.findall(text))) >= 3 and len(_CODE_MARKS.findall(text)) >= 3


def code_in_prose(lines: Iterable[str], texts: Iterable[Text]) -> Iterator[Hit]:
    """Distinctive lines of code that stand in a prompt, a README, a specification, a comment or a docstring.

    Where no line is distinctive (a fix of one short line), the longest one is looked for all the same.
    """
    told = [line for line in lines if not _INTERFACE.match(line.strip())]
    chosen = [line for line in told if distinctive(line, LINE_IN_PROSE)] or sorted(told, key=len)[-1:]
    wanted = {squeeze(line): line.strip() for line in chosen if len(squeeze(line)) >= LINE_LEAST}
    for text in texts:
        for number, line in text.prose_lines():
            have = squeeze(line)
            yield from (Hit(f"{text.path}:{number}", shown) for key, shown in wanted.items() if key in have)


def code_in_code(lines: Iterable[str], texts: Iterable[Text]) -> Iterator[Hit]:
    """One long line, or three distinctive lines in a row, that stand in the repository's code."""
    ordered = [line for line in lines if line.strip()]
    singles = {squeeze(line): line.strip() for line in ordered if distinctive(line, LINE_IN_CODE)}
    runs = _runs(ordered)
    for text in texts:
        if text.prose:
            continue
        have = [(number, squeeze(line)) for number, line in enumerate(text.lines, 1) if line.strip()]
        for at, (number, line) in enumerate(have):
            if line in singles:
                yield Hit(f"{text.path}:{number}", singles[line])
            elif (shown := runs.get(tuple(key for _, key in have[at : at + RUN_IN_CODE]))) is not None:
                yield Hit(f"{text.path}:{number}", shown)


def _runs(ordered: list[str]) -> dict[tuple[str, ...], str]:
    found = {}
    for at in range(len(ordered) - RUN_IN_CODE + 1):
        window = ordered[at : at + RUN_IN_CODE]
        if all(distinctive(line, LINE_IN_PROSE) for line in window):
            found[tuple(squeeze(line) for line in window)] = window[0].strip()
    return found


def whole_words(words: Iterable[str], text: Text, numbered: Iterable[tuple[int, str]]) -> Iterator[Hit]:
    """Names that stand as whole words, whatever their case."""
    patterns = [(word, re.compile(rf"(?<![\w]){re.escape(word)}(?![\w])", re.IGNORECASE)) for word in sorted(words)]
    for number, line in numbered:
        yield from (Hit(f"{text.path}:{number}", word) for word, pattern in patterns if pattern.search(line))
