"""Limits of the poison test's life: lanes with runs that wait, and breakers with calls; of each, the first row is spoilt."""

import msgspec

from mainspring.domain.breakers.breaker import BreakerState
from mainspring.domain.breakers.spec import BreakerSpec
from mainspring.domain.jobs.job import JobSpec, RetryPolicy
from mainspring.domain.limits.gates import LimitRule, Scope
from mainspring.domain.limits.lanes import LaneRule, lane_named
from mainspring.domain.limits.policy import Policy
from mainspring.domain.runs.attempt import Ended, Outcome
from mainspring.domain.runs.birth import RunRequest
from mainspring.domain.runs.run import Failure, RunState
from mainspring.scheduler.operations.jobs import Expected, Words
from mainspring.wire.messages import Start
from tests.scheduler.scene import NAMESPACE, Scene
from tests.words import ANNA

KEYS = ("1", "2")
BREAKERS = ("mail", "sms")
AWAY = "away"
"""The breaker that is open when it is spoilt."""
KINDS = ("OSError",)
SPEC = BreakerSpec(min_calls=2, wait=30.0, window=3600.0)


class Limits:
    """The executor of the keyed job comes only after the spoiling: until then its lanes wait for their turns."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    async def begin(self) -> None:
        await self._set_rules()
        await self._fill_lanes()
        await self._call()

    async def _set_rules(self) -> None:
        """The queue that is spoilt comes first."""
        limits = self._scene.scheduler.limits
        for queue in ("default", "dusty"):
            rule = LimitRule(namespace=NAMESPACE, scope=Scope.QUEUE, name=queue, at_once=1_000)
            await limits.rules.set(rule, actor=ANNA)
        await limits.gates.tick()

    async def _fill_lanes(self) -> None:
        engine = self._scene.scheduler
        keyed = JobSpec(name="keyed", handler="keyed", policy=Policy(at_once=1, limit_key=("customer",)))
        await engine.jobs.put(NAMESPACE, keyed, Expected(absent=True), Words(actor=ANNA))
        requests = [RunRequest(job="keyed", input=msgspec.json.encode({"customer": int(key)})) for key in KEYS * 2]
        accepted = await self._scene.accept(*requests)
        self._waiting = {key: accepted[at :: len(KEYS)] for at, key in enumerate(KEYS)}
        await self._turn()

    async def _call(self) -> None:
        """One breaker that failed calls have opened; two that operators have, and of which one call has failed since."""
        scene = self._scene
        breakers = scene.scheduler.limits.breakers
        self._caller = scene.executor("caller", handlers=(AWAY, *BREAKERS))
        self._caller.jobs = [
            JobSpec(name=name, handler=name, retry=RetryPolicy(attempts=1), policy=Policy(breaker=name))
            for name in (AWAY, *BREAKERS)
        ]
        for name in (AWAY, *BREAKERS):
            await breakers.set(NAMESPACE, name, SPEC, actor=ANNA)
        for name in BREAKERS:
            await breakers.force_open(NAMESPACE, name, reason="why not", actor=ANNA)
            await breakers.resume(NAMESPACE, name, reason="enough", actor=ANNA)
        await self._caller.connect()
        await self._park()
        await self._fail(AWAY)
        await self._fail(AWAY)
        await self._fail(*BREAKERS)
        states = [scene.scheduler.catalog.breakers[NAMESPACE, name].state for name in (AWAY, *BREAKERS)]
        assert states == [BreakerState.OPEN, BreakerState.CLOSED, BreakerState.CLOSED]

    async def _park(self) -> None:
        """Two runs whose handler has found a breaker open."""
        self._parked = [run for _ in range(2) for run in await self._scene.enqueue(BREAKERS[0])]
        await self._turn()
        await self._scene.dispatch()
        while self._caller.link.count(Start):
            start = await self._caller.link.expect(Start)
            ended = [
                Ended(run=run, token=start.token, outcome=Outcome.PARKED, breaker="nobody's", after=5.0)
                for run in start.runs
            ]
            await self._caller.settled(self._caller.say_outcomes([], [], [], ended))

    async def _turn(self) -> None:
        limits = self._scene.scheduler.limits
        await limits.own_lines.tick()
        await limits.gates.tick()
        while await limits.sorting.tick():
            pass

    async def _fail(self, *breakers: str) -> None:
        """Fail one call of each of these, and have it counted."""
        for name in breakers:
            await self._scene.enqueue(name)
        await self._turn()
        await self._scene.dispatch()
        while self._caller.link.count(Start):
            start = await self._caller.link.expect(Start)
            failure = Failure(error="OSError", message="HTTP 503")
            ended = [
                Ended(run=run, token=start.token, outcome=Outcome.FAILED, failure=failure, kinds=KINDS, after=1.0)
                for run in start.runs
            ]
            await self._caller.settled(self._caller.say_outcomes([], [], [], ended))
        self._scene.clock.advance(1)
        await self._scene.scheduler.limits.turning.tick()

    async def read_lists(self) -> None:
        store = self._scene.store
        for breaker in await store.breakers.all():
            await store.breakers.changes(breaker.id, limit=10)
        for rule in self._rules():
            await store.lanes.states(rule.gate.id, limit=10)

    def _rules(self) -> set[LaneRule]:
        catalog = self._scene.scheduler.catalog
        return {rule for line in catalog.lines.values() if (rule := catalog.lane_rule_of(line)) is not None}

    async def hold(self) -> None:
        """The second lane and the second breaker do their work."""
        await self._drain()
        scene = self._scene
        [rule] = self._rules()
        last = max(KEYS, key=lambda key: lane_named(rule, key).id)
        states = [(await scene.run(one.id)).state for one in self._waiting[last]]
        assert states == [RunState.SUCCEEDED] * 2

        await scene.scheduler.limits.releasing.tick()
        assert (await scene.run(max(self._parked))).reason != "breaker"

        for _ in range(2):
            await self._fail(*BREAKERS)
        known = scene.scheduler.catalog.breakers
        guarding = max((known[NAMESPACE, name] for name in BREAKERS if (NAMESPACE, name) in known), key=lambda b: b.id)
        assert guarding.state is BreakerState.OPEN

    async def _drain(self) -> None:
        """An executor for the keyed job, until it gets nothing more."""
        scene = self._scene
        executor = scene.executor("late", handlers=("keyed",))
        executor.jobs = []
        await executor.connect()
        await self._turn()
        await scene.dispatch()
        while executor.link.count(Start):
            await executor.settled(executor.report(await executor.link.expect(Start)))
            await scene.dispatch()
