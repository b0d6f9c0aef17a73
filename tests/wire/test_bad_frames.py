"""Whatever arrives, a frame is understood or refused with a reason; nothing else happens."""

from collections.abc import Callable
from contextlib import suppress

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mainspring.errors import FrameError
from mainspring.wire.codec import decode_from_executor, decode_from_server
from mainspring.wire.messages import FRAME_MAX, Beat, Load
from tests.wire.samples import FROM_EXECUTOR, FROM_SERVER, RUN_A, RUN_B, SESSION, TOKEN, read_golden

Decode = Callable[[bytes], object]
DECODERS = st.sampled_from([decode_from_executor, decode_from_server])
GOLDEN_FRAMES = [read_golden(name) for name in (*FROM_EXECUTOR, *FROM_SERVER)]

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=8) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
TAGS = st.sampled_from([*FROM_EXECUTOR, *FROM_SERVER])


@st.composite
def spoiled_frames(draw: st.DrawFn) -> bytes:
    """A good frame with one byte changed, or cut short, or with bytes put in."""
    frame = draw(st.sampled_from(GOLDEN_FRAMES))
    at = draw(st.integers(0, len(frame) - 1))
    instead = draw(st.binary(max_size=3))
    return frame[:at] + instead + frame[at + draw(st.integers(0, len(frame))) :]


@given(frame=st.binary(), decode=DECODERS)
def test_any_bytes_are_a_frame_or_a_frame_error(frame: bytes, decode: Decode) -> None:
    with suppress(FrameError):
        decode(frame)


@given(frame=spoiled_frames(), decode=DECODERS)
def test_a_spoiled_frame_is_a_frame_or_a_frame_error(frame: bytes, decode: Decode) -> None:
    with suppress(FrameError):
        decode(frame)


@given(tag=TAGS, fields=st.lists(VALUES, max_size=8), decode=DECODERS)
def test_fields_of_any_type_are_a_frame_or_a_frame_error(tag: str, fields: list[object], decode: Decode) -> None:
    with suppress(FrameError):
        decode(msgspec.msgpack.encode([[tag, *fields]]))


HEAD = b"\x91\x93\xa4beat\x01"

REFUSED = {
    "nothing": b"",
    "no array": b"\x01",
    "a message that is no array": b"\x91\x01",
    "an unknown tag": b"\x91\x91\xa4nope",
    "a tag that is no text": b"\x91\x91\x01",
    "a tag that is not UTF-8": b"\x91\x91\xa2\xff\xfe",
    "text that is not UTF-8": b"\x91\x92\xa4room\x81\xa2\xff\xfe\x01",
    "too few fields": b"\x91\x92\xa4beat\x01",
    "a field of another type": b"\x91\x93\xa4beat\xa1x\x94\x01\x01\x01\x01",
    "more bytes than the frame": HEAD + b"\x94\x01\x01\x01\x01\x00",
    "a list longer than the frame": b"\x91\x92\xa4logs\xdd\xff\xff\xff\xff",
    "a map longer than the frame": b"\x91\x92\xa4room\xdf\xff\xff\xff\xff",
    "bytes longer than the frame": b"\x91\x92\xa9inventory\x91\x92\xc6\xff\xff\xff\xff",
    "nesting without end": b"\x91\x94\xa4beat\x01\x94\x01\x01\x01\x01" + b"\x91" * 1_000_000,
    "nesting where a number belongs": HEAD + b"\x91" * 1_000_000,
}


@pytest.mark.parametrize("frame", REFUSED.values(), ids=REFUSED.keys())
def test_a_malformed_frame_is_refused_with_a_reason(frame: bytes) -> None:
    with pytest.raises(FrameError, match=r"malformed frame: .+"):
        decode_from_executor(frame)


COLUMNS = {"runs": 2, "tokens": 3, "results": 4, "waits": 5, "durations": 6}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS.keys())
@pytest.mark.parametrize("change", [lambda _: [], lambda values: values * 2], ids=["too short", "too long"])
def test_columns_of_different_lengths_are_refused(column: int, change: Callable[[list[object]], list[object]]) -> None:
    """Each row of a batch must be whole: a batch that cannot be settled would hold up everybody's."""
    (message,) = msgspec.msgpack.decode(read_golden("outcomes"))
    message[column] = change(message[column])

    with pytest.raises(FrameError):
        decode_from_executor(msgspec.msgpack.encode([message]))


@pytest.mark.parametrize("size", [0, 15, 17])
@pytest.mark.parametrize("name", ["hello", "outcomes", "inventory", "logs", "progress"])
def test_an_id_has_sixteen_bytes(name: str, size: int) -> None:
    frame = read_golden(name).replace(b"\xc4\x10", b"\xc4" + bytes([size]))
    for known in (TOKEN, SESSION, RUN_A, RUN_B):
        frame = frame.replace(known, (known * 2)[:size])

    with pytest.raises(FrameError):
        decode_from_executor(frame)


def test_an_oversized_frame_is_refused_before_it_is_read() -> None:
    with pytest.raises(FrameError, match=f"frame of {FRAME_MAX + 1} bytes is over the limit"):
        decode_from_executor(b"\xff" * (FRAME_MAX + 1))


@pytest.mark.parametrize("name", FROM_SERVER)
def test_an_executor_cannot_say_what_only_servers_say(name: str) -> None:
    with pytest.raises(FrameError):
        decode_from_executor(read_golden(name))


@pytest.mark.parametrize("name", FROM_EXECUTOR)
def test_a_server_cannot_say_what_only_executors_say(name: str) -> None:
    with pytest.raises(FrameError):
        decode_from_server(read_golden(name))


@given(extra=st.lists(VALUES, min_size=1, max_size=3))
def test_fields_appended_by_a_newer_executor_are_ignored(extra: list[object]) -> None:
    longer = [[*message, *extra] for name in FROM_EXECUTOR for message in msgspec.msgpack.decode(read_golden(name))]

    assert decode_from_executor(msgspec.msgpack.encode(longer)) == list(FROM_EXECUTOR.values())


@given(extra=st.lists(VALUES, min_size=1, max_size=3))
def test_fields_appended_by_a_newer_server_are_ignored(extra: list[object]) -> None:
    longer = [[*message, *extra] for name in FROM_SERVER for message in msgspec.msgpack.decode(read_golden(name))]

    assert decode_from_server(msgspec.msgpack.encode(longer)) == list(FROM_SERVER.values())


def test_fields_appended_inside_a_message_are_ignored() -> None:
    frame = msgspec.msgpack.encode([["beat", 7, [3, 1, 0.5, 52, 0, [], [], "more", {"than": "known"}]]])

    assert decode_from_executor(frame) == [Beat(seq=7, load=Load(running=3, waiting=1, cpu=0.5, memory=52))]
