"""Suspension of runs, and the checkpoints that they keep."""

from datetime import datetime
from typing import Any

from mainspring.contract.base.view import View


class CheckpointInfo(View, frozen=True, kw_only=True):
    state: Any
    attempt: int
    """The one that kept it."""
    at: datetime


class StepInfo(View, frozen=True, kw_only=True):
    name: str
    result: Any
    attempt: int
    at: datetime


class EffectInfo(View, frozen=True, kw_only=True):
    name: str
    done: bool
    """False: it has begun, and its end is not known."""
    result: Any
    attempt: int
    at: datetime


class RunMemory(View, frozen=True, kw_only=True):
    """A run's checkpoint, steps and effects, oldest first."""

    checkpoint: CheckpointInfo | None
    steps: list[StepInfo]
    effects: list[EffectInfo]
