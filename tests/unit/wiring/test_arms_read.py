"""What an envelope names by a relative path lies beside it."""

from __future__ import annotations

from denominator.envelopes import starter
from denominator.wiring.reading import read_starts


def arm_with(tmp_path, mounts):
    text = starter("command").replace('mounts = ["agent=/opt/agent"]', f"mounts = {mounts}")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "A.toml").write_text(text)
    (start,) = read_starts([tmp_path / "sub" / "A.toml"], None, "", "now")
    return start.arm


def test_a_relative_mount_is_beside_the_envelope(tmp_path, monkeypatch):
    monkeypatch.chdir("/")
    assert arm_with(tmp_path, '["agent=/opt/agent"]').mounts == (f"{tmp_path}/sub/agent=/opt/agent",)


def test_an_absolute_mount_and_one_that_is_none_stay_as_they_are(tmp_path):
    assert arm_with(tmp_path, '["/srv/a=/opt/a", "=/opt/b", "c"]').mounts == ("/srv/a=/opt/a", "=/opt/b", "c")
