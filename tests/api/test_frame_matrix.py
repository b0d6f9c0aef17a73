"""Every message of an executor by every kind of token, about a session and an attempt of another: what it changes is nothing.

The messages are those of the protocol: a new one is covered as soon as it is there.
"""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from mainspring.clock import SystemClock
from mainspring.domain.access.permissions import Role
from mainspring.domain.ids import id_text
from mainspring.wire.base import Message
from mainspring.wire.messages import Refused, Start, Welcome
from tests.api.conftest import Server
from tests.api.test_executors_list import Executor
from tests.api.test_route_matrix import FOREIGN, OWN, Keys
from tests.hostile.lies import MESSAGES, Own, lying
from tests.scheduler.scene import MemoryLink

pytestmark = pytest.mark.asyncio(loop_scope="module")

SPEAKERS = ["same_namespace", "other_namespace", "all_namespaces"]
ABOUT_ATTEMPTS = [tag for tag in MESSAGES if tag != "hello"]


class Victim:
    """An executor with an attempt under way, whose ids can be seen."""

    def __init__(self, executor: Executor, start: Start) -> None:
        self.executor = executor
        self.run = start.runs[0]
        self.token = start.token

    def own(self, namespace: str, **changes: bytes) -> Own:
        known = Own(self.run, self.token, self.executor.session, bytes(32), namespace)
        return known._replace(**changes)  # type: ignore[arg-type]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def tokens(server: Server) -> AsyncIterator[dict[str, str]]:
    keys = Keys(server)
    await keys.cut()
    other = await keys._make(Role.EXECUTOR, FOREIGN)
    await server.scheduler.access.tick()
    yield {
        "same_namespace": keys.bound[Role.EXECUTOR],
        "other_namespace": other,
        "all_namespaces": keys.unbound[Role.EXECUTOR],
    }


@pytest_asyncio.fixture(loop_scope="module")
async def victim(server: Server) -> AsyncIterator[Victim]:
    executor = Executor(server, "victim")
    await executor.connect()
    posted = await server.post({"job": "work"})
    assert posted.status_code == 201, posted.text
    yield Victim(executor, await executor.link.expect(Start))
    await executor.leave()
    await server.store.cluster.close_session(executor.session, now=SystemClock().now())


async def shown(server: Server, victim: Victim) -> list[Any]:
    """All that people see of the run, its lines and its executor."""
    path = f"/api/v1/runs/{id_text(victim.run)}"
    answers = [await server.http.get(path + view) for view in ("", "/logs", "/attempts", "/memory")]
    assert [answer.status_code for answer in answers] == [200] * 4
    [session] = [one for one in await server.store.cluster.sessions() if one.id == victim.executor.session]
    return [*(answer.json() for answer in answers), session.state, session.namespace, session.executor, session.server]


async def speak(server: Server, text: str, *frames: bytes) -> Message:
    """Say these frames with that token; the first answer."""
    grant = await server.scheduler.access.admit(text)
    link = MemoryLink()
    serving = asyncio.create_task(server.scheduler.attach(link, grant))
    for frame in frames:
        link.say_bytes(frame)
    answer = await link.expect(Message)
    link.cut()
    await serving
    return answer


@pytest.mark.parametrize("speaker", SPEAKERS)
@pytest.mark.parametrize("tag", ABOUT_ATTEMPTS)
async def test_no_message_changes_an_attempt_of_another_session(
    server: Server, tokens: dict[str, str], victim: Victim, tag: str, speaker: str
) -> None:
    before = await shown(server, victim)
    namespace = FOREIGN if speaker == "other_namespace" else OWN
    fresh = victim.own(namespace, session=bytes(server.scheduler._ids.session()))
    hello, said = lying(MESSAGES["hello"], fresh, (0,), "hello"), lying(MESSAGES[tag], fresh, (0,), tag)
    answer = await speak(server, tokens[speaker], hello, said)
    for duty in (server.scheduler.sessions.telemetry, server.scheduler.settling):
        await duty.tick()
    # The duties tick by themselves as well: what they write stands before this in the store's one line of writes.
    await server.store.runs.report_progress([], now=SystemClock().now())

    assert isinstance(answer, Welcome)
    assert await shown(server, victim) == before
    assert victim.executor.link.closed is None


@pytest.mark.parametrize("speaker", SPEAKERS)
@pytest.mark.parametrize("namespace", [OWN, FOREIGN])
@pytest.mark.parametrize("secret", [b"guess" * 6 + b"..", bytes(32)], ids=["guessed", "leaked"])
async def test_no_token_opens_the_session_of_another(
    server: Server, tokens: dict[str, str], victim: Victim, namespace: str, speaker: str, secret: bytes
) -> None:
    """Not even with its secret: a session belongs to the token that it was opened with, too."""
    before = await shown(server, victim)
    hello = lying(MESSAGES["hello"], victim.own(namespace, secret=secret), (0,), "hello")
    answer = await speak(server, tokens[speaker], hello)

    assert isinstance(answer, Refused)
    assert answer.code in ("session_dead", "forbidden_namespace")
    assert await shown(server, victim) == before
    assert victim.executor.link.closed is None
