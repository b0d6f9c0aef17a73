"""Short ways to write a trigger, the same in Python and in YAML: `cron: 30 9 * * 1-5` instead of a whole rule.

One field tells the kind; the others of that kind stand beside it. Lengths of time are seconds, or written `15m`.
"""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import msgspec

from mainspring.domain.lengths import EXAMPLES, read_length
from mainspring.domain.triggers.spec import At, Cron, Delay, Event, Every, Rule, TriggerSpec, Windows
from mainspring.errors import InvalidInputError

TELLING = {"cron": "expressions", "every": "every", "delay": "delay", "at": "at", "event": "type"}
"""Fields of which one tells the kind, and what each is called in the rule."""
KINDS: Mapping[str, type[Rule]] = {"cron": Cron, "every": Every, "delay": Delay, "at": At, "event": Event}
OF_WINDOWS = "opens"
SHORT = {*TELLING, *Windows.__struct_fields__, *(each for kind in KINDS.values() for each in kind.__struct_fields__)}
"""What may stand beside a trigger's own fields if its rule is not written as a whole."""
LENGTHS = frozenset({"every", "delay", "jitter", "spread", "start_deadline"})

PATH = re.compile(r" - at (?:`key` in )?`\$\.?(?P<path>.*?)(?:\[\.\.\.\])?`$")
QUOTED = re.compile(r"field `(?P<name>[^`]+)`")

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(TriggerSpec).decode


def written(fields: Mapping[str, Any]) -> TriggerSpec:
    """The trigger that these fields write down; raises InvalidInputError, and checks no more than its shape."""
    given = {name: seconds_of(name, value) if name in LENGTHS else value for name, value in fields.items()}
    refuse_unknown(given)
    whole = given if "when" in given else with_rule(given)
    refuse_twice(whole)
    try:
        return _decode(_encode(whole))
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise explained(str(error)) from None
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InvalidInputError("input", f"cannot be written as JSON: {error}", code="bad_trigger") from None


def refuse_unknown(given: Mapping[str, Any]) -> None:
    """Report an unknown field before fields that are missing."""
    known = {*TriggerSpec.__struct_fields__, *SHORT}
    if unknown := next((str(name) for name in given if name not in known), None):
        import difflib  # noqa: PLC0415 only for those who mistype

        close = difflib.get_close_matches(unknown, sorted(known), n=1)
        hint = f"; did you mean {close[0]}?" if close else ""
        raise InvalidInputError(unknown, f"is not known{hint}", code="bad_trigger")


def with_rule(given: Mapping[str, Any]) -> dict[str, Any]:
    """The same fields, with those of the rule gathered in `when`."""
    told = [name for name in TELLING if given.get(name) is not None]
    if len(told) != 1:
        both = f"{told[0]} and {told[1]} are both given" if told else "it is not said when it fires"
        raise InvalidInputError("when", f"{both}: give one of {', '.join(TELLING)} or when", code="bad_trigger")
    [name] = told
    kind = Windows if name == "every" and OF_WINDOWS in given else KINDS[name]
    inside = {each: given[each] for each in kind.__struct_fields__ if each in given}
    rule = {"kind": kind.__struct_config__.tag, **inside, TELLING[name]: telling_value(name, given[name])}
    return {"when": rule, **{each: value for each, value in given.items() if each not in inside and each != name}}


def telling_value(name: str, value: Any) -> Any:
    return [value] if name == "cron" and isinstance(value, str) else value


def refuse_twice(whole: Mapping[str, Any]) -> None:
    if doubled := next((name for name in TELLING if name in whole), None):
        raise InvalidInputError(doubled, "is given beside when, which says it all", code="bad_trigger")


def seconds_of(name: str, value: Any) -> Any:
    """Seconds, of a text or a timedelta; anything else is left for the trigger's own types to judge."""
    if isinstance(value, timedelta):
        return value.total_seconds()
    if not isinstance(value, str):
        return value
    seconds = read_length(value.strip())
    if seconds is None:
        raise InvalidInputError(name, f"{value!r} is no length of time such as 90, {EXAMPLES}", code="bad_trigger")
    return seconds


def explained(text: str) -> InvalidInputError:
    """A decoder's finding, with its field."""
    found = PATH.search(text)
    path, reason = (found["path"], text[: found.start()]) if found else ("", text)
    named = QUOTED.search(reason)
    if named:
        path = f"{path}.{named['name']}" if path else named["name"]
        reason = "is not known" if "unknown" in reason else "is missing" if "missing" in reason else reason
    return InvalidInputError(path or "trigger", reason, code="bad_trigger")


def shorthand(spec: TriggerSpec) -> dict[str, Any]:
    """The fields of a trigger as people write them, in the order in which they read them; `written` of it is the same."""
    plain: dict[str, Any] = msgspec.json.decode(_encode(spec))
    rule = plain.pop("when")
    if not plain.get("input"):
        plain.pop("input", None)
    for fields in (plain, rule):
        fields.update({each: round_off(fields[each]) for each in LENGTHS if each in fields})
    name = next((each for each, kind in KINDS.items() if isinstance(spec.when, kind)), None)
    if isinstance(spec.when, Windows):
        name = "every"
    if name is None or set(rule) & set(plain):
        return {"name": plain.pop("name"), "job": plain.pop("job"), "when": rule, **plain}
    del rule["kind"]
    value = rule.pop(TELLING[name])
    short = value[0] if name == "cron" and len(value) == 1 else value
    return {"name": plain.pop("name"), "job": plain.pop("job"), name: short, **rule, **plain}


def round_off(seconds: float) -> float | int:
    return int(seconds) if seconds == int(seconds) else seconds
