"""An owner's triggers become exactly what code says, all or nothing, on the ground that was shown."""

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from mainspring.domain.access.permissions import Actor
from mainspring.domain.triggers.plan import Act, digest_of
from mainspring.domain.triggers.spec import Cron, Every, TriggerSpec
from mainspring.errors import ConflictError, InvalidInputError, NotFoundError, StaleError
from mainspring.scheduler.plans.apply_plan import ApplyTriggers, Definitions
from mainspring.scheduler.plans.plan_outlook import Outlook
from mainspring.store.interface import AuditFilter
from tests.scheduler.scene import NAMESPACE, Scene, ScriptedExecutor
from tests.words import ANNA

pytestmark = pytest.mark.parametrize("database", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])


def spec(name: str, cron: str = "0 6 * * *", **fields: Any) -> TriggerSpec:
    return TriggerSpec(name=name, job="report", when=Cron(expressions=(cron,)), **fields)


@pytest.fixture
async def executor(scene: Scene) -> AsyncIterator[ScriptedExecutor]:
    executor = await scene.attach()
    yield executor
    await executor.disconnect()


@pytest.fixture
def applying(scene: Scene, executor: ScriptedExecutor) -> ApplyTriggers:
    return scene.scheduler.applying


def acts(outlook: Outlook) -> dict[str, Act]:
    return {shown.item.name: shown.item.act for shown in outlook.shown}


async def test_what_is_planned_is_what_is_done_and_then_nothing_is_left_to_do(
    scene: Scene, applying: ApplyTriggers
) -> None:
    first = [spec("kept"), spec("changed"), spec("gone")]
    await applying.apply(NAMESPACE, Definitions(owner="shop", triggers=first), actor=ANNA)
    wanted = [spec("kept"), spec("changed", "30 6 * * *", priority=7), spec("new")]

    plan = await applying.plan(NAMESPACE, Definitions(owner="shop", triggers=wanted))
    untouched = {name: await scene.store.triggers.get(NAMESPACE, name) for name in ("changed", "gone", "new")}
    done = await applying.apply(
        NAMESPACE, Definitions(owner="shop", triggers=wanted), actor=ANNA, based_on=plan.plan.based_on
    )
    again = await applying.plan(NAMESPACE, Definitions(owner="shop", triggers=wanted))

    assert acts(plan) == acts(done) == {"changed": Act.CHANGE, "gone": Act.REMOVE, "new": Act.ADD}
    assert untouched["new"] is None
    assert untouched["gone"] is not None
    assert untouched["changed"] is not None
    assert untouched["changed"].spec == first[1]
    assert again.plan.is_empty
    assert await scene.store.triggers.get(NAMESPACE, "gone") is None
    changed = await scene.scheduler.triggers.get(NAMESPACE, "changed")
    assert (changed.spec, changed.owner, changed.drifted, changed.revision) == (wanted[1], "shop", False, 2)


async def test_a_plan_names_the_fires_that_shift(scene: Scene, applying: ApplyTriggers) -> None:
    await applying.apply(NAMESPACE, Definitions(owner="shop", triggers=[spec("nightly")]), actor=ANNA)

    [shown] = (
        await applying.plan(NAMESPACE, Definitions(owner="shop", triggers=[spec("nightly", "30 6 * * *")]))
    ).shown

    assert [after - before for before, after in zip(shown.next_before, shown.next_after, strict=True)] == [
        timedelta(minutes=30)
    ] * 3
    assert shown.next_before[0] > scene.clock.now()


async def test_drift_names_who_edited_and_applying_ends_it(scene: Scene, applying: ApplyTriggers) -> None:
    await applying.apply(NAMESPACE, Definitions(owner="shop", triggers=[spec("nightly")]), actor=ANNA)
    await scene.scheduler.triggers.define(NAMESPACE, [spec("nightly", priority=9)], actor=Actor("bert"))

    [shown] = (await applying.plan(NAMESPACE, Definitions(owner="shop", triggers=[spec("nightly")]))).shown
    await applying.apply(NAMESPACE, Definitions(owner="shop", triggers=[spec("nightly")]), actor=ANNA)

    assert shown.item.drift is not None
    assert (shown.item.drift.by, [change.path for change in shown.item.drift.changes]) == ("bert", ["priority"])
    assert not (await scene.scheduler.triggers.get(NAMESPACE, "nightly")).drifted


async def test_a_plan_that_has_become_another_is_not_applied(scene: Scene, applying: ApplyTriggers) -> None:
    await applying.apply(NAMESPACE, Definitions(owner="shop", triggers=[spec("nightly")]), actor=ANNA)
    plan = await applying.plan(NAMESPACE, Definitions(owner="shop", triggers=[]))
    await scene.scheduler.triggers.define(NAMESPACE, [spec("nightly", priority=9)], actor=Actor("bert"))

    with pytest.raises(StaleError):
        await applying.apply(NAMESPACE, Definitions(owner="shop", triggers=[]), actor=ANNA, based_on=plan.plan.based_on)

    assert await scene.store.triggers.get(NAMESPACE, "nightly") is not None


async def test_one_that_is_somebody_else_s_stops_them_all(scene: Scene, applying: ApplyTriggers) -> None:
    await scene.scheduler.triggers.define(NAMESPACE, [spec("nightly")], actor=Actor("bert"))
    wanted = [spec("another"), spec("nightly")]

    with pytest.raises(ConflictError, match="was made by hand"):
        await applying.apply(NAMESPACE, Definitions(owner="shop", triggers=wanted), actor=ANNA)
    nothing = await scene.store.triggers.get(NAMESPACE, "another")
    await applying.apply(NAMESPACE, Definitions(owner="shop", triggers=wanted, adopt=True), actor=ANNA)

    assert nothing is None
    assert (await scene.scheduler.triggers.get(NAMESPACE, "nightly")).owner == "shop"


async def test_what_could_not_be_kept_is_refused_with_its_place(scene: Scene, applying: ApplyTriggers) -> None:
    late = TriggerSpec(name="late", job="report", when=Every(every=60), end_at=scene.clock.now())
    stranger = TriggerSpec(name="stranger", job="unheard", when=Every(every=60))

    with pytest.raises(InvalidInputError, match=r"triggers\[1\]\."):
        await applying.plan(NAMESPACE, Definitions(owner="shop", triggers=[spec("nightly"), late]))
    with pytest.raises(NotFoundError, match="unheard"):
        await applying.apply(NAMESPACE, Definitions(owner="shop", triggers=[spec("nightly"), stranger]), actor=ANNA)

    assert await scene.store.triggers.get(NAMESPACE, "nightly") is None


async def test_all_of_it_is_one_entry_of_the_audit_log(scene: Scene, applying: ApplyTriggers) -> None:
    await applying.apply(
        NAMESPACE, Definitions(owner="shop", triggers=[spec("a"), spec("b")]), actor=ANNA, note="release 7"
    )
    await applying.apply(NAMESPACE, Definitions(owner="shop", triggers=[spec("a"), spec("b")]), actor=ANNA)

    found = await scene.store.access.audit(AuditFilter(namespace=NAMESPACE, kind="trigger"))

    [(_, entry)] = found
    assert (entry.act, entry.key, entry.actor) == ("trigger.apply", "shop", ANNA)
    assert entry.details == b'{"note":"release 7","add":{"count":2,"names":["a","b"]}}'


async def test_an_executor_hears_which_triggers_of_its_code_are_not_applied(
    scene: Scene, applying: ApplyTriggers
) -> None:
    await applying.apply(
        NAMESPACE, Definitions(owner="shop", triggers=[spec("applied"), spec("edited"), spec("otherwise")]), actor=ANNA
    )
    await scene.scheduler.triggers.define(NAMESPACE, [spec("edited", priority=9)], actor=ANNA)
    told = {name: digest_of(spec(name)) for name in ("applied", "edited", "missing")}
    executor = scene.executor("e2")
    executor.triggers = {**told, "otherwise": digest_of(spec("otherwise", "@hourly"))}

    welcome = await executor.connect()

    assert welcome.unapplied == ["missing", "otherwise"]
