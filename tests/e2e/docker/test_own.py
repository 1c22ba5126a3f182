"""Our own attacks on level G3 in containers: the same verdicts as under bubblewrap."""

import pytest

from attacks import own_page, test_own

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize(
    "name", [name for name, entry in test_own.ATTACKS.items() if entry["task"] in own_page.PARTS[0][1]]
)
def test_an_attack_on_the_channel_earns_nothing(sandbox, tmp_path, name):
    tmp_path.chmod(0o755)
    test_own.judge(sandbox, tmp_path, name)
