"""Bytes to messages and back; a frame that cannot be understood is an error with a reason."""

from collections.abc import Sequence
from typing import Annotated, TypeVar

import msgspec

from mainspring.errors import ConfigError, FrameError
from mainspring.wire.messages import FRAME_MAX, HELLO_MAX, FromExecutor, FromServer, Message

T = TypeVar("T")

MESSAGES_MAX = 100
"""In one frame of an executor: each of them costs the server something."""

_encoder = msgspec.msgpack.Encoder()
_from_executor = msgspec.msgpack.Decoder(Annotated[list[FromExecutor], msgspec.Meta(max_length=MESSAGES_MAX)])
_from_server = msgspec.msgpack.Decoder(list[FromServer])


def encode(messages: Sequence[Message]) -> bytes:
    return _encoder.encode(messages)


def decode_from_executor(frame: bytes) -> list[FromExecutor]:
    return _decode(_from_executor, frame)


def decode_first(frame: bytes) -> list[FromExecutor]:
    """Decode the first frame of a connection; raises ConfigError if it is over the limits."""
    if len(frame) > HELLO_MAX:
        raise ConfigError(f"a hello of {len(frame)} bytes is over the limit of {HELLO_MAX}")
    return decode_from_executor(frame)


def decode_from_server(frame: bytes) -> list[FromServer]:
    return _decode(_from_server, frame)


def _decode(decoder: msgspec.msgpack.Decoder[T], frame: bytes) -> T:
    if len(frame) > FRAME_MAX:
        raise FrameError(f"frame of {len(frame)} bytes is over the limit of {FRAME_MAX}")
    try:
        return decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise FrameError(f"malformed frame: {error}") from None
