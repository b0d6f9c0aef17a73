"""Generated from mainspring/client/nouns/audit.py by `make client-sync`: do not edit."""

from datetime import datetime

from mainspring.client.calls import SyncCall
from mainspring.client.nouns.audit import list_audit
from mainspring.contract.access import AuditPage


class Audit:
    """`client.audit` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def list(
        self,
        *,
        actor: str | None = None,
        kind: str | None = None,
        key: str | None = None,
        since: datetime | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> AuditPage:
        return self._call(list_audit(actor=actor, kind=kind, key=key, since=since, limit=limit, cursor=cursor))
