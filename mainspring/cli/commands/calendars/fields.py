"""The options and files that define a calendar."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import click

from mainspring.cli.options import F, options
from mainspring.client.fields import CalendarFields
from mainspring.errors import ConfigError

FIELDS = (
    *("description", "zone", "weekdays", "holidays", "dates", "counted", "blackouts"),
    "daily_blackouts",
)


def several(name: str, field: str, metavar: str, text: str) -> Callable[[F], F]:
    return click.option(name, field, multiple=True, metavar=metavar, help=f"{text} Repeatable.")


definition_options = options(
    several("--weekday", "weekdays", "DAY", "Weekday to exclude, such as sat."),
    several("--country", "countries", "CODE[-PART]", "Country whose public holidays to exclude, such as DE or DE-BY."),
    several("--market", "markets", "CODE", "Market whose closed days to exclude, such as XNYS."),
    several("--date", "dates", "DAY[=NAME]", "Day to exclude: 2026-12-24, or 12-24 of each year."),
    several("--counted", "counted", "DAY", "Day to include, even if another rule excludes it."),
    several("--blackout", "blackouts", "FROM/UNTIL", "Times between which no trigger fires."),
    several(
        "--daily-blackout",
        "daily_blackouts",
        "FROM-UNTIL",
        "Times of each day between which no trigger fires, such as 22:00-06:00.",
    ),
    click.option("--zone", help="Time zone of its days. [default: each trigger's]"),
    click.option("--description", help="Description for people."),
    click.option(
        "--file",
        "path",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        help="Whole definition, as YAML or JSON.",
    ),
)


def definition_of(chosen: dict[str, Any], present: dict[str, Any] | None) -> CalendarFields:
    """Return the new definition: that of the file, or the present one with the chosen fields replaced."""
    path, told = chosen.pop("path"), told_of(chosen, (present or {}).get("zone"))
    if path is not None:
        if told:
            raise click.UsageError("--file is a whole definition, and excludes the other options.")
        return read_definition(path)
    if not told:
        raise click.UsageError("Give at least one option that defines the calendar: see --help.")
    kept = {name: value for name, value in (present or {}).items() if name in FIELDS}
    return cast("CalendarFields", kept | told)


def told_of(chosen: dict[str, Any], zone: str | None) -> dict[str, Any]:
    told = {
        "description": chosen["description"],
        "zone": chosen["zone"],
        "weekdays": list(chosen["weekdays"]),
        "holidays": [*map(country, chosen["countries"]), *({"market": market} for market in chosen["markets"])],
        "dates": dict(each.partition("=")[::2] for each in chosen["dates"]),
        "counted": list(chosen["counted"]),
        "blackouts": [blackout(each) for each in chosen["blackouts"]],
        "daily_blackouts": [daily(each, chosen["zone"] or zone) for each in chosen["daily_blackouts"]],
    }
    return {name: value for name, value in told.items() if value}


def country(text: str) -> dict[str, str]:
    code, _, part = text.partition("-")
    return {"country": code, "subdivision": part} if part else {"country": code}


def blackout(text: str) -> dict[str, str]:
    since, _, until = text.partition("/")
    return {"since": since, "until": until}


def daily(text: str, zone: str | None) -> dict[str, str]:
    opens, _, closes = text.partition("-")
    return {"opens": opens, "closes": closes, **({"zone": zone} if zone else {})}


def read_definition(path: Path) -> CalendarFields:
    import yaml  # noqa: PLC0415 few commands read a file

    from mainspring.contract.base.plain_yaml import Loader  # noqa: PLC0415

    try:
        content = yaml.load(path.read_text(encoding="utf-8"), Loader)  # noqa: S506 it makes plain values only
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{path}: {' '.join(str(error).split())}") from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path}: is not a calendar's definition, such as `weekdays: [sat, sun]`")
    return cast("CalendarFields", {str(name): value for name, value in content.items() if name != "name"})
