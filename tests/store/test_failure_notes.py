"""Notes and mutes of kinds of failures: who wrote them, and which failures are new while a mute holds."""

from datetime import datetime, timedelta

import msgspec
import pytest

from mainspring.domain.bulk.failure_note import FailureNote, Mute, check_mute, note_entry
from mainspring.domain.runs.dead_letter import Cause
from mainspring.errors import InvalidInputError
from mainspring.store.interface import AuditFilter
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, abilities
from tests.store.scene import Scene
from tests.store.test_dead import kill
from tests.words import ANNA, MINUTE, SECOND


def kind_of(scene: Scene, message: str = "no route") -> bytes:
    return Cause("OSError", message).fingerprint(scene.job.id)


async def mute(scene: Scene, at: datetime, until: datetime | None = None) -> bool:
    kind = kind_of(scene)
    entry = note_entry("failure.mute", kind, {}, namespace=NAMESPACE, actor=ANNA, at=at)
    said = Mute(at=at, until=until, by="anna", reason="known")
    return await scene.store.bulk.mute_failure(NAMESPACE, kind, said, entry=entry)


async def new(scene: Scene, now: datetime, *, over: timedelta = MINUTE) -> list[int]:
    found = await scene.store.findings.new_fingerprints(since=now - over, now=now)
    return [one.runs for one in found]


async def test_a_note_and_a_mute_are_kept_beside_each_other_and_audited(scene: Scene) -> None:
    await kill(scene)
    kind, store = kind_of(scene), scene.store.bulk
    entry = note_entry("failure.note", kind, {"note": "the gateway"}, namespace=NAMESPACE, actor=ANNA, at=START)
    ended = note_entry("failure.unmute", kind, {}, namespace=NAMESPACE, actor=ANNA, at=START)

    assert await store.note_failure(NAMESPACE, kind, "the gateway", by="anna", now=START, entry=entry)
    assert await mute(scene, START, START + MINUTE)
    held = Mute(at=START, until=START + MINUTE, by="anna", reason="known")
    noted = FailureNote(note="the gateway", noted_by="anna", noted_at=START, mute=held)
    assert await store.failure_notes(NAMESPACE) == {kind: noted}
    assert await store.unmute_failure(NAMESPACE, kind, entry=ended)
    assert not await store.unmute_failure(NAMESPACE, kind, entry=ended)
    assert (await store.failure_notes(NAMESPACE))[kind].mute is None
    log = await scene.store.access.audit(AuditFilter(kind="failure"))
    assert [(one.act, one.key) for _, one in log] == [
        (act, kind.hex()) for act in ("failure.unmute", "failure.mute", "failure.note")
    ]


async def test_an_owner_is_kept_beside_note_and_mute_and_outlives_their_age(scene: Scene) -> None:
    await kill(scene)
    kind, store = kind_of(scene), scene.store.bulk
    entry = note_entry("failure.assign", kind, {"owner": "harbour"}, namespace=NAMESPACE, actor=ANNA, at=START)
    await mute(scene, START)

    assert await store.assign_failure(NAMESPACE, kind, "harbour", by="anna", now=START, entry=entry)
    found = (await store.failure_notes(NAMESPACE))[kind]
    assert (found.owner, found.owned_by, found.owned_at) == ("harbour", "anna", START)
    assert found.mute is not None
    other = kind_of(scene, "another")
    assert not await store.assign_failure(NAMESPACE, other, "harbour", by="anna", now=START, entry=entry)


async def test_failures_are_counted_by_the_hours_of_a_day_with_their_code(scene: Scene) -> None:
    aged = msgspec.structs.replace(abilities(), code_version="v14")
    await scene.store.cluster.resize_session(scene.session.id, aged)
    for hours in (30, 23, 2, 0):
        await kill(scene, at=START + timedelta(hours=30 - hours))
    now = START + timedelta(hours=30, minutes=1)
    [found, other] = await scene.store.bulk.failure_figures(
        NAMESPACE, [kind_of(scene), kind_of(scene, "another")], now=now
    )

    assert (sum(found.hours), found.hours[-1], found.hours[-3], found.hours[0]) == (3, 1, 1, 1)
    assert found.versions == ("v14",)
    assert (sum(other.hours), other.versions, found.more) == (0, (), False)
    assert await scene.store.bulk.failure_figures(NAMESPACE, [], now=now) == []


async def test_nothing_is_said_of_a_kind_without_an_open_dead_letter(scene: Scene) -> None:
    assert not await mute(scene, START)
    assert await scene.store.bulk.failure_notes(NAMESPACE) == {}


async def test_a_kind_that_is_muted_until_an_instant_is_not_new_before_it(scene: Scene) -> None:
    await kill(scene)
    assert await new(scene, START + SECOND) == [1]
    await mute(scene, START + SECOND, START + 30 * SECOND)

    assert await new(scene, START + 2 * SECOND) == []
    assert await new(scene, START + 30 * SECOND) == [1]


async def test_a_kind_that_is_muted_until_it_comes_again_is_new_when_it_does(scene: Scene) -> None:
    await kill(scene)
    await mute(scene, START)
    assert await new(scene, START + SECOND) == []
    later = START + 10 * MINUTE
    await kill(scene, at=later)

    assert await new(scene, later + SECOND) == [1]
    # In a window that has both, the one before the mute stays out of the count.
    assert await new(scene, later + SECOND, over=timedelta(hours=1)) == [1]


async def test_another_kind_is_new_all_the_same(scene: Scene) -> None:
    await kill(scene)
    await kill(scene, "disk full")
    await mute(scene, START)

    assert await new(scene, START + SECOND) == [1]


async def test_notes_are_forgotten_with_their_failures(scene: Scene) -> None:
    await kill(scene)
    await mute(scene, START)
    await scene.store.cluster.prune(before=START - MINUTE)
    assert len(await scene.store.bulk.failure_notes(NAMESPACE)) == 1
    await scene.store.cluster.prune(before=START + timedelta(days=3))

    assert await scene.store.bulk.failure_notes(NAMESPACE) == {}


@pytest.mark.parametrize(
    ("until", "last_at", "holds"),
    [
        (None, START - SECOND, True),
        (None, START + SECOND, False),
        (START + MINUTE, START + SECOND, True),
        (START + SECOND, START, False),
    ],
)
def test_a_mute_holds_until_its_end_or_until_it_comes_again(
    until: datetime | None, last_at: datetime, *, holds: bool
) -> None:
    assert Mute(at=START, until=until, by="anna").holds(START + 2 * SECOND, last_at) is holds


def test_a_mute_that_has_ended_before_it_begins_is_refused() -> None:
    with pytest.raises(InvalidInputError) as refused:
        check_mute(Mute(at=START, until=START, by="anna"))
    assert refused.value.code == "bad_until"
