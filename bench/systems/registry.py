"""All systems, ours first."""

from importlib import import_module
from importlib.util import find_spec

from bench.systems import System
from bench.systems.peers import PEERS
from bench.systems.trigger_peers import PEERS as TRIGGER_PEERS
from bench.systems.workflow_peers import PEERS as WORKFLOW_PEERS

OURS = "bench.systems.mainspring"


def ours() -> list[System]:
    if find_spec(OURS) is None:
        return []
    return list(import_module(OURS).SYSTEMS)


def all_systems() -> list[System]:
    return [*ours(), *PEERS, *TRIGGER_PEERS, *WORKFLOW_PEERS]


def is_ours(system: System) -> bool:
    return system.name.startswith("mainspring")
