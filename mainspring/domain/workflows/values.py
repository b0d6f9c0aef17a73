"""Values between steps: places in the workflow's input and in steps' results, arguments put together from them, conditions.

Values stay in the words in which they were written, so no number and no text changes on its way from step to step.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from mainspring.domain.runs.run import INPUT_MAX
from mainspring.domain.webhooks.event_match import PlaceCondition, holds, read_condition
from mainspring.domain.webhooks.json_path import Place, parse_place, take
from mainspring.errors import InvalidInputError

INPUT_STEP = -1
"""Stands for the workflow's input among the numbers of steps."""
SELF_STEP = -2
"""Stands for the workflow run itself."""
EXECUTORS_STEP = -3
"""Stands for the names of the executors that fit a broadcast."""
DEPTH_MAX = 20

_object = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode

Read = Callable[[int], bytes | None]
"""The result of a step; None if it has not succeeded."""


class UnusableError(Exception):
    """Arguments cannot be put together; the step fails with this code."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class ResultPlace(msgspec.Struct, frozen=True):
    """A place in the result of a step."""

    step: int
    place: Place
    text: str

    @property
    def steps(self) -> tuple[int, ...]:
        return (self.step,) if self.step >= 0 else ()

    def value(self, read: Read) -> bytes | None:
        """The value at that place; None if its step has not succeeded."""
        document = read(self.step)
        if document is None:
            return None
        try:
            value = take(document, self.place)
        except (msgspec.DecodeError, RecursionError):
            raise UnusableError("unreadable_result", f"{self.text} is in a result that is no JSON") from None
        if value is None:
            raise UnusableError("missing_place", f"nothing stands at {self.text}")
        return value


class Alternatives(msgspec.Struct, frozen=True):
    """The first of some places whose step has succeeded."""

    sources: tuple[ResultPlace, ...]
    default: bytes | None
    rest: Place = ()
    text: str = ""

    @property
    def steps(self) -> tuple[int, ...]:
        return tuple(step for source in self.sources for step in source.steps)

    def value(self, read: Read) -> bytes | None:
        chosen = next((value for one in self.sources if (value := one.value(read)) is not None), self.default)
        if chosen is None or not self.rest:
            return chosen
        value = take(chosen, self.rest)
        if value is None:
            raise UnusableError("missing_place", f"nothing stands at {self.text}")
        return value


class Children(msgspec.Struct, frozen=True):
    """The list of a spread run's children: numbers of slices, or names of executors."""

    slices: int | None
    """None: one child for each executor."""
    text: str

    @property
    def steps(self) -> tuple[int, ...]:
        return ()

    def value(self, read: Read) -> bytes | None:
        """None: no executor fits at present."""
        if self.slices is None:
            return read(EXECUTORS_STEP)
        return msgspec.json.encode(list(range(self.slices)))


Value = ResultPlace | Alternatives


class Arguments(msgspec.Struct, frozen=True):
    """Where the arguments of a run come from."""

    constants: dict[str, msgspec.Raw]
    places: tuple[tuple[str, Value], ...] = ()
    item: str = ""

    @property
    def steps(self) -> list[int]:
        return [step for _, value in self.places for step in value.steps]

    def shared(self, read: Read) -> dict[str, msgspec.Raw]:
        """All but the item's own; values that a parent did not make are left out."""
        given = dict(self.constants)
        for name, value in self.places:
            raw = value.value(read)
            if raw is not None:
                given[name] = msgspec.Raw(raw)
        return given

    def put_together(self, read: Read) -> bytes:
        """A JSON object; raises UnusableError."""
        raw = msgspec.json.encode(self.shared(read))
        if len(raw) > INPUT_MAX:
            raise UnusableError("input_too_large", f"{len(raw)} bytes are over the limit of {INPUT_MAX}")
        return raw


class SameInput(Arguments, frozen=True):
    """The arguments of the run itself."""

    def shared(self, read: Read) -> dict[str, msgspec.Raw]:
        return _object(read(INPUT_STEP) or b"{}")


Test = Callable[[Read], bool]


class When(msgspec.Struct, frozen=True):
    """A condition over values, looked at once all the steps it names have ended."""

    steps: tuple[int, ...]
    test: Test

    def holds(self, read: Read) -> bool:
        """False also if something it names did not succeed, or has nothing at that place."""
        return all(read(step) is not None for step in self.steps) and self.test(read)


Resolve = Callable[[str, str], Value]
"""From the text of a place, and the field that it stands in, to its value."""


def read_when(body: Mapping[str, Any], resolve: Resolve, field: str) -> When:
    """Raises InvalidInputError."""
    steps: dict[int, None] = {}
    test = compile_condition(body, resolve, field, steps)
    return When(tuple(steps), test)


def compile_condition(body: Any, resolve: Resolve, field: str, steps: dict[int, None], depth: int = 0) -> Test:
    if not isinstance(body, dict) or not body or depth > DEPTH_MAX:
        reason = "is not a condition such as {$.charge.total: {gt: 1000}}, nested at most 20 deep"
        raise InvalidInputError(field, reason, code="bad_when")
    tests = [condition(key, inner, resolve, f"{field}.{key}", steps, depth) for key, inner in body.items()]
    return lambda read: all(test(read) for test in tests)


def condition(key: str, inner: Any, resolve: Resolve, field: str, steps: dict[int, None], depth: int) -> Test:
    if key == "not":
        test = compile_condition(inner, resolve, field, steps, depth + 1)
        return lambda read: not test(read)
    if key in ("any", "all"):
        if not isinstance(inner, list) or not inner:
            raise InvalidInputError(field, "is not a list of conditions", code="bad_when")
        each = [compile_condition(one, resolve, f"{field}[{at}]", steps, depth + 1) for at, one in enumerate(inner)]
        join = any if key == "any" else all
        return lambda read: join(test(read) for test in each)
    value = resolve(key, field)
    steps.update(dict.fromkeys(value.steps))
    wanted = read_condition("$.value", msgspec.Raw(msgspec.json.encode(inner)), field)
    return lambda read: place_holds(value, wanted, read)


def place_holds(value: Value, wanted: PlaceCondition, read: Read) -> bool:
    try:
        raw = value.value(read)
    except UnusableError:
        raw = None
    return holds(wanted, b"{}" if raw is None else b'{"value":' + raw + b"}")


def places_in(body: Any) -> Iterator[str]:
    """The places that a condition names."""
    if isinstance(body, list):
        for one in body:
            yield from places_in(one)
    elif isinstance(body, dict):
        for key, inner in body.items():
            if key in ("any", "all", "not"):
                yield from places_in(inner)
            else:
                yield key


def first_name(text: str, field: str) -> tuple[str, Place]:
    """The step, or `input`, that a place begins with, and the rest of it; raises InvalidInputError."""
    place = parse_place(text, field)
    if not place or not isinstance(place[0], str):
        reason = f"{text!r} names no step: write $.input… or $.<step>…"
        raise InvalidInputError(field, reason, code="bad_place")
    return place[0], place[1:]


def list_of(raw: Sequence[bytes | None]) -> bytes:
    """The results of a map's items, in their order; null for those that failed."""
    return b"[" + b",".join(b"null" if one is None else one for one in raw) + b"]"
