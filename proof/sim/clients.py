"""Channel C: clients that ask for what the plan says, and write down what they were told."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

import msgspec

from mainspring.domain.bulk.operation import SweepAct, SweepFilter
from mainspring.domain.ids import RunId, id_text, parse_run_id
from mainspring.domain.runs.birth import RunRequest
from mainspring.errors import MainspringError, UnavailableError
from mainspring.scheduler.engine import Scheduler
from mainspring.scheduler.operations.jobs import Expected, Words
from proof.records import Operation
from proof.sim.actors import ServerActor
from proof.sim.clock import SimClock
from proof.sim.fires import ACTOR, NAMESPACE, OF_TRIGGERS, steer_trigger
from proof.sim.limits.draw import BREAKER
from proof.sim.plan import Act
from proof.sim.sometimes import Sometimes

log = logging.getLogger("mainspring.proof")
LARGE_MARKS, TEXT = ("3", "6", "9"), "x" * 1200
"""The runs whose inputs are kept apart from their rows, by the end of their marks."""
PATIENCE = 5.0
LATENCY = 0.004
TRIES = 4
OF_RUNS = frozenset({"cancel", "cancel_below", "retry", "get", "suspend", "resume_run"})
ONCE = frozenset({"enqueue", "sweep", "skip_next", "fire_now"})
"""What would come to something else if it were asked for again."""
DRAIN = 1.0
"""Seconds that a drained executor has before what it holds is interrupted."""
FEW, MANY = 1, 1000
"""Children that are cancelled before the answer."""


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
            job=(act.act == "enqueue" and act.name) or act.kind if act.act in {"enqueue", "sweep"} else "",
            group=act.group,
            key=act.key,
            digest=f"{act.mark} {act.seconds} {act.fails}" if act.act == "enqueue" else "",
            mark=act.mark if act.act == "enqueue" else "",
            due_at=self._loop.time() + act.delay if act.delay else None,
            name=act.name,
            parent=self.runs.get(act.parent, ""),
            start_within=act.start_within,
        )
        if act.act in OF_RUNS and not base.run:
            return
        if act.parent and not base.parent:
            return
        request = self._request(act, base)
        # A second sweep would be another one.
        again = act.act not in ONCE or bool(act.key)
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
        except Exception:
            # What an API would answer with 500: nobody knows what came of it, and the trial goes on.
            log.exception("%s broke down over %s", server.name, asked.act)
            return msgspec.structs.replace(asked, phase="info")
        if asked.act == "enqueue":
            self.runs.setdefault(asked.mark, told)
        if asked.act in {"enqueue", "fire_now"}:
            return msgspec.structs.replace(asked, phase="ok", run=told)
        return msgspec.structs.replace(asked, phase="ok", state=told)

    def _request(self, act: Act, base: Operation) -> Callable[[Scheduler], Awaitable[str]]:
        run = parse_run_id(base.run) if base.run else None
        # Asked for once more, it is still that instant.
        until = self._clock.now() + timedelta(seconds=act.delay) if act.delay else None

        async def ask(scheduler: Scheduler) -> str:
            if act.act == "enqueue":
                [accepted] = await scheduler.accept(NAMESPACE, [self._run_request(act, base.parent)])
                return id_text(accepted.id)
            if act.act in OF_TRIGGERS:
                return await steer_trigger(scheduler.triggers, act)
            if run is not None:
                return await self._steer(scheduler, act, run, until)
            await operate(scheduler, act)
            return ""

        return ask

    async def _steer(self, scheduler: Scheduler, act: Act, run: RunId, until: datetime | None) -> str:
        match act.act:
            case "cancel":
                return (await scheduler.steering.cancel(NAMESPACE, run, actor=ACTOR)).label
            case "cancel_below":
                at_once = FEW if act.few else MANY
                rest = await scheduler.dead.cancel_below(NAMESPACE, run, actor=ACTOR, at_once=at_once)
                return "done" if rest is None else "sweeping"
            case "suspend":
                waits = await scheduler.suspending.suspend(NAMESPACE, run, actor=ACTOR, resume_at=until)
                return "waiting" if waits else "running"
            case "resume_run":
                await scheduler.suspending.resume(NAMESPACE, run, actor=ACTOR)
                return "queued"
            case "retry":
                await scheduler.steering.retry(NAMESPACE, run, actor=ACTOR, force=act.force)
                return "queued"
            case _:
                return (await scheduler.get(NAMESPACE, run)).state.label

    def _run_request(self, act: Act, parent: str) -> RunRequest:
        now = self._clock.now()
        arguments: dict[str, object] = {"mark": act.mark, "seconds": act.seconds, "fails": act.fails, "wait": act.wait}
        if act.mark.endswith(LARGE_MARKS):
            arguments["text"] = TEXT
        if act.group:
            arguments["group"] = act.group
        return RunRequest(
            job=act.name or act.kind,
            input=msgspec.json.encode(arguments),
            key=act.key or None,
            due_at=now + timedelta(seconds=act.delay) if act.delay else None,
            deadline_at=now + timedelta(seconds=act.deadline) if act.deadline else None,
            start_within=act.start_within or None,
            parent=parse_run_id(parent) if parent else None,
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
            case ("drain", "ok"):
                self._sometimes.reach("executor drained by hand")
            case ("cancel_below", "ok"):
                self._sometimes.reach(
                    "children cancelled by a sweep" if answer.state == "sweeping" else "children cancelled"
                )


async def operate(scheduler: Scheduler, act: Act) -> None:
    """What concerns no run by itself."""
    match act.act:
        case "define_breaker":
            await scheduler.limits.breakers.set(NAMESPACE, act.name, BREAKER, actor=ACTOR)
        case "define_calendar":
            assert act.calendar is not None
            expected = Expected(absent=scheduler.calendars.of(NAMESPACE, act.name) is None)
            await scheduler.calendars.put(NAMESPACE, act.calendar, expected, Words(actor=ACTOR))
        case "sweep":
            chosen = SweepFilter(job=act.kind)
            await scheduler.dead.sweep(NAMESPACE, SweepAct.RETRY, chosen, actor=ACTOR, canaries=act.canaries)
        case "pause":
            await scheduler.queues.pause(NAMESPACE, act.name, reason="a trial", actor=ACTOR)
        case "resume":
            await scheduler.queues.resume(NAMESPACE, act.name, actor=ACTOR)
        case "cordon":
            await scheduler.executors.cordon(NAMESPACE, act.name, actor=ACTOR, reason="a trial")
        case "drain":
            await scheduler.executors.drain(NAMESPACE, act.name, actor=ACTOR, reason="a trial", grace=DRAIN)
        case "uncordon":
            await scheduler.executors.uncordon(NAMESPACE, act.name, actor=ACTOR, reason="a trial")
