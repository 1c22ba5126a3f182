"""`[quote]` of denominator.toml: which audience a path has, how old a slip may be, what is not asked where."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from denominator.errors import InputError, Problem
from denominator.records.documents import Audience, QuoteSettings
from denominator.wire.bounded import read_text
from denominator.wire.toml import read_toml
from denominator.wiring.settings import PROJECT_FILE, Settings

CODE = re.compile(r"Q0(0[1-9]|1[0-3])")
REASON_LEAST = 3


def read_quote_settings(cwd: Path) -> tuple[QuoteSettings, Path]:
    """The settings of the nearest denominator.toml and its folder; built-in ones and `cwd` where there is none."""
    for folder in (cwd, *cwd.parents):
        path = folder / PROJECT_FILE
        if path.is_file():
            found = read_toml(Settings, read_text(path), str(path)).quote
            if problems := list(_wrong(found, str(path))):
                raise InputError("[quote] cannot be used", where=str(path), problems=problems)
            return found, folder
    return QuoteSettings(), cwd


def _wrong(found: QuoteSettings, where: str) -> Iterator[Problem]:
    """Every mistake in one pass: words that are none, rules that are none, suppressions without a reason."""
    words = ", ".join(Audience)
    for glob, audience in found.audiences.items():
        if audience not in list(Audience):
            yield Problem(f"{where} quote.audiences.{glob}", f"{audience!r} is no audience", f"one of {words}")
    if found.max_age_days < 0:
        yield Problem(f"{where} quote.max_age_days", "is below zero", "0 means that no age is too high")
    for number, one in enumerate(found.ignore):
        place = f"{where} quote.ignore.{number}"
        if len(one.reason.strip()) < REASON_LEAST:
            yield Problem(place, "gives no reason", "say why these rules are not asked there")
        if not one.rules or not all(CODE.fullmatch(code) for code in one.rules):
            yield Problem(place, "names no rules, or some that are none", "Q001 to Q013")
