"""`mainspring config`."""

import sys
from pathlib import Path

import click
import msgspec

from mainspring.cli.groups import NounGroup
from mainspring.cli.options import CONFIG_HERE, config_option, context_option, home_option, output_option
from mainspring.cli.output.exits import USAGE
from mainspring.cli.output.tables import print_content, print_table
from mainspring.settings.origins import Setting, check_file, list_settings
from mainspring.settings.text import to_text


@click.group(cls=NounGroup)
def config() -> None:
    """Show and check settings."""


@config.command("show")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--origin", is_flag=True, help="Show the origin of each value, and the variable that sets it.")
@config_option
@home_option
@context_option
@output_option
def show_config(
    *,
    names: tuple[str, ...],
    origin: bool,
    config: str | None,
    home: str | None,
    context: str | None,
    output: str,
) -> None:
    """Print every setting as commands read it here, without secrets.

    NAME is a section such as `server`, or a setting such as `server.port` or `port`.
    """
    found = [each for each in list_settings(config=config, home=home, context=context) if is_asked(each, names)]
    if names and not found:
        raise click.UsageError(f"No setting is called {' or '.join(names)}.")
    if output != "table":
        print_content([{**msgspec.to_builtins(each), "name": full_name(each)} for each in found], output)
    elif origin:
        print_table(
            ("setting", "value", "origin", "variable"),
            [(full_name(each), to_text(each.value), each.origin, each.variable) for each in found],
        )
    else:
        print_table(("setting", "value"), [(full_name(each), to_text(each.value)) for each in found])


@config.command("check")
@click.argument("file", default=CONFIG_HERE, metavar="[FILE]")
def check_config(*, file: str) -> None:
    """Check a configuration file and print every error in it. [default: mainspring.toml]"""
    wrong = check_file(file)
    for line in wrong:
        click.echo(f"mainspring: {line}", err=True)
    if wrong:
        sys.exit(USAGE)
    click.echo(f"{Path(file)} is good")


def is_asked(setting: Setting, names: tuple[str, ...]) -> bool:
    return not names or bool({setting.section, setting.name, full_name(setting)} & set(names))


def full_name(setting: Setting) -> str:
    return f"{setting.section}.{setting.name}"
