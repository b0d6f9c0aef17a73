"""`mainspring queues` and `mainspring top` against a real server."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from mainspring.cli.commands.queues import age
from mainspring.cli.commands.top.screen import ScreenFrame, headline, sparkline
from tests.cli.scene import Place, Shell
from tests.support.limits import HANG


def test_queues_are_listed_as_columns_json_or_names(call: Shell) -> None:
    call("enqueue", "never", "--count", "2")
    code, table, _ = call("queues", "list")
    _, text, _ = call("queues", "list", "-o", "json")
    _, names, _ = call("queues", "list", "-o", "name")

    assert code == 0
    assert table.splitlines()[0].split()[:5] == ["name", "queued", "later", "waiting", "running"]
    assert {queue["name"] for queue in json.loads(text)["queues"]} >= {"default", "nobody"}
    assert names.splitlines() == sorted(names.splitlines())


def test_a_queue_is_paused_with_a_reason_and_resumed(call: Shell) -> None:
    call("enqueue", "never")
    code, said, _ = call("queues", "pause", "nobody", "--reason", "no stamps")
    _, shown, _ = call("queues", "show", "nobody")
    run = call("enqueue", "never")[1].strip()
    _, waiting, _ = call("runs", "show", run)
    resumed = call("queues", "resume", "nobody")

    assert code == 0
    assert re.fullmatch(r"nobody: paused by .+ at .+: no stamps\n", said)
    assert "no stamps" in shown
    assert "waiting (paused)" in waiting
    assert resumed[:2] == (0, "nobody: open\n")


def test_a_budget_is_set_shown_and_removed(call: Shell) -> None:
    call("enqueue", "never")
    assert call("queues", "budget", "nobody") == (0, "nobody: no budget\n", "")
    assert call("queues", "budget", "nobody", "--max", "0")[1] == "nobody: at most 0 runs may wait\n"
    code, _, said = call("enqueue", "never")
    assert call("queues", "budget", "nobody", "--none")[1] == "nobody: no budget\n"

    assert code == 5
    assert "queue 'nobody' is over its budget" in said
    assert call("enqueue", "never")[0] == 0


def test_the_order_of_a_queue_is_changed_and_shown(call: Shell) -> None:
    call("enqueue", "never")
    code, said, _ = call("queues", "change", "nobody", "--ageing", "10m", "--hurry", "30s")
    _, shown, _ = call("queues", "change", "nobody", "--hurry", "none")
    nothing = call("queues", "change", "nobody")
    bad = call("queues", "change", "nobody", "--ageing", "soon")
    call("queues", "change", "nobody", "--ageing", "none")

    assert code == 0
    assert re.search(r"ageing +10\.0m\nhurry +30\.0s", said)
    assert re.search(r"ageing +10\.0m\nhurry +-", shown) or "hurry" not in shown
    assert (nothing[0], bad[0]) == (2, 2)


def test_a_full_queue_lets_callers_wait_by_the_word_of_the_api(call: Shell) -> None:
    call("enqueue", "never")
    _, said, _ = call("queues", "change", "nobody", "--when-full", "wait")
    _, shown, _ = call("queues", "change", "nobody", "--when-full", "refuse")
    bad = call("queues", "change", "nobody", "--when-full", "WAIT")

    _, shed, _ = call("queues", "change", "nobody", "--when-full", "shed")
    call("queues", "change", "nobody", "--when-full", "refuse")
    _, _, noted = call("namespaces", "when-full", "default", "shed")
    call("namespaces", "when-full", "default", "refuse")
    assert re.search(r"when full +shed\n", shed)
    assert "when full: shed" in noted
    assert call("namespaces", "when-full", "default", "drop")[0] == 2
    assert re.search(r"when full +wait\n", said)
    assert re.search(r"when full +refuse\n", shown)
    assert bad[0] == 2


def test_pauses_and_maintenance_may_end_by_themselves(call: Shell) -> None:
    call("enqueue", "never")
    _, paused, _ = call("queues", "pause", "nobody", "--for", "2h", "--reason", "night")
    call("queues", "resume", "nobody")
    _, on, _ = call("maintenance", "on", "--for", "30m")
    _, off, _ = call("maintenance", "off")
    unknown = call("queues", "change", "nobody", "--blackout", "nowhere")

    assert re.fullmatch(r"nobody: paused by .+ at .+ until .+: night\n", paused)
    assert re.fullmatch(r"maintenance is on.* since .+ until .+: runs are accepted, none is started\n", on)
    assert off == "maintenance is off: runs are started\n"
    assert (unknown[0], "no calendar is called 'nowhere'" in unknown[2]) == (3, True)


def test_a_namespace_has_a_budget_as_a_whole(call: Shell) -> None:
    assert call("queues", "budget", "--max", "1000000")[1] == "namespace default: at most 1000000 runs may wait\n"
    assert call("queues", "budget", "--none")[1] == "namespace default: no budget\n"
    assert json.loads(call("queues", "budget", "-o", "json")[1]) == {"namespace": "default", "max_queued": None}


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("queues", "show", "nope"), 3, "unknown queue 'nope'"),
        (("queues", "pause", "defualt"), 3, "did you mean default?"),
        (("queues", "budget", "default", "--max", "-1"), 2, "--max"),
        (("queues", "budget", "default", "--max", "1", "--none"), 2, "exclude each other"),
        (("queues", "pause"), 2, "Missing argument 'QUEUE...'"),
        (("top", "--interval", "0"), 2, "--interval"),
        (("top", "--once", "--url", "http://127.0.0.1:1"), 5, "cannot be reached"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else str(value),
)
def test_errors_have_their_exit_code_and_no_stack_trace(
    call: Shell, arguments: tuple[str, ...], code: int, said: str
) -> None:
    found, _, err = call(*arguments)

    assert (found, said in err, "Traceback" in err) == (code, True, False)


def test_a_queue_that_nobody_has_used_can_be_paused_on_purpose(call: Shell) -> None:
    assert call("queues", "pause", "to-come", "--new")[0] == 0
    assert call("queues", "resume", "to-come")[0] == 0


def test_top_prints_one_frame_for_a_pipe(call: Shell) -> None:
    call("enqueue", "greet", "name=x", "--wait")
    code, frame, _ = call("top")
    _, once, _ = call("top", "--once")
    head, _, queues, *rest = frame.splitlines()

    assert code == 0
    assert re.match(r"\d+ queued, \d+ running, .* a minute finished, .* failed; 1 executor$", head)
    assert queues.split()[:2] == ["queue", "queued"]
    assert any(line.startswith("executor ") for line in rest)
    assert once.splitlines()[2] == queues


@pytest.fixture
def terminal(place: Place, call: Shell) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """`mainspring top` in a terminal of its own."""
    keyboard, screen = pty.openpty()
    environment = {**os.environ, "MAINSPRING_URL": place.url, "MAINSPRING_HOME": str(place.home), "TERM": "xterm"}
    command = [sys.executable, "-m", "mainspring", "top", "--interval", "0.1"]
    process = subprocess.Popen(command, stdin=screen, stdout=screen, stderr=screen, env=environment)
    os.close(screen)
    yield process, keyboard
    process.kill()
    process.wait()
    os.close(keyboard)


def read_until(keyboard: int, words: bytes) -> bytes:
    seen = b""
    while words not in seen:
        seen += os.read(keyboard, 65536)
    return seen


@pytest.mark.parametrize("end", ["q", "Ctrl-C"])
def test_top_draws_again_and_again_until_somebody_ends_it(
    terminal: tuple[subprocess.Popen[bytes], int], end: str
) -> None:
    process, keyboard = terminal
    first = read_until(keyboard, b"last minutes")
    read_until(keyboard, b"last minutes")
    if end == "q":
        os.write(keyboard, b"q")
    else:
        process.send_signal(signal.SIGINT)
    # The drawing must not wait for a reader.
    while process.poll() is None:
        try:
            os.read(keyboard, 65536)
        except OSError:
            break

    assert b"mainspring top" in first
    assert process.wait(HANG) == 0


@pytest.mark.parametrize(
    ("counts", "drawn"),
    [([], ""), ([0, 0], "▁▁"), ([0, 1, 7], "▁▂█"), ([1, 1000], "▂█"), ([5, 5], "██")],
)
def test_a_sparkline_shows_the_shape(counts: list[int], drawn: str) -> None:
    assert sparkline(counts) == drawn


@pytest.mark.parametrize(
    ("seconds", "written"), [(None, None), (0.02, "20ms"), (1, "1.0s"), (90, "1.5m"), (5400, "1.5h"), (129600, "1.5d")]
)
def test_an_age_is_short(seconds: float | None, written: str | None) -> None:
    assert age(seconds) == written


def test_an_empty_server_has_a_headline_too() -> None:
    words = headline(ScreenFrame(queues=[], executors=[], findings=[], more=False))

    assert words == "0 queued, 0 running, 0 a minute finished, 0 of them failed; 0 executors"
