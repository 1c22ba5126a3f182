"""A private PostgreSQL server for tests and benchmarks: of this machine's own package, in a folder of its own, durable.

Nothing is downloaded. As root it runs as user `postgres` (or `nobody`), for a server refuses to be root. It listens on a
unix socket, where everybody is trusted, and on loopback, where the password is asked. It dies with the process that
started it.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from denominator.errors import MachineError

USER = "denominator"
PASSWORD = "only-for-tests"
PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/pgsql/bin", "/opt/homebrew/opt/postgresql*/bin")
START_S = 60
SETTINGS = {
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "off",  # what a journal needs it has to ask for itself
    "shared_buffers": "16MB",
    "log_statement": "none",
    "lc_messages": "C",
}


def server_binaries() -> Path | None:
    """The folder of `postgres` and `initdb`, the newest where there are several; None without one."""
    on_path = shutil.which("postgres")
    found = [Path(on_path).resolve().parent] if on_path else []
    found += sorted((p for place in PLACES for p in Path("/").glob(place.lstrip("/"))), key=_version, reverse=True)
    return next((p for p in found if (p / "postgres").is_file() and (p / "initdb").is_file()), None)


def why_not() -> str:
    """Why no server can be started here; empty when one can."""
    if server_binaries() is None:
        return "no PostgreSQL server is installed (Debian: apt-get install postgresql-15)"
    if shutil.which("setpriv") is None:
        return "setpriv is not installed (Debian: apt-get install util-linux)"
    if os.getuid() == 0 and _account() is None:
        return "a server refuses to be root, and there is no user postgres or nobody"
    return ""


def _version(folder: Path) -> tuple[int, ...]:
    return tuple(int(part) for part in folder.parent.name.replace("pgsql-", "").split(".") if part.isdigit())


def _account() -> pwd.struct_passwd | None:
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    return None


@dataclass(slots=True)
class PostgresServer:
    """One server. `password` is asked on loopback only; `settings` are of postgresql.conf."""

    root: Path
    bin: Path
    port: int
    password: str
    listen: str = "127.0.0.1"
    settings: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[bytes] | None = None

    def dsn(self, database: str = "postgres") -> str:
        """Where it listens on its unix socket; no password is needed."""
        return f"postgresql://{USER}@/{database}?host={self.root}&port={self.port}"

    def tcp_dsn(self, database: str = "postgres", host: str = "127.0.0.1", user: str = USER) -> str:
        """Where it listens on loopback; PGPASSWORD has to hold `password`."""
        return f"postgresql://{user}@{host}:{self.port}/{database}"

    def start(self) -> None:
        """Start it and wait until it answers. Raises MachineError with the end of its log."""
        wanted = SETTINGS | self.settings
        options = [part for name, value in wanted.items() for part in ("-c", f"{name}={value}")]
        command = [str(self.bin / "postgres"), "-D", str(self.root / "data"), "-k", str(self.root)]
        command += ["-p", str(self.port), "-c", f"listen_addresses={self.listen}", *options]
        with (self.root / "log").open("ab") as log:
            self.process = subprocess.Popen(
                _as_account(command, die_with_me=True), stdout=log, stderr=log, cwd=self.root, start_new_session=True
            )
        until = time.monotonic() + START_S
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > until:
                self.stop(signal.SIGQUIT)
                raise MachineError(f"the server does not start: {self._log()[-600:]}")
            time.sleep(0.02)

    def stop(self, how: int = signal.SIGINT) -> None:
        """End it: SIGINT cuts its connections and shuts down in order, SIGQUIT is a crash that it recovers from."""
        if self.process is not None:
            if self.process.poll() is None:
                self.process.send_signal(how)
            try:
                self.process.wait(START_S)
            except subprocess.TimeoutExpired:
                self.process.send_signal(signal.SIGQUIT)
                self.process.wait(START_S)
            self.process = None

    def restart(self, how: int = signal.SIGINT) -> None:
        """End it and start it again."""
        self.stop(how)
        self.start()

    def run(self, tool: str, *argv: str) -> str:
        """One of the server's own programs (createdb, psql) against it; what it printed."""
        place = ["-h", str(self.root), "-p", str(self.port), "-U", USER]
        done = subprocess.run([str(self.bin / tool), *place, *argv], capture_output=True, text=True, check=False)
        if done.returncode:
            raise MachineError(f"{tool} failed: {done.stderr[-600:]}")
        return done.stdout

    def _answers(self) -> bool:
        ask = [str(self.bin / "pg_isready"), "-q", "-h", str(self.root), "-p", str(self.port)]
        return subprocess.run(ask, check=False).returncode == 0

    def _log(self) -> str:
        return (self.root / "log").read_text(errors="replace")


@contextmanager
def postgres_server(password: str = PASSWORD, *, listen: str = "127.0.0.1") -> Iterator[PostgresServer]:
    """A running server of one's own, gone with its folder afterwards. Raises MachineError where there can be none."""
    if why := why_not():
        raise MachineError(why)
    found = server_binaries()
    assert found is not None
    root = Path(tempfile.mkdtemp(prefix="dnm-pg-", dir="/tmp"))
    server = PostgresServer(root, found, _free_port(), password, listen)
    try:
        _initialise(server)
        server.start()
        yield server
    finally:
        server.stop(signal.SIGQUIT)
        shutil.rmtree(root, ignore_errors=True)


def _initialise(server: PostgresServer) -> None:
    account, secret = _account(), server.root / "password"
    secret.write_text(server.password + "\n")
    if os.getuid() == 0 and account is not None:
        for path in (server.root, secret):
            os.chown(path, account.pw_uid, account.pw_gid)
    command = [str(server.bin / "initdb"), "-D", str(server.root / "data"), "-U", USER, "--no-sync", "--locale=C.UTF-8"]
    command += ["-E", "UTF8", "--auth-local=trust", "--auth-host=scram-sha-256", f"--pwfile={secret}"]
    done = subprocess.run(_as_account(command), capture_output=True, text=True, cwd=server.root, check=False)
    secret.unlink()
    if done.returncode:
        raise MachineError(f"initdb failed: {done.stderr[-600:]}")


def _as_account(command: list[str], *, die_with_me: bool = False) -> list[str]:
    ahead = ["setpriv"]
    account = _account()
    if os.getuid() == 0 and account is not None:
        ahead += [f"--reuid={account.pw_uid}", f"--regid={account.pw_gid}", "--clear-groups"]
    if die_with_me:
        ahead.append("--pdeathsig=QUIT")
    return [*ahead, *command] if len(ahead) > 1 else command


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
