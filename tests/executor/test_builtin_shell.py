"""The built-in handler `shell`, with real processes."""

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from mainspring.executor.attempts.attempt import Attempt
from mainspring.executor.attempts.context import Context
from mainspring.executor.attempts.signals import GiveUp
from mainspring.executor.builtin.shell import OUTPUT_MAX, CommandFailedError, CommandRefusedError, Shell
from mainspring.executor.handlers.registry import Handlers
from tests.executor.fakes import TOKEN, run_id
from tests.executor.test_telemetry import Sink
from tests.support.limits import HANG


def context(journal: Sink | None = None) -> Context:
    handler = Handlers().add(Shell([]).run, name="shell")
    return Context(Attempt(run_id(7), TOKEN, 2, b"{}", handler, 0.0), journal or Sink())


async def test_a_list_is_run_as_it_is_and_its_output_kept() -> None:
    ended = await Shell([]).run(context(), ["/bin/echo", "a  b", "$HOME"])

    assert ended == {"exit": 0, "output": "a  b $HOME\n", "truncated": False}


async def test_a_text_is_run_by_the_shell_with_its_input() -> None:
    ended = await Shell([]).run(context(), "cat | tr a-z A-Z", stdin="hello")

    assert ended["output"] == "HELLO"


async def test_it_sees_only_the_variables_that_were_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASSED_ON", "yes")
    monkeypatch.setenv("KEPT_BACK", "secret")

    ctx = context()
    output = (await Shell(["PASSED_ON", "NOT_SET"]).run(ctx, ["/usr/bin/env"], env={"OWN": "1"}))["output"]

    names = {line.partition("=")[0] for line in output.splitlines()}
    assert names == {"PASSED_ON", "OWN", "MAINSPRING_RUN", "MAINSPRING_ATTEMPT", "MAINSPRING_IDEMPOTENCY_KEY"}
    assert f"MAINSPRING_RUN={ctx.run}" in output


async def test_a_command_that_fails_says_how_it_ended_and_its_last_words() -> None:
    with pytest.raises(CommandFailedError, match=r"ended with 3: .*no such order"):
        await Shell([]).run(context(), "echo no such order >&2; exit 3")
    with pytest.raises(CommandFailedError, match="was ended by SIGKILL"):
        await Shell([]).run(context(), "kill -9 $$")


@pytest.mark.parametrize("command", [["/no/such/file"], ["/"]])
async def test_a_command_that_cannot_start_says_why(command: list[str]) -> None:
    with pytest.raises(CommandFailedError):
        await Shell([]).run(context(), command)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"command": []}, "bad_command"),
        ({"command": [""]}, "bad_command"),
        ({"command": ["/bin/echo", "all\0but this"]}, "bad_command"),
        ({"command": ["/bin/echo\0"]}, "bad_command"),
        ({"command": "echo all\0but this"}, "bad_command"),
        ({"command": ["/bin/true"], "env": {"A": "all\0but this"}}, "bad_env"),
        ({"command": ["/bin/true"], "env": {"A\0B": ""}}, "bad_env"),
        ({"command": ["/bin/true"], "env": {"A=B": ""}}, "bad_env"),
        ({"command": ["/bin/true"], "env": {"": ""}}, "bad_env"),
        ({"command": ["/bin/true"], "cwd": "/tmp\0/else"}, "bad_cwd"),
    ],
)
async def test_a_command_that_the_system_would_cut_short_is_refused_for_good(given: dict[str, Any], code: str) -> None:
    with pytest.raises(CommandRefusedError) as refused:
        await Shell([]).run(context(), **given)

    assert refused.value.code == code
    assert isinstance(refused.value, GiveUp)


async def test_each_line_goes_to_the_log() -> None:
    journal = Sink()
    await Shell([]).run(context(journal), "printf 'one\\ntwo\\nthree'")

    assert [line[-1] for line in journal.lines] == ["one", "two", "three"]


async def test_of_a_long_output_the_end_is_kept() -> None:
    ended = await Shell([]).run(context(), f"head -c {3 * OUTPUT_MAX} /dev/zero | tr '\\0' x; echo the end")

    assert ended["truncated"]
    assert len(ended["output"]) == OUTPUT_MAX
    assert ended["output"].endswith("the end\n")


async def test_a_command_that_takes_too_long_is_ended_with_all_its_children(tmp_path: Path) -> None:
    pids, seconds = tmp_path / "pids", 0.3
    pids.touch()
    while not pids.read_text():
        # On a slow machine it may be ended before it has come so far; then it gets more time.
        with pytest.raises(CommandFailedError, match=rf"ran longer than {seconds:g} s"):
            await Shell([]).run(context(), f"sleep 600 & echo $! > {pids}; wait", timeout=seconds)
        seconds *= 2

    await gone(int(pids.read_text()))


async def test_a_cancelled_command_is_ended_with_all_its_children(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    running = asyncio.create_task(Shell([]).run(context(), f"sleep 600 & echo $! > {fifo}; wait"))
    child = int(await asyncio.to_thread(fifo.read_text))
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    await gone(child)


async def gone(pid: int) -> None:
    """Wait until a process is no more: it dies a moment after the signal, when the kernel gets to it."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    dead = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(handle, dead.set)
    try:
        await asyncio.wait_for(dead.wait(), HANG)
    finally:
        loop.remove_reader(handle)
        os.close(handle)
