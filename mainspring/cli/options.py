"""Options that several commands share."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])

CONFIG_HERE = "mainspring.toml"
QUIET = "mainspring.quiet"


def options(*decorators: Callable[[Any], Any]) -> Callable[[F], F]:
    """Combine options; help lists them in the order given."""

    def apply(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


def find_config(_context: click.Context, _option: click.Parameter, value: str | None) -> str | None:
    """Return the named file, or the one in this folder if no variable names another."""
    if value is not None or os.environ.get("MAINSPRING_CONFIG") or not Path(CONFIG_HERE).is_file():
        return value
    refuse_client_table(CONFIG_HERE)
    return CONFIG_HERE


def refuse_client_table(path: str) -> None:
    """Raise ConfigError if a file found in this folder has a [client] table."""
    from mainspring.errors import ConfigError  # noqa: PLC0415 few commands find a file
    from mainspring.settings.files import read_toml  # noqa: PLC0415

    # A folder that the user happens to be in must not choose the server that gets the token.
    if "client" in read_toml(path, "configuration file"):
        raise ConfigError(f"{path}: [client] counts only in a file that you name: --config {path}, or use a context")


def be_quiet(context: click.Context, _option: click.Parameter, value: bool) -> None:  # noqa: FBT001 click's own order
    if value:
        context.meta[QUIET] = True


def is_quiet() -> bool:
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(QUIET))


config_option = click.option(
    "--config",
    metavar="FILE",
    callback=find_config,
    help="TOML file with settings (or MAINSPRING_CONFIG). [default: mainspring.toml, if it exists]",
)
home_option = click.option("--home", metavar="DIR", help="Directory of tokens and SQLite. [default: .mainspring]")
log_option = options(
    click.option(
        "--log-level",
        type=click.Choice(["debug", "info", "warning", "error"], case_sensitive=False),
        help="Least severe level of the lines on stderr. [default: info]",
    ),
    click.option(
        "--log-format",
        type=click.Choice(["text", "json"]),
        help="Format of these lines: text, or one JSON object per line. [default: text on a terminal, else json]",
    ),
)
context_option = click.option(
    "--context", metavar="NAME", help="Context that names the server (or MAINSPRING_CONTEXT)."
)
quiet_option = click.option(
    "-q",
    "--quiet",
    is_flag=True,
    expose_value=False,
    callback=be_quiet,
    help="Print errors, but no notes and no progress.",
)

server_options = options(
    config_option,
    home_option,
    click.option("--database-url", metavar="URL", help="sqlite:///file.db or postgresql://… [default: SQLite in home]"),
    click.option(
        "--listen-url", metavar="URL", help="Direct address of PostgreSQL for notifications, past PgBouncer; or 'off'."
    ),
    click.option("--host", help="Address to listen on. [default: 127.0.0.1]"),
    click.option("--port", type=int, help="Port to listen on. [default: 8484]"),
    log_option,
)

client_options = options(
    context_option,
    click.option(
        "--url", metavar="URL", help="Server, or several separated by commas. [default: http://127.0.0.1:8484]"
    ),
    click.option("--namespace", help="Namespace. [default: the token's, or `default`]"),
    config_option,
    home_option,
    quiet_option,
)

report_option = click.option(
    "-o",
    "--output",
    type=click.Choice(["table", "json", "yaml"]),
    default="table",
    show_default=True,
    help="Output format.",
)
"""For commands whose results have no names."""

output_option = click.option(
    "-o",
    "--output",
    type=click.Choice(["table", "json", "yaml", "name"]),
    default="table",
    show_default=True,
    help="Output format; `name` prints only names or ids, one per line.",
)
