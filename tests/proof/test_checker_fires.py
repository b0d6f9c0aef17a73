"""What the checker says of triggers: lives in order are accepted, each kind of disorder is rejected for what it is."""

from collections.abc import Callable, Mapping, Sequence

import msgspec
import pytest

from proof.checker import check
from proof.checker.fires_walker import MICROS, walk
from proof.records import Records
from tests.proof.fire_histories import EPOCH, Life, us
from tests.proof.histories import fault

Make = Callable[[], Records]
DELAY = {"kind": "delay", "delay": 5.0}
BACK = 1_919_293_200
"""When the clocks of Europe are set back in 2030."""
FORWARD = 1_901_149_200


def prepared() -> Life:
    """Two fires, made ahead, one of them executed."""
    return Life().move(8.0, fires=[10, 20], next_due=30).runs(10)


def in_order() -> Life:
    return prepared().runs(20).move(25.0, fires=[30], next_due=40).runs(30)


def skipping(overlap: str = "skip") -> Life:
    """The first instant has its run, which takes long."""
    life = Life(overlap=overlap).move(10.0, fires=[10], next_due=20, pending=["fire-10"])
    return life.begin(10, 10.1)


def failing() -> Life:
    life = Life(pause_after=1).move(10.0, fires=[10], next_due=20, pending=["fire-10"])
    return life.begin(10, 10.1).end(10, 11.0, "failed")


def late_by(seconds: int, fires: list[int]) -> Records:
    """Nobody was there until then: these are fired, and what came before them counts as missed."""
    skips = [(10, fires[0] - 10, "missed")] if fires[0] > 10 else []
    life = Life().move(float(seconds), fires=fires, skips=skips, next_due=fires[-1] + 10)
    for each in fires:
        life.begin(each, seconds + 0.1).end(each, seconds + 1.0)
    return life.records()


def dropped(next_due: float | None) -> Life:
    """It may fire twice; the second instant waits for too long."""
    life = Life(overlap="queue_one", fires_max=2, start_deadline=3).move(
        10.0, fires=[10], next_due=20, pending=["fire-10"], fired=1
    )
    life.begin(10, 10.1).move(20.0, next_due=None, held=[20]).end(10, 25.0)
    return life.move(25.2, skips=[(20, 20, "too_late")], next_due=next_due, pending=[], held=[])


def delayed(second: float) -> Life:
    life = Life(DELAY).move(5.1, fires=[5], next_due=None, pending=["fire-5"]).begin(5, 5.2).end(5, 8.0)
    life.move(8.1, next_due=second, pending=[])
    return life.move(second, fires=[second], next_due=None, pending=[f"fire-{second:g}"]).runs(second)


def edited(next_due: float) -> Life:
    life = prepared().move(15.0, withdrawn=[20], next_due=20)
    life.spec = {**life.spec, "when": {"kind": "cron", "expressions": ["43 * * * * *"]}}
    return life.move(16.0, next_due=next_due, revision=2, updated_at=us(16))


def skipped_ahead(fires: Sequence[float] = ()) -> Life:
    """An operator skips 20 s, and lets the trigger be due every five seconds then."""
    life = Life().move(8.0, fires=[10], next_due=20).runs(10).move(12.0, skips=[(20, 20, "asked")], next_due=30)
    life.spec = {**life.spec, "when": {"kind": "cron", "expressions": ["*/5 * * * * *"]}}
    life.move(13.0, next_due=15, revision=2, updated_at=us(13))
    return life.move(15.0, fires=[15, *fires], next_due=25).runs(15)


def forgotten() -> Records:
    """The run of 20 s was executed, then its very existence was lost."""
    life = prepared()
    life.lines += [life.started(20, 20.1, "fire-lost")]
    records = life.runs(20).records(failovers=[(15.0, 21.0)])
    first = next(line for line in records.fires if line.run == "fire-20")
    records.fires.append(msgspec.structs.replace(first, run="fire-lost", lost=True))
    claim = next(line for line in records.transitions if line.run == "fire-20" and line.state == "running")
    records.transitions.append(msgspec.structs.replace(claim, run="fire-lost", lost=True))
    return records


GOOD: dict[str, Make] = {
    "each instant has its run": lambda: in_order().records(),
    "paused, and taken back": lambda: (
        prepared()
        .move(15.0, withdrawn=[20], next_due=20, paused=True, updated_at=us(15))
        .move(45.0, skips=[(20, 40, "paused")], next_due=50, paused=False, updated_at=us(45))
        .records()
    ),
    "skipped, and left out by another rule too": lambda: skipped_ahead().records(),
    "taken away with what was due": lambda: (
        skipping("queue_one")
        .move(20.0, next_due=30, held=[20])
        .move(45.0, gone=True, skips=[(20, 20, "deleted"), (30, 40, "deleted")])
        .end(10, 46.0)
        .records()
    ),
    "taken away with what was prepared": lambda: prepared().deleted(15.0, 20).records(),
    "an overlap is skipped": lambda: (
        skipping().move(20.0, skips=[(20, 20, "overlap")], next_due=30).end(10, 25.0).records()
    ),
    "held, and fired behind the run before": lambda: (
        skipping("queue_one")
        .move(20.0, next_due=30, held=[20])
        .end(10, 25.0)
        .move(25.2, fires=[20], next_due=30, pending=["fire-20"])
        .begin(20, 25.3)
        .end(20, 26.0)
        .records()
    ),
    "prepared, and started late as no executor was free": lambda: (
        Life(misfire="skip").move(8.0, fires=[10, 20], next_due=30).runs(20).begin(10, 85.0).end(10, 86.0).records()
    ),
    "of a lapse the latest that was missed, and all that was not": lambda: late_by(95, [30, 40, 50, 60, 70, 80, 90]),
    "one that waited was dropped, and another takes its place": lambda: (
        dropped(30).move(30.0, fires=[30], next_due=None, pending=["fire-30"], fired=2).runs(30).records()
    ),
    "a fixed delay": lambda: delayed(13.0).records(),
    "it pauses by itself": lambda: (
        failing().move(11.5, next_due=20, pending=[], failures=1, paused=True, updated_at=us(5)).records()
    ),
    "another rule begins behind now": lambda: edited(43).records(),
    "fired again, for a fail-over forgot the first time": forgotten,
}


BAD: dict[str, tuple[str, Make]] = {
    "an instant is passed over": ("S11", lambda: Life().move(8.0, fires=[10], next_due=30).runs(10).records()),
    "an instant that no rule names": (
        "S11",
        lambda: Life().move(8.0, fires=[10, 13], next_due=20).runs(10, 13).records(),
    ),
    "a fire without a move": ("S11", lambda: Life().move(8.0, fires=[10], next_due=10).runs(10).records()),
    "skipped and fired": (
        "S11",
        lambda: Life().move(9.0, fires=[10], skips=[(10, 10, "asked")], next_due=20).runs(10).records(),
    ),
    "skipped, and fired by another rule": ("S11", lambda: skipped_ahead(fires=[20]).runs(20).records()),
    "held, and gone with its trigger": (
        "S11",
        lambda: skipping("queue_one").move(20.0, next_due=30, held=[20]).deleted(25.0).records(),
    ),
    "withdrawn, and not fired again": (
        "S11",
        lambda: prepared().move(15.0, withdrawn=[20], next_due=30, updated_at=us(15)).records(),
    ),
    "another rule begins too late": ("S11", lambda: edited(103).records()),
    "held and gone": (
        "S11",
        lambda: (
            skipping("queue_one")
            .move(20.0, next_due=30, held=[20])
            .end(10, 25.0)
            .move(25.2, next_due=30, pending=[])
            .records()
        ),
    ),
    "executed twice": ("S11", lambda: (life := in_order()).records(life.started(30, 31.0, "fire-other"))),
    "a run that the ledger does not have": (
        "S11",
        lambda: (life := in_order()).records(life.row(40, run="fire-10")),
    ),
    "an entry without a run": ("S11", lambda: Life().move(8.0, fires=[10], next_due=20).records(drained=False)),
    "due before its instant": ("S12", lambda: Life().move(8.0, fires=[10], next_due=20, early=1.0).runs(10).records()),
    "executed before its instant": (
        "S12",
        lambda: Life().move(8.0, fires=[10], next_due=20).begin(10, 9.0).end(10, 9.5).records(),
    ),
    "all of a lapse, where one was wanted": (
        "S13",
        lambda: late_by(95, [10, 20, 30, 40, 50, 60, 70, 80, 90]),
    ),
    "prepared, missed while no server was there, and started all the same": (
        "S13",
        lambda: Life(misfire="skip").move(8.0, fires=[10], next_due=20).begin(10, 85.0).end(10, 86.0).records(),
    ),
    "ended with a fire to go, for one that waited was dropped": ("S11", lambda: dropped(None).records()),
    "what was a few seconds late, taken for missed": ("S13", lambda: late_by(35, [30])),
    "left out for the wrong reason": (
        "S13",
        lambda: (
            Life()
            .move(25.0, fires=[20], skips=[(10, 10, "too_late")], next_due=30)
            .begin(20, 25.1)
            .end(20, 26.0)
            .records()
        ),
    ),
    "gave way to nobody": (
        "S13",
        lambda: Life(overlap="skip").move(10.0, skips=[(10, 10, "overlap")], next_due=20).records(),
    ),
    "made an hour ahead": (
        "S13",
        lambda: Life().move(8.0, fires=[10, 20], next_due=30).runs(10, 20).records(look_ahead=1.0),
    ),
    "two runs that must not overlap": (
        "S13",
        lambda: (
            skipping()
            .move(20.0, fires=[20], next_due=30, pending=["fire-20"])
            .end(10, 25.0)
            .begin(20, 20.1)
            .end(20, 21.0)
            .records()
        ),
    ),
    "gave way to a run that had ended": (
        "S13",
        lambda: skipping().end(10, 11.0).move(20.0, skips=[(20, 20, "overlap")], next_due=30).records(),
    ),
    "to be replaced, and not cancelled": (
        "S13",
        lambda: skipping("cancel_previous").move(20.0, next_due=30, held=[20]).end(10, 25.0).records(),
    ),
    "it goes on failing": ("S13", lambda: failing().move(11.5, next_due=20, pending=[], failures=1).records()),
    "a failure of no run": (
        "S13",
        lambda: (
            Life(pause_after=3).move(10.0, fires=[10], next_due=20, pending=["fire-10"], failures=1).runs(10).records()
        ),
    ),
    "a delay that is too short": ("S13", lambda: delayed(10.0).records()),
    "fired while it stands still": (
        "S19",
        lambda: (
            Life()
            .move(6.0, next_due=10, paused=True, updated_at=us(6))
            .move(10.0, fires=[10], next_due=20)
            .runs(10)
            .records()
        ),
    ),
    "fired when it was gone": (
        "S19",
        lambda: Life().deleted(9.0).move(10.0, fires=[10], rows=False).runs(10).records(),
    ),
    "what was prepared outlives a pause": (
        "S19",
        lambda: prepared().move(15.0, paused=True, next_due=30, updated_at=us(15)).runs(20).records(),
    ),
    "what was prepared outlives its trigger": ("S19", lambda: prepared().deleted(15.0).runs(20).records()),
    "nobody fired in time": (
        "L3",
        lambda: (
            Life()
            .move(19.0, fires=[10], next_due=20)
            .begin(10, 19.1)
            .end(10, 20.0)
            .records(fault("kill_server", 9.9, 20.0, "server-0"), servers=2)
        ),
    ),
    "left behind": ("L3", lambda: prepared().runs(20).deleted(58.0).records(healed_at=40.0)),
    "waits for a run that is over": ("L3", lambda: skipping().end(10, 11.0).deleted(58.0).records(healed_at=40.0)),
}


@pytest.mark.parametrize("name", GOOD)
def test_a_life_in_order_is_valid(name: str) -> None:
    verdict = check(GOOD[name]())

    assert verdict.valid, str(verdict)


@pytest.mark.parametrize("name", BAD)
def test_a_life_in_disorder_is_rejected_for_what_is_wrong(name: str) -> None:
    invariant, make = BAD[name]

    verdict = check(make())

    assert invariant in verdict.broken, str(verdict)
    assert all(violation.witness for violation in verdict.violations)


def seconds(when: Mapping[str, object], since: float, until: float, created: float = 0.0) -> list[float]:
    found = walk({"when": when}, *(round(at * MICROS) for at in (created, since, until)))
    return [at / MICROS - since for at in found]


@pytest.mark.parametrize(
    ("fold", "instants"),
    [("first", [-5.0, -1.0]), ("second", [3595.0, 3599.0]), ("both", [-5.0, -1.0, 3595.0, 3599.0])],
)
def test_the_walker_knows_which_of_two_instants_counts(fold: str, instants: list[float]) -> None:
    when = {"kind": "cron", "expressions": ["55,59 59 2 * * *"], "zone": "Europe/Berlin", "fold": fold}

    assert [at - 10 for at in seconds(when, BACK - 10, BACK + 4000)] == instants


@pytest.mark.parametrize(("gap", "instants"), [("next_valid", [10.0]), ("skip", [])])
def test_the_walker_knows_what_becomes_of_a_time_that_is_missing(gap: str, instants: list[float]) -> None:
    when = {"kind": "cron", "expressions": ["0 30 2 * * *"], "zone": "Europe/Berlin", "gap": gap}

    assert seconds(when, FORWARD - 10, FORWARD + 4000) == instants


def test_the_walker_counts_intervals_from_their_anchor_and_windows_from_their_opening() -> None:
    assert seconds({"kind": "interval", "every": 1.5}, EPOCH, EPOCH + 4, EPOCH - 4.5) == [1.0, 2.5]
    window = {"kind": "windows", "every": 2.0, "opens": "12:00:03", "closes": "12:00:08"}
    assert seconds(window, EPOCH, EPOCH + 60) == [3.0, 5.0, 7.0]
