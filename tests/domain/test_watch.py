"""Who holds back vacuum, in words."""

import pytest

from mainspring.domain.cluster.watch import HELD_TOO_LONG, DatabaseWatch, Holder

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
