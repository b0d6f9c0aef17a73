"""The servers of a client: those of its settings, those that servers have named, and those that see no token."""

import msgspec
import pytest

from mainspring.client.transport.endpoint import Endpoint
from mainspring.client.transport.http11.response import ResponseReader
from mainspring.client.transport.requests import get_run
from mainspring.client.transport.route import Route
from mainspring.client.transport.servers import CONNECT_MAX, UnreachableError
from mainspring.discovery.directory import AWAY, AWAY_MAX, Directory
from mainspring.errors import UnavailableError
from mainspring.settings import ClientSettings

RUN = "0190b2f4-0000-7000-8000-000000000000"
ASKING = get_run(RUN)
HERE = "http://127.0.0.1:1"


class Opened:
    """A server as far as a route needs it."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint

    def close(self) -> None:
        """Nothing is open."""

    def says(self, *servers: tuple[str, str, int]) -> None:
        """An answer, as it comes by the wire."""
        said = msgspec.json.encode(servers)
        answer = ResponseReader("GET")
        answer.feed(b"HTTP/1.1 404 X\r\nmainspring-servers: " + said + b"\r\ncontent-length: 2\r\n\r\n{}")
        with pytest.raises(UnavailableError):
            self.endpoint.read(ASKING, answer, answer.take())


def route_of(*urls: str, **settings: object) -> Route[Opened]:
    return Route(msgspec.convert({"url": urls, "token": "t", **settings}, ClientSettings), Opened)


def order(route: Route[Opened]) -> list[str]:
    return [one.endpoint.url for one in route.order()]


def test_servers_are_tried_in_the_order_given_and_those_that_failed_lately_last() -> None:
    directory = Directory(["a", "b", "c"], seeds_first=True)
    directory.failed("a", 10.0)
    before, after = directory.order(10.0 + AWAY / 2), directory.order(10.0 + AWAY)
    directory.failed("b", 20.0)
    directory.reached("b", 20.0)

    assert (before, after, directory.order(20.0)) == (["b", "c", "a"], ["a", "b", "c"], ["a", "b", "c"])
    assert directory.next(20.0) == "a"


def test_a_server_that_stays_away_is_tried_less_and_less_often_but_for_ever() -> None:
    directory = Directory(["a", "b"], seeds_first=True)
    for _ in range(50):
        directory.failed("a", 0.0)

    assert directory.order(AWAY_MAX - 1) == ["b", "a"]
    assert directory.order(AWAY_MAX) == ["a", "b"]


def test_a_client_of_one_server_hears_of_the_others_and_goes_there_when_it_fails() -> None:
    route = route_of("https://s1.example")
    only = route.only
    assert only is not None
    only.says(("https://s1.example", "", 9), ("https://s2.example", "", 5), ("https://s3.example", "", 1))

    assert route.only is None
    assert only.endpoint.connect_max == CONNECT_MAX
    assert order(route) == ["https://s1.example", "https://s3.example", "https://s2.example"]
    route.note_failure(only, ASKING, UnreachableError("gone"))
    assert order(route) == ["https://s3.example", "https://s2.example", "https://s1.example"]


def test_servers_of_the_client_s_zone_come_first() -> None:
    route = route_of("https://s1.example", zone="east")
    next(route.order()).says(("https://s1.example", "west", 0), ("https://s2.example", "east", 0))

    assert order(route) == ["https://s2.example", "https://s1.example"]


@pytest.mark.parametrize(
    ("seed", "said", "settings"),
    [
        ("https://s1.example", "http://s2.example", {}),
        ("https://s1.example", "http://127.0.0.1:9", {}),
        ("https://s1.example", "https://me:secret@s2.example", {}),
        ("https://s1.example", "https://s2.elsewhere", {"discovery_hosts": ["*.example"]}),
        (HERE, "https://s2.example", {}),
        (HERE, "ftp://127.0.0.1:2", {}),
    ],
)
def test_an_address_that_may_not_see_the_token_is_not_learned(
    seed: str, said: str, settings: dict[str, object]
) -> None:
    route = route_of(seed, **settings)
    next(route.order()).says((said, "", 0))

    assert order(route) == [seed]


@pytest.mark.parametrize(
    ("seed", "said", "settings"),
    [
        (HERE, "http://127.0.0.1:2", {}),
        (HERE, "https://s2.example", {"discovery_hosts": ["*.example"]}),
        ("https://s1.example", "http://10.1.2.3:8484", {"discovery_networks": ["10.0.0.0/8"]}),
    ],
)
def test_an_address_within_the_rules_is_learned(seed: str, said: str, settings: dict[str, object]) -> None:
    route = route_of(seed, **settings)
    next(route.order()).says((said, "", 0))

    assert order(route) == [seed, said]


@pytest.mark.parametrize("said", ["", "[", "[[1]]", '{"url": 1}', "x" * 60_000, '[["' + "h" * 600 + '"]]'])
def test_a_list_that_cannot_be_read_changes_nothing(said: str) -> None:
    route = route_of("https://s1.example")
    next(route.order()).endpoint._hear("https://s1.example", said)

    assert order(route) == ["https://s1.example"]
