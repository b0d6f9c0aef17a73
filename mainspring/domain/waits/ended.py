"""How a wait of a handler ended. Apart from the rules of waits, which an executor loads only when a handler waits."""

import msgspec

from mainspring.domain.workflows.flow import SUCCEEDED


class WaitEnd(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """How a wait ended, as the run remembers it."""

    state: str
    run: str
    """The run that was waited for."""
    reason: str = ""
    result: msgspec.Raw = msgspec.Raw(b"null")


read_end = msgspec.json.Decoder(WaitEnd).decode


def write_end(state: int, label: str, run: str, reason: str | None, result: bytes | None) -> bytes:
    """How a wait ended, to be remembered."""
    kept = result if state == SUCCEEDED and result is not None else b"null"
    return msgspec.json.encode(WaitEnd(state=label, run=run, reason=reason or "", result=msgspec.Raw(kept)))
