"""Which servers a process knows, in which order it tries them, and which it shows no token."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mainspring.discovery.directory import FAILED_LATELY, FORGET, KNOWN_MAX, Directory
from mainspring.discovery.rules import address_rules
from mainspring.domain.cluster.server import ServerAddress
from mainspring.errors import ConfigError

SEED = "https://seed:1"


def said(*urls: str) -> list[ServerAddress]:
    return [ServerAddress(url) for url in urls]


def test_seeds_are_tried_as_named_and_those_that_failed_last() -> None:
    directory = Directory(["a", "b", "c"])
    directory.failed("a", 0.0)

    assert directory.order(0.5) == ["b", "c", "a"]
    assert directory.order(1.5) == ["b", "c", "a"]
    assert directory.order(1.0 + FAILED_LATELY) == ["a", "b", "c"]


def test_servers_that_failed_lately_take_turns_wherever_they_are() -> None:
    directory = Directory(["near", "far"], zone="eu")
    directory.learn("book", [ServerAddress("near", "eu", 0), ServerAddress("far", "us", 9)], 0.0)
    for now in (0.0, 10.0, 20.0):
        directory.failed("near", now)
        assert directory.next(now + 5.0) == "far"
        directory.failed("far", now + 5.0)
        assert directory.next(now + 10.0) == "near"


def test_the_next_one_is_none_of_those_that_are_tried_already() -> None:
    directory = Directory(["a", "b"])

    assert directory.next(0.0) == "a"
    assert directory.next(0.0, besides={"a"}) == "b"
    assert directory.next(0.0, besides={"a", "b"}) == ""
    assert directory.next(0.0) == "a"


def test_the_zone_counts_before_the_number_of_executors() -> None:
    directory = Directory([SEED], zone="east")
    servers = [ServerAddress("https://far:1", "west", 0), ServerAddress("https://near:1", "east", 9)]
    directory.learn("servers", servers, 0.0)

    assert directory.next(0.0) == "https://near:1"


def test_an_empty_list_is_no_news_and_what_was_reached_is_kept_for_a_day() -> None:
    directory = Directory([SEED])
    directory.learn("book", said("https://two:1"), 0.0)
    directory.reached("https://two:1", 1.0)
    directory.learn("book", [], 2.0)
    directory.learn("book", said("https://three:1"), 3.0)
    assert {one.url for one in directory} == {SEED, "https://two:1", "https://three:1"}

    directory.learn("book", said("https://three:1"), FORGET + 2.0)
    assert {one.url for one in directory} == {SEED, "https://three:1"}


def test_a_list_without_end_leaves_the_seed_and_what_was_reached() -> None:
    directory = Directory([SEED])
    directory.learn("book", said("https://two:1"), 0.0)
    directory.reached("https://two:1", 0.0)
    directory.learn("book", said(*(f"https://x{at}:1" for at in range(500))), 1.0)

    assert len(directory) == KNOWN_MAX
    assert SEED in {one.url for one in directory}


def test_strangers_of_a_book_come_after_all_that_settings_and_servers_name() -> None:
    directory = Directory([SEED])
    directory.learn("servers", [ServerAddress("https://two:1", "", 40)], 0.0, said_by=SEED)
    directory.learn("book", said("https://stranger:1"), 0.0)
    directory.left(SEED, 0.0)

    assert directory.order(0.0) == ["https://two:1", SEED, "https://stranger:1"]
    assert [directory.is_stranger(url) for url in directory.order(0.0)] == [False, False, True]


def test_between_two_strangers_a_server_that_failed_is_tried_again() -> None:
    directory = Directory([SEED])
    directory.learn("book", said(*(f"https://x{at}:1" for at in range(60))), 0.0)
    for _ in range(20):
        directory.failed(SEED, 0.0)

    assert directory.next(0.1) != SEED
    assert directory.next(2.0) == SEED


@pytest.mark.parametrize(
    ("url", "objection"),
    [
        ("https://s1.fleet.example:8484", ""),
        ("http://10.1.2.3:8484", ""),
        ("http://s1.fleet.example:8484", "without TLS"),
        ("http://192.168.1.1:8484", "without TLS"),
        ("https://evil.example", "not among discovery_hosts"),
        ("http://127.0.0.1:8484", "names the machine"),
        ("https://user:secret@s1.fleet.example", "not the address"),
        ("ftp://s1.fleet.example", "not the address"),
        ("https://s1.fleet.example:99999", "not the address"),
        ("", "not the address"),
    ],
)
def test_an_address_is_shown_a_token_only_within_the_rules(url: str, objection: str) -> None:
    rules = address_rules(["*.fleet.example", "10.*", "192.*"], ["10.0.0.0/8"])
    directory = Directory([SEED], rules=rules)
    directory.learn("servers", said(url), 0.0, said_by=SEED)

    assert objection in rules.objection(url, SEED)
    assert (url in {one.url for one in directory}) is not bool(objection)
    assert (url in directory.ignored) is bool(objection)


def test_a_network_that_is_none_is_refused_with_the_name_of_its_setting() -> None:
    with pytest.raises(ConfigError, match="discovery_networks"):
        address_rules([], ["10.0.0.0/99"])


addresses = st.builds(
    ServerAddress,
    st.sampled_from([SEED, "https://live:1", "https://dead:1", "https://other.example", "http://evil:1", "", "x" * 400])
    | st.integers(0, 200).map(lambda number: f"https://stale{number}:1"),
    st.sampled_from(["", "east"]),
    st.integers(0, 9),
)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(addresses, max_size=30), max_size=8))
def test_whatever_address_books_say_the_seed_is_tried_soon(lists: list[list[ServerAddress]]) -> None:
    directory = Directory([SEED], zone="east")
    for now, one in enumerate(lists):
        directory.learn(f"book{now % 2}", one, float(now))

    tried = []
    while SEED not in tried:
        tried.append(directory.next(100.0))
        directory.failed(tried[-1], 100.0)

    assert len(tried) == len(set(tried)) <= KNOWN_MAX
    assert "http://evil:1" not in tried
