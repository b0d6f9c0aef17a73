"""What a job says of time and of losses, where it is defined."""

from datetime import timedelta
from typing import Literal, TypedDict, Unpack

import msgspec

from mainspring.domain.job import LOSSES_MAX, OnLost
from mainspring.errors import InvalidInputError


class LimitOptions(TypedDict, total=False):
    """Times in seconds, or as a timedelta."""

    timeout: float | timedelta | None
    """How long an attempt may take."""
    deadline: float | timedelta | None
    """How long a run may take in all, from when it is due."""
    start_within: float | timedelta | None
    """How long a run may wait for its first attempt, from when it is due."""
    on_lost: OnLost | Literal["retry", "fail", "ask"]
    """What to do with a run whose executor or process died."""
    losses_max: int
    """Losses after which a run is quarantined."""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """The same, as a job's definition has it."""

    timeout: float | None = None
    deadline: float | None = None
    start_within: float | None = None
    on_lost: OnLost = OnLost.RETRY
    losses_max: int = LOSSES_MAX


def read_limits(**said: Unpack[LimitOptions]) -> Limits:
    """Raises InvalidInputError."""
    return Limits(
        timeout=seconds_of(said.get("timeout"), "timeout"),
        deadline=seconds_of(said.get("deadline"), "deadline"),
        start_within=seconds_of(said.get("start_within"), "start_within"),
        on_lost=read_on_lost(said.get("on_lost", OnLost.RETRY)),
        losses_max=said.get("losses_max", LOSSES_MAX),
    )


def seconds_of(time: float | timedelta | None, field: str) -> float | None:
    seconds = time.total_seconds() if isinstance(time, timedelta) else time
    if seconds is not None and not seconds > 0:
        raise InvalidInputError(field, f"{seconds} is not a time", code=f"bad_{field}")
    return None if seconds is None else float(seconds)


def read_on_lost(word: str) -> OnLost:
    try:
        return OnLost(word)
    except ValueError:
        words = ", ".join(each.value for each in OnLost)
        raise InvalidInputError("on_lost", f"{word!r} is none of {words}", code="bad_on_lost") from None
