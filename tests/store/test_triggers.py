"""Triggers as people write them: made, changed and deleted, all of it or nothing, and found again."""

import asyncio
import functools
from collections.abc import Iterator, Mapping
from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.access.permissions import Actor, AuditEntry
from mainspring.domain.triggers.fire_times.misfires import SkipReason, Span
from mainspring.domain.triggers.spec import At, Event, TriggerSpec, Webhook
from mainspring.domain.triggers.trigger import RecordedPause, Trigger, TriggerChanges, TriggerMove, TriggerState
from mainspring.errors import ConflictError
from mainspring.store.interface import AuditFilter, TriggerFilter
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, run_ids
from tests.store.scene import Scene
from tests.store.trigger_samples import FIRST, add, fire, get, moves, run_of, trigger
from tests.words import MINUTE

FULL = TriggerSpec(
    name="full",
    job="report",
    when=At(at=START + MINUTE),
    description='says "hello", \\ and ünïcode 🕰 \x00',
    input=msgspec.Raw(b'{"a": [1, 2.50, "\\u0000"]}'),
    labels={"team": "blue"},
    tags=("nightly",),
    start_at=START,
    jitter=1.5,
    group="night",
    calendar="bank",
    pause_after=3,
)


async def test_a_trigger_is_read_as_it_was_written(scene: Scene) -> None:
    written = trigger(
        pending=tuple(run_ids(3)),
        held=(FIRST, FIRST + MINUTE),
        asked=(FIRST + 2 * MINUTE, FIRST + 3 * MINUTE),
        fired=7,
        failures=2,
        last_fire_at=START,
        revision=4,
        paused=RecordedPause("a storm", "anna", START),
        owner="app",
        applied=FULL,
        act_at=None,
    )
    written = msgspec.structs.replace(written, spec=FULL)
    [made] = await add(scene, written)

    assert made == msgspec.structs.replace(written, id=made.id)
    assert made.id > 0
    assert await get(scene, "full") == made
    assert bytes(made.spec.input) == b'{"a": [1, 2.50, "\\u0000"]}'
    assert await scene.store.triggers.get("other", "full") is None


@pytest.mark.parametrize("drifted", [True, False])
async def test_what_was_applied_is_told_apart_from_what_is_in_force(scene: Scene, drifted: bool) -> None:
    sample = trigger()
    applied = msgspec.structs.replace(sample.spec, priority=9) if drifted else sample.spec
    await add(scene, msgspec.structs.replace(sample, owner="app", applied=applied))
    found = await get(scene)

    assert (found.applied, found.drifted) == (applied, drifted)


async def test_a_change_is_asked_about_the_triggers_that_exist(scene: Scene) -> None:
    made = await add(scene, trigger("a"), trigger("b"))
    asked: list[Mapping[str, Trigger]] = []

    def revise(found: Mapping[str, Trigger]) -> TriggerChanges:
        asked.append(found)
        slower = msgspec.structs.replace(found["b"], revision=2, next_due=None, act_at=None)
        return TriggerChanges(
            moves=[TriggerMove(trigger=slower), TriggerMove(trigger=trigger("c"))],
            deletes=[TriggerMove(trigger=found["a"])],
        )

    left = await scene.store.triggers.change(NAMESPACE, ["c", "b", "a", "a"], revise, now=START)

    assert asked == [{"a": made[0], "b": made[1]}]
    assert [(each.name, each.revision, each.next_due) for each in left] == [("b", 2, None), ("c", 1, FIRST)]
    assert await scene.store.triggers.list(TriggerFilter(namespace=NAMESPACE)) == left


async def test_a_change_that_is_refused_changes_nothing(scene: Scene) -> None:
    [made] = await add(scene, trigger())

    def refuse(_: Mapping[str, Trigger]) -> TriggerChanges:
        raise ConflictError("trigger", "tick", "no")

    with pytest.raises(ConflictError):
        await scene.store.triggers.change(NAMESPACE, ["tick"], refuse, now=START)
    assert await get(scene) == made


async def test_very_many_are_changed_as_one(scene: Scene) -> None:
    names = [f"t{number:04}" for number in range(1201)]
    made = await add(scene, *map(trigger, names))

    def revised(found: Mapping[str, Trigger]) -> Iterator[TriggerMove]:
        for name in names:
            yield TriggerMove(trigger=msgspec.structs.replace(found[name], revision=found[name].revision + 1))

    def refuse_behind_the_last(found: Mapping[str, Trigger]) -> Iterator[TriggerMove]:
        yield from revised(found)
        raise ConflictError("trigger", "t1200", "no")

    change = scene.store.triggers.change
    left = await change(NAMESPACE, names, lambda found: TriggerChanges(moves=revised(found)), now=START)
    with pytest.raises(ConflictError):
        await change(NAMESPACE, names, lambda found: TriggerChanges(moves=refuse_behind_the_last(found)), now=START)
    kept = await scene.store.triggers.list(TriggerFilter(namespace=NAMESPACE, limit=2000))

    assert len({each.id for each in made}) == 1201
    assert kept == left
    assert {each.revision for each in left} == {2}


async def test_a_change_comes_with_its_entries_runs_and_spans(scene: Scene) -> None:
    run = run_of(scene, START, marks=("blue",), extra=b'{"tags":["blue"],"by":"trigger tick"}')
    span = Span(START - MINUTE, START - MINUTE, SkipReason.ASKED)
    entry = AuditEntry(
        at=START, actor=Actor("anna"), namespace=NAMESPACE, act="trigger.define", kind="trigger", key="tick"
    )
    wanted = trigger(fired=1, last_fire_at=START)

    def revise(_: Mapping[str, Trigger]) -> TriggerChanges:
        return TriggerChanges(moves=[TriggerMove(trigger=wanted, fires=[(START, run)], skips=[span])], entries=[entry])

    [made] = await scene.store.triggers.change(NAMESPACE, ["tick"], revise, now=START)
    store = scene.store.triggers
    until = START + MINUTE
    assert [one.run for one in await store.fires(made.id, since=START, until=until, limit=9)] == [run.id]
    assert await store.skips(made.id, since=START - 2 * MINUTE, until=until, limit=9) == [span]
    assert (await scene.get(run.id)).tags == ("blue",)
    assert [each.act for _, each in await scene.store.access.audit(AuditFilter(kind="trigger"))] == ["trigger.define"]


async def test_a_trigger_that_is_deleted_leaves_what_it_skipped_in_the_ledger(scene: Scene) -> None:
    [made] = await add(scene, trigger())
    spans = [Span(FIRST, FIRST + MINUTE, SkipReason.DELETED), Span(START, START, SkipReason.DELETED)]

    def revise(found: Mapping[str, Trigger]) -> TriggerChanges:
        return TriggerChanges(deletes=[TriggerMove(trigger=found["tick"], skips=spans)])

    assert await scene.store.triggers.change(NAMESPACE, ["tick"], revise, now=FIRST + MINUTE) == []
    assert await scene.store.triggers.get(NAMESPACE, "tick") is None
    left = await scene.store.triggers.skips(made.id, since=START, until=FIRST + 2 * MINUTE, limit=9)
    assert left == spans[::-1]


async def test_what_is_asked_for_is_kept_by_moves_and_forgotten_by_others(scene: Scene) -> None:
    asked = (FIRST + MINUTE, FIRST + 2 * MINUTE)
    await add(scene, trigger(asked=asked))
    await fire(scene)
    assert (await get(scene)).asked == asked

    def decide(found: Trigger) -> TriggerMove:
        return TriggerMove(trigger=msgspec.structs.replace(found, asked=found.asked[1:], act_at=FIRST + 5 * MINUTE))

    await fire(scene, decide, now=FIRST + MINUTE)
    assert (await get(scene)).asked == asked[1:]


async def test_when_a_rule_was_changed_is_kept_by_moves(scene: Scene) -> None:
    [made] = await add(scene, trigger())
    assert (await get(scene)).ruled_at is None

    def revise(found: Mapping[str, Trigger]) -> TriggerChanges:
        return TriggerChanges(
            moves=[TriggerMove(trigger=msgspec.structs.replace(found[made.name], revision=2, ruled_at=START))]
        )

    await scene.store.triggers.change(NAMESPACE, [made.name], revise, now=START)
    await fire(scene)
    assert (await get(scene)).ruled_at == START


async def test_a_name_is_given_once_whoever_is_faster(scene: Scene) -> None:
    def revise(found: Mapping[str, Trigger]) -> TriggerChanges:
        if found:
            raise ConflictError("trigger", "tick", "exists")
        return TriggerChanges(moves=[TriggerMove(trigger=trigger())])

    change = scene.store.triggers.change
    answers = await asyncio.gather(
        *(change(NAMESPACE, ["tick"], revise, now=START) for _ in range(4)), return_exceptions=True
    )

    assert sum(isinstance(answer, list) for answer in answers) == 1
    assert sum(isinstance(answer, ConflictError) for answer in answers) == 3
    assert len(await scene.store.triggers.list(TriggerFilter(namespace=NAMESPACE))) == 1


async def test_a_name_that_is_used_again_is_another_trigger(scene: Scene) -> None:
    [first] = await add(scene, trigger())
    await scene.store.triggers.change(
        NAMESPACE, ["tick"], lambda _: TriggerChanges(deletes=[TriggerMove(trigger=first)]), now=START
    )
    assert await scene.store.triggers.get(NAMESPACE, "tick") is None
    [second] = await add(scene, trigger())

    assert second.id > first.id


async def test_thousands_are_made_in_one_call(scene: Scene) -> None:
    made = await add(scene, *(trigger(f"t{number:04}") for number in range(3000)))

    assert len({each.id for each in made}) == 3000
    page = await scene.store.triggers.list(TriggerFilter(namespace=NAMESPACE, after="t0999", limit=2))
    assert [each.name for each in page] == ["t1000", "t1001"]


SAMPLES = [
    trigger("a-paused", paused=RecordedPause("", "anna", START), act_at=None, owner="app"),
    trigger("a-timed", calendar="bank", group="night"),
    trigger("b-called", when=Webhook(), next_due=None, act_at=None),
    trigger("b-ended", next_due=None, act_at=None, job="other"),
    trigger("b-event", when=Event(type="order"), next_due=None, act_at=None),
    trigger("b-waits", next_due=None, act_at=None, pending=tuple(run_ids(1))),
]
CASES: list[tuple[dict[str, object], list[str]]] = [
    ({}, [*(each.name for each in SAMPLES), "z"]),
    ({"prefix": "a-"}, ["a-paused", "a-timed"]),
    ({"prefix": "a-", "after": "a-paused"}, ["a-timed"]),
    ({"job": "other"}, ["b-ended"]),
    ({"kind": "webhook"}, ["b-called"]),
    ({"kind": "cron", "prefix": "b-"}, ["b-ended", "b-waits"]),
    ({"owner": "app"}, ["a-paused"]),
    ({"calendar": "bank"}, ["a-timed"]),
    ({"group": "night", "job": "report"}, ["a-timed"]),
    ({"state": TriggerState.PAUSED}, ["a-paused"]),
    ({"state": TriggerState.ACTIVE}, ["a-timed", "b-called", "b-event", "b-waits", "z"]),
    ({"state": TriggerState.ENDED}, ["b-ended"]),
    ({"limit": 2, "after": "a-timed"}, ["b-called", "b-ended"]),
    ({"kind": "cron", "until": "b-ended"}, ["a-paused", "a-timed", "b-ended"]),
    ({"prefix": "b-", "until": "b-called"}, ["b-called"]),
]
REACHES: list[tuple[dict[str, object], int, str | None]] = [
    ({"kind": "cron"}, 3, "b-called"),
    ({"kind": "cron", "after": "a-paused"}, 3, "b-ended"),
    ({"kind": "cron"}, 8, None),
    ({"state": TriggerState.ENDED, "prefix": "b-"}, 4, "b-waits"),
    ({"state": TriggerState.ENDED, "prefix": "b-"}, 5, None),
    ({"kind": "cron", "job": "other"}, 1, "b-ended"),
    ({"kind": "event", "job": "other"}, 1, "b-event"),
    ({"kind": "cron", "owner": "app", "job": "other"}, 1, "a-paused"),
]
"""Triggers are looked at that what one index answers has left, whatever else is asked."""


async def test_triggers_are_listed_by_what_is_asked_for(scene: Scene) -> None:
    made = await add(scene, *SAMPLES, trigger("z"))

    for asked, names in CASES:
        page = await scene.store.triggers.list(TriggerFilter(namespace=NAMESPACE, **asked))  # type: ignore[arg-type]
        assert [each.name for each in page] == names, asked
    assert await scene.store.triggers.list(TriggerFilter(namespace="other")) == []
    for asked, look, reach in REACHES:
        assert await scene.store.triggers.reach(TriggerFilter(namespace=NAMESPACE, **asked), look=look) == reach, asked  # type: ignore[arg-type]
    timed = [each for each in made if each.name in {"a-timed", "b-waits", "z"}]
    assert await scene.store.triggers.rules(NAMESPACE, after=0, limit=9) == timed
    assert await scene.store.triggers.rules(None, after=timed[0].id, limit=9) == timed[1:]
    assert await scene.store.triggers.rules("other", after=0, limit=9) == []


async def test_who_is_to_be_moved_next_is_known(scene: Scene) -> None:
    assert await scene.store.triggers.next_act() is None
    made = await add(scene, trigger("late", act_at=START + 2 * MINUTE), trigger("early"), *SAMPLES[2:4])

    assert await scene.store.triggers.next_act() == made[1].act_at
    assert await scene.store.triggers.overdue(before=START + MINUTE, limit=9) == [made[1]]
    later = START + timedelta(hours=1)
    assert await scene.store.triggers.overdue(before=later, limit=9) == [made[1], made[0]]


async def test_fires_of_triggers_that_are_called_are_counted(scene: Scene) -> None:
    called, event = await add(scene, SAMPLES[2], SAMPLES[4])
    await scene.store.triggers.count({called.id: 2, event.id: 1}, now=START)
    await scene.store.triggers.count({called.id: 1}, now=START - MINUTE)

    counted = [await get(scene, name) for name in ("b-called", "b-event")]
    assert [(each.fired, each.last_fire_at) for each in counted] == [(3, START), (1, START)]
    await scene.store.triggers.count({}, now=START)
    assert await scene.store.triggers.change(NAMESPACE, [], moves(), now=START) == []


async def test_a_job_that_triggers_start_is_not_deleted(scene: Scene) -> None:
    await add(scene, *(trigger(f"t{number}") for number in range(4)))
    delete = functools.partial(
        scene.store.jobs.delete, NAMESPACE, "report", lambda _: None, actor=Actor("anna"), note="", now=START
    )
    with pytest.raises(ConflictError, match="'t0', 't1', 't2' and others") as refused:
        await delete()
    assert refused.value.code == "job_triggered"
    names = [f"t{number}" for number in range(4)]
    await scene.store.triggers.change(
        NAMESPACE,
        names,
        lambda found: TriggerChanges(deletes=[TriggerMove(trigger=each) for each in found.values()]),
        now=START,
    )
    await delete()
    assert await scene.store.jobs.get(NAMESPACE, "report") is None
