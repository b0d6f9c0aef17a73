"""Who holds back vacuum, in words."""

from datetime import date
from typing import Any

import pytest

from mainspring.domain.cluster.watch import HELD_TOO_LONG, SLOT_KEEPS, DatabaseWatch, Holder, ReplicationSlot

LONG = HELD_TOO_LONG.total_seconds() + 1
SESSION = Holder(kind="session", name="metabase", pid=4711, user="report", state="idle in transaction", seconds=2460)


def test_a_session_is_named_with_its_remedy() -> None:
    assert SESSION.words == "session 4711 of metabase (report, idle in transaction) has held back vacuum for 41 min"
    assert SESSION.remedy == "end its transaction, or SELECT pg_terminate_backend(4711)"


def test_a_prepared_transaction_is_named_with_its_remedy() -> None:
    prepared = Holder(kind="prepared", name="move-7", user="app", seconds=LONG)

    assert prepared.words == "prepared move-7 (app) has held back vacuum for 10 min"
    assert prepared.remedy == "COMMIT PREPARED 'move-7', or ROLLBACK PREPARED"


@pytest.mark.parametrize(("seconds", "is_trouble"), [(1.0, False), (LONG - 1, False), (LONG, True)])
def test_only_a_snapshot_that_is_held_for_long_is_trouble(seconds: float, is_trouble: bool) -> None:
    holder = Holder(kind="session", name="app", pid=1, seconds=seconds)

    assert bool(DatabaseWatch(size=1, holder=holder).trouble) is is_trouble


def test_a_database_that_nobody_holds_back_has_no_trouble() -> None:
    assert DatabaseWatch(size=1).trouble == ""


TODAY = date(2030, 3, 1)


def subjects(**fields: Any) -> list[str]:
    return [one.subject for one in DatabaseWatch(size=1, **fields).faults(TODAY, 30)]


def test_a_slot_that_nobody_reads_is_told_once_it_keeps_much_or_is_lost() -> None:
    assert subjects(slots=(ReplicationSlot(name="standby", kept=SLOT_KEEPS),)) == []
    assert subjects(
        slots=(ReplicationSlot(name="standby", kept=SLOT_KEEPS + 1), ReplicationSlot(name="old", kept=0, lost=True))
    ) == [
        "slot standby",
        "slot old",
    ]
    assert ReplicationSlot(name="standby", kept=3 * 1024**3).words.endswith("keeps 3.0 GiB of the log")


@pytest.mark.parametrize(
    ("oldest", "newest", "found"),
    [
        (date(2030, 1, 28), date(2030, 3, 8), []),
        (date(2030, 1, 27), date(2030, 3, 8), ["history"]),
        (TODAY, TODAY, ["history"]),
        (None, None, []),
    ],
)
def test_days_of_history_that_are_missing_or_overdue_are_told(oldest: Any, newest: Any, found: list[str]) -> None:
    assert subjects(oldest_day=oldest, newest_day=newest) == found
