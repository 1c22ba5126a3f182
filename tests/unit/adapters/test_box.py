"""The box: what a machine tells is read right, what it does not tell is unknown with a reason."""

import dataclasses
import os
from pathlib import Path

import pytest

from denominator.adapters.box import SystemBox
from denominator.records.values import NotMeasured


@pytest.fixture(scope="module")
def here():
    return SystemBox().read(Path("/tmp"), "/usr/bin/python3")


def test_this_machine(here):
    for field in dataclasses.fields(here):
        value = getattr(here, field.name)
        assert field.name == "schema_version" or isinstance(value, str | NotMeasured), field.name
        assert value not in ("", "0", "None"), field.name
    assert here.cpu_count == str(os.cpu_count())
    assert int(here.memory_bytes) > 1 << 20
    assert here.ntp_synchronised in ("yes", "no") or here.ntp_synchronised.not_measured
    assert here.toolchain_python.startswith("CPython 3")
    assert len(here.toolchain_digest) == 64


def test_reading_twice_gives_one_toolchain(here):
    assert SystemBox().read(Path("/tmp"), "/usr/bin/python3").toolchain_digest == here.toolchain_digest


def test_a_toolchain_that_does_not_run_is_unknown():
    box = SystemBox().read(Path("/nowhere/at/all"), "/no/python")
    assert isinstance(box.toolchain_python, NotMeasured) and isinstance(box.toolchain_digest, NotMeasured)
    assert isinstance(box.disk_free_bytes, NotMeasured)


def fake(root: Path, *, mounts: str, member: str) -> SystemBox:
    (root / "proc/self").mkdir(parents=True)
    (root / "proc/self/mountinfo").write_text(mounts)
    (root / "proc/self/cgroup").write_text(member)
    return SystemBox(root)


def test_nothing_known(tmp_path):
    box = SystemBox(tmp_path).read(tmp_path, "/no/python")
    for name in ("cpu_model", "memory_bytes", "cgroup_version", "cgroup_cpu_limit", "cgroup_memory_limit"):
        assert isinstance(getattr(box, name), NotMeasured), name


def test_the_tightest_limit_of_v2_counts(tmp_path):
    box = fake(tmp_path, mounts="1 1 0:1 / /cg rw - cgroup2 cgroup2 rw\n", member="0::/a/b\n")
    (tmp_path / "cg/a/b").mkdir(parents=True)
    (tmp_path / "cg/a/memory.max").write_text("1000000\n")
    (tmp_path / "cg/a/b/memory.max").write_text("max\n")
    (tmp_path / "cg/a/cpu.max").write_text("150000 100000\n")
    (tmp_path / "cg/a/b/cpu.max").write_text("800000 100000\n")
    read = box.read(tmp_path, "/no/python")
    assert (read.cgroup_version, read.cgroup_memory_limit, read.cgroup_cpu_limit) == (
        "v2",
        "1000000",
        "150000/100000 us",
    )


def test_v1_and_unlimited(tmp_path):
    mounts = "1 1 0:1 / /m rw - cgroup cgroup rw,memory\n2 1 0:1 / /c rw - cgroup cgroup rw,cpu,cpuacct\n"
    box = fake(tmp_path, mounts=mounts, member="3:memory:/x\n2:cpu,cpuacct:/\n")
    (tmp_path / "m/x").mkdir(parents=True)
    (tmp_path / "c").mkdir()
    (tmp_path / "m/memory.limit_in_bytes").write_text("9223372036854771712\n")
    (tmp_path / "m/x/memory.limit_in_bytes").write_text("9223372036854771712\n")
    (tmp_path / "c/cpu.cfs_quota_us").write_text("-1\n")
    (tmp_path / "c/cpu.cfs_period_us").write_text("100000\n")
    read = box.read(tmp_path, "/no/python")
    assert (read.cgroup_version, read.cgroup_memory_limit, read.cgroup_cpu_limit) == ("v1", "unlimited", "unlimited")


def test_a_container_is_named(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run/.containerenv").write_text('engine="podman"\nimage="localhost/base:1"\n')
    assert SystemBox(tmp_path).read(tmp_path, "/no/python").container_image == "localhost/base:1"
    (tmp_path / "run/.containerenv").write_text("")
    assert "podman" in SystemBox(tmp_path).read(tmp_path, "/no/python").container_image.not_measured


def test_the_zone(tmp_path, monkeypatch):
    monkeypatch.delenv("TZ", raising=False)
    assert SystemBox(tmp_path).read(tmp_path, "/no/python").timezone == "UTC"
    monkeypatch.setenv("TZ", ":Asia/Tokyo")
    assert SystemBox(tmp_path).read(tmp_path, "/no/python").timezone == "Asia/Tokyo"
