"""Arguments of runs on the command line: a JSON object, a file with one, or NAME=VALUE."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import click
import msgspec

from mainspring.cli.options import F

WHOLE = ("{", "[", "@")
"""First characters of a text that holds all arguments."""


def input_option(text: str) -> Callable[[F], F]:
    words = f"{text}: a JSON object, @FILE, or NAME=VALUE. Repeatable."
    return click.option("--input", "inputs", multiple=True, metavar="JSON|NAME=VALUE", help=words)


def read_input(inputs: Iterable[str], present: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Merge the texts into one object; if all are NAME=VALUE, add them to the present arguments."""
    texts = list(inputs)
    named = all("=" in text and not text.startswith(WHOLE) for text in texts)
    given: dict[str, Any] = dict(present or {}) if named else {}
    for text in texts:
        given |= read_object(text) if text.startswith(WHOLE) or "=" not in text else read_argument(text)
    return given


def read_argument(text: str) -> dict[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise click.UsageError(f"{text!r} is not NAME=VALUE.")
    return {name: read_value(value)}


def read_object(text: str, option: str = "--input") -> dict[str, Any]:
    try:
        content = Path(text[1:]).read_bytes() if text.startswith("@") else text.encode()
        return msgspec.json.decode(content, type=dict[str, Any])
    except OSError as error:
        raise click.UsageError(f"{option}: {text[1:]} cannot be read: {error.strerror}.") from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise click.UsageError(f"{option}: {error}.") from None


def read_value(text: str) -> Any:
    """Return the decoded JSON, or the text itself if it is not JSON."""
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
