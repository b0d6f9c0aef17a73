"""The first minute: one command, and the shipped examples run; each command's exit code says what happened."""

import pytest

from tests.acceptance.scene import Scene
from tests.support.processes import Process, ServerProcess

pytestmark = [pytest.mark.slow]

NOWHERE = "http://127.0.0.1:9"
ASKED_FOR = ["sales_report", "welcome_mail"]


class Visitor:
    """Types commands, and finds the server as the announcement says: by its home and its address."""

    def __init__(self, scene: Scene, server: ServerProcess) -> None:
        self._scene = scene
        self._place = ("--home", str(scene.folder / "home"), "--url", server.url)

    async def types(self, *words: str) -> tuple[int, str]:
        command: Process = self._scene.fleet.command(*words, *self._place)
        return await command.wait(), command.said.strip()


async def test_one_command_brings_everything_that_the_announcement_promises(scene: Scene) -> None:
    up = await scene.fleet.up(api_token="", executor_token="").ready(executors=1)
    visitor = Visitor(scene, up)
    mail = await visitor.types("enqueue", "welcome_mail", "email=anna@example.com", "name=Anna", "--wait")
    report = await visitor.types("enqueue", "sales_report", "day=2030-01-01", "rounds=10", "--wait")
    listed = await visitor.types("runs", "list")
    unknown = await visitor.types("enqueue", "no_such_job")
    refused = await visitor.types("enqueue", "welcome_mail", "email=1")
    code = await up.terminate()
    gone = await visitor.types("runs", "list")

    assert mail == (0, '"Dear Anna, welcome! (sent to anna@example.com)"')
    assert report[0] == 0
    assert report[1].startswith('"report-2030-01-01-')
    assert listed[0] == 0
    # Triggers of the shop may have fired meanwhile.
    jobs = [line.split()[1] for line in listed[1].splitlines()[1:]]
    assert [job for job in jobs if job in ASKED_FOR] == ASKED_FOR
    assert (unknown[0], refused[0], gone[0], code) == (3, 3, 5, 0)
    assert "unknown job 'no_such_job'" in unknown[1]
    assert "cannot be reached" in gone[1]
    assert "Traceback" not in scene.fleet.logs
    assert (scene.folder / "home" / "mainspring.db").exists()


async def test_a_command_without_a_server_says_so(scene: Scene) -> None:
    command = scene.fleet.command("runs", "list", "--url", NOWHERE, MAINSPRING_TOKEN="any")

    assert await command.wait() == 5
    assert command.said.startswith(f"mainspring: {NOWHERE} cannot be reached")
