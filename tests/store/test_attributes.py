"""What a run brings besides its input: kept, told to its handler, and what it is found by."""

from datetime import datetime, timedelta

import msgspec
import pytest

from mainspring.domain.ids import Ids
from mainspring.domain.metadata import RunMetadata, marks_of, read_metadata, write_metadata
from mainspring.domain.runs.run import NewRun
from mainspring.store.interface import RunFilter
from mainspring.testing.clock import START
from tests.factories import NAMESPACE, new_run, token
from tests.store.scene import Scene

LABELS = {"customer": "7", "team/owner": "büro"}
TAGS = ("nightly", "big one")
DEADLINE = START + timedelta(hours=2)


def attributed(scene: Scene, *, deadline: datetime | None = DEADLINE, key: str | None = None) -> NewRun:
    run = new_run(scene.job.id, scene.line, key=key)
    run.deadline_at = deadline
    run.extra = write_metadata(RunMetadata(labels=LABELS, tags=TAGS, by="ci"))
    run.marks = marks_of(LABELS, TAGS)
    return run


async def found_by(scene: Scene, **asked: object) -> list[bytes]:
    query = RunFilter(**{"namespace": NAMESPACE, **asked})  # type: ignore[arg-type]
    return [run.id for run in (await scene.store.runs.list(query)).runs]


async def test_a_run_keeps_its_attributes_live_and_in_history(scene: Scene) -> None:
    run = attributed(scene)
    await scene.store.runs.create(NAMESPACE, [run], now=START)
    live = await scene.get(run.id)
    await scene.succeed(await scene.claimed())

    for found in (live, await scene.get(run.id)):
        assert (found.labels, found.tags) == (LABELS, TAGS)
        assert (found.deadline_at, found.created_by) == (DEADLINE, "ci")


async def test_runs_with_different_attributes_are_made_together(scene: Scene) -> None:
    plain, rich, other = new_run(scene.job.id, scene.line), attributed(scene), new_run(scene.job.id, scene.line)
    other.extra = write_metadata(RunMetadata(by="somebody else"))
    await scene.store.runs.create(NAMESPACE, [plain, rich, other], now=START)

    makers = [(await scene.get(run.id)).created_by for run in (plain, rich, other)]
    assert makers == [None, "ci", "somebody else"]
    assert (await scene.get(plain.id)).deadline_at is None


async def test_a_claim_tells_nothing_of_runs_of_which_only_their_maker_is_known(scene: Scene) -> None:
    runs = [new_run(scene.job.id, scene.line) for _ in range(2)]
    for run in runs:
        run.extra = write_metadata(RunMetadata(by="ci"))
    await scene.store.runs.create(NAMESPACE, runs, now=START)

    [claim] = await scene.claim(2)
    assert claim.extras == []


async def test_a_claim_tells_labels_tags_and_the_time_left(scene: Scene) -> None:
    plain, rich, open_ended = new_run(scene.job.id, scene.line), attributed(scene), attributed(scene, deadline=None)
    await scene.store.runs.create(NAMESPACE, [plain, rich, open_ended], now=START)

    [claim] = await scene.claim(3, now=START + timedelta(hours=1))
    told = dict(zip(claim.runs, claim.extras, strict=True))
    assert told[plain.id] is None
    assert read_metadata(told[open_ended.id]) == RunMetadata(labels=LABELS, tags=TAGS, by="ci")
    assert read_metadata(told[rich.id]) == RunMetadata(labels=LABELS, tags=TAGS, deadline=DEADLINE, left=3600.0)


async def test_a_deadline_is_told_without_any_other_attribute(scene: Scene) -> None:
    run = new_run(scene.job.id, scene.line)
    run.deadline_at = DEADLINE
    await scene.store.runs.create(NAMESPACE, [run], now=START)

    [claim] = await scene.claim()
    assert [read_metadata(told) for told in claim.extras] == [RunMetadata(deadline=DEADLINE, left=7200.0)]


async def test_runs_are_found_by_tag_and_by_label(scene: Scene) -> None:
    run = attributed(scene)
    await scene.store.runs.create(NAMESPACE, [run, new_run(scene.job.id, scene.line)], now=START)

    assert await found_by(scene, tags=("nightly",)) == [run.id]
    assert await found_by(scene, labels=LABELS, tags=TAGS) == [run.id]
    assert await found_by(scene, labels={"customer": "8"}) == []
    assert await found_by(scene, tags=("customer=7",), namespace="other") == []


async def test_a_run_born_claimed_has_its_attributes(scene: Scene) -> None:
    run = attributed(scene)
    run.token, run.session = token(), scene.session.id
    await scene.store.runs.create(NAMESPACE, [run], now=START)

    assert (await scene.get(run.id)).tags == TAGS
    assert await found_by(scene, tags=("nightly",)) == [run.id]


async def test_a_repeated_call_marks_nothing_twice_and_nothing_new(scene: Scene) -> None:
    run = attributed(scene, key="order-1")
    await scene.store.runs.create(NAMESPACE, [run], now=START)
    again = attributed(scene, key="order-1")
    again.marks = (*again.marks, "later")
    await scene.store.runs.create(NAMESPACE, [run], now=START + timedelta(minutes=1))
    await scene.store.runs.create(NAMESPACE, [again], now=START)

    assert await found_by(scene, tags=("nightly",)) == [run.id]
    assert await found_by(scene, tags=("later",)) == []


@pytest.mark.parametrize("days", [1, 40])
async def test_marks_go_with_the_run_and_not_before(scene: Scene, days: int) -> None:
    ids, day = Ids(), timedelta(days=1)
    runs = [attributed(scene, deadline=None) for _ in range(3)]
    for run in runs:
        [run.id] = ids.runs(1, START)
    old, late, live = runs
    await scene.store.runs.create(NAMESPACE, runs, now=START)
    first, second, _ = await scene.claimed(3)
    await scene.succeed([first], now=START + day)
    await scene.succeed([second], now=START + 41 * day)

    await scene.store.cluster.prune(before=START + days * day)
    kept = [live.id, late.id] if days == 40 else [live.id, late.id, old.id]
    assert await found_by(scene, tags=("nightly",)) == kept
    assert await count_marked(scene) == len(kept)


async def count_marked(scene: Scene) -> int:
    """How many runs a mark leads to, whether or not they are still there: each is a page of its own."""
    query = RunFilter(namespace=NAMESPACE, tags=("nightly",), limit=1)
    for count in range(1, 10):
        page = await scene.store.runs.list(query)
        if page.next is None:
            return count
        query = msgspec.structs.replace(query, after=page.next)
    raise AssertionError("no end")


def test_an_extra_of_nothing_is_none() -> None:
    assert write_metadata(RunMetadata()) is None
    assert read_metadata(None) == RunMetadata()
    assert write_metadata(RunMetadata(by="ci")) == b'{"by":"ci"}'
    assert not msgspec.json.encode(RunMetadata(labels=LABELS, by="ci")).startswith(b'{"by"')
