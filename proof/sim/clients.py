"""Channel C: clients that ask for what the plan says, and write down what they were told."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import msgspec

from mainspring.domain.access import Actor
from mainspring.domain.ids import id_text, parse_run_id
from mainspring.errors import MainspringError, UnavailableError
from mainspring.scheduler.requests import RunRequest
from mainspring.scheduler.scheduler import Scheduler
from proof.records import Operation
from proof.sim.actors import ServerActor
from proof.sim.clock import SimClock
from proof.sim.plan import Act
from proof.sim.sometimes import Sometimes

NAMESPACE = "default"
PATIENCE = 5.0
LATENCY = 0.004
TRIES = 4
ACTOR = Actor("trial")
OF_RUNS = frozenset({"cancel", "retry", "get", "suspend", "resume_run"})


class Clients:
    """One for all acts: each act is a client of its own."""

    def __init__(self, servers: list[ServerActor], clock: SimClock, sometimes: Sometimes) -> None:
        self._servers = servers
        self._clock = clock
        self._sometimes = sometimes
        self._loop = servers[0].loop
        self.operations: list[Operation] = []
        self._count = 0
        self.runs: dict[str, str] = {}
        """From a mark to the run that was answered for it."""

    async def perform(self, act: Act) -> None:
        """Ask one server; if nobody can know whether that was heard, and repeating it is safe, ask the next."""
        base = Operation(
            at=0.0,
            id=0,
            client=act.mark or act.name,
            act=act.act,
            phase="invoke",
            run=self.runs.get(act.mark, "") if act.act != "enqueue" else "",
            job=act.kind if act.act == "enqueue" else "",
            key=act.key,
            digest=f"{act.mark} {act.seconds} {act.fails}" if act.act == "enqueue" else "",
            mark=act.mark if act.act == "enqueue" else "",
            due_at=self._loop.time() + act.delay if act.delay else None,
            name=act.name,
        )
        if act.act in OF_RUNS and not base.run:
            return
        request = self._request(act, base)
        again = act.act != "enqueue" or bool(act.key)
        for turn in range(TRIES if again else 1):
            answer = await self._try(base, request, self._servers[(act.server + turn) % len(self._servers)])
            if answer.phase != "info":
                return
            await asyncio.sleep(0.5)

    async def _try(
        self, base: Operation, request: Callable[[Scheduler], Awaitable[str]], server: ServerActor
    ) -> Operation:
        self._count += 1
        asked = msgspec.structs.replace(base, id=self._count, at=self._loop.time())
        self.operations.append(asked)
        answer = await self._answer(asked, request, server)
        self.operations.append(msgspec.structs.replace(answer, at=self._loop.time()))
        self._reach(answer)
        return answer

    async def _answer(
        self, asked: Operation, request: Callable[[Scheduler], Awaitable[str]], server: ServerActor
    ) -> Operation:
        try:
            async with asyncio.timeout(PATIENCE):
                await asyncio.sleep(LATENCY)
                told = await server.ask(request)
                await asyncio.sleep(LATENCY)
        except (TimeoutError, ConnectionError, UnavailableError):
            return msgspec.structs.replace(asked, phase="info")
        except MainspringError as error:
            return msgspec.structs.replace(asked, phase="fail", code=error.code)
        if asked.act == "enqueue":
            self.runs.setdefault(asked.mark, told)
            return msgspec.structs.replace(asked, phase="ok", run=told)
        return msgspec.structs.replace(asked, phase="ok", state=told)

    def _request(self, act: Act, base: Operation) -> Callable[[Scheduler], Awaitable[str]]:
        run = parse_run_id(base.run) if base.run else None

        async def ask(scheduler: Scheduler) -> str:
            if act.act == "enqueue":
                [accepted] = await scheduler.accept(NAMESPACE, [self._run_request(act)])
                return id_text(accepted.id)
            if act.act == "pause":
                await scheduler.queues.pause(NAMESPACE, act.name, reason="a trial", actor=ACTOR)
            elif act.act == "resume":
                await scheduler.queues.resume(NAMESPACE, act.name, actor=ACTOR)
            elif act.act == "cordon":
                await scheduler.executors.cordon(NAMESPACE, act.name, actor=ACTOR, reason="a trial")
            elif act.act == "uncordon":
                await scheduler.executors.uncordon(NAMESPACE, act.name, actor=ACTOR, reason="a trial")
            elif run is not None:
                return await self._steer(scheduler, act, run)
            return ""

        return ask

    async def _steer(self, scheduler: Scheduler, act: Act, run: object) -> str:
        match act.act:
            case "cancel":
                return (await scheduler.steering.cancel(NAMESPACE, run, actor=ACTOR)).label  # type: ignore[arg-type]
            case "suspend":
                waits = await scheduler.suspending.suspend(NAMESPACE, run, actor=ACTOR)  # type: ignore[arg-type]
                return "waiting" if waits else "running"
            case "resume_run":
                await scheduler.suspending.resume(NAMESPACE, run, actor=ACTOR)  # type: ignore[arg-type]
                return "queued"
            case "retry":
                await scheduler.steering.retry(NAMESPACE, run, actor=ACTOR, force=act.force)  # type: ignore[arg-type]
                return "queued"
            case _:
                return (await scheduler.get(NAMESPACE, run)).state.label  # type: ignore[arg-type]

    def _run_request(self, act: Act) -> RunRequest:
        now = self._clock.now()
        arguments = {"mark": act.mark, "seconds": act.seconds, "fails": act.fails}
        return RunRequest(
            job=act.kind,
            input=msgspec.json.encode(arguments),
            key=act.key or None,
            due_at=now + timedelta(seconds=act.delay) if act.delay else None,
            deadline_at=now + timedelta(seconds=act.deadline) if act.deadline else None,
        )

    def _reach(self, answer: Operation) -> None:
        match (answer.act, answer.phase):
            case ("enqueue", "fail") if answer.key and answer.code == "key_conflict":
                self._sometimes.reach("key refused")
            case ("cancel", "ok"):
                running = answer.state == "running"
                self._sometimes.reach("cancelled while running" if running else "cancelled before its start")
            case ("retry", "ok"):
                self._sometimes.reach("run again")
            case ("suspend", "ok"):
                self._sometimes.reach("run suspended")
            case ("pause", "ok"):
                self._sometimes.reach("queue paused")
            case ("cordon", "ok"):
                self._sometimes.reach("executor cordoned")
