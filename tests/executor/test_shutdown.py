"""How long the end of a process may take: never longer than its grace, and no longer than it needs to."""

import os
import threading
from collections.abc import Callable

import pytest

from mainspring.executor.process.shutdown import EXIT_MAX, EXIT_MIN, LIFESPAN_MAX, LIFESPAN_MIN, Shutdown
from mainspring.testing.clock import FakeClock

Timers = list[tuple[float, tuple[int]]]


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> Timers:
    """Those that are set, in seconds and with the code that the process would end with."""
    found: Timers = []

    class Timer:
        daemon = False

        def __init__(self, seconds: float, act: Callable[[int], object], arguments: tuple[int]) -> None:
            assert act is os._exit
            self._set = (seconds, arguments)

        def start(self) -> None:
            assert self.daemon
            found.append(self._set)

        def cancel(self) -> None:
            found.remove(self._set)

    monkeypatch.setattr(threading, "Timer", Timer)
    return found


def leaving(clock: FakeClock, *, has_lifespans: bool = False, may_exit: bool = True) -> Shutdown:
    return Shutdown(clock, has_lifespans=has_lifespans, may_exit=may_exit)


def test_taking_leave_may_last_as_long_as_the_grace_and_ending_is_soon_done(clock: FakeClock, timers: Timers) -> None:
    end = leaving(clock)
    end.begin(0, clock.monotonic() + 20.0)
    assert timers == [(20.0, (0,))]
    clock.advance(5.0)
    end.finish(0)
    assert timers == [(EXIT_MAX, (0,))]
    end.is_over()
    assert timers == []


@pytest.mark.parametrize(("left", "given"), [(1.5, 1.5), (0.1, EXIT_MIN), (-3.0, EXIT_MIN)])
def test_the_last_resort_comes_before_the_grace_is_over(
    clock: FakeClock, timers: Timers, left: float, given: float
) -> None:
    end = leaving(clock)
    end.begin(1, clock.monotonic() + left)
    end.finish(1)

    assert timers == [(given, (1,))]


def test_lifespans_have_what_is_left_of_the_grace(clock: FakeClock, timers: Timers) -> None:
    end = leaving(clock, has_lifespans=True)
    assert end.lifespans_within() == LIFESPAN_MAX
    end.begin(0, clock.monotonic() + 5.0)
    assert end.lifespans_within() == 5.0
    end.finish(0)
    assert timers == [(5.0, (0,))]
    clock.advance(4.0)
    assert end.lifespans_within() == LIFESPAN_MIN


def test_a_process_that_is_not_the_executor_s_own_is_left_alone(clock: FakeClock, timers: Timers) -> None:
    end = leaving(clock, may_exit=False)
    end.begin(0, clock.monotonic() + 5.0)
    end.finish(0)
    end.is_over()

    assert timers == []
