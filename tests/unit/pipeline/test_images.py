"""Images that tasks name: pinned by the lock, asked for in every job, refused where there are no containers."""

from dataclasses import replace

import pytest

from denominator.adapters.sandboxes.bare import Bare
from denominator.errors import InputError
from denominator.packs import load_pack, make_lock, verify_lock
from denominator.pipeline.images import in_image, locked_images, named_images, require_images
from denominator.ports import Job, Limits
from denominator.records.envelopes import Envelope, SandboxTerms
from e2e.runs import FOUR

PIN = "lab/base:1@sha256:" + "a" * 64
LIMITS = Limits(
    wall_s=5,
    memory_bytes=1 << 28,
    processes=20,
    disk_bytes=1 << 20,
    file_bytes=1 << 20,
    open_files=50,
    output_bytes=999,
)


@pytest.fixture
def root(tmp_path):
    import shutil

    shutil.copytree(FOUR, tmp_path / "pack")
    for path in (tmp_path / "pack/tasks").glob("*/task.toml"):
        path.write_text(path.read_text() + '\n[environment]\nimage = "lab/base:1"\n')
    (tmp_path / "pack/pack.lock").unlink(missing_ok=True)
    return tmp_path / "pack"


def test_the_lock_pins_what_tasks_name_and_verify_holds_it_against_them(root):
    found = load_pack(root)
    assert named_images(found) == ("lab/base:1",)
    with pytest.raises(InputError) as caught:
        make_lock(found, None, "a test")
    assert "is not pinned" in str(caught.value.problems)
    locked = replace(found, lock=make_lock(found, None, "a test", {"lab/base:1": PIN}))
    assert verify_lock(locked).holds and locked_images(locked) == {"lab/base:1": PIN}
    for pin in ("", PIN.replace("lab/base", "lab/other")):
        tasks = tuple(replace(task, image=pin) for task in locked.lock.tasks)
        said = verify_lock(replace(locked, lock=replace(locked.lock, tasks=tasks)))
        assert len(said.defects) == 4 and "image of clamp-low" in str(said.defects)


def test_tasks_with_and_without_an_image_have_no_common_box(root):
    path = root / "tasks/double-it/task.toml"
    path.write_text(path.read_text().replace("[environment]", "").replace('image = "lab/base:1"', ""))
    with pytest.raises(InputError, match="in images and outside"):
        named_images(load_pack(root))


def test_an_envelope_without_containers_is_refused(root):
    tasks = load_pack(root).pack.tasks
    require_images(Envelope(sandbox=SandboxTerms(backend="docker")), tasks, "envelope.toml")
    with pytest.raises(InputError, match="has no images") as caught:
        require_images(Envelope(sandbox=SandboxTerms(backend="bubblewrap")), tasks, "envelope.toml")
    assert len(caught.value.problems) == 4


def test_every_job_of_a_task_names_its_image_and_a_sandbox_without_images_refuses_it():
    class Heard(Bare):
        def run(self, job, stop=None):
            return job.image

    job = Job(argv=("true",), role="agent", limits=LIMITS)
    assert in_image(Heard(), PIN).run(job) == PIN
    assert in_image(Heard(), PIN).run(replace(job, image="own")) == "own"
    assert in_image(Heard(), "").run(job) == ""
    with pytest.raises(InputError, match="cannot run this job"):
        Bare().run(replace(job, image=PIN))
