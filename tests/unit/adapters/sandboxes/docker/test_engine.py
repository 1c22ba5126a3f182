"""The client, pins and owners against a small server of the same API on a real socket."""

import json
import os
import socketserver
import threading
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from denominator.adapters.sandboxes.docker.backend import Docker
from denominator.adapters.sandboxes.docker.client import Engine, EngineError, socket_path
from denominator.adapters.sandboxes.docker.images import pinned, resolve
from denominator.adapters.sandboxes.docker.owners import OWNER, own_name, sweep
from denominator.errors import InputError, MachineError
from denominator.records.envelopes import SandboxTerms

A, B = "sha256:" + "a" * 64, "sha256:" + "b" * 64


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def address_string(self):
        return "local"

    def do(self):
        url = urlsplit(self.path)
        self.server.asked.append((self.command, unquote(url.path), parse_qs(url.query)))
        status, answer = self.server.answers.get((self.command, unquote(url.path)), (404, {"message": "no such thing"}))
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_DELETE = do


@pytest.fixture
def server(tmp_path):
    with Server(str(tmp_path / "s"), Handler) as made:
        made.asked, made.answers = [], {}
        thread = threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture
def engine(server, tmp_path):
    return Engine(tmp_path / "s")


def image(server, name, number, **config):
    said = {"Id": number, "RepoDigests": config.pop("digests", []), "Config": config}
    server.answers["GET", f"/v1.41/images/{name}/json"] = (200, said)


def test_errors_carry_the_engines_words(engine, server):
    server.answers["GET", "/v1.41/version"] = (500, {"message": "it is on fire"})
    with pytest.raises(EngineError, match="on fire") as caught:
        engine.version()
    assert caught.value.status == 500
    server.answers["GET", "/v1.41/version"] = (200, b"not json")
    with pytest.raises(EngineError, match="no object"):
        engine.version()


def test_an_engine_that_is_not_there_is_told(tmp_path):
    with pytest.raises(EngineError, match="does not answer"):
        Engine(tmp_path / "none").version()
    facts = Docker(image="a", socket=str(tmp_path / "none")).facts(SandboxTerms())
    assert not facts.usable and "does not answer" in facts.why_not
    assert not any(each.holds for each in facts.protections)


@pytest.mark.parametrize("named", ["tcp://127.0.0.1:2375", "ssh://box"])
def test_only_sockets_of_this_machine(named):
    with pytest.raises(MachineError, match="unix socket"):
        socket_path(named)
    assert socket_path("unix:///x/y.sock") == socket_path("/x/y.sock") == Path("/x/y.sock")


def test_a_pin_by_id_holds_and_a_moved_name_is_refused(engine, server):
    image(server, "lab/base:1", A)
    assert pinned(engine, f"lab/base:1@{A}").id == A
    assert resolve(engine, "lab/base:1").pin == f"lab/base:1@{A}"
    image(server, "lab/base:1", B)
    with pytest.raises(EngineError, match=f"is {B} now, pinned is {A}"):
        pinned(engine, f"lab/base:1@{A}")
    with pytest.raises(InputError, match="pinned is"):
        resolve(engine, f"lab/base:1@{A}")


def test_a_digest_of_a_registry_is_a_pin_too(engine, server):
    image(server, f"lab/base@{B}", A, digests=[f"lab/base@{B}"])
    assert pinned(engine, f"lab/base@{B}").id == A


def test_an_image_that_cannot_be_a_sandbox_is_refused(engine, server):
    image(server, "lab/base", A, Volumes={"/data": {}})
    with pytest.raises(InputError, match="/data"):
        resolve(engine, "lab/base")
    with pytest.raises(InputError, match="no such image"):
        resolve(engine, "lab/none")


def test_only_containers_of_dead_harnesses_are_swept(engine, server):
    own = own_name()
    boot, name = own.split("/")
    namespace, _, start = name.split("-")
    labels = {
        "own": own,
        "dead": f"{boot}/{namespace}-{os.getpid()}-{int(start) + 1}",
        "another namespace": f"{boot}/1-{os.getpid()}-1",
        "another-boot": f"00000000/{name}",
    }
    listed = [{"Id": key, "Labels": {OWNER: value}} for key, value in labels.items()]
    server.answers["GET", "/v1.41/containers/json"] = (200, listed)
    assert sweep(engine) == ["dead", "another-boot"]
    removed = [path for method, path, query in server.asked if method == "DELETE" and query["force"] == ["true"]]
    assert removed == ["/v1.41/containers/dead", "/v1.41/containers/another-boot"]
