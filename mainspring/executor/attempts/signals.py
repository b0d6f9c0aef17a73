"""How a handler may end its attempt other than by returning or failing: with a try at its own time, for good, or for later."""

from datetime import datetime, timedelta

from mainspring.domain.runs.cancel import check_reason
from mainspring.domain.runs.retry import ASKED_AGAIN, GAVE_UP
from mainspring.domain.runs.run import DUE_MAX, Suspension
from mainspring.domain.years import OUTSIDE, is_known


class Ending(Exception):  # noqa: N818 raised to say what is to follow, not that something broke
    """Base of the exceptions by which a handler decides what follows."""

    code = "error"
    after: float | None = None
    """Seconds until the next attempt."""
    until: datetime | None = None
    """The same as an instant."""


class Retry(Ending):
    """Fail, and try again after that time instead of the policy's, whichever errors the policy retries.

    Attempts and budget of the policy still count.
    """

    code = ASKED_AGAIN

    def __init__(self, after: float | timedelta | None = None, reason: str = "") -> None:
        super().__init__(reason or "the handler asked for another try")
        self.after = None if after is None else read_seconds(after)


class GiveUp(Ending):
    """Fail for good: no policy tries this again."""

    code = GAVE_UP

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason or "the handler gave up")


class Snooze(Ending):
    """Go on later, from the beginning. Neither a failure nor a loss: the run waits without a slot until it is due again."""

    def __init__(
        self, after: float | timedelta | None = None, *, until: datetime | None = None, reason: str = ""
    ) -> None:
        if (after is None) == (until is None):
            raise ValueError("Snooze needs either a time to wait or `until`")
        check_until(until, "Snooze")
        super().__init__(reason or "the handler goes on later")
        self.after = None if after is None else read_seconds(after)
        self.until = until


class Suspend(Ending):
    """Suspend the run until a time or an operator's resume; it goes on from its checkpoint, after its finished steps."""

    def __init__(self, *, until: datetime | None = None, reason: str = "") -> None:
        check_until(until, "Suspend")
        super().__init__(reason or "the handler waits")
        self.suspension = Suspension(check_reason(reason), until)


class BreakerOpen(Ending):
    """A breaker lets no call through now. Uncaught, it parks the run: neither a failure nor a loss, and no slot is held."""

    code = "breaker_open"

    def __init__(self, breaker: str, reason: str = "", *, wait: float | None = None, epoch: int = 0) -> None:
        super().__init__(f"breaker {breaker} is open" + (f": {reason}" if reason else ""))
        self.breaker = breaker
        self.after = wait
        self.epoch = epoch


class Yielded(BaseException):
    """Raised in a handler whose run an operator suspends."""

    # A BaseException, so that no `except Exception` stops it.
    suspension: Suspension | None = None


class SetAside(Yielded):
    """Raised in a handler that waits for runs, events or times."""

    def __init__(self, waits: bytes) -> None:
        super().__init__("the handler waits")
        self.suspension = Suspension(waits=waits)


def check_until(until: datetime | None, ending: str) -> None:
    """Raises ValueError."""
    if until is None:
        return
    if until.tzinfo is None:
        raise ValueError(f"{ending}: `until` needs a UTC offset, such as datetime.now(UTC) + timedelta(hours=1)")
    if not is_known(until):
        raise ValueError(f"{ending}: `until` {OUTSIDE}")


def read_seconds(time: float | timedelta) -> float:
    """Raises ValueError."""
    seconds = time.total_seconds() if isinstance(time, timedelta) else float(time)
    if not 0 <= seconds <= DUE_MAX.total_seconds():
        raise ValueError(f"{seconds} is outside 0 to {DUE_MAX.total_seconds():.0f} seconds")
    return seconds
