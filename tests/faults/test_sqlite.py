"""One SQLite file under a server that is killed, beside a second server, and on a disk that is full."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from tests.acceptance.customer import Customer
from tests.acceptance.scene import APP, PATIENT, Scene, assert_each_ran_once, settled
from tests.support.processes import ServerProcess, eventually

pytestmark = [pytest.mark.slow]

RUNS = 3_000
DISK = 48 * 1024 * 1024
ROOM = 4 * 1024 * 1024
LARGE = "x" * 200_000


async def test_everything_settles_although_the_server_was_killed(scene: Scene) -> None:
    up = await scene.fleet.up(APP, **PATIENT).ready(executors=1)
    customer = Customer([up])
    asking = customer.begin("noop", RUNS)
    await scene.written(RUNS // 2)
    await up.kill()
    up.start()
    await asking
    runs = await settled(up, RUNS)

    assert runs.keys() == set(customer.accepted)
    assert_each_ran_once(scene, runs)


async def test_a_second_server_on_the_same_file_is_refused(scene: Scene) -> None:
    first = await scene.server()
    second = scene.fleet.server()

    assert await second.wait() == 2
    assert "is in use by another process" in second.said
    assert "Traceback" not in second.said
    assert (await first.readiness()) is not None


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    mounted = tmp_path / "disk"
    mounted.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(mounted)], check=True)
    yield mounted
    subprocess.run(["umount", "--lazy", str(mounted)], check=True)


async def test_a_full_disk_refuses_work_and_goes_on_once_there_is_room(disk: Path, scene: Scene) -> None:
    server = await scene.server(f"sqlite:///{disk / 'mainspring.db'}", **PATIENT)
    gate = scene.gate()
    await scene.executors("a", server, pools=("threads=0:1:0",))
    ballast = disk / "ballast"
    ballast.write_bytes(bytes(DISK - ROOM))
    accepted, problem = await fill(server, gate.path)
    again = await asked(server, gate.path)
    ballast.unlink()
    gate.open()
    await eventually(lambda: len(scene.ledger.ends()) == len(accepted), "the end of every handler")
    runs = await settled(server)

    for refused in (problem, again):
        assert refused.status_code == 503
        assert refused.headers["content-type"] == "application/problem+json"
        assert int(refused.headers["retry-after"]) > 0
        assert "mainspring.db is full" in refused.json()["detail"]
    assert runs.keys() == set(accepted)
    assert_each_ran_once(scene, runs)
    assert (await asked(server, gate.path)).status_code == 201


async def fill(server: ServerProcess, gate: str) -> tuple[list[str], httpx2.Response]:
    """Ask for large runs until one is refused."""
    accepted: list[str] = []
    while (answer := await asked(server, gate)).status_code == 201:
        accepted.append(answer.json()["id"])
    return accepted, answer


async def asked(server: ServerProcess, gate: str) -> httpx2.Response:
    async with server.http() as http:
        return await http.post("/api/v1/runs", json={"job": "hold", "input": {"gate": gate, "ballast": LARGE}})
