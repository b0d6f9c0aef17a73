"""Setting runs aside, letting them go on, and seeing what they remember."""

from datetime import datetime
from typing import Any

import msgspec

from mainspring.client.calls import part
from mainspring.client.transport.requests import Request
from mainspring.client.values import instant_text, json_bytes
from mainspring.client.views.runs import RunInfo

PATH = "/api/v1/runs"


class CheckpointInfo(msgspec.Struct, frozen=True):
    state: Any
    attempt: int
    """The one that kept it."""
    at: datetime


class StepInfo(msgspec.Struct, frozen=True):
    name: str
    result: Any
    attempt: int
    at: datetime


class EffectInfo(msgspec.Struct, frozen=True):
    name: str
    done: bool
    """False: it has begun, and nobody knows whether it came to pass."""
    result: Any
    attempt: int
    at: datetime


class RunMemory(msgspec.Struct, frozen=True):
    """What a run remembers from attempt to attempt, oldest first."""

    checkpoint: CheckpointInfo | None
    steps: list[StepInfo]
    effects: list[EffectInfo]


def suspend_run(run: str, *, reason: str = "", resume_at: datetime | None = None) -> Request[RunInfo]:
    body = json_bytes({"reason": reason, "resume_at": instant_text(resume_at, "resume_at")})
    return Request("POST", f"{PATH}/{part(run)}/suspend", _run, body=body)


def resume_run(run: str, *, reason: str = "") -> Request[RunInfo]:
    return Request("POST", f"{PATH}/{part(run)}/resume", _run, body=json_bytes({"reason": reason}))


def get_memory(run: str) -> Request[RunMemory]:
    return Request("GET", f"{PATH}/{part(run)}/memory", _memory)


_run = msgspec.json.Decoder(RunInfo).decode
_memory = msgspec.json.Decoder(RunMemory).decode
