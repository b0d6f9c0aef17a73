"""An expression in words, for people who do not read cron: "at 09:30 on weekdays"."""

from mainspring.domain.cron.days import Days
from mainspring.domain.cron.expression import Expression
from mainspring.domain.cron.fields import HOUR, MINUTE, MONTH, SECOND, Field, FieldRange

DAY_NAMES = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
MONTH_NAMES = (
    *("", "January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
WEEKDAYS_MASK, WEEKEND_MASK, ALL_WEEK = 0b0111110, 0b1000001, 0b1111111
ALL_MONTH = (2 << 31) - 2
TIMES_MAX = 6
"""More times of a day than these are told as hours and minutes apart."""


def describe(expression: Expression) -> str:
    """When it fires, in its own zone's time."""
    dates = " ".join(part for part in (days(expression.dates.days), months(expression.dates.month)) if part)
    found = times(expression)
    if dates:
        return f"{found} {dates}"
    return f"{found} every day" if found[3:4].isdigit() else found


def times(expression: Expression) -> str:
    seconds, minutes, hours = values(expression.second), values(expression.minute), values(expression.hour)
    if len(seconds) * len(minutes) * len(hours) <= TIMES_MAX:
        clock = [(hour, minute, second) for hour in hours for minute in minutes for second in seconds]
        return "at " + listed([written(*each) for each in clock])
    if (minutes, seconds) == ([0], [0]) and (step := step_of(hours, HOUR) or int(len(hours) == HOUR.high + 1)):
        return "every hour" if step == 1 else f"every {step} hours"
    rest = [part for part in (seconds_of(seconds), minutes_of(minutes, seconds)) if part]
    every = "of every hour" if rest[-1].startswith(("at minute", "of minute")) else ""
    return " ".join([*rest, hours_of(hours) or every]).strip()


def written(hour: int, minute: int, second: int) -> str:
    return f"{hour:02}:{minute:02}" + (f":{second:02}" if second else "")


def seconds_of(seconds: list[int]) -> str:
    return "" if seconds == [0] else rhythm(seconds, SECOND)


def minutes_of(minutes: list[int], seconds: list[int]) -> str:
    if seconds != [0] and len(minutes) == MINUTE.high + 1:
        return "" if seconds_of(seconds).startswith("every") else "of every minute"
    if seconds == [0]:
        return rhythm(minutes, MINUTE)
    step = step_of(minutes, MINUTE)
    return (
        f"of every {ordinal(step)} minute" if step else f"of minute{'s' if len(minutes) > 1 else ''} {spans(minutes)}"
    )


def hours_of(hours: list[int]) -> str:
    if len(hours) == HOUR.high + 1:
        return ""
    if is_run(hours):
        return f"from {hours[0]:02}:00 to {hours[-1]:02}:59"
    step = step_of(hours, HOUR)
    return f"of every {ordinal(step)} hour" if step else f"of the hours {spans(hours)}"


def rhythm(found: list[int], field: FieldRange) -> str:
    """One field's values: "every 5 minutes", "minutes 3 and 17"."""
    if len(found) == field.high - field.low + 1:
        return f"every {field.name}"
    if step := step_of(found, field):
        return f"every {step} {field.name}s"
    return f"at {field.name}{'s' if len(found) > 1 else ''} {spans(found)}"


def days(found: Days) -> str:
    by_day, by_week = days_of_month(found), days_of_week(found)
    if by_day and by_week:
        return f"on {by_day} {'if it is' if found.both else 'and on'} {by_week}"
    # Where one field is enough, one that leaves no day out makes it every day, whatever the other says.
    return f"on {by_day or by_week}" if found.both and (by_day or by_week) else ""


def days_of_month(found: Days) -> str:
    """Empty if every day of the month matches."""
    if found.day.mask == ALL_MONTH:
        return ""
    chosen = values(found.day)
    counted = [f"day{'s' if len(chosen) > 1 else ''} {spans(chosen)}"] if chosen else []
    back = [from_the_end(each) for each in found.from_end]
    named = [*counted, *back, *map(nearest, found.nearest)]
    return f"{listed(named)} of the month"


def from_the_end(back: int) -> str:
    return f"the {ordinal(back + 1)} last day" if back else "the last day"


def nearest(day: int) -> str:
    if day == 0:
        return "the last weekday"
    return f"the weekday nearest to {f'day {day}' if day > 0 else from_the_end(-day)}"


def days_of_week(found: Days) -> str:
    """Empty if every day of the week matches."""
    mask = found.weekday.mask
    if mask == ALL_WEEK:
        return ""
    nth = [f"the {ordinal(which) if which else 'last'} {DAY_NAMES[day]}" for day, which in found.nth]
    plain = {WEEKDAYS_MASK: ["weekdays"], WEEKEND_MASK: ["weekends"]}.get(mask)
    named = plain if plain is not None else [DAY_NAMES[day] for day in values(found.weekday)]
    return listed([*named, *nth])


def months(field: Field) -> str:
    found = values(field)
    return "" if len(found) == MONTH.high else "in " + listed([MONTH_NAMES[month] for month in found])


def step_of(found: list[int], field: FieldRange) -> int:
    """The distance of values that go evenly through the whole field from its start, and on into the next turn of it; 0 if they
    do not, as every 7th minute, which begins anew with each hour."""
    step = found[1] - found[0] if len(found) > 1 else 0
    if step <= 1 or (field.high - field.low + 1) % step:
        return 0
    return step if found == list(range(field.low, field.high + 1, step)) else 0


def is_run(found: list[int]) -> bool:
    return found == list(range(found[0], found[-1] + 1))


def values(field: Field) -> list[int]:
    return [value for value in range(field.mask.bit_length()) if field.mask >> value & 1]


def spans(found: list[int]) -> str:
    """Numbers with their neighbours drawn together: "1 to 5 and 9"."""
    groups: list[list[int]] = []
    for number in found:
        if groups and groups[-1][-1] == number - 1:
            groups[-1].append(number)
        else:
            groups.append([number])
    parts = [[f"{each[0]} to {each[-1]}"] if len(each) > 2 else [str(number) for number in each] for each in groups]
    return listed([part for group in parts for part in group])


def ordinal(number: int) -> str:
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number if number < 20 else number % 10, 'th') }"


def listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
