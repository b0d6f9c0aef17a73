"""Triggers that are called: the input made from a call's document, and checks of their definitions."""

import re
from collections.abc import Mapping

import msgspec

from mainspring.domain.jobs.input import with_defaults
from mainspring.domain.triggers.spec import Event, HookAuth, TriggerSpec, Webhook
from mainspring.domain.webhooks.event_match import EVENT_TYPE, KEY_TEXT_MAX, read_filter
from mainspring.domain.webhooks.json_path import parse_place, take
from mainspring.errors import InvalidInputError

HEADER = "header:"
"""Begins what is taken from a header of the call instead of its body."""
HEADER_NAME = re.compile(r"[a-z0-9!#$%&'*+.^_`|~-]{1,100}")
MAPPING_MAX = 100
TOLERANCE_MAX = 86_400.0

Headers = Mapping[str, str]
"""By their names in small letters."""
NO_HEADERS: Headers = {}


def check_webhook(rule: Webhook) -> None:
    """Raises InvalidInputError, naming the field."""
    check_header(rule.signature_header, "when.signature_header")
    if rule.timestamp_header:
        check_header(rule.timestamp_header, "when.timestamp_header")
    if not 1 <= rule.tolerance <= TOLERANCE_MAX:
        reason = f"{rule.tolerance} is outside 1 to {TOLERANCE_MAX:.0f} seconds"
        raise InvalidInputError("when.tolerance", reason, code="bad_tolerance")
    check_mapping(rule.mapping, "when.mapping", with_headers=True)
    if rule.key:
        check_source(rule.key, "when.key", with_headers=True)
    if rule.remember_calls:
        check_remembering(rule)


def check_remembering(rule: Webhook) -> None:
    """Raises InvalidInputError if calls have no signature, or are told apart by a key already."""
    if rule.auth is not HookAuth.HMAC:
        raise InvalidInputError("when.remember_calls", "needs signed calls: auth is bearer", code="bad_remembering")
    if rule.key:
        reason = "and key exclude each other: a call is known by its signed content, or by its key"
        raise InvalidInputError("when.remember_calls", reason, code="bad_remembering")


def check_event(rule: Event) -> None:
    """Raises InvalidInputError, naming the field."""
    check_event_type(rule.type, "when.type")
    read_filter(rule.filter)
    check_mapping(rule.mapping, "when.mapping", with_headers=False)


def check_event_type(text: str, field: str) -> str:
    if not EVENT_TYPE.fullmatch(text):
        reason = f"{text!r} is not a type: 1 to 200 letters, digits and . _ : / -, a letter or a digit first"
        raise InvalidInputError(field, reason, code="bad_event_type")
    return text


def check_header(name: str, field: str) -> None:
    if not HEADER_NAME.fullmatch(name):
        raise InvalidInputError(field, f"{name!r} is not a header's name in small letters", code="bad_header")


def check_mapping(mapping: Mapping[str, str], field: str, *, with_headers: bool) -> None:
    if len(mapping) > MAPPING_MAX:
        raise InvalidInputError(field, f"has {len(mapping)} arguments, more than {MAPPING_MAX}", code="bad_mapping")
    for name, source in mapping.items():
        check_source(source, f"{field}.{name}", with_headers=with_headers)


def check_source(source: str, field: str, *, with_headers: bool) -> None:
    if with_headers and source.startswith(HEADER):
        check_header(source.removeprefix(HEADER), field)
    else:
        parse_place(source, field)


def input_of(spec: TriggerSpec, mapping: Mapping[str, str], document: bytes, headers: Headers = NO_HEADERS) -> bytes:
    """The arguments that a call brings, completed by the trigger's own; raises InvalidInputError naming a missing one."""
    if not mapping:
        if document.strip()[:1] != b"{":
            reason = "is not a JSON object: say in the trigger's mapping which argument it is"
            raise InvalidInputError("$", reason, code="bad_input")
        return with_defaults(spec.input, document)
    brought = {name: msgspec.Raw(found(source, document, headers, name)) for name, source in mapping.items()}
    return with_defaults(spec.input, msgspec.json.encode(brought))


def found(source: str, document: bytes, headers: Headers, argument: str) -> bytes:
    """The call's value at that place, as JSON."""
    if source.startswith(HEADER):
        text = headers.get(source.removeprefix(HEADER))
        raw = None if text is None else msgspec.json.encode(text)
    else:
        raw = take(document, parse_place(source))
    if raw is None:
        raise InvalidInputError(source, f"is not there, and {argument} is taken from it", code="missing_place")
    return raw


def key_of(source: str, document: bytes, headers: Headers) -> str:
    """The idempotency key of a call: a text or a whole number."""
    value = msgspec.json.decode(found(source, document, headers, "the idempotency key"))
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InvalidInputError(source, "is neither a text nor a whole number", code="bad_key")
    text = str(value)
    if not 0 < len(text) <= KEY_TEXT_MAX or not text.isprintable():
        raise InvalidInputError(source, f"needs 1 to {KEY_TEXT_MAX} printable characters", code="bad_key")
    return text


def key_of_run(trigger: int, key: str) -> str:
    """A key of the trigger's own: two triggers that are told the same make a run each."""
    return f"trigger {trigger}: {key}"
