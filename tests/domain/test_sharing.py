"""How many executors a server hands over."""

import msgspec
import pytest

from mainspring.domain.cluster.server import Server, ServerState, addresses_for
from mainspring.domain.cluster.sharing import to_hand_over
from tests.factories import server_info


def server(name: str, attached: int = 0, zone: str = "", state: ServerState = ServerState.LIVE) -> Server:
    changes = {"url": f"https://{name}:1", "attached": attached, "zone": zone, "state": state}
    return msgspec.structs.replace(server_info(name), **changes)


def test_sixty_executors_are_shared_among_three_servers_within_thirty_seconds() -> None:
    counts = [30, 30, 0]
    for _ in range(6):
        servers = [server(str(at), count) for at, count in enumerate(counts)]
        moved = [sum(to_hand_over(one.id, {"": one.attached}, servers).values()) for one in servers]
        counts = [count - gone for count, gone in zip(counts, moved, strict=True)]
        counts[2] += sum(moved)

    assert max(counts) <= 24
    assert min(counts) >= 16


@pytest.mark.parametrize("counts", [(10, 10, 10), (11, 10, 9), (3, 0), (2, 1, 1)])
def test_near_equal_shares_are_left_alone(counts: tuple[int, ...]) -> None:
    servers = [server(str(at), count) for at, count in enumerate(counts)]

    assert all(to_hand_over(one.id, {"": one.attached}, servers) == {} for one in servers)


def test_executors_go_home_to_their_zone_and_zones_bear_their_own() -> None:
    east, west = server("east", 12, "east"), server("west", 2, "west")

    assert to_hand_over(east.id, {"east": 9, "west": 3}, [east, west]) == {"west": 1}
    assert to_hand_over(east.id, {"east": 12}, [east, west]) == {}


def test_a_draining_server_gets_none_and_is_named_to_nobody() -> None:
    busy, leaving = server("busy", 20), server("leaving", state=ServerState.DRAINING)

    assert to_hand_over(busy.id, {"": 20}, [busy, leaving]) == {}
    assert [one.url for one in addresses_for("", [busy, leaving])] == ["https://busy:1"]


def test_addresses_begin_with_the_zone_and_then_with_the_fewest_executors() -> None:
    servers = [server("full", 9, "a"), server("free", 1, "a"), server("far", 0, "b")]

    assert [one.url for one in addresses_for("a", servers)] == ["https://free:1", "https://full:1", "https://far:1"]
