"""Waits of the poison test's life: for events and approvals, with votes and kept events; of each, the first row is spoilt."""

import msgspec

from mainspring.domain.access.permissions import Actor
from mainspring.domain.ids import RunId
from mainspring.domain.runs.run import RunState
from mainspring.domain.workflows.spec import StepSpec
from mainspring.scheduler.triggers.events import PublishedEvent
from tests.scheduler.scene import NAMESPACE, Scene
from tests.scheduler.workflow_scene import WorkflowScene, echo, workflow
from tests.words import ANNA

BERT = Actor("bert")
HEARD = StepSpec(event="paid", match={"$.order": "$.input.order"}, look_back="1h")
ASKED = StepSpec(approval="A large order", approvals=2)
FLOWS = {
    name: workflow("$.wait", wait=step, noted=StepSpec(job="noted", after=("wait",)))
    for name, step in {"hearing": HEARD, "asking": ASKED}.items()
}
ORDERS = (1, 2)
EARLIER = (3, 4)
"""Orders whose events are published before anything waits for them."""


class WaitingSteps:
    def __init__(self, scene: Scene) -> None:
        self._scene = scene

    async def begin(self) -> None:
        self._stage = await WorkflowScene.make(self._scene, FLOWS)
        for order in EARLIER:
            await self.publish(order)
        self.hearing = [await self.enqueue("hearing", order) for order in ORDERS]
        self.asking = [await self.enqueue("asking", order) for order in ORDERS]
        for run in self.asking:
            assert not await self.approve(run, ANNA)

    async def enqueue(self, flow: str, order: int) -> RunId:
        run = await self._stage.enqueue(flow, order=order)
        await self._stage.play(echo)
        return run

    async def publish(self, order: int) -> int:
        """How many steps the event of an order lets go on."""
        told = PublishedEvent(type="paid", data=msgspec.json.encode({"order": order}))
        _, ended = await self._scene.scheduler.called.events.tell(NAMESPACE, [told])
        return ended

    async def approve(self, workflow_run: RunId, actor: Actor) -> bool:
        """Whether the answer decides."""
        approvals = self._scene.scheduler.workflows.approvals
        decided, _ = await approvals.vote(NAMESPACE, await self.step(workflow_run), actor=actor, approved=True)
        return decided

    async def step(self, workflow_run: RunId) -> RunId:
        """The run that waits."""
        steps = await self._scene.store.workflows.steps(workflow_run, after=None, limit=10)
        return next(one.run for one in steps if one.step == 0)

    async def follow(self) -> None:
        while await self._scene.scheduler.workflows.waits.tick():
            pass
        await self._stage.play(echo)

    async def listed(self) -> list[RunId]:
        found = await self._scene.scheduler.workflows.approvals.list(NAMESPACE, after=None, limit=10)
        return [one.run for one in found]

    async def hold(self) -> None:
        """The second of each kind of wait ends, and so does one whose event is the second that was kept."""
        assert await self.step(self.asking[1]) in await self.listed()
        assert await self.publish(ORDERS[1]) == 1
        assert await self.approve(self.asking[1], BERT)
        looking = await self.enqueue("hearing", EARLIER[1])
        await self.follow()

        states = [await self._stage.state(run) for run in (self.hearing[1], self.asking[1], looking)]
        assert states == [RunState.SUCCEEDED] * 3
