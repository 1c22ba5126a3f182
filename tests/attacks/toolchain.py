"""Fixtures of every test that grades for real: the default sandbox, and a toolchain with pytest that its uid can execute."""

import importlib.metadata
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PYTHON = "/usr/bin/python3"
WHEELS = ("pytest", "iniconfig", "packaging", "pluggy", "pygments")


@pytest.fixture(scope="session")
def sandbox():
    """The default sandbox of this machine."""
    if shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    from denominator.adapters.sandboxes.bubblewrap import Bubblewrap

    box = Bubblewrap(python=PYTHON)
    yield box
    box.close()


@pytest.fixture(scope="session")
def venv(pytestconfig) -> Path:
    """A virtual environment of the system's Python with the pytest that runs these tests (pure Python, locked by hash)."""
    version = importlib.metadata.version("pytest")
    cache = Path(pytestconfig.cache.mkdir("attacks"))
    made = cache / f"venv-{version}-{sys.version_info[0]}{sys.version_info[1]}"
    if not (made / "ready").exists():
        staging = cache / f"staging-{os.getpid()}"
        try:
            _make(staging)
        except (OSError, subprocess.CalledProcessError) as error:
            pytest.skip(f"no environment with pytest for {PYTHON}: {error}")
        if not (made / "ready").exists():
            shutil.rmtree(made, ignore_errors=True)
        try:
            staging.rename(made)
        except OSError:  # another process of this run was first
            shutil.rmtree(staging, ignore_errors=True)
    return made


@pytest.fixture(scope="session")
def site(venv) -> Path:
    return next((venv / "lib").glob("python3*")) / "site-packages"


def _make(folder: Path) -> None:
    options = ["--without-pip", "--symlinks", "--system-site-packages"]
    subprocess.run([PYTHON, "-m", "venv", *options, str(folder)], check=True, capture_output=True)
    site = next((folder / "lib").glob("python3*")) / "site-packages"
    for wheel in WHEELS:
        for file in importlib.metadata.files(wheel) or ():
            if ".." not in file.parts and "__pycache__" not in file.parts:
                (site / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(file.locate(), site / file)
    subprocess.run([PYTHON, "-I", "-m", "compileall", "-q", str(site)], check=True, capture_output=True)
    subprocess.run([str(folder / "bin/python"), "-c", "import pytest"], check=True, capture_output=True)
    subprocess.run(["chmod", "-R", "a+rX", str(folder)], check=True)
    (folder / "ready").touch()
