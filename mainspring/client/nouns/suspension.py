"""Setting runs aside, letting them go on, and seeing what they remember."""

from datetime import datetime

import msgspec

from mainspring.client.calls import part
from mainspring.client.transport.requests import Request
from mainspring.client.values import instant_text, json_bytes
from mainspring.contract.checkpoints import RunMemory
from mainspring.contract.runs import RunInfo

PATH = "/api/v1/runs"


def suspend_run(run: str, *, reason: str = "", resume_at: datetime | None = None) -> Request[RunInfo]:
    body = json_bytes({"reason": reason, "resume_at": instant_text(resume_at, "resume_at")})
    return Request("POST", f"{PATH}/{part(run)}/suspend", _run, body=body)


def resume_run(run: str, *, reason: str = "") -> Request[RunInfo]:
    return Request("POST", f"{PATH}/{part(run)}/resume", _run, body=json_bytes({"reason": reason}))


def get_memory(run: str) -> Request[RunMemory]:
    return Request("GET", f"{PATH}/{part(run)}/memory", _memory)


_run = msgspec.json.Decoder(RunInfo).decode
_memory = msgspec.json.Decoder(RunMemory).decode
