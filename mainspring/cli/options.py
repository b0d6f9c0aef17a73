"""Options that several commands share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])


def options(*decorators: Callable[[Any], Any]) -> Callable[[F], F]:
    """Apply options so that help lists them in the order given."""

    def apply(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


config_option = click.option("--config", metavar="FILE", help="TOML file with settings (or MAINSPRING_CONFIG).")
home_option = click.option("--home", metavar="DIR", help="Where tokens and SQLite live. [default: .mainspring]")
log_option = click.option("--log-level", default="info", show_default=True, help="debug, info, warning or error.")

server_options = options(
    config_option,
    home_option,
    click.option("--database-url", metavar="URL", help="sqlite:///file.db or postgresql://… [default: SQLite in home]"),
    click.option("--listen-url", metavar="URL", help="A way past PgBouncer for wakes, or 'off'."),
    click.option("--host", help="Address to listen on. [default: 127.0.0.1]"),
    click.option("--port", type=int, help="Port to listen on. [default: 8484]"),
    log_option,
)

client_options = options(
    config_option,
    home_option,
    click.option("--url", metavar="URL", help="The server. [default: http://127.0.0.1:8484]"),
    click.option("--namespace", help="[default: default]"),
)

output_option = click.option(
    "--output", type=click.Choice(["table", "json", "yaml"]), default="table", show_default=True, help="How to print."
)
