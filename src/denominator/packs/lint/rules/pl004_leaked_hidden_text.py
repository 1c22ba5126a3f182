"""Text of hidden tests can be read by the agent: their code, or values that they expect.

Why: an expected value in the prompt invites a table of answers; code of a hidden test is the answer sheet.
Bad: a README that shows `2024-02-29T23:59:60Z -> 1709251200` when the hidden test checks just that pair.
Good: other values in the prompt than in the tests.
Fix: change the value on one side. Counted are literals of 16 characters or more with at least four digits, literals
of 40 characters or more, numbers of 7 digits or more, long lines of test code, and three shorter ones in a row; of values
that a card names as expected, every one of 3 characters or more as a whole word.
"""

import re
from collections.abc import Iterator

from denominator.packs.lint.leaks import Hit, code_in_code, code_in_prose, whole_words
from denominator.packs.lint.material import Material, Text
from denominator.packs.lint.shape import Rule
from denominator.records.findings import Finding

VALUE_LEAST = 3
_LITERAL = re.compile(r"\"((?:[^\"\\\n]|\\.){16,})\"|'((?:[^'\\\n]|\\.){16,})'")
_NUMBER = re.compile(r"(?<![\w.])\d[\d_]{6,}(?![\w.])")


def check(rule: Rule, pack: Material) -> Iterator[Finding]:
    """Code, then values."""
    for item in pack.tasks:
        lines = [line for text in item.hidden for line in text.lines]
        hits = [*code_in_prose(lines, item.visible), *code_in_code(lines, item.visible)]
        hits += _values(hidden_values(item.hidden), item.visible)
        for text in item.visible:
            told = (value for value in item.values if len(value) >= VALUE_LEAST)
            hits += whole_words(told, text, enumerate(text.lines, 1))
        for hit in hits:
            what = f"text of a hidden test can be read by the agent: {hit.text}"
            yield rule.finding(
                item.task.id, what, where=hit.where, fix="use other values or words on one of the two sides"
            )


def hidden_values(texts: tuple[Text, ...]) -> set[str]:
    """Literals that nobody writes twice by chance."""
    found = set()
    for line in (line for text in texts for line in text.lines):
        for match in _LITERAL.finditer(line):
            literal = match[1] or match[2]
            if len(re.findall(r"\d", literal)) >= 4 or len(literal) >= 40:
                found.add(literal)
        found |= {number for number in _NUMBER.findall(line) if len(set(number.replace("_", ""))) > 2}
    return found


def _values(values: set[str], texts: tuple[Text, ...]) -> Iterator[Hit]:
    for text in texts:
        for number, line in enumerate(text.lines, 1):
            yield from (Hit(f"{text.path}:{number}", value) for value in sorted(values) if value in line)


RULE = Rule("PL004", "leaked-hidden-text", __doc__, check, cards=True)
