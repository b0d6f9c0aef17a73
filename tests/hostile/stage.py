"""A server with an honest executor in one namespace, and one in another that lies."""

import asyncio
import json
from collections.abc import Iterable
from typing import Any

import httpx2

from mainspring.api.app import create_app
from mainspring.api.engine_gate import EngineGate
from mainspring.api.openapi.document import document
from mainspring.domain.ids import RunId, id_text
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import RunState
from mainspring.settings import ServerSettings
from mainspring.store.interface import Store
from mainspring.testing.clock import FakeClock
from mainspring.wire.base import Message
from mainspring.wire.messages import Start
from tests.factories import add_namespace
from tests.hostile.lies import Own
from tests.scheduler.scene import NAMESPACE, MemoryLink, Scene, ScriptedExecutor, until_idle

DOCUMENT = document(create_app(EngineGate(), ServerSettings()))["paths"]
READ = [
    path
    for path, item in DOCUMENT.items()
    if "get" in item
    and path.startswith("/api/")
    and not any(each.get("required") and each.get("in") == "query" for each in item["get"].get("parameters", ()))
]
LISTS = [path for path in READ if "{" not in path]
RUN_VIEWS = [path for path in READ if path.startswith("/api/v1/runs/{id}") and not path.endswith("/result")]
JOB_VIEWS = [
    path
    for path in READ
    if path.startswith("/api/v1/jobs/{name}") and path.count("{") == 1 and not path.endswith(("/keys", "/canary"))
]
"""All that can be read, as the OpenAPI document has it: a new view is looked at as soon as it is there."""
RED, BLUE = NAMESPACE, "blue"
TOKEN = "token-of-the-hostile-tests"
ROOM = 1_000


class Stage:
    """Ticks by hand; what the liar did is looked at over HTTP."""

    def __init__(self, store: Store, clock: FakeClock) -> None:
        self.store = store
        self.scene = Scene(store, clock)
        settings = ServerSettings(api_token=TOKEN)
        app = create_app(self.scene.scheduler, settings, clock=clock)
        self.http = httpx2.AsyncClient(
            transport=httpx2.ASGITransport(app), base_url="http://test", headers={"authorization": f"Bearer {TOKEN}"}
        )

    async def begin(self) -> None:
        await self.scene.start()
        await add_namespace(self.store, BLUE)
        self.victim = await self.scene.attach("victim", handlers=["report"])
        await self.scene.enqueue()
        await self.scene.dispatch()
        self.start = await self.victim.link.expect(Start)
        self.liar = self.scene.executor("liar", room=ROOM, handlers=["lie"])
        self.liar.namespace = BLUE
        await self.liar.connect()
        self.counting = asyncio.create_task(self.count())

    async def count(self) -> None:
        """The one duty that readers wait for goes by itself."""
        duty = self.scene.scheduler.forecasts
        while await duty.wake.wait():
            duty.wake.clear()
            while await duty.tick():
                pass

    async def end(self) -> None:
        self.counting.cancel()
        await self.scene.stop()
        await self.http.aclose()

    @property
    def run(self) -> RunId:
        """The victim's."""
        return self.start.runs[0]

    def of_victim(self) -> Own:
        return own(self.victim, self.run, self.start.token, BLUE)

    async def attempts(self, count: int) -> list[Own]:
        """New attempts of the liar."""
        await self.reconnect()
        requests = [RunRequest(job="lie") for _ in range(count)]
        [accepted] = await self.scene.committed(self.scene.scheduler.accept(BLUE, requests))
        assert not isinstance(accepted, BaseException), accepted
        await self.scene.dispatch()
        found: list[Own] = []
        while len(found) < count:
            start = await self.liar.link.expect(Start)
            found += [own(self.liar, run, start.token, BLUE) for run in start.runs]
        mine = {one.id for one in accepted}
        return [one for one in found if one.run in mine]

    async def reconnect(self) -> None:
        """Be attached, with a clean slate."""
        serving = self.liar.serving
        assert serving is not None
        if not serving.done():
            self.liar.link.cut()
        await serving
        # What the liar left behind is none of its new session's business.
        self.liar.session = self.scene.ids.session()
        await self.liar.connect()

    async def say(self, frame: bytes, *, again: bool = True) -> None:
        """Have the liar say it, and the server hear it."""
        self.liar.link.say_bytes(frame)
        await until_idle()
        if again and self.liar.serving is not None and self.liar.serving.done():
            await self.liar.serving
            # The same session again: what it has is still its own.
            await self.liar.connect()

    async def greet(self, frame: bytes) -> Message:
        """The answer to a first frame."""
        link = MemoryLink()
        serving = asyncio.create_task(self.scene.scheduler.attach(link))
        link.say_bytes(frame)
        hearing = asyncio.create_task(link.expect(Message))
        await asyncio.wait((hearing, serving), return_when=asyncio.FIRST_COMPLETED)
        if serving.done():
            serving.result()
        else:
            link.cut()
        answer = await hearing
        await serving
        return answer

    async def work(self) -> None:
        """Each duty, as often as it likes: what one executor says must not make any of them fail."""
        await until_idle()
        for duty in self.scene.scheduler.duties:
            await duty.tick()
        await until_idle()

    async def assert_all_is_well(self, *runs: RunId) -> None:
        """Nothing of the other namespace has changed, and all that there is can be read."""
        red = await self.get(f"/api/v1/runs/{id_text(self.run)}", RED)
        assert (red["state"], red["attempt"], red.get("progress")) == ("running", 1, None)
        assert await self.store.runs.logs(self.run, after=0, limit=10) == []
        assert await self.store.runs.checkpoints(self.run) == []
        assert self.victim.link.closed is None
        for namespace in (RED, BLUE):
            await self.get("/api/v1/runs?limit=200", namespace)
            await self.get("/api/v1/executors", namespace)
            await self.get("/api/v1/jobs", namespace)
        for run in runs:
            for view in ("", "/attempts", "/logs", "/memory"):
                await self.get(f"/api/v1/runs/{id_text(run)}{view}", BLUE)

    async def assert_all_can_be_read(self, runs: Iterable[RunId]) -> None:
        """Everything that the API shows without a name, and of the liar's runs and its job."""
        own = [path.replace("{id}", id_text(run)) for run in runs for path in RUN_VIEWS]
        for path in (*LISTS, *own, *(path.replace("{name}", "lie") for path in JOB_VIEWS)):
            await self.get(path, BLUE)
        for path in LISTS:
            await self.get(path, RED)

    async def get(self, path: str, namespace: str) -> Any:
        answer = await self.http.get(path, headers={"mainspring-namespace": namespace})
        assert answer.status_code == 200, (path, answer.text)
        return json.loads(answer.content.decode(), parse_constant=refuse_constant)

    async def assert_the_victim_works(self) -> None:
        await self.victim.settled(self.victim.report(self.start, result=b'"honest"'))
        assert (await self.scene.run(self.run)).state is RunState.SUCCEEDED
        [again] = await self.scene.enqueue()
        await self.scene.dispatch()
        start = await self.victim.link.expect(Start)
        assert start.runs == [again]
        await self.victim.settled(self.victim.report(start))
        assert (await self.scene.run(again)).state is RunState.SUCCEEDED


def own(executor: ScriptedExecutor, run: bytes, token: bytes, namespace: str) -> Own:
    return Own(run, token, executor.session, executor.secret, namespace)


def refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
