"""Tokens between real processes: the first one, one that is too narrow, and one that is revoked under way."""

import re
import stat

import pytest

from tests.acceptance.scene import APP, QUICK, Scene, enqueue
from tests.support.limits import HANG
from tests.support.processes import Process

pytestmark = [pytest.mark.slow]

TEXT = re.compile(r"ms_[a-z2-7]{13}_[a-z2-7]{52}")
REFUSED = 3


def executor(scene: Scene, url: str, token: str, *options: str) -> Process:
    return scene.fleet.command("executor", APP, "--server", url, *options, MAINSPRING_EXECUTOR_TOKEN=token)


async def test_the_first_admin_token_is_kept_for_this_machine_and_not_printed_where_no_terminal_is(
    scene: Scene,
) -> None:
    server = await scene.fleet.server(api_token="", executor_token="").ready()
    home = scene.folder / "home"
    kept = home / "api.token"
    named, first = str(kept) in server.said, TEXT.findall(server.said)
    place = ("--home", str(home), "--url", server.url)
    listed = scene.fleet.command("tokens", "list", *place, "-o", "json")
    code = await listed.wait()
    await server.terminate()
    server.start()
    await server.ready()

    assert (named, first, code) == (True, [], 0)
    assert TEXT.fullmatch(kept.read_text().strip())
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert '"name": "first admin"' in listed.said
    assert TEXT.findall(listed.said) == []
    assert TEXT.findall(server.said) == []
    assert await scene.fleet.command("tokens", "list", *place).wait() == 0


async def test_an_executor_whose_token_does_not_cover_its_queue_ends_with_one_line(scene: Scene) -> None:
    server = await scene.server()
    async with server.client() as client:
        narrow = await client.tokens.create("mailers", "executor", queues=["mail"])
        viewer = await client.tokens.create("eyes", "viewer")
    refused = executor(scene, server.url, narrow.text)
    wrong = executor(scene, server.url, viewer.text)
    unknown = executor(scene, server.url, narrow.text, "--queue", "mail", "--namespace", "nowhere")
    codes = [await process.wait() for process in (refused, wrong, unknown)]

    assert codes == [REFUSED] * 3
    assert f"queue 'default' is not covered by token {narrow.token.id} (mailers), which is for mail" in refused.said
    assert "executors:connect needs the role executor; the caller's is viewer" in wrong.said
    assert "this token is for namespace 'default' only" in unknown.said
    for process in (refused, wrong, unknown):
        assert len(re.findall(r'"level": "(?:warning|error)"', process.said)) == 1
        assert "Traceback" not in process.said


@pytest.mark.postgres
async def test_an_executor_is_turned_out_wherever_its_token_is_revoked_and_its_run_goes_on_elsewhere(
    scene: Scene, database_url: str
) -> None:
    here, there = await scene.servers(2, database_url, **QUICK)
    gate = scene.gate()
    async with here.client() as client:
        issued = await client.tokens.create("doomed", "executor")
        doomed = executor(scene, there.url, issued.text, "--name", "doomed")
        await doomed.says("connected to ")
        [run] = await enqueue(there, "hold", gate=gate.path)
        await scene.begun(run)
        await scene.executors("b", here)
        await client.tokens.revoke(issued.token.id)
    code = await doomed.wait()
    await scene.begun(run, attempt=2)
    gate.open()
    async with here.client() as client:
        ended = await client.wait(run, timeout=HANG)

    assert code == REFUSED
    assert f"refused by the server: token {issued.token.id} was revoked (token_revoked)" in doomed.said
    assert (ended.state, ended.losses, ended.failures, ended.executor) == ("succeeded", 1, 0, "b")
