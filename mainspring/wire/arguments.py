"""Checking a run's input against the JSON schema that its handler's executor advertised.

The schema is compiled once. Rules that cannot be checked here are left to the executor, which checks again with the real
types before the handler starts.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import msgspec

from mainspring.domain.jobs.input import INPUT_NONE, with_defaults
from mainspring.domain.jobs.job import Job
from mainspring.domain.runs.run import INPUT_DEPTH_MAX, INPUT_MAX
from mainspring.domain.suggest import did_you_mean
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


def checked(job: Job, raw: bytes, schema: bytes) -> bytes:
    """The arguments, completed by those that the job has for runs that bring none."""
    return completed(job.spec.input, raw, schema)


def completed(defaults: bytes, raw: bytes, schema: bytes) -> bytes:
    """The arguments, completed by these; raises InvalidInputError unless they fit."""
    if defaults != INPUT_NONE:
        check_size(raw)
        try:
            raw = with_defaults(defaults, raw)
        except (msgspec.DecodeError, RecursionError) as error:
            raise refusal(error) from None
    checker(schema)(raw)
    return raw


def check_defaults_fit(raw: bytes, schema: bytes) -> None:
    """Refuse names and types that no run could bring; what is missing, a run may bring itself."""
    partial = msgspec.json.decode(schema, type=dict[str, Any])
    partial.pop("required", None)
    if partial.get("additionalProperties") is False:
        refuse_unknown_names(raw, partial.get("properties", {}))
    checker(msgspec.json.encode(partial))(raw)


def refuse_unknown_names(raw: bytes, known: dict[str, Any]) -> None:
    for name in msgspec.json.decode(raw, type=dict[str, msgspec.Raw]):
        if name not in known:
            reason = f"is no argument of the job's handler{did_you_mean(name, known)}"
            raise InvalidInputError(f"input.{name}", reason, code="bad_arguments")


def check_json(raw: bytes, field: str, *, code: str) -> None:
    """Refuse what is nested too deeply before anything parses it, and what is not JSON."""
    if raw.count(b"[") + raw.count(b"{") > INPUT_DEPTH_MAX and too_deep(raw):
        raise TooLargeError(field, f"is nested deeper than {INPUT_DEPTH_MAX} levels", code="input_too_deep")
    try:
        raw.decode()
        msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InvalidInputError(field, str(error), code=code) from None
