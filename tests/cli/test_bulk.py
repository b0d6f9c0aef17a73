"""Many runs from a file: streamed in chunks, repeatable by key, and exact about what went wrong."""

import json
from io import BytesIO, TextIOWrapper
from pathlib import Path

import httpx2
import pytest

from mainspring.cli.commands.lines import chunks
from mainspring.cli.commands.runs import enqueue_file as bulk
from mainspring.cli.commands.runs.enqueue_file import FileEnqueue
from mainspring.client.transport.requests import Enqueue
from mainspring.errors import InvalidInputError
from tests.cli.scene import Place, Shell


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "inputs.jsonl"


def write(file: Path, *inputs: object) -> None:
    file.write_text("".join(json.dumps(each) + "\n" for each in inputs))


def test_every_line_is_a_run_with_the_arguments_given_here_added(call: Shell, file: Path) -> None:
    write(file, {"name": "a"}, {"name": "b", "times": 3})
    code, out, err = call("enqueue", "greet", "times=2", "--from", str(file), "--output", "name")
    inputs = [json.loads(call("runs", "show", run, "--output", "json")[1])["run"]["input"] for run in out.split()]

    assert (code, err) == (0, "")
    assert inputs == [{"times": 2, "name": "a"}, {"times": 3, "name": "b"}]


def test_many_chunks_are_sent(call: Shell, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "LINES_MAX", 100)
    write(file, *({"name": str(number)} for number in range(1_050)))

    assert call("enqueue", "greet", "--from", str(file)) == (0, "1050 runs accepted\n", "")


def test_a_key_field_lets_the_command_be_repeated(call: Shell, file: Path) -> None:
    write(file, {"name": "k1"}, {"name": "k2"})
    first = call("enqueue", "greet", "--from", str(file), "--key-field", "name", "--output", "json")
    write(file, {"name": "k1"}, {"name": "k2"}, {"name": "k3"})
    second = call("enqueue", "greet", "--from", str(file), "--key-field", "name")

    assert json.loads(first[1]) == {"accepted": 2, "existing": 0}
    assert second == (0, "3 runs accepted, 2 existed\n", "")


def test_stdin_is_read_and_blank_lines_are_left_out(call: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b'{"name": "x"}\n\n  \n{"name": "y"}')))

    assert call("enqueue", "greet", "--from", "-") == (0, "2 runs accepted\n", "")


def test_a_line_that_the_server_refuses_is_named_with_how_to_go_on(
    call: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "LINES_MAX", 2)
    write(file, {"name": "1"}, {"name": "2"}, {"name": "3"}, {"name": 4}, {"name": "5"})
    code, _, err = call("enqueue", "greet", "--from", str(file))
    write(file, {"name": "1"}, {"name": "2"}, {"name": "3"}, {"name": "4"}, {"name": "5"})
    rest = call("enqueue", "greet", "--from", str(file), "--start-line", "3")

    assert code == 3
    assert err.splitlines()[0] == "mainspring: 2 runs are accepted, up to line 2; go on with --start-line 3"
    assert err.splitlines()[1].startswith("mainspring: line 4: input.name: ")
    assert rest[1] == "3 runs accepted\n"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"[1]", "line 1: is not a JSON object: Expected `object`, got `array`"),
        (b'{"name": ', "line 1: is not a JSON object"),
        (b'{"name": "\xff"}', "line 1: is not a JSON object"),
        (b"{}", "line 1: has no 'name' with a text or a number as its key"),
        (b'{"name": true}', "line 1: has no 'name'"),
        (b'{"name": [1]}', "line 1: has no 'name'"),
    ],
)
def test_a_line_that_makes_no_sense_is_named(line: bytes, reason: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        list(FileEnqueue(Enqueue(job="x"), key_field="name").lines([line]))
    assert reason in str(refused.value)


def test_numbers_are_passed_on_as_they_were_written() -> None:
    [line] = FileEnqueue(Enqueue(job="x"), key_field="id").lines(
        [b'{"id": 7, "exact": 1.10, "big": 123456789012345678901}']
    )

    assert bytes(line.run.input) == b'{"id":7,"exact":1.10,"big":123456789012345678901}'  # type: ignore[arg-type]
    assert line.run.key == "7"


def test_a_chunk_ends_where_its_bytes_do() -> None:
    lines = FileEnqueue(Enqueue(job="x")).lines([b'{"a": "123"}\n'] * 3 + [b'{"a": "%s"}' % (b"x" * 99)])
    found = chunks(lines, lines_max=100, bytes_max=25)

    assert [[line.number for line in chunk] for chunk in found] == [[1], [2], [3], [4]]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--from", "/no/such"), "--from: /no/such cannot be read"),
        (("--from", "-", "--count", "2"), "--count cannot go with --from"),
        (("--from", "-", "--key", "k"), "--key cannot go with --from"),
        (("--from", "-", "--wait"), "--wait cannot go with --from"),
    ],
)
def test_what_cannot_go_together_is_refused(call: Shell, arguments: tuple[str, ...], said: str) -> None:
    code, _, err = call("enqueue", "greet", *arguments)

    assert code == 2
    assert said in err


def test_a_full_queue_is_given_what_it_has_room_for_and_then_waited_for(
    call: Shell, place: Place, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    budgets = iter((7, None))
    pauses: list[float] = []

    def make_room(seconds: float) -> None:
        pauses.append(seconds)
        set_budget(place, next(budgets))

    monkeypatch.setattr(bulk, "pause_for", make_room)
    set_budget(place, 4)
    write(file, *[{}] * 10)
    found = call("enqueue", "never", "--queue", "narrow", "--from", str(file))

    assert found == (0, "10 runs accepted\n", "")
    assert len(pauses) == 2
    assert all(seconds > 0 for seconds in pauses)


def test_a_queue_that_takes_nothing_is_not_waited_for(call: Shell, place: Place, file: Path) -> None:
    set_budget(place, 0)
    write(file, {})
    code, _, err = call("enqueue", "never", "--queue", "narrow", "--from", str(file))

    assert code == 5
    assert "queue 'narrow' is over its budget" in err


def set_budget(place: Place, most: int | None) -> None:
    token = (place.home / "api.token").read_text().strip()
    with httpx2.Client(base_url=place.url, headers={"authorization": f"Bearer {token}"}) as http:
        body = {"max_queued": most, "new": True}
        assert http.put("/api/v1/queues/narrow/budget", json=body).status_code == 200


def test_an_unknown_job_accepts_nothing(call: Shell, file: Path) -> None:
    write(file, {"name": "a"})
    code, out, err = call("enqueue", "nope", "--from", str(file))

    assert (code, out) == (3, "")
    assert err.splitlines()[0] == "mainspring: no run was accepted"
    assert "unknown job 'nope'" in err


def test_an_answer_that_is_lost_is_asked_for_again_only_with_keys(
    place: Place, shell: Shell, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bulk, "PAUSES", (0.001, 0.001))
    monkeypatch.setenv("MAINSPRING_TOKEN", "any")
    write(file, {"name": "a"})
    tries: list[float] = []
    monkeypatch.setattr(bulk, "pause_for", tries.append)
    plain = shell("enqueue", "greet", "--from", str(file), "--url", "http://127.0.0.1:1")
    without, keyed = (
        len(tries),
        shell("enqueue", "greet", "--from", str(file), "--key-field", "name", "--url", "http://127.0.0.1:1"),
    )

    assert (plain[0], keyed[0]) == (5, 5)
    assert (without, len(tries)) == (0, 2)
