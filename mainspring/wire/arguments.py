"""Checking a run's input against the JSON schema that its handler's executor advertised.

The schema is compiled once. Rules that cannot be checked here are left to the executor, which checks again with the real
types before the handler starts.
"""

import re
from collections.abc import Callable
from functools import lru_cache

import msgspec

from mainspring.domain.runs.run import INPUT_DEPTH_MAX, INPUT_MAX
from mainspring.errors import InvalidInputError, TooLargeError
from mainspring.wire.schema_types import type_for

Check = Callable[[bytes], None]

STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
"""Possessive, and also matches an unterminated string: linear for any input."""
ONE_KIND = bytes.maketrans(b"{}", b"[]")
OTHERS = bytes(set(range(256)) - set(b"[]{}"))


@lru_cache(maxsize=4096)
def checker(schema: bytes) -> Check:
    """A function that raises InvalidInputError for input that the schema refuses; raises ValueError if it is none."""
    decoder = msgspec.json.Decoder(type_for(schema))

    def check(raw: bytes) -> None:
        check_size(raw)
        try:
            decoder.decode(raw)
        except (msgspec.DecodeError, RecursionError) as error:
            raise refusal(error) from None

    return check


def check_size(raw: bytes) -> None:
    """Raises TooLargeError or InvalidInputError for input that is too large, too deep or no object, without parsing it."""
    if len(raw) > INPUT_MAX:
        raise TooLargeError("input", f"{len(raw)} bytes are over the limit of {INPUT_MAX}", code="input_too_large")
    if raw.count(b"[") + raw.count(b"{") > INPUT_DEPTH_MAX and too_deep(raw):
        raise TooLargeError("input", f"is nested deeper than {INPUT_DEPTH_MAX} levels", code="input_too_deep")
    if raw.lstrip()[:1] != b"{":
        raise InvalidInputError("input", "is not a JSON object", code="bad_input")


def too_deep(raw: bytes) -> bool:
    """Whether the brackets outside strings nest deeper than allowed: peel off the innermost pairs, level by level."""
    brackets = STRING.sub(b"", raw).translate(ONE_KIND, OTHERS)
    for _ in range(INPUT_DEPTH_MAX):
        if not brackets:
            return False
        brackets = brackets.replace(b"[]", b"")
    return bool(brackets)


def refusal(error: Exception) -> InvalidInputError:
    reason, _, path = str(error).partition(" - at `")
    field = "input" + path.rstrip("`").removeprefix("$")
    code = "bad_arguments" if isinstance(error, msgspec.ValidationError) else "bad_input"
    return InvalidInputError(field, reason, code=code)
