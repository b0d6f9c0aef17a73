"""A bug of the zoo."""

import msgspec

from proof.zoo.changing import Change, nothing

SIMULATION = "simulation"
CHILDREN = "children"
TEST = "test"

CUT_OFF = frozenset({"isolate_executor", "pause_executor", "partition", "one_way_up", "one_way_down", "store_lost"})
DEATHS = frozenset({"kill_executor", "vanish_executor", "kill_server", "stop_server", "cut"})
SLOW = frozenset({"slow_network", "store_slow", "pause_server"})
STORE = frozenset({"store_outage", "store_refuses", "store_mutes", "store_lost", "kill_server"})
"""Kinds of faults, by what they do to the processes that work with runs."""

Words = tuple[tuple[str, str], ...]
"""What stands there, and what is to stand there instead."""


class Bug(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    """What is wrong, in a few words."""
    origin: str
    """Where it happened."""
    breaks: str
    """What is no longer true."""
    change: Change = nothing
    """Puts it into the product."""
    functions: dict[str, Words] = {}
    """Puts it into the functions of PostgreSQL that these named queries call."""
    needs: frozenset[str] = frozenset()
    """Faults and acts of clients without which it cannot show: seeds that have none of them are passed over."""
    caught_by: str = SIMULATION
    """Who must find it: the simulation, real child processes, a test, or a case of the PostgreSQL suite."""
    test: str = ""
    """That test, as pytest names it."""
