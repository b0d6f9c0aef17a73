"""Cancelling runs, and having them run again."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from mainspring.client.calls import part
from mainspring.client.transport.requests import Request
from mainspring.client.values import json_bytes
from mainspring.contract.runs import CancelledRun, CancelledRuns, RunInfo

PATH = "/api/v1/runs"
CHUNK = 1_000


def cancel_run(run: str, *, reason: str = "", children: bool = False) -> Request[RunInfo]:
    said = {"reason": reason, "children": children}
    return Request("POST", f"{PATH}/{part(run)}/cancel", _run, body=json_bytes(said), repeatable=True)


def cancel_runs(runs: Sequence[str], *, reason: str = "") -> Iterator[Request[list[CancelledRun]]]:
    """One request for each thousand."""
    for start in range(0, len(runs), CHUNK):
        body = json_bytes({"runs": runs[start : start + CHUNK], "reason": reason})
        yield Request("POST", f"{PATH}/cancel", _cancelled, body=body, repeatable=True)


def retry_run(
    run: str,
    *,
    force: bool = False,
    reason: str = "",
    input: Mapping[str, Any] | None = None,  # noqa: A002 the word of the API
) -> Request[RunInfo]:
    said = {"force": force, "reason": reason} | ({} if input is None else {"input": input})
    return Request("POST", f"{PATH}/{part(run)}/retry", _run, body=json_bytes(said))


_run = msgspec.json.Decoder(RunInfo).decode
_decode_cancelled = msgspec.json.Decoder(CancelledRuns).decode


def _cancelled(content: bytes) -> list[CancelledRun]:
    return _decode_cancelled(content).runs
