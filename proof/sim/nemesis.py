"""Does to a world what the plan says, and takes it back when its time is over."""

from collections.abc import Callable
from datetime import timedelta

from proof.records import Fault
from proof.sim.actors import Actor, ExecutorActor, ServerActor
from proof.sim.clock import Machine
from proof.sim.draw_lasting import FADE_EVERY, FADE_STEP, silence_of, steps_of
from proof.sim.loop import Process
from proof.sim.network import Fading
from proof.sim.plan import Trouble
from proof.sim.world import World

Heal = Callable[[], None]
STOP_MAX = 15.0
"""Seconds that a process which was told to stop has for it."""


def nothing() -> None:
    """What is over at once needs no healing."""


class Nemesis:
    """Each fault is one method that returns how it is healed."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._loop = world.loop
        self._on: dict[int, Heal] = {}
        self._count = 0
        self.faults: list[Fault] = []

    @property
    def is_calm(self) -> bool:
        """Whether nothing is wrong at present."""
        return not self._on

    def plan(self, troubles: tuple[Trouble, ...]) -> None:
        for trouble in troubles:
            self._loop.outside(trouble.at, self._begin, trouble)

    def _begin(self, trouble: Trouble) -> None:
        heal = getattr(self, f"_{trouble.fault}")(trouble)
        self._count += 1
        number, now = self._count, self._loop.time()
        until = now + trouble.lasts
        self._on[number] = heal
        self.faults.append(
            Fault(
                at=now,
                until=until,
                fault=trouble.fault,
                target=trouble.target,
                detail=f"{trouble.other} {trouble.strength or ''}".strip(),
            )
        )
        self._loop.outside(until, self._end, number)

    def _end(self, number: int) -> None:
        heal = self._on.pop(number, None)
        if heal is not None:
            heal()

    def heal(self) -> None:
        """Everything is over, now."""
        now = self._loop.time()
        for number in list(self._on):
            self._end(number)
        self.faults = [
            Fault(at=f.at, until=min(f.until, now), fault=f.fault, target=f.target, detail=f.detail)
            for f in self.faults
        ]

    # Processes

    def _kill_server(self, trouble: Trouble) -> Heal:
        return self._down(self._world.servers[trouble.target], "server killed", silently=False)

    def _kill_executor(self, trouble: Trouble) -> Heal:
        return self._down(self._world.executors[trouble.target], "executor killed", silently=False)

    def _vanish_executor(self, trouble: Trouble) -> Heal:
        return self._down(self._world.executors[trouble.target], "executor vanished", silently=True)

    def _down(self, actor: Actor, goal: str, *, silently: bool) -> Heal:
        if actor.process is not None and actor.alive:
            self._world.sometimes.reach(goal)
            self._world.kill(actor, silently=silently)
        actor.down = True
        return lambda: up(actor)

    def _stop_server(self, trouble: Trouble) -> Heal:
        return self._stop(self._world.servers[trouble.target])

    def _stop_executor(self, trouble: Trouble) -> Heal:
        self._world.sometimes.reach("executor drained")
        return self._stop(self._world.executors[trouble.target])

    def _stop(self, actor: ServerActor | ExecutorActor) -> Heal:
        told = actor.process
        actor.down = True
        actor.stop()
        return lambda: self._restart(actor, told)

    def _restart(self, actor: Actor, told: Process | None) -> None:
        """Once what was told to stop has stopped; the nemesis kills it after a while."""
        if actor.process is told and actor.alive:
            self._loop.outside(self._loop.time() + STOP_MAX, self._restart_hard, actor, told)
        else:
            up(actor)

    def _restart_hard(self, actor: Actor, stopping: Process) -> None:
        if actor.process is stopping and actor.alive:
            self._world.kill(actor, silently=False)
        up(actor)

    def _pause_server(self, trouble: Trouble) -> Heal:
        return self._pause(self._world.servers[trouble.target], "server paused")

    def _pause_executor(self, trouble: Trouble) -> Heal:
        return self._pause(self._world.executors[trouble.target], "executor paused")

    def _pause(self, actor: Actor, goal: str) -> Heal:
        process = actor.process
        if process is None or not process.alive or process.paused:
            return nothing
        self._world.sometimes.reach(goal)
        self._loop.pause(process)
        self._world.network.doubt(process)
        return lambda: self._loop.resume(process)

    # The network

    def _partition(self, trouble: Trouble) -> Heal:
        return self._stall(trouble.target, trouble.other, ("up", "down"))

    def _one_way_up(self, trouble: Trouble) -> Heal:
        return self._stall(trouble.target, trouble.other, ("up",))

    def _one_way_down(self, trouble: Trouble) -> Heal:
        return self._stall(trouble.target, trouble.other, ("down",))

    def _isolate_executor(self, trouble: Trouble) -> Heal:
        heals = [self._stall(trouble.target, server, ("up", "down")) for server in self._world.servers]

        def heal() -> None:
            for each in heals:
                each()

        return heal

    def _fade(self, trouble: Trouble) -> Heal:
        """Answers take longer and longer; then nothing that the executor says arrives, while they are still under way."""
        lease, servers = self._world.plan.config.lease, list(self._world.servers)
        fading = Fading(self._world.network, trouble.target, servers)
        for step in range(1, steps_of(trouble, lease) + 1):
            at = trouble.at + step * lease * FADE_EVERY
            self._loop.outside(at, fading.lag, min(trouble.strength, step * lease * FADE_STEP))
        self._loop.outside(silence_of(trouble, lease), fading.silence)
        self._world.sometimes.reach("network faded")
        return fading.heal

    def _stall(self, executor: str, server: str, ways: tuple[str, ...]) -> Heal:
        self._world.network.stall(executor, server, ways=ways)
        return self._world.network.path(executor, server).heal

    def _cut(self, trouble: Trouble) -> Heal:
        for connected in self._world.network.between(trouble.target, trouble.other):
            connected.cut()
        return nothing

    def _slow_network(self, trouble: Trouble) -> Heal:
        path = self._world.network.path(trouble.target, trouble.other)
        path.slow = trouble.strength
        return path.heal

    def _doubles(self, trouble: Trouble) -> Heal:
        path = self._world.network.path(trouble.target, trouble.other)
        path.doubles = trouble.strength
        return path.heal

    # The store

    def _store_outage(self, _trouble: Trouble) -> Heal:
        self._world.database.weather.away = True
        return self._world.store_is_back

    def _store_refuses(self, trouble: Trouble) -> Heal:
        return self._weather("refuses", trouble.strength, 0.0)

    def _store_mutes(self, trouble: Trouble) -> Heal:
        return self._weather("mutes", trouble.strength, 0.0)

    def _store_slow(self, trouble: Trouble) -> Heal:
        return self._weather("slow", trouble.strength, 1.0)

    def _weather(self, name: str, bad: object, good: object) -> Heal:
        weather = self._world.database.weather
        setattr(weather, name, bad)
        return lambda: setattr(weather, name, good)

    def _store_lost(self, trouble: Trouble) -> Heal:
        actor = self._world.servers[trouble.target]
        actor.reach_store(reach=False)
        return lambda: actor.reach_store(reach=True)

    def _fail_over(self, _trouble: Trouble) -> Heal:
        """The standby falls behind, and takes over when the fault ends; nobody reaches either for a moment."""
        self._world.database.stop_replicating()
        since = self._loop.time()
        return lambda: self._world.fail_over(since)

    def _machine_jump(self, trouble: Trouble) -> Heal:
        self._machine(trouble.target).jump(trouble.strength)
        self._world.sometimes.reach("wall clock set")
        return nothing

    def _machine_drift(self, trouble: Trouble) -> Heal:
        machine = self._machine(trouble.target)
        machine.run_at(1.0 + trouble.strength)
        self._world.sometimes.reach("clock drifted")
        return lambda: machine.run_at(1.0)

    def _machine(self, name: str) -> Machine:
        actor = self._world.servers.get(name) or self._world.executors[name]
        return actor.machine

    def _clock_jump(self, trouble: Trouble) -> Heal:
        self._world.database.clock.shift(timedelta(seconds=trouble.strength))
        self._world.sometimes.reach("clock apart")
        return nothing


def up(actor: Actor) -> None:
    actor.down = False
    actor.start()
