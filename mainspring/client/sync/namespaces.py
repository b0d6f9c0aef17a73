"""Generated from mainspring/client/nouns/namespaces.py by `make client-sync`: do not edit."""

from mainspring.client.calls import SyncCall
from mainspring.client.nouns.namespaces import create_namespace, delete_namespace, get_namespace, list_namespaces
from mainspring.contract.access import NamespaceInfo


class Namespaces:
    """`client.namespaces` of a `Client`."""

    def __init__(self, call: SyncCall) -> None:
        self._call = call

    def get(self, name: str) -> NamespaceInfo:
        return self._call(get_namespace(name))

    def create(self, name: str, *, description: str = "") -> NamespaceInfo:
        return self._call(create_namespace(name, description))

    def delete(self, name: str) -> None:
        """Only an empty one."""
        self._call(delete_namespace(name))

    def list(self) -> tuple[NamespaceInfo, ...]:
        """All that the token reaches."""
        return tuple((self._call(list_namespaces())).namespaces)
