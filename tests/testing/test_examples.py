"""The jobs that `mainspring up` shows, run by the test kit."""

from datetime import date, timedelta

from mainspring.examples import back_office, shop
from mainspring.testing import Kit


def test_there_are_a_dozen() -> None:
    names = {handler.name for app in (shop.app, back_office.app) for handler in app}

    assert len(names) == 12


def test_the_back_office_does_its_work() -> None:
    with Kit(back_office.app) as kit:
        kit.run_sync(back_office.sync_stock, supplier="north")
        lines = [back_office.BankLine(order, 100) for order in range(3)]
        back_office.reconcile.options(key="bank-1").enqueue_sync(lines=lines)
        back_office.NightlyReport.enqueue_sync(day=date(2030, 1, 1))
        back_office.delete_old_carts.enqueue_sync()
        back_office.sync_stock.enqueue_sync(supplier="acme")
        kit.drain_sync()
        kit.advance_sync(timedelta(minutes=1))
        ended = {run.job: run for run in kit.enqueued()}

    assert ended["reconcile"].result == {"lines": 3, "cents": 300}
    assert "Tuesday" in ended["NightlyReport"].result
    assert (ended["sync_stock"].state, ended["sync_stock"].failures) == ("failed", 3)
    assert {run.state for name, run in ended.items() if name != "sync_stock"} == {"succeeded"}
