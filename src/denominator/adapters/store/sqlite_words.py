"""What SQLite refuses, in words: a disk that is full or busy is no damage, and what can no longer be read is."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from denominator.errors import DenominatorError, DuplicateError, InputError, OpenPromisesError, UnknownStateError

OF_THE_SYSTEM = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_PROTOCOL,
)
NO_ROOM = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR)
OF_ONE_STATEMENT = (sqlite3.IntegrityError, sqlite3.DataError, sqlite3.InterfaceError, sqlite3.ProgrammingError)
DAMAGED = "restore it from a copy; nothing was touched"


@contextmanager
def in_words(path: Path) -> Iterator[None]:
    """What is in the file can no longer be read: a state that nobody can explain."""
    try:
        yield
    except sqlite3.ProgrammingError:  # a mistake of ours, a closed file: it says nothing of what is in it
        raise
    except (sqlite3.DatabaseError, ValueError, TypeError, InputError, RecursionError) as error:
        if _of_the_system(error):
            fix = "make room, or see that the disk can be read and written, then the same command again"
            raise OpenPromisesError(f"the journal cannot be read: {error}", where=str(path), fix=fix) from None
        raise _damaged(error, path) from None


@contextmanager
def written(path: Path) -> Iterator[None]:
    """Nothing was recorded: a second one of its kind, a disk that is full, a file that is not ours to write or is damaged."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        raise DuplicateError(f"already in the journal: {error}", where=str(path)) from None
    except sqlite3.OperationalError as error:
        fix = "make room or get the right to write, then denominator resume"
        raise OpenPromisesError(f"the journal cannot be written: {error}", where=str(path), fix=fix) from None
    except sqlite3.ProgrammingError:
        raise
    except sqlite3.DatabaseError as error:
        raise _damaged(error, path) from None


def in_words_of_writing(error: Exception, path: Path) -> Exception:
    """The same as an error in words, not raised."""
    try:
        with written(path):
            raise error
    except Exception as told:
        return told


def of_one_statement(error: Exception) -> bool:
    """Does it say something about what was to be written, and nothing about the file?"""
    return not isinstance(error, sqlite3.Error) or isinstance(error, OF_ONE_STATEMENT)


def not_a_journal(error: sqlite3.DatabaseError, path: Path) -> UnknownStateError:
    """The file holds something else."""
    return UnknownStateError(f"not a journal: {error}", where=str(path), fix=DAMAGED)


def not_opened(error: sqlite3.OperationalError, path: Path) -> DenominatorError:
    """A journal with a log beside it that cannot be opened where it lies."""
    if _code(error) & 0xFF in NO_ROOM:
        fix = "make room, then denominator resume"
        return OpenPromisesError(f"the journal cannot be opened: {error}", where=str(path), fix=fix)
    return InputError(f"cannot be opened: {error}", where=str(path), fix="copy the run to a place of your own")


def _damaged(error: Exception, path: Path) -> UnknownStateError:
    what = error.what if isinstance(error, InputError) else error
    return UnknownStateError(f"the journal is damaged: {what}", where=str(path), fix=DAMAGED)


def _of_the_system(error: Exception) -> bool:
    """Is the disk full, out of reach or busy? What is in the file may be sound then."""
    short = _code(error) == sqlite3.SQLITE_IOERR_SHORT_READ  # the file ends where a page should be
    return isinstance(error, sqlite3.OperationalError) and _code(error) & 0xFF in OF_THE_SYSTEM and not short


def _code(error: Exception) -> int:
    return int(getattr(error, "sqlite_errorcode", 0))
