"""Batches from the command line, beside a real server and executor."""

import json
from collections.abc import Iterator

import pytest

from mainspring import Client
from mainspring.client.transport.requests import new_enqueue
from tests.cli.scene import Place, Shell


@pytest.fixture
def client(call: Shell, place: Place) -> Iterator[Client]:
    """After `call`: the jobs are registered."""
    assert call is not None
    with Client(place.url) as made:
        yield made


def test_a_batch_is_shown_waited_for_and_listed(call: Shell, client: Client) -> None:
    made = client.batches.create("greetings", [new_enqueue("greet", {"name": "Anna"})] * 3, close=True)

    code, out, _ = call("batches", "wait", "greetings", "--timeout", "60s")
    assert code == 0
    assert "succeeded" in out
    shown = json.loads(call("batches", "show", made.id[:18], "--output", "json")[1])
    assert (shown["name"], shown["state"], shown["succeeded"]) == ("greetings", "succeeded", 3)
    assert "greetings" in call("batches", "list")[1]
    assert call("batches", "runs", "greetings")[1].count("succeeded") == 3


def test_what_failed_is_listed_and_retried(call: Shell, client: Client) -> None:
    client.batches.create("luck", [new_enqueue("fail"), new_enqueue("greet", {"name": "Anna"})], close=True)

    assert call("batches", "wait", "luck")[0] == 1
    assert call("batches", "runs", "luck", "--failed")[1].count("failed") == 1
    assert call("batches", "retry", "luck", "--dry-run")[1] == "would run again: 1\n"
    assert call("batches", "retry", "luck", "--reason", "once more")[1] == "runs again: 1\n"
    assert call("batches", "wait", "luck")[0] == 1


def test_an_open_batch_is_closed_and_a_live_one_cancelled(call: Shell, client: Client) -> None:
    client.batches.create("slow", [new_enqueue("never")])

    assert call("batches", "wait", "slow", "--timeout", "0s")[0] == 6
    assert "running" in call("batches", "close", "slow")[1]
    code, _, err = call("batches", "close", "slow")
    assert (code, "is closed" in err) == (3, True)
    assert call("batches", "cancel", "slow", "--reason", "wrong month")[0] == 0
    assert call("batches", "wait", "slow")[0] == 1
    code, _, err = call("batches", "cancel", "slow")
    assert (code, "is over" in err) == (3, True)
    assert call("batches", "show", "nothing of that name")[0] == 3
