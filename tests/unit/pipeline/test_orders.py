"""What a coordinator and a worker say to each other."""

from __future__ import annotations

from denominator.errors import Exit, MachineError, Problem
from denominator.pipeline.orders import Answer, Word, WorkerError, of_error, read_answer, written


def test_an_error_of_a_worker_keeps_code_exit_and_problems_and_names_its_host() -> None:
    met = MachineError(
        "is another one", where="box", fix="install it", problems=[Problem("kernel", "is 6, sealed was 5")]
    )
    answer = read_answer(written(of_error(met)))
    assert str(WorkerError(answer)) == "box: is another one\n  - kernel: is 6, sealed was 5 [E005]\n  next: install it"
    named = WorkerError(Answer(word=Word.ERROR, what="no room", where="disk", exit=4, host="b"))
    assert (named.where, named.exit) == ("worker on b: disk", Exit.OPEN)
    assert WorkerError(Answer(word=Word.ERROR, what="no room", exit=4, host="b")).where == "worker on b"
