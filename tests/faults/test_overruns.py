"""An attempt that takes too long, through a server: what becomes of it in each pool, and what people are then told."""

import re
import socket
from collections.abc import Callable

import psutil
import pytest

from tests.acceptance.scene import PATIENT, Gate, Scene, enqueue, settled
from tests.cli.scene import Shell
from tests.support.processes import API_TOKEN, ServerProcess, eventually

pytestmark = [pytest.mark.slow]

POOLS = ("loop=0:10:0", "threads=0:1:0", "processes=1:1:0")
CODE = "shop-7"


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[ServerProcess], Shell]:
    """The command line, for a server that is running."""

    def at(server: ServerProcess) -> Shell:
        monkeypatch.setenv("MAINSPRING_URL", server.url)
        monkeypatch.setenv("MAINSPRING_TOKEN", API_TOKEN)
        return Shell(monkeypatch, capsys)

    return at


def waiting_at(gate: Gate) -> list[int]:
    """Processes that were started with the gate's name."""
    return [one.pid for one in psutil.process_iter(["cmdline"]) if gate.path in (one.info["cmdline"] or ())]


async def test_each_pool_ends_an_attempt_that_takes_too_long_and_says_what_it_knows(
    scene: Scene, shell: Callable[[ServerProcess], Shell]
) -> None:
    server = await scene.server(**PATIENT)
    gate = scene.gate()
    await scene.executors("a", server, pools=POOLS, stop_grace=0.2, code_version=CODE)
    [on_loop] = await enqueue(server, "overrun")
    [on_thread] = await enqueue(server, "overrun_on_a_thread", gate=gate.path)
    [in_child] = await enqueue(server, "overrun_in_child", gate=gate.path)
    ended = await settled(server, 3)
    await eventually(lambda: not waiting_at(gate), "the end of the process that the child had started")
    # The only thread waits at the gate still, and yet there is room.
    [next_one] = await enqueue(server, "fail")
    after = await settled(server, 4)
    call = shell(server)

    async with server.client() as client:
        attempts = {run: await client.attempts(run) for run in ended}
    strays = await eventually(lambda: "threads still run" in call("executors", "show", "a")[1], "strays")
    gate.open()
    code, shown, _ = call("runs", "show", on_thread)

    assert strays
    for run in (on_loop, on_thread, in_child):
        [only] = attempts[run]
        told = ended[run]
        assert (told.state, told.attempt, told.failures, told.losses) == ("failed", 1, 1, 0)
        assert told.error is not None
        assert only.error is not None
        assert (told.error.code, only.error.code, only.outcome) == ("timeout", "timeout", "timed_out")
        assert (only.executor, only.host, only.code_version) == ("a", socket.gethostname(), CODE)
        assert only.duration is not None
        assert only.duration >= 1.9
        assert only.beside == ()
    broken = after[next_one].error
    assert broken is not None
    assert broken.error == "LookupError"
    assert code == 0
    assert re.search(
        r"^attempt 1 timed_out on a .*  timeout: .*took longer than 2 s; its thread", shown, re.MULTILINE
    ), shown
    assert re.search(
        rf"^  host {re.escape(socket.gethostname())}, code {CODE}, took [0-9.]+ s$", shown, re.MULTILINE
    ), shown


async def test_a_handler_that_blocks_the_loop_is_named_on_its_executors_page(
    scene: Scene, shell: Callable[[ServerProcess], Shell]
) -> None:
    server = await scene.server(**PATIENT)
    gate = scene.gate()
    await scene.executors("a", server, blocked_after=0.2)
    [run] = await enqueue(server, "block", gate=gate.path)
    await scene.begun(run)
    call = shell(server)

    def shown() -> str:
        page = call("executors", "show", "a")[1]
        return page if "blocked" in page else ""

    page = await eventually(shown, "the handler that blocks the loop")
    gate.open()
    runs = await settled(server, 1)

    assert re.search(rf"^blocked +event loop, for [0-9.]+ s by block \(run {run}\) at ", page, re.MULTILINE), page
    assert runs[run].state == "succeeded"
