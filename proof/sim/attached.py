"""Whether each executor is attached soon after some server can be reached, whatever its address book says."""

import asyncio

from proof.checker import Violation
from proof.sim.actors import ExecutorActor, ServerActor
from proof.sim.books import url_of
from proof.sim.nemesis import Nemesis
from proof.sim.world import World

WITHIN = 5.0
"""Seconds."""
EVERY = 0.25
INVARIANT = "L12"


class Attachment:
    """Looks at every executor four times a second, until it is told that the trial is over."""

    def __init__(self, world: World, nemesis: Nemesis) -> None:
        self.violations: list[Violation] = []
        self._world = world
        self._nemesis = nemesis
        self._waiting: dict[str, tuple[object, float]] = {}
        """By executor, its process and since when it could have been attached and was not."""

    async def watch(self) -> None:
        while True:
            for executor in self._world.executors.values():
                self._look(executor)
            await asyncio.sleep(EVERY)

    def _look(self, executor: ExecutorActor) -> None:
        now, process = self._world.loop.time(), executor.process
        if executor.is_attached or executor.down or not self._could(executor):
            self._waiting.pop(executor.name, None)
            return
        who, since = self._waiting.setdefault(executor.name, (process, now))
        if who is not process:
            self._waiting[executor.name] = process, now
        elif now - since > WITHIN + EVERY and not any(one.message.startswith(executor.name) for one in self.violations):
            message = (
                f"{executor.name} was not attached within {WITHIN:.0f} s at {now:.1f} though a server could be reached"
            )
            self.violations.append(Violation(invariant=INVARIANT, message=message))

    def _could(self, executor: ExecutorActor) -> bool:
        process = executor.process
        if process is None or not process.alive or process.paused:
            return False
        calm = self._nemesis.is_calm or self._world.loop.time() > self._world.plan.config.heal_at
        return calm and any(self._reaches(executor, server) for server in self._world.servers.values())

    def _reaches(self, executor: ExecutorActor, server: ServerActor) -> bool:
        """Whether the executor knows it, it works, and so does the way between them."""
        process, scheduler, link = server.process, server.scheduler, executor.link
        if link is None or process is None or scheduler is None or not process.alive or process.paused:
            return False
        return (
            url_of(server.name) in {one.url for one in link._servers}
            and scheduler.readiness().ready
            and self._world.network.path(executor.name, server.name).open
        )
