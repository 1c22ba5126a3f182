"""The address of a journal in PostgreSQL. It never holds a password, and what is refused is never echoed: it may hold one."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qsl, urlsplit

from denominator.errors import InputError

SCHEMES = ("postgresql", "postgres")
OPTIONS = frozenset(
    (
        "host", "hostaddr", "port", "user", "dbname", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl",
        "channel_binding", "connect_timeout", "target_session_attrs", "passfile", "gssencmode", "krbsrvname",
    )
)  # fmt: skip
"""What may stand after `?`. Not among them: passwords, and settings of the session, which the journal makes itself."""
SHAPE = "postgresql://USER@HOST:PORT/DATABASE, the password in PGPASSWORD or ~/.pgpass"


@dataclass(frozen=True, slots=True)
class Dsn:
    """An address without a password: it may be written down and shown."""

    text: str

    def __str__(self) -> str:
        return self.text


def is_postgres(text: str) -> bool:
    """Does a text name a server, rather than a file?"""
    return text.partition(":")[0].lower() in SCHEMES


def parse_dsn(text: str, where: str = "--journal") -> Dsn:
    """Check an address. Raises InputError, which holds no part of it."""
    if not is_postgres(text) or "://" not in text or any(ord(c) < 33 or ord(c) == 127 for c in text):
        raise InputError("is no address of a PostgreSQL server", where=where, fix=SHAPE)
    try:
        parts = urlsplit(text)
        options = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        raise InputError("the address cannot be read", where=where, fix=SHAPE) from None
    user, _, hosts = parts.netloc.rpartition("@")
    if ":" in user or {"password", "sslpassword", "service"} & options.keys():
        what = "holds a password: it would be written down and shown to everybody on this machine"
        raise InputError(what, where=where, fix=SHAPE)
    if parts.fragment or not options.keys() <= OPTIONS:
        known = ", ".join(sorted(OPTIONS))
        raise InputError("asks for something that an address may not ask for", where=where, fix=f"after '?': {known}")
    ports = [*(_port(host) for host in hosts.split(",")), *options.get("port", "").split(",")]
    if any(port and not port.isdigit() for port in ports) or "/" in parts.path[1:]:
        raise InputError("the address cannot be read: no port and no database are spelled so", where=where, fix=SHAPE)
    return Dsn(f"postgresql{text[text.index('://') :]}")


def _port(host: str) -> str:
    """What follows the colon of a host; an address in brackets holds colons of its own."""
    return host.rpartition("]")[2].partition(":")[2]
