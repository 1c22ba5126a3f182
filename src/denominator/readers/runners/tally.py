"""Collects what a format's reader finds, in bounded memory, and gives the report in normal form."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from denominator.readers.runners.shape import (
    ERROR,
    FAILED,
    IDS_MAX,
    TROUBLES_MAX,
    WORST_FIRST,
    Report,
    Trouble,
)
from denominator.readers.runners.texts import clip, files_in, modules_in

ID_CHARS_MAX = 4096
RANK = {word: rank for rank, word in enumerate(WORST_FIRST)}


class Tally:
    """What is known so far. `defect` keeps the first one: the later ones follow from it."""

    def __init__(self, format_: str) -> None:
        self.format, self.runner, self.defect = format_, "", ""
        self.exit: int | None = None
        self.only_expected = False
        self._seen: dict[str, list[str]] = {}
        self._aliases: dict[str, str] = {}
        self._again: set[str] = set()
        self._counts: Counter[str] = Counter()
        self._kinds: Counter[str] = Counter()
        self._troubles: list[Trouble] = []

    def case(self, id_: str, word: str, kind: str = "", text: str = "", offset: int = 0) -> None:
        """One reported result. `kind` says of a bad one what went wrong (an assertion when nothing is said)."""
        if len(id_) > ID_CHARS_MAX or (id_ not in self._seen and len(self._seen) >= IDS_MAX):
            self.spoil("it holds more, or longer, ids than are read")
            return
        self._seen.setdefault(id_, []).append(word)
        self._counts[word] += 1
        if word in (FAILED, ERROR):
            kind = kind or "assertion"
            self._kinds[kind] += 1
            if kind != "assertion":
                self.trouble(kind, text, offset)

    def alias(self, id_: str, word: str) -> None:
        """Another id of a result. What stands for several results is as bad as the worst of them."""
        if len(id_) <= ID_CHARS_MAX and (id_ in self._aliases or len(self._aliases) < IDS_MAX):
            self._aliases[id_] = min(self._aliases.get(id_, word), word, key=RANK.__getitem__)

    def again(self, id_: str) -> None:
        """This id was tried more than once, and its last result is not its only one."""
        if len(self._again) < IDS_MAX:
            self._again.add(id_)

    def trouble(self, kind: str, text: str, offset: int = 0, files: tuple[str, ...] = ()) -> None:
        """Something that went wrong beside, or as part of, a case."""
        if len(self._troubles) < TROUBLES_MAX:
            named = tuple(dict.fromkeys((*files, *files_in(text))))
            self._troubles.append(
                Trouble(kind=kind, text=clip(text), files=named, modules=modules_in(text), offset=offset)
            )

    def place(self, data: bytes, text: str) -> int:
        """Where a text first stands in a document, 0 where it does not; looked for only as long as troubles are kept."""
        if len(self._troubles) >= TROUBLES_MAX:
            return 0
        return max(data.find(text.encode()), 0)

    def outside(self, kind: str, text: str = "", offset: int = 0, files: tuple[str, ...] = ()) -> None:
        """A trouble that belongs to no case (a module, a package, a build)."""
        self._kinds[kind] += 1
        self.trouble(kind, text, offset, files)

    def spoil(self, why: str) -> None:
        """The report is not whole."""
        self.defect = self.defect or why

    def refuse(self, why: str) -> None:
        """The report must not be believed at all."""
        self.defect = why
        self._seen.clear()
        self._counts.clear()
        self._kinds.clear()
        self._aliases.clear()

    def report(self) -> Report:
        """What was collected. An id with several results counts once, as its worst; node ids of pytest are unique, so
        there one that comes again was run again."""
        words = {id_: min(words, key=RANK.__getitem__) for id_, words in self._seen.items()}
        twice = self.runner == "pytest"
        flaky = tuple(
            id_
            for id_, seen in self._seen.items()
            if len(set(seen)) > 1 or id_ in self._again or (twice and len(seen) > 1)
        )
        numbers = Counter(self._counts)
        for id_ in flaky:
            numbers.subtract(self._seen[id_])
            numbers[words[id_]] += 1
        return Report(
            format=self.format,
            runner=self.runner,
            words=words,
            aliases=self._aliases,
            numbers=dict(numbers),
            kinds=dict(self._kinds),
            flaky=flaky,
            troubles=tuple(self._troubles),
            defect=self.defect,
            exit=self.exit,
            only_expected=self.only_expected,
        )


def merged(reports: list[Report]) -> Report:
    """Several documents of one run as one report. An id that stands in two of them with two results is flaky."""
    if len(reports) == 1:
        return reports[0]
    words: dict[str, str] = {}
    aliases: dict[str, str] = {}
    flaky = {id_ for report in reports for id_ in report.flaky}
    numbers: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for report in reports:
        numbers.update(report.numbers)
        kinds.update(report.kinds)
        for id_, word in report.words.items():
            if words.get(id_, word) != word:
                flaky.add(id_)
            words[id_] = min(words.get(id_, word), word, key=RANK.__getitem__)
        for id_, word in report.aliases.items():
            aliases[id_] = min(aliases.get(id_, word), word, key=RANK.__getitem__)
    too_many = "the reports hold more ids than are read" if len(words) > IDS_MAX else ""
    first = reports[0]
    return replace(
        first,
        runner=next((report.runner for report in reports if report.runner), ""),
        words=words,
        aliases=aliases,
        numbers=dict(numbers),
        kinds=dict(kinds),
        flaky=tuple(sorted(flaky)),
        troubles=tuple(one for report in reports for one in report.troubles)[:TROUBLES_MAX],
        defect=next((report.defect for report in reports if report.defect), too_many),
        exit=next((report.exit for report in reports if report.exit is not None), None),
    )
