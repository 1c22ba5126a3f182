"""A whole run in containers: sealed with the image, graded, resumed, and left without a trace."""

import json
import time

import pytest

import engines_lab
from denominator.adapters.sandboxes.docker.owners import OWNER
from denominator.testing.scripted_server import ScriptedServer
from e2e import runs
from e2e.test_run_provider import AGENT

pytestmark = pytest.mark.e2e
ARMS = (
    {
        "label": "solves",
        "agent": "command",
        "command": ["sh", "-c", "cat /in/prompt.md; touch left"],
    },
    {"label": "gold", "agent": "oracle"},
)


def finished(folder, engine, label, *more):
    """Run one arm of the envelope here; its rows."""
    env = {"DOCKER_HOST": f"unix://{engine.socket}"}
    done = runs.cli(folder, "run", "envelope.toml", "--arm", label, "--run-id", label, *more, env=env)
    assert done.code in (0, 1), done.err
    return runs.rows_of(folder, label)


@pytest.fixture
def lab(tmp_path, engines, boxes):
    tmp_path.chmod(0o755)
    runs.make_pack(tmp_path, *runs.SOLVE)
    box = {"backend": "docker", "image": boxes("dockerd").image}
    (tmp_path / "envelope.toml").write_text(runs.envelope(ARMS, sandbox=box))
    return tmp_path


def test_a_run_in_containers(lab, engines):
    running = engines("dockerd")
    rows = finished(lab, running, "gold")
    assert {key[0]: row.grade for key, row in rows.items()} == {
        "clamp-low": "green",
        "count-words": "green",
        "double-it": "green",
        "keep-sorted": "green",
    }
    seal = json.loads((lab / "runs/gold/seal.json").read_text())
    assert seal["sandbox"]["name"] == "docker" and all(one["holds"] for one in seal["sandbox"]["protections"])
    assert seal["envelope"]["sandbox"]["image"].rpartition("@")[2] in seal["sandbox"]["version"]
    assert seal["box"]["toolchain_digest"] == "image " + seal["envelope"]["sandbox"]["image"].rpartition("@")[2]
    rows = finished(lab, running, "solves")
    assert {row.grade for key, row in rows.items() if key[0] != "keep-sorted"} == {"red"}
    assert running.engine.labelled(OWNER) == []


def test_an_envelope_must_pin_its_image(lab, engines):
    env = {"DOCKER_HOST": f"unix://{engines('dockerd').socket}"}
    path = lab / "envelope.toml"
    pinned = path.read_text()
    for words, why in (("lab/base:latest", "is not pinned by a digest"), ("", "a container needs an image")):
        line = next(line for line in pinned.splitlines() if line.startswith("image"))
        path.write_text(pinned.replace(line, f'image = "{words}"'))
        done = runs.cli(lab, "run", "envelope.toml", "--arm", "gold", env=env)
        assert (done.code, why in done.err) == (2, True), done.err
    path.write_text(
        pinned.replace("sha256:", "sha256:0000").replace("0000" + pinned.partition("sha256:")[2][:64], "0" * 64)
    )
    done = runs.cli(lab, "run", "envelope.toml", "--arm", "gold", env=env)
    assert done.code == 2 and "pinned is" in done.err, done.err
    done = runs.cli(lab, "run", "envelope.toml", "--arm", "gold", env={"DOCKER_HOST": "unix:///no/such.sock"})
    assert done.code == 2 and "/no/such.sock" in done.err, done.err


def test_doctor_tries_an_image(lab, engines):
    env = {"DOCKER_HOST": f"unix://{engines('podman').socket}"}
    done = runs.cli(lab, "doctor", "--sandbox", "docker", "--image", "denominator-test/base", "--json", env=env)
    assert done.code == 0, done.err
    assert "@sha256:" in done.json["image"] and done.json["sandbox"]["name"] == "docker"
    done = runs.cli(lab, "doctor", "--sandbox", "docker", "--image", "no/such", env=env)
    assert (done.code, "no such image" in done.err) == (2, True), done.err


def test_an_agent_with_a_model_reaches_it_by_its_socket_alone(lab, engines):
    running = engines("dockerd")
    (lab / "agent").mkdir(mode=0o755)
    (lab / "agent" / "ask.py").write_text(AGENT)
    arm = {
        "label": "asks",
        "agent": "command",
        "command": ["{python}", "/opt/agent/ask.py", "plain"],
        "mounts": [f"{lab}/agent=/opt/agent"],
        "env": {"ADDRESS": "{model_url}"},
    }
    image = boxed(lab)
    with ScriptedServer(lambda request: [runs.SOLVE["double-it"], "true"]) as server:
        box = {"backend": "docker", "image": image, "network": "gateway"}
        text = runs.envelope([arm], budget={"tokens": 100_000}, sandbox=box)
        (lab / "envelope.toml").write_text(runs.with_model(text, server.url))
        env = {"DOCKER_HOST": f"unix://{running.socket}", "RUN_PROVIDER_KEY": "sk-none-0123456789"}
        done = runs.cli(lab, "run", "envelope.toml", "--run-id", "m", env=env)
    assert done.code in (0, 1), done.err
    rows = runs.rows_of(lab, "m")
    assert {key[0]: row.grade for key, row in rows.items()}["double-it"] == "green"
    assert all(row.usage.calls for row in rows.values())


def boxed(lab):
    """The image that the envelope names."""
    line = next(line for line in (lab / "envelope.toml").read_text().splitlines() if line.startswith("image"))
    return json.loads(line.partition("=")[2])


def test_pack_lock_pins_the_images_of_tasks(lab, engines):
    env = {"DOCKER_HOST": f"unix://{engines('dockerd').socket}"}
    for path in (lab / "pack/tasks").glob("*/task.toml"):
        path.write_text(path.read_text() + f'\n[environment]\nimage = "{engines_lab.IMAGE}"\n')
    (lab / "pack/pack.lock").unlink()
    done = runs.cli(lab, "pack", "lock", "pack", env=env)
    assert done.code == 0, done.err
    lock = json.loads((lab / "pack/pack.lock").read_text())
    assert {task["image"] for task in lock["tasks"]} == {boxed(lab)}
    rows = finished(lab, engines("dockerd"), "gold")
    assert {row.grade for row in rows.values()} == {"green"}
    text = (lab / "envelope.toml").read_text()
    outside = [line for line in text.replace('"docker"', '"bubblewrap"').splitlines() if not line.startswith("image")]
    (lab / "envelope.toml").write_text("\n".join(outside))
    done = runs.cli(lab, "run", "envelope.toml", "--arm", "gold", "--run-id", "outside")
    assert (done.code, "needs containers" in done.err) == (2, True), done.err


def test_a_run_that_is_killed_leaves_no_container_and_goes_on(lab, engines):
    running = engines("dockerd")
    env = {"DOCKER_HOST": f"unix://{running.socket}"}
    text = (lab / "envelope.toml").read_text().replace("cat /in/prompt.md; touch left", "touch /work/began; sleep 6")
    (lab / "envelope.toml").write_text(text)
    process = runs.start(lab, "run", "envelope.toml", "--arm", "solves", "--run-id", "k", env=env)
    for _ in range(1800):
        if list(lab.glob("runs/k/work/**/began")) or process.poll() is not None:
            break
        time.sleep(0.1)
    process.kill()
    process.communicate()
    assert list(lab.glob("runs/k/work/**/began"))
    for _ in range(300):
        if not running.engine.labelled(OWNER):
            break
        time.sleep(0.1)
    assert running.engine.labelled(OWNER) == []
    done = runs.cli(lab, "resume", "k", env=env)
    assert done.code in (0, 1), done.err
    assert len(runs.rows_of(lab, "k")) == 4
