"""Options that name the fields of a rule or a channel as `--set field=value`."""

from collections.abc import Mapping, Sequence
from typing import Any

import click
import msgspec

from mainspring.cli.options import options

LISTS = ("notify", "escalate_to", "to", "at_mobiles")
QUIET = "quiet"

field_options = options(
    click.option("--kind", required=True, help="Kind, such as run_failed or slack."),
    click.option(
        "--set", "fields", multiple=True, metavar="FIELD=VALUE", help="A field; repeatable. Lists have commas."
    ),
)


def read_fields(kind: str, fields: Sequence[str]) -> dict[str, Any]:
    """The definition's fields as a file would have them; raises UsageError."""
    found: dict[str, Any] = {"kind": kind}
    for each in fields:
        name, equals, text = each.partition("=")
        if not equals:
            raise click.UsageError(f"--set: {each!r} is not FIELD=VALUE.")
        found[name] = value_of(name, text)
    return found


def written(spec: Mapping[str, Any]) -> str:
    """A definition as `--set` takes it."""
    return ", ".join(f"{name}={said(value)}" for name, value in spec.items())


def said(value: object) -> object:
    if isinstance(value, Mapping):
        return ",".join(map(str, value.values()))
    return ",".join(value) if isinstance(value, list) else value


def value_of(name: str, text: str) -> object:
    if name in LISTS:
        return text.split(",")
    # Quiet is asked for by a calendar, and by nothing else.
    return {"calendar": text} if name == QUIET else plain(text)


def plain(text: str) -> object:
    """Numbers, true and false as such, anything else as text."""
    try:
        value: object = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
    return value if isinstance(value, bool | int | float) else text
