"""Generated from mainspring/client/nouns/executors.py by `make client-sync`: do not edit."""

from datetime import timedelta

from mainspring.client.calls import SyncCall
from mainspring.client.nouns.executors import cordon, drain, get_executor, list_executors, uncordon
from mainspring.contract.executors import ExecutorPage, ExecutorSessions


class Executors:
    """`client.executors` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, name: str) -> ExecutorSessions:
        return self._call(get_executor(name))

    def cordon(self, name: str, *, reason: str = "") -> ExecutorSessions:
        """Let it take nothing new, over restarts too; what it has goes on."""
        return self._call(cordon(name, reason))

    def uncordon(self, name: str, *, reason: str = "") -> ExecutorSessions:
        return self._call(uncordon(name, reason))

    def drain(self, name: str, *, reason: str = "", grace: float | timedelta | None = None) -> ExecutorSessions:
        """Cordon it, and let it finish or hand back what it has; it stays connected, and idle."""
        return self._call(drain(name, reason, grace))

    def list(self, *, limit: int = 50, cursor: str | None = None) -> ExecutorPage:
        return self._call(list_executors(limit=limit, cursor=cursor))
