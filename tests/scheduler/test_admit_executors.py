"""Executors come as far as their token reaches, and stay as long as it is good."""

import asyncio
from datetime import timedelta

import pytest

from mainspring.domain.access.permissions import NAMESPACE_ALL, SYSTEM, Role
from mainspring.domain.access.token import Grant, NewToken
from mainspring.domain.cluster.session import Abilities, PoolSize
from mainspring.domain.jobs.job import JobSpec, Pool
from mainspring.domain.runs.run import RunState
from mainspring.scheduler.access.tokens import Issued
from mainspring.store.interface import TokenFilter
from mainspring.testing.clock import START
from mainspring.wire.messages import PROTOCOL, Beat, Hello, Load, Refused, Start, Welcome
from tests.factories import add_namespace
from tests.scheduler.scene import MemoryLink, Scene, until_idle


class Visitor:
    """An executor that shows a token."""

    def __init__(self, scene: Scene, grant: Grant) -> None:
        self.link = MemoryLink()
        self._scene = scene
        self.serving = asyncio.create_task(scene.scheduler.attach(self.link, grant))

    def greet(
        self, namespace: str = "default", *, queues: tuple[str, ...] = ("default",), jobs: tuple[JobSpec, ...] = ()
    ) -> None:
        abilities = Abilities(
            queues=list(queues), handlers={"report": Pool.LOOP}, pools=[PoolSize(Pool.LOOP, 0, 10, 0)]
        )
        session = self._scene.ids.session()
        self.link.say(Hello(PROTOCOL, session, bytes(32), "visitor", namespace, abilities, list(jobs), []))

    async def refused(self) -> Refused:
        """What it is refused with; the server ends the connection by itself."""
        answer = await self.link.expect(Refused)
        await self.serving
        return answer


async def issue(
    scene: Scene, namespace: str = NAMESPACE_ALL, *, queues: tuple[str, ...] = (), lasts: float | None = None
) -> Issued:
    ends = None if lasts is None else START + timedelta(seconds=lasts)
    wanted = NewToken(name="fleet", role=Role.EXECUTOR, namespace=namespace, queues=queues, expires_at=ends)
    return await scene.scheduler.access.tokens.create_as(wanted, by=SYSTEM)


async def visit(scene: Scene, issued: Issued) -> Visitor:
    return Visitor(scene, await scene.scheduler.access.admit(issued.text))


async def admin(scene: Scene) -> Grant:
    access = scene.scheduler.access
    made = await access.tokens.create_as(NewToken(name="boss", role=Role.ADMIN, namespace=NAMESPACE_ALL), by=SYSTEM)
    return await access.admit(made.text)


async def test_a_queue_that_the_token_does_not_cover_is_named(scene: Scene) -> None:
    issued = await issue(scene, "default", queues=("mail", "default"))
    visitor = await visit(scene, issued)
    visitor.greet(queues=("default", "payroll"))
    refused = await visitor.refused()

    assert refused.code == "forbidden_queue"
    assert refused.reason == (
        f"queue 'payroll' is not covered by token {issued.token.id} (fleet), which is for mail, default"
    )
    assert visitor.link.closed is not None
    assert visitor.link.closed[0] == 4403
    assert await scene.store.cluster.sessions() == []


@pytest.mark.parametrize("queues", [(), ("mail", "default")])
async def test_an_executor_within_its_token_is_welcome(scene: Scene, queues: tuple[str, ...]) -> None:
    visitor = await visit(scene, await issue(scene, "default", queues=queues))
    visitor.greet()

    await visitor.link.expect(Welcome)
    await leave(visitor)


async def test_a_namespace_beyond_the_token_is_refused_whether_it_is_there_or_not(scene: Scene) -> None:
    await add_namespace(scene.store, "team")
    issued = await issue(scene, "default")
    answers = []
    for namespace in ("team", "nowhere"):
        visitor = await visit(scene, issued)
        visitor.greet(namespace)
        answers.append(await visitor.refused())

    assert answers[0] == answers[1] == Refused("forbidden_namespace", "this token is for namespace 'default' only")


async def test_an_unknown_namespace_is_refused_with_a_way_out(scene: Scene) -> None:
    visitor = await visit(scene, await issue(scene))
    visitor.greet("defualt")
    refused = await visitor.refused()

    assert refused.code == "unknown_namespace"
    assert "mainspring namespaces create defualt" in refused.reason
    assert "did you mean default?" in refused.reason
    assert await scene.store.jobs.all() == []


async def test_no_command_is_advised_for_a_name_that_no_namespace_can_have(scene: Scene) -> None:
    visitor = await visit(scene, await issue(scene))
    visitor.greet("a\x00b")
    refused = await visitor.refused()

    assert (refused.code, refused.reason) == ("unknown_namespace", "unknown namespace 'a\\x00b'")


async def test_jobs_of_queues_beyond_the_token_are_left_to_others(scene: Scene) -> None:
    mine = JobSpec(name="send", handler="report", queue="mail")
    theirs = JobSpec(name="pay", handler="report", queue="payroll")
    owner = await visit(scene, await issue(scene))
    owner.greet(queues=("payroll",), jobs=(theirs,))
    await owner.link.expect(Welcome)
    drawn = JobSpec(name="pay", handler="report", queue="mail")
    visitor = await visit(scene, await issue(scene, queues=("mail",)))
    visitor.greet(queues=("mail",), jobs=(mine, drawn, JobSpec(name="audit", handler="report", queue="payroll")))
    await visitor.link.expect(Welcome)
    jobs = {job.name: job.spec.queue for job in await scene.store.jobs.all()}

    assert jobs == {"send": "mail", "pay": "payroll"}
    await leave(owner)
    await leave(visitor)


async def test_whoever_s_token_is_revoked_is_turned_out_and_its_attempts_run_elsewhere(scene: Scene) -> None:
    await scene.let_pass(60)
    by, issued = await admin(scene), await issue(scene)
    visitor = await visit(scene, issued)
    visitor.greet(jobs=(JobSpec(name="report", handler="report"),))
    await visitor.link.expect(Welcome)
    [run] = await scene.enqueue()
    await scene.dispatch()
    await visitor.link.expect(Start)
    await scene.scheduler.access.tokens.revoke(issued.token.id, by=by)
    refused = await visitor.refused()
    meanwhile = (await scene.run(run)).state
    await scene.let_pass(13)
    other = await scene.attach("e2")
    await scene.dispatch()
    again = await other.link.expect(Start)

    assert refused == Refused("token_revoked", f"token {issued.token.id} was revoked")
    assert visitor.link.closed is not None
    assert visitor.link.closed[0] == 4401
    assert meanwhile is RunState.RUNNING
    assert again.runs == [run]
    assert scene.scheduler.gateway.attached.keys() == {other.session}


async def test_an_executor_is_turned_out_when_its_token_expires(scene: Scene) -> None:
    visitor = await visit(scene, await issue(scene, lasts=60))
    visitor.greet()
    await visitor.link.expect(Welcome)
    scene.clock.advance(59)
    await scene.scheduler.access.tick()
    still_there = len(scene.scheduler.gateway.attached)
    scene.clock.advance(1)
    await scene.scheduler.access.tick()

    assert still_there == 1
    assert (await visitor.refused()).code == "token_expired"


async def test_after_a_rotation_the_old_secret_carries_a_connection_until_the_overlap_ends(scene: Scene) -> None:
    by, issued = await admin(scene), await issue(scene)
    old = await visit(scene, issued)
    old.greet()
    await old.link.expect(Welcome)
    rotated = await scene.scheduler.access.tokens.rotate(issued.token.id, overlap=timedelta(seconds=30), by=by)
    new = await visit(scene, rotated)
    new.greet()
    await new.link.expect(Welcome)
    during = len(scene.scheduler.gateway.attached)
    scene.clock.advance(30)
    await scene.scheduler.access.tick()

    assert during == 2
    assert (await old.refused()).code == "token_expired"
    assert len(scene.scheduler.gateway.attached) == 1
    await leave(new)


async def test_a_token_that_is_revoked_while_the_executor_greets_does_not_let_it_in(scene: Scene) -> None:
    by, issued = await admin(scene), await issue(scene)
    visitor = await visit(scene, issued)
    await scene.scheduler.access.tokens.revoke(issued.token.id, by=by)
    visitor.greet()

    assert (await visitor.refused()).code == "token_revoked"
    assert scene.scheduler.gateway.attached == {}


async def test_an_executor_s_beats_count_as_uses_of_its_token(scene: Scene) -> None:
    issued = await issue(scene)
    visitor = await visit(scene, issued)
    visitor.greet()
    await visitor.link.expect(Welcome)
    scene.clock.advance(120)
    visitor.link.say(Beat(1, Load(0, 0, 0.0, 0)))
    await until_idle()
    await scene.scheduler.access.tick()
    [found] = await scene.store.access.tokens(TokenFilter(id=issued.token.id))

    assert found.last_used_at == scene.clock.now()
    await leave(visitor)


async def leave(visitor: Visitor) -> None:
    visitor.link.cut()
    await visitor.serving
