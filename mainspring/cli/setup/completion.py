"""`mainspring completion`."""

import importlib

import click
from click.shell_completion import get_completion_class

PROGRAM = "mainspring"
VARIABLE = "_MAINSPRING_COMPLETE"

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
def completion(*, shell: str) -> None:
    r"""Print a script that completes commands, options and names in a SHELL.

    \b
    bash: put  eval "$(mainspring completion bash)"  into ~/.bashrc
    zsh:  put  eval "$(mainspring completion zsh)"  into ~/.zshrc
    fish: mainspring completion fish > ~/.config/fish/completions/mainspring.fish

    Names of jobs, queues and others come from the server, if it answers quickly.
    """
    kind = get_completion_class(shell)
    assert kind is not None, "click knows every shell of the choice"
    command = importlib.import_module("mainspring.cli.main").command
    # The script alone: click's own check of the shell's version starts one.
    click.echo(kind.source_template % kind(command, {}, PROGRAM, VARIABLE).source_vars())
