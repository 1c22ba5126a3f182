"""Bodies are kept by digest, as sent and as received, before the row says so; never with the key in them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from denominator.adapters.store.blobs import FolderBlobs
from denominator.records.envelopes import GatewayTerms
from unit.adapters.gateway.worlds import KEY, STREAM_HEAD, chat, chunk, document, sends, world


def _blobs(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_both_bodies_are_there_when_the_row_comes(tmp_path):
    blobs = FolderBlobs(tmp_path / "blobs")
    there: list[bool] = []
    with world(sends(document(chat())), tmp_path / "a", blobs=str(blobs.root)) as w:
        keep = w.seen.append

        def look(row) -> None:
            if row.outcome != "open":
                there.append(blobs.has(row.request_sha256) and blobs.has(row.response_sha256))
            keep(row)

        w.recorder = look
        w.post(b'{"model":"m-1"}')
        (row,) = w.lease.close()
    assert there == [True]
    assert row.bodies_kept is True
    assert (blobs.get(row.request_sha256), blobs.get(row.response_sha256)) == (b'{"model":"m-1"}', chat())


def test_a_body_is_kept_as_it_came(tmp_path):
    packed = gzip.compress(chat())
    head = "Content-Type: application/json\r\nContent-Encoding: gzip\r\n"
    blobs = FolderBlobs(tmp_path / "blobs")
    with world(sends(document(packed, headers=head)), tmp_path / "a", blobs=str(blobs.root)) as w:
        w.post()
        (row,) = w.lease.close()
    assert blobs.get(row.response_sha256) == packed


def test_a_cut_body_is_kept_as_far_as_it_came(tmp_path):
    blobs = FolderBlobs(tmp_path / "blobs")
    answer = STREAM_HEAD + chunk(b"data: x\n\n")
    with world(sends(answer), tmp_path / "a", blobs=str(blobs.root)) as w:
        wire = w.connect()
        wire.request("POST", "/v1/chat/completions", b"{}", {"Authorization": f"Bearer {w.lease.token}"})
        wire.getresponse().read1()
        while len(w.seen) < 2:
            pass
        (row,) = w.lease.close()
        wire.close()
    assert (row.error, row.bodies_kept) == ("response_cut", True)
    assert blobs.get(row.response_sha256) == b"data: x\n\n"


def test_an_answer_that_echoes_the_key_is_not_kept(tmp_path):
    for number, (body, head) in enumerate(
        [
            (json.dumps({"x": KEY}).encode(), ""),
            (gzip.compress(b"x" + KEY.encode()), "Content-Encoding: gzip\r\n"),
        ]
    ):
        folder = tmp_path / str(number)
        with world(sends(document(body, headers=head)), folder, blobs=str(folder / "blobs")) as w:
            wire = w.connect()
            wire.request("POST", "/v1/chat/completions", b"{}", {"Authorization": f"Bearer {w.lease.token}"})
            try:
                wire.getresponse().read()
            except OSError:
                pass
            except Exception:
                assert number == 1
            (row,) = w.lease.close()
        assert (row.error, row.bodies_kept) == ("key_echoed", False)
        assert [path for path in _blobs(folder / "blobs") if row.response_sha256[2:] in path.name] == []


def test_a_request_with_the_key_in_it_is_not_kept(tmp_path):
    with world(sends(document(chat())), tmp_path / "a", blobs=str(tmp_path / "blobs")) as w:
        w.post(KEY.encode())
        (row,) = w.lease.close()
    assert row.bodies_kept is False
    assert _blobs(tmp_path / "blobs") == []


def test_digests_keep_no_text(tmp_path):
    terms = GatewayTerms(bodies="digests")
    with world(sends(document(chat())), tmp_path / "a", blobs=str(tmp_path / "blobs"), terms=terms) as w:
        w.post()
        (row,) = w.lease.close()
    assert row.bodies_kept is not True
    assert not (tmp_path / "blobs").exists()


def test_a_disk_that_takes_nothing_is_said_and_the_call_goes_on(tmp_path):
    (tmp_path / "blobs").write_text("in the way")
    with world(sends(document(chat())), tmp_path / "a", blobs=str(tmp_path / "blobs")) as w:
        assert w.post()[0] == 200
        (row,) = w.lease.close()
    assert (row.outcome, row.bodies_kept) == ("ok", False)


def test_the_next_call_is_asked_only_when_the_runner_knows_what_the_last_one_took(tmp_path):
    """Keeping bodies takes a while, and an agent may call again at once, on a connection of its own."""
    with world(sends(document(chat())), tmp_path / "a", blobs=str(tmp_path / "blobs")) as w:
        for number in range(30):
            w.post(json.dumps({"model": "m-1", "messages": [{"role": "user", "content": f"{number}"}]}).encode())
        w.lease.close()
    assert [row.outcome for row in w.seen] == ["open", "ok"] * 30
