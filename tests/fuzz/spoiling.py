"""Frames that no good executor or server would send: good ones, spoiled in every way that comes to mind.

All from one seed, so that what a test has found is found again. The golden frames are the corpus.
"""

import random
from collections.abc import Callable
from typing import Any

import msgspec

from tests.wire.samples import FROM_EXECUTOR, FROM_SERVER, read_golden

NASTY: list[Any] = [
    None,
    True,
    -1,
    0,
    2**31,
    2**63 - 1,
    2**64 - 1,
    -(2**63),
    float("nan"),
    float("inf"),
    -float("inf"),
    1e308,
    "",
    "\x00",
    "a\x00b",
    "\ufffd\u202e",
    "x" * 5000,
    b"",
    b"\xff" * 16,
    b"x" * 17,
    [],
    [[]],
    {},
    {"": ""},
    {"loop": -5},
    {"loop": 2**63 - 1},
    [None] * 50,
]
BAD_BYTES = [
    b"\xc1",
    b"\xff",
    b"\xdd\xff\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xa2\xff\xfe",
]
CORPUS_EXECUTOR = {name: read_golden(name) for name in FROM_EXECUTOR}
CORPUS_SERVER = {name: read_golden(name) for name in FROM_SERVER}

Spoil = Callable[[random.Random, bytes], bytes]


def replace_value(draw: random.Random, frame: bytes) -> bytes:
    """One value somewhere in the frame becomes another, of the same type or not."""
    messages = msgspec.msgpack.decode(frame)
    inside: Any = messages[0]
    place = draw.randrange(1, len(inside)) if len(inside) > 1 else 0
    while isinstance(inside[place], list | dict) and inside[place] and draw.random() < 0.7:
        inside = inside[place]
        place = draw.choice(list(inside)) if isinstance(inside, dict) else draw.randrange(len(inside))
    inside[place] = draw.choice(NASTY)
    return msgspec.msgpack.encode(messages)


def drop_fields(draw: random.Random, frame: bytes) -> bytes:
    [message] = msgspec.msgpack.decode(frame)
    return msgspec.msgpack.encode([message[: draw.randrange(len(message) + 1)]])


def repeat_message(draw: random.Random, frame: bytes) -> bytes:
    [message] = msgspec.msgpack.decode(frame)
    return msgspec.msgpack.encode([message] * draw.randrange(2, 20))


def nest(draw: random.Random, frame: bytes) -> bytes:
    at = draw.randrange(len(frame))
    return frame[:at] + draw.choice([b"\x91", b"\x81\x01"]) * draw.choice([3, 500, 200_000]) + frame[at:]


def cut(draw: random.Random, frame: bytes) -> bytes:
    return frame[: draw.randrange(len(frame))]


def change_bytes(draw: random.Random, frame: bytes) -> bytes:
    spoiled = bytearray(frame)
    for _ in range(draw.randrange(1, 5)):
        spoiled[draw.randrange(len(spoiled))] = draw.randrange(256)
    return bytes(spoiled)


def put_in(draw: random.Random, frame: bytes) -> bytes:
    at = draw.randrange(len(frame) + 1)
    return frame[:at] + draw.choice(BAD_BYTES) + frame[at:]


def noise(draw: random.Random, _frame: bytes) -> bytes:
    return draw.randbytes(draw.choice([0, 1, 7, 300]))


def as_it_is(_draw: random.Random, frame: bytes) -> bytes:
    """Good in itself: out of turn, again, or about what is none of its business."""
    return frame


SPOILS: list[Spoil] = [
    *[replace_value] * 8,
    drop_fields,
    repeat_message,
    nest,
    cut,
    change_bytes,
    put_in,
    noise,
    *[as_it_is] * 3,
]


def spoiled(draw: random.Random, corpus: dict[str, bytes]) -> bytes:
    return draw.choice(SPOILS)(draw, corpus[draw.choice(list(corpus))])
