"""Write docs/reference/cli.md from the commands themselves, so that the page cannot lie."""

from collections.abc import Iterator
from pathlib import Path

import click

from mainspring.cli.main import COMMANDS, command
from mainspring.cli.output.exits import MEANINGS

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "cli.md"

HEAD = """\
# Command line

<!-- Written from the commands by `make docs-cli`; a test compares. -->

Every command takes `--help`. `mainspring --debug …` shows stack traces. Names of commands and options that are not known
are answered with the nearest that are. `mainspring completion bash|zsh|fish` prints what a shell needs to complete them.

Results go to stdout, everything else to stderr. On a terminal, tables have colours and long work shows how far it has come;
`NO_COLOR`, `--quiet` and pipes switch that off. `--output json` and `yaml` print what the API answered, `name` the ids or
names alone.

Where a command finds its server and its token is told in [settings](settings.md).
"""


def page() -> str:
    top = click.Context(command, info_name="mainspring")
    parts = [HEAD, overview(), exit_codes()]
    for name in COMMANDS:
        found = command.get_command(top, name)
        assert found is not None
        parts += sections(found, click.Context(found, info_name=name, parent=top))
    return "\n".join(parts)


def overview() -> str:
    rows = [f"| [`{name}`](#mainspring-{name}) | {command.help} |" for name, command in COMMANDS.items()]
    return "\n".join(["## Commands", "", "| | |", "|---|---|", *rows, ""])


def exit_codes() -> str:
    rows = [f"| {code} | {meaning} |" for code, meaning in MEANINGS.items()]
    words = "They are stable: scripts may rely on them."
    return "\n".join(["## Exit codes", "", words, "", "| code | means |", "|---|---|", *rows, ""])


def sections(found: click.Command, context: click.Context, depth: int = 2) -> Iterator[str]:
    """One section for a command, and one for each below it."""
    if found.hidden:
        return
    lines = [
        f"{'#' * depth} {context.command_path}",
        "",
        help_text(found),
        "",
        "```text",
        usage(found, context),
        "```",
        "",
    ]
    yield "\n".join([*lines, *parameters(found, context)])
    if isinstance(found, click.Group):
        for name in found.list_commands(context):
            inner = found.get_command(context, name)
            assert inner is not None
            yield from sections(inner, click.Context(inner, info_name=name, parent=context), depth + 1)


def help_text(found: click.Command) -> str:
    """Paragraphs as in the terminal; one that is not to be filled is shown as it stands."""
    shown = []
    for paragraph in (found.help or "").split("\n\n"):
        if paragraph.startswith("\b\n"):
            shown.append("```text\n" + paragraph.removeprefix("\b\n") + "\n```")
        else:
            shown.append(" ".join(paragraph.split()))
    return "\n\n".join(shown)


def usage(found: click.Command, context: click.Context) -> str:
    return f"{context.command_path} {' '.join(found.collect_usage_pieces(context))}"


def parameters(found: click.Command, context: click.Context) -> list[str]:
    options = [parameter for parameter in found.params if isinstance(parameter, click.Option)]
    records = [option.get_help_record(context) for option in options]
    rows = [f"| `{escaped(names)}` | {escaped(words)} |" for names, words in filter(None, records)]
    return ["| option | |", "|---|---|", *rows, ""] if rows else []


def escaped(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page())
