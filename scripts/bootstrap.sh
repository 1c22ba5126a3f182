#!/bin/sh
# Makes .venv from the locked dependencies and looks for the system packages that runs need.
# As root on Debian it installs what is missing; elsewhere it names it in one line and goes on.
set -eu
cd "$(dirname "$0")/.."
venv=${VENV:-.venv}

missing=""
need() { command -v "$1" >/dev/null 2>&1 || missing="$missing $2"; }
need bwrap bubblewrap
need git git
need setpriv util-linux
[ -x /usr/bin/python3 ] || missing="$missing python3"
# Tests of the journal in PostgreSQL start a private server; without one they say that they were skipped.
set -- /usr/lib/postgresql/*/bin/postgres
[ -x "$1" ] || need postgres postgresql

find_python() {
  for p in "${PYTHON:-}" python3 python3.13 python3.12 python3.11 /usr/bin/python3; do
    [ -n "$p" ] || continue
    command -v "$p" >/dev/null 2>&1 || continue
    if "$p" -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
      command -v "$p"; return
    fi
  done
}
python=$(find_python || true)
[ -n "$python" ] || missing="$missing python3-venv"

if [ -n "$missing" ]; then
  if [ "$(uname -s)" = Linux ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "bootstrap: installing$missing"
    apt-get update -qq >/dev/null 2>&1 || true
    DEBIAN_FRONTEND=noninteractive DEBCONF_NOWARNINGS=yes apt-get install -y -qq --no-install-recommends $missing >/dev/null ||
      echo "bootstrap: apt-get could not install$missing" >&2
    python=$(find_python || true)
  else
    echo "bootstrap: missing$missing: install with your system's packages (Debian, as root: apt-get install$missing)" >&2
  fi
fi
[ -n "$python" ] || { echo "bootstrap: no Python 3.11 or newer with venv was found (set PYTHON=...)" >&2; exit 2; }

stamp="$venv/.locked"
want="$(cat requirements/dev.txt pyproject.toml | cksum) $(pwd -P)"
if [ ! -x "$venv/bin/python" ] || [ "$(cat "$stamp" 2>/dev/null || true)" != "$want" ]; then
  [ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
  "$venv/bin/python" -m pip install -q --disable-pip-version-check --require-hashes -r requirements/dev.txt
  "$venv/bin/python" -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
  printf '%s' "$want" > "$stamp"
fi
