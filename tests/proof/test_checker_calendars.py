"""What the checker says of calendars: what they leave out is written down, and nothing else is."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from proof.checker import check
from proof.records import Records
from tests.proof.fire_histories import EPOCH, Life, us

QUIET = {"quiet": [(us(15), us(35))]}
"""Leaves out 20 s and 30 s."""


def told(*spans: tuple[float, float, str], fires: tuple[float, ...] = (10, 40)) -> Records:
    life = Life(calendar="quiet").move(8.0, fires=fires, skips=spans, next_due=50)
    return life.runs(*fires).records(calendars=QUIET)


def held_up() -> Records:
    """The blackout is over when a server moves the trigger again."""
    life = Life(calendar="quiet").move(10.0, fires=[10], next_due=40).runs(10)
    life.move(40.0, fires=[40], skips=[(20, 30, "calendar")], next_due=50)
    return life.runs(40).records(calendars=QUIET)


def put_off(*fires: float, skips: tuple[tuple[float, float, str], ...] = ()) -> Records:
    """Where instants come when the blackout is over, as one."""
    life = Life(calendar="quiet", roll="next").move(8.0, fires=fires, skips=skips, next_due=50)
    return life.runs(*fires).records(calendars=QUIET)


def ended(*spans: tuple[float, float, str]) -> Records:
    """Its end lies within the blackout, and it is taken away long behind that."""
    end = datetime.fromtimestamp(EPOCH + 35, UTC).isoformat()
    life = Life(calendar="quiet", end_at=end).move(8.0, fires=[10], next_due=None).runs(10)
    if spans:
        life.move(30.0, skips=spans, next_due=None)
    return life.deleted(58.0).records(calendars=QUIET, healed_at=40.0)


GOOD: dict[str, Callable[[], Records]] = {
    "left out and written down": lambda: told((20, 30, "calendar")),
    "written down once it is over": held_up,
    "written down though nothing comes behind it": lambda: ended((20, 30, "calendar")),
    "put off": lambda: put_off(10, 35, 40),
}
BAD: dict[str, Callable[[], Records]] = {
    "left out, and nobody wrote it down": told,
    "one of them is missing": lambda: told((20, 20, "calendar")),
    "more is written down than was left out": lambda: told((10, 30, "calendar")),
    "fired all the same": lambda: told((20, 20, "calendar"), fires=(10, 30, 40)),
    "taken for missed": lambda: told((20, 30, "missed")),
    "left out though it was to be put off": lambda: put_off(10, 40, skips=((20, 30, "calendar"),)),
    "put off, and nobody ever fired it": lambda: put_off(10, 40),
}


@pytest.mark.parametrize("name", GOOD)
def test_what_is_in_order_is_accepted(name: str) -> None:
    verdict = check(GOOD[name]())

    assert verdict.valid, str(verdict)


@pytest.mark.parametrize("name", BAD)
def test_what_is_not_is_rejected(name: str) -> None:
    assert "S11" in check(BAD[name]()).broken


def test_what_was_left_out_last_is_written_down_before_long() -> None:
    assert "L3" in check(ended()).broken
