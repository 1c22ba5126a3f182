"""A container needs an image that stays what it is, and nothing else may name one."""

from dataclasses import replace

import pytest

from denominator.adapters.sandboxes.bubblewrap import Bubblewrap
from denominator.adapters.sandboxes.docker.backend import Docker
from denominator.envelopes.complete import complete
from denominator.envelopes.template import demo_envelope
from denominator.pipeline.baseline_store import terms_digest
from denominator.records.envelopes import SandboxTerms
from denominator.wire.canonical import digest
from denominator.wiring.world import make_sandbox, sweep_containers

SHA = "sha256:" + "0a" * 32


def problems(backend: str, image: str) -> list[str]:
    made = demo_envelope("a", "nop", version="1")
    sandbox = replace(made.sandbox, backend=backend, image=image)
    return [problem.what for problem in complete(replace(made, sandbox=sandbox))]


@pytest.mark.parametrize("image", [SHA, f"lab/base@{SHA}", f"registry.invalid:5000/lab/base:1@{SHA}"])
def test_a_pinned_image_is_complete(image):
    assert problems("docker", image) == []


@pytest.mark.parametrize(
    "image", ["lab/base", "lab/base:1", f"@{SHA}", f"lab/base@{SHA}0", f"lab/base@{SHA[:-1]}", "lab@md5:00"]
)
def test_a_name_alone_is_no_pin(image):
    assert problems("docker", image) == ["is not pinned by a digest"]


def test_containers_need_an_image_and_others_have_none():
    assert problems("docker", "") == ["a container needs an image"]
    assert problems("bubblewrap", "") == []
    assert problems("bubblewrap", SHA) == ["bubblewrap shows this machine's system, no image"]


def test_the_backend_of_the_terms_is_made_with_their_image(monkeypatch):
    monkeypatch.delenv("DOCKER_HOST", raising=False)
    made = make_sandbox(SandboxTerms(backend="docker", image=f"lab/base@{SHA}"), unsandboxed=False)
    assert isinstance(made, Docker) and made.image == f"lab/base@{SHA}"
    made.close()
    assert isinstance(make_sandbox(SandboxTerms(backend="bubblewrap"), unsandboxed=False), Bubblewrap)


def test_baselines_that_were_taken_before_there_were_images_still_fit():
    """No image is no term: the digest is of the same fields as ever."""
    before = {
        "backend": "bubblewrap", "memory_mb": 1, "processes": 2, "disk_mb": 3, "file_mb": 4, "open_files": 1024,
        "python": "/usr/bin/python3", "site": "",
    }  # fmt: skip
    terms = SandboxTerms(network="none", **before)
    assert terms_digest(terms) == digest(before)
    assert terms_digest(replace(terms, image=SHA)) == digest({**before, "image": SHA})


@pytest.mark.parametrize("address", ["unix:///no/such.sock", "tcp://127.0.0.1:1", "unix:///dev/null"])
def test_without_an_engine_nothing_is_swept(address, monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", address)
    assert sweep_containers(dry_run=False) == []
