"""One field of a cron expression as a set of bits.

A bit for every value that matches: the next match is the lowest set bit above the present value, found without a loop.
"""

import hashlib
import re
from collections.abc import Mapping

import msgspec

from mainspring.errors import InvalidInputError

TEXT_MAX = 500


class FieldRange(msgspec.Struct, frozen=True):
    """The range and names of a field."""

    name: str
    low: int
    high: int
    names: Mapping[str, int] = {}
    hashed_high: int | None = None
    """The last value that `H` may choose, where not every month has them all."""


MONTHS = {
    name: number
    for number, name in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], start=1
    )
}
WEEKDAYS = {name: number for number, name in enumerate(["sun", "mon", "tue", "wed", "thu", "fri", "sat"])}

SECOND = FieldRange("second", 0, 59)
MINUTE = FieldRange("minute", 0, 59)
HOUR = FieldRange("hour", 0, 23)
DAY = FieldRange("day of month", 1, 31, hashed_high=28)
MONTH = FieldRange("month", 1, 12, MONTHS)
WEEKDAY = FieldRange("day of week", 0, 7, WEEKDAYS, hashed_high=6)

HASHED = re.compile(r"h(?:\(([0-9]+)-([0-9]+)\))?")
NUMBER = re.compile(r"[0-9]{1,9}")


class Field(msgspec.Struct, frozen=True):
    """The values of a field, and whether it starts with a star, which matters where clocks change and for days."""

    mask: int
    star: bool


def parse_field(text: str, field: FieldRange, seed: str) -> Field:
    """Read a comma-separated field; `H` is chosen by the seed, the same for ever."""
    mask = 0
    for item in text.split(","):
        mask |= parse_item(item, field, seed)
    if field is WEEKDAY:
        mask = mask & 0x7F | mask >> 7
    return Field(mask, starts_with_star(text))


def starts_with_star(text: str) -> bool:
    return text.startswith(("*", "?"))


def parse_item(item: str, field: FieldRange, seed: str) -> int:
    base, slash, step_text = item.partition("/")
    step = parse_step(step_text, item, field) if slash else 1
    if found := HASHED.fullmatch(base):
        return hashed(found, step, item, field, seed, stepped=bool(slash))
    low, high = parse_bounds(base, item, field, open_ended=bool(slash))
    return bits(low, high, step)


def parse_bounds(base: str, item: str, field: FieldRange, *, open_ended: bool) -> tuple[int, int]:
    if base in ("*", "?"):
        if base == "?" and field not in (DAY, WEEKDAY):
            raise refuse(field, item, "? is for days only; use *")
        return field.low, 6 if field is WEEKDAY else field.high
    low_text, dash, high_text = base.partition("-")
    low = parse_value(low_text, item, field)
    if dash:
        return ordered(low, parse_value(high_text, item, field), item, field)
    return low, (6 if field is WEEKDAY else field.high) if open_ended else low


def ordered(low: int, high: int, item: str, field: FieldRange) -> tuple[int, int]:
    if field is WEEKDAY and high == 0 and low > 0:
        high = 7
    if low > high:
        raise refuse(field, item, f"the range runs backwards; write {low}-{field.high},{field.low}-{high}")
    return low, high


def parse_value(text: str, item: str, field: FieldRange) -> int:
    if text in field.names:
        return field.names[text]
    if not NUMBER.fullmatch(text):
        known = f", or {next(iter(field.names))} to {list(field.names)[-1]}" if field.names else ""
        raise refuse(field, item, f"{text!r} is not a number from {field.low} to {field.high}{known}")
    value = int(text)
    if not field.low <= value <= field.high:
        raise refuse(field, item, f"{value} is outside {field.low} to {field.high}")
    return value


def parse_step(text: str, item: str, field: FieldRange) -> int:
    if not NUMBER.fullmatch(text) or int(text) < 1:
        raise refuse(field, item, f"the step {text!r} is not a number from 1")
    # A step beyond the field leaves its first value alone, as Debian's cron reads it.
    return int(text)


def hashed(found: re.Match[str], step: int, item: str, field: FieldRange, seed: str, *, stepped: bool) -> int:
    """`H` is one value of the range, `H/n` every n-th from a start of its own; the seed decides which."""
    low, high = field.low, field.high if field.hashed_high is None else field.hashed_high
    if found[1] is not None:
        low, high = ordered(parse_value(found[1], item, field), parse_value(found[2], item, field), item, field)
    number = int.from_bytes(hashlib.sha256(f"{seed}\0{field.name}".encode()).digest()[:8], "big")
    if stepped:
        return bits(low + number % min(step, high - low + 1), high, step)
    return 1 << (low + number % (high - low + 1))


def bits(low: int, high: int, step: int) -> int:
    mask = 0
    for value in range(low, high + 1, step):
        mask |= 1 << value
    return mask


def refuse(field: FieldRange | str, item: str, reason: str) -> InvalidInputError:
    name = field if isinstance(field, str) else field.name
    return InvalidInputError("cron", f"{name}: {reason} (in {item!r})", code="bad_cron")
