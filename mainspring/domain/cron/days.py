"""Which days of a month match: day of month, day of week, and Quartz's additions to both."""

import re

import msgspec

from mainspring.domain.cron.fields import (
    DAY,
    WEEKDAY,
    Field,
    FieldRange,
    parse_field,
    parse_value,
    refuse,
    starts_with_star,
)

LAST = re.compile(r"l(?:-([0-9]{1,2}))?")
NEAREST = re.compile(r"(?:([0-9]{1,2})|l(?:-([0-9]{1,2}))?)w")
NTH = re.compile(r"([a-z0-9]+)#([0-9]+)")
LAST_WEEKDAY = re.compile(r"([a-z0-9]+?)l")

WEEKS = 0b1_0000001_0000001_0000001_0000001_0000001
"""A bit every seven days: a week's pattern times this is a month's."""


class Days(msgspec.Struct, frozen=True):
    """Days of a month as bits 1 to 31."""

    day: Field
    weekday: Field
    from_end: tuple[int, ...] = ()
    """`L`: 0 for the last day, 1 for the one before."""
    nearest: tuple[int, ...] = ()
    """`15W`: the weekday nearest to the 15th; 0 for `LW`, the last weekday, and -3 for `L-3W`, nearest to the 4th last day."""
    nth: tuple[tuple[int, int], ...] = ()
    """`fri#2`: weekday and which; 0 for the last."""

    @property
    def both(self) -> bool:
        """Debian's rule: a day must match both fields if either starts with a star, else one is enough."""
        return self.day.star or self.weekday.star

    def in_month(self, first: int, length: int) -> int:
        """The days of a month that begins on that weekday (Sunday is 0)."""
        whole, weekdays = (2 << length) - 2, self.weekday.mask
        week = (weekdays >> first | weekdays << (7 - first)) & 0x7F
        by_day, by_week = self.day.mask, week * WEEKS << 1
        if self.from_end or self.nearest:
            by_day |= self._counted(first, length)
        if self.nth:
            by_week |= self._nth(first, length)
        return (by_day & by_week if self.both else by_day | by_week) & whole

    def _counted(self, first: int, length: int) -> int:
        mask = 0
        for back in self.from_end:
            if back < length:
                mask |= 1 << (length - back)
        for wanted in self.nearest:
            day = wanted if wanted > 0 else length + wanted
            if 1 <= day <= length:
                mask |= 1 << nearest_weekday(day, first, length)
        return mask

    def _nth(self, first: int, length: int) -> int:
        mask = 0
        for weekday, turn in self.nth:
            day = 1 + (weekday - first) % 7
            mask |= 1 << (day + 7 * (turn - 1) if turn else day + (length - day) // 7 * 7)
        return mask


def nearest_weekday(day: int, first: int, length: int) -> int:
    """Monday to Friday nearest to a day, without leaving its month."""
    weekday = (first + day - 1) % 7
    if weekday == 6:
        return day - 1 if day > 1 else day + 2
    if weekday == 0:
        return day + 1 if day < length else day - 2
    return day


def parse_days(day_text: str, weekday_text: str, seed: str) -> Days:
    from_end, nearest, plain_days = split_days(day_text)
    nth, plain_weekdays = split_weekdays(weekday_text)
    return Days(
        day=plain_field(plain_days, day_text, DAY, seed),
        weekday=plain_field(plain_weekdays, weekday_text, WEEKDAY, seed),
        from_end=from_end,
        nearest=nearest,
        nth=nth,
    )


def plain_field(plain: str, text: str, field: FieldRange, seed: str) -> Field:
    """The plain items of a field; whether it starts with a star is told by the whole of it."""
    mask = parse_field(plain, field, seed).mask if plain else 0
    return Field(mask, star=starts_with_star(text))


def split_days(text: str) -> tuple[tuple[int, ...], tuple[int, ...], str]:
    """Take `L`, `L-3`, `15W`, `LW` and `L-3W` out of a field."""
    from_end: list[int] = []
    nearest: list[int] = []
    plain: list[str] = []
    for item in text.split(","):
        if found := LAST.fullmatch(item):
            from_end.append(days_back(found[1] or "0", item))
        elif found := NEAREST.fullmatch(item):
            nearest.append(-days_back(found[2] or "0", item) if found[1] is None else parse_value(found[1], item, DAY))
        else:
            plain.append(item)
    return tuple(from_end), tuple(nearest), ",".join(plain)


def days_back(text: str, item: str) -> int:
    if int(text) > 30:
        raise refuse(DAY, item, f"no month has a day {text} before its last")
    return int(text)


def split_weekdays(text: str) -> tuple[tuple[tuple[int, int], ...], str]:
    """Take `fri#2` and `friL` out of a field."""
    nth: list[tuple[int, int]] = []
    plain: list[str] = []
    for item in text.split(","):
        if found := NTH.fullmatch(item):
            nth.append((parse_value(found[1], item, WEEKDAY) % 7, which(found[2], item)))
        elif found := LAST_WEEKDAY.fullmatch(item):
            nth.append((parse_value(found[1], item, WEEKDAY) % 7, 0))
        else:
            plain.append(item)
    return tuple(nth), ",".join(plain)


def which(text: str, item: str) -> int:
    if not 1 <= int(text) <= 5:
        raise refuse(WEEKDAY, item, f"a month has no {text}th of a weekday; 1 to 5")
    return int(text)
