"""Words that make a number a rate, a comparison, or neither."""

from __future__ import annotations

import re

EVAL = re.compile(
    r"(?<![a-z])(?:pass(?:es|ed|ing)?(?![a-z])|pass(?:@|\^|[ -]?rate)|pass_|solv(?:e|es|ed|ing)\b|resol(?:ve|ves|ved|ving|ution)\b"
    r"|resolved_|success(?:es|ful|fully)?\b|succeed(?:s|ed)?\b|scor(?:e|es|ed|ing)\b|accura(?:cy|te)\b|wins?\b|won\b|win[ -]?rate"
    r"|beat(?:s|en|ing)?\b|outperform\w*)",
    re.IGNORECASE,
)
"""A percentage in a sentence with one of these is taken for a result."""
RATE = re.compile(r"\b(?:score|rate|accuracy|pass@\d+|pass\^\d+|resolved|solved|share)\b|[a-z]_rate\b", re.IGNORECASE)
"""A plain number beside one of these is a rate."""
SETTING = re.compile(
    r"(?:\b(?:temperature|temp|top[_-]?p|top[_-]?k|alpha|kappa|threshold|version|seed|p|v|weight|learning rate|cost|price|usd"
    r"|python|spread|margin|ceiling|limit|κ|α))\s*(?:value)?\s*(?:[=:<>≤≥]|of|is|was)?\s*[$€]?\s*$",
    re.IGNORECASE,
)
"""A number right behind one of these is a setting or a statistic, and no rate."""
RANKING = re.compile(
    r"\b(?:better|(?<!at )best(?! effort)|worse|(?<!at )worst(?! case|-case)|beats?|beaten|outperform\w*|outscor\w*|outrank\w*"
    r"|surpass\w*|wins?(?![ -]?rates?)|won|improv(?:e|es|ed|ement|ements|ing)|superior|inferior|ahead of|leads by|top[- ]ranked"
    r"|(?:higher|lower)(?= (?:pass|score|rate|accuracy|resolve|than))|exceeds(?= (?:its|the (?:other|old|previous|baseline)))"
    r"|state[- ]of[- ]the[- ]art|gains?|gained|regress(?:es|ed)|twice as|stronger|weaker|more accurate|tops)\b|\bSOTA\b",
    re.IGNORECASE,
)
TOKENS = re.compile(r"\btokens?:?\s*$", re.IGNORECASE)
"""Two numbers behind it are used and allowed tokens, as a footnote gives them."""
SPREAD = re.compile(r"\bspread(?:\s(?:of|is|was))?:?\s*$", re.IGNORECASE)
"""Points behind it say how far repeats lie apart, as a footnote gives them, and no difference of two results."""
LEVELS = {"50", "66", "67", "68", "80", "90", "95", "97.5", "98", "99", "99.5", "99.9"}
"""Confidence levels: `95% CI` is no rate."""
NAMES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
COUNTS = {word: number for number, word in enumerate(NAMES)}
COUNTS |= {word: 10 * number for number, word in enumerate(TENS, 2)}
COUNTS |= {f"{ten}-{NAMES[unit]}": 10 * number + unit for number, ten in enumerate(TENS, 2) for unit in range(1, 10)}
COUNTS |= {"hundred": 100, "one-hundred": 100, "none": 0}
"""Counts in words, as in "ten of fourteen"; "twenty one" is looked up with its hyphen."""
