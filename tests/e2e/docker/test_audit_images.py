"""`pack audit` with a real engine: layers of an image that was built here, and a pack whose tasks run in one."""

import io
import json
import tarfile

import pytest

import engines_lab
from e2e import runs
from unit.packs.making import make_pack
from unit.pipeline.test_pack_audit_real import HIDDEN, locked, write

pytestmark = pytest.mark.e2e
CLEAN = f"FROM {engines_lab.IMAGE}\nCOPY notes.txt /build/notes.txt\n"
LEAKY = (
    f"FROM {engines_lab.IMAGE}\nENV NOTE=marigold-41c7\nCOPY hidden.py /build/x.py\nRUN rm /build/x.py\n"
    "COPY notes.txt /build/notes.txt\n"
)


def built(engine, name, dockerfile, **files):
    """An image made of a Dockerfile, without network; its name."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as made:
        for path, text in {"Dockerfile": dockerfile, **files}.items():
            info = tarfile.TarInfo(path)
            info.size = len(text.encode())
            made.addfile(info, io.BytesIO(text.encode()))
    query = {"t": name, "networkmode": "none", "rm": "1", "forcerm": "1"}
    said = engine.call("POST", "/build", query, stream=iter([out.getvalue()]), timeout_s=300)
    assert "errorDetail" not in str(said), said
    return name


def audited(folder, engine, *words):
    env = {"DOCKER_HOST": f"unix://{engine.socket}" if engine else "unix:///no/such.sock"}
    done = runs.cli(
        folder, "pack", "audit", str(folder / "tiny"), "--quick", "--repeats", "2", "--json", *words, env=env
    )
    found = json.loads(done.out)
    return done.code, {item["name"]: item for item in found["items"]}


@pytest.fixture
def pack(tmp_path):
    tmp_path.chmod(0o755)
    root = make_pack(tmp_path / "tiny")
    write(root / "tasks/sums", HIDDEN)
    toml = root / "tasks/sums/task.toml"
    toml.write_text(toml.read_text().replace("[source]", 'canary = "marigold-41c7"\n\n[source]', 1))
    return locked(root)


@pytest.mark.parametrize("name", ["dockerd", "podman"])
def test_layers_of_a_named_image(pack, tmp_path, engines, name):
    engine = engines(name)
    files = {"notes.txt": "an honest note\n", "hidden.py": HIDDEN["hidden/test_sum_even.py"]}
    files = {path.replace("_", "."): text for path, text in files.items()}
    clean = built(engine.engine, "lab/clean:1", CLEAN, **files)
    code, items = audited(tmp_path, engine, "--image", clean)
    item = items["image-layers"]
    assert (code, item["state"], item["problems"]) == (0, "passed", []), item
    assert "nothing found in 2 layers" in item["result"]
    leaky = built(engine.engine, "lab/leaky:1", LEAKY, **files)
    code, items = audited(tmp_path, engine, "--image", leaky)
    item = items["image-layers"]
    assert (code, item["state"]) == (1, "failed"), item
    assert any(
        "/build/x.py is hidden file test_sum_even.py of sums" in one and "layer sha256:" in one
        for one in item["problems"]
    )
    assert any("configuration.config.Env" in one and "holds the token mari..." in one for one in item["problems"])


def test_without_an_engine_it_is_undecided(pack, tmp_path):
    code, items = audited(tmp_path, None, "--image", "lab/clean:1")
    assert (code, items["image-layers"]["state"]) == (1, "unknown")
    assert "/no/such.sock" in items["image-layers"]["problems"][0]


def test_a_pack_whose_tasks_run_in_an_image_is_audited_in_it(pack, tmp_path, engines):
    toml = pack / "tasks/sums/task.toml"
    toml.write_text(toml.read_text() + f'\n[environment]\nimage = "{engines_lab.IMAGE}"\n')
    code, items = audited(tmp_path, engines("dockerd"))
    states = {name: item["state"] for name, item in items.items() if item["state"] in ("failed", "unknown")}
    assert states.keys() <= {"lock", "pinned-tools"}, [items[name] for name in states]
    assert (code, items["image-layers"]["state"]) == (1, "passed")
    assert "nothing found in 1 layer" in items["image-layers"]["result"]
