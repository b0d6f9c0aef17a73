"""The bytes of every message are on disk: what they mean to other languages may not drift."""

from typing import get_args

import msgspec
import pytest

from mainspring.wire.base import Message
from mainspring.wire.codec import decode_from_executor, decode_from_server, encode
from mainspring.wire.messages import FRAME_MAX, PROTOCOL, SUBPROTOCOL, FromExecutor, FromServer
from tests.wire.samples import FROM_EXECUTOR, FROM_SERVER, GOLDEN, read_golden

SAMPLES: dict[str, Message] = {**FROM_EXECUTOR, **FROM_SERVER}


@pytest.mark.parametrize("name", SAMPLES)
def test_a_message_is_written_as_it_always_was(name: str) -> None:
    assert encode([SAMPLES[name]]) == read_golden(name)


@pytest.mark.parametrize("name", FROM_EXECUTOR)
def test_an_executors_message_is_read_back(name: str) -> None:
    assert decode_from_executor(read_golden(name)) == [FROM_EXECUTOR[name]]


@pytest.mark.parametrize("name", FROM_SERVER)
def test_a_servers_message_is_read_back(name: str) -> None:
    assert decode_from_server(read_golden(name)) == [FROM_SERVER[name]]


def test_every_message_has_a_golden_frame_under_its_tag() -> None:
    messages = get_args(FromExecutor) + get_args(FromServer)
    tags = {message.__struct_config__.tag for message in messages}

    assert tags == set(SAMPLES) == {path.stem for path in GOLDEN.glob("*.hex")}
    assert {name: type(sample).__struct_config__.tag for name, sample in SAMPLES.items()} == {n: n for n in SAMPLES}


def test_a_frame_carries_several_messages_in_order() -> None:
    messages = list(FROM_EXECUTOR.values())

    assert decode_from_executor(encode(messages)) == messages


def test_a_frame_may_be_empty() -> None:
    assert decode_from_executor(encode([])) == []
    assert decode_from_server(encode([])) == []


def test_the_numbers_other_languages_rely_on() -> None:
    assert (PROTOCOL, SUBPROTOCOL, FRAME_MAX) == (1, "mainspring.v1.msgpack", 16_777_216)


def test_a_message_starts_with_its_tag() -> None:
    for name in SAMPLES:
        ((tag, *_),) = msgspec.msgpack.decode(read_golden(name))
        assert tag == name
