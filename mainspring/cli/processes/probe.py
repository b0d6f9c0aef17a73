"""`mainspring probe`."""

import click
import msgspec

from mainspring.cli.doctor.probe import probe as ask_server
from mainspring.cli.doctor.probe import target_of
from mainspring.cli.options import client_options, options
from mainspring.clock import SystemClock
from mainspring.errors import UnavailableError
from mainspring.settings import ExecutorSettings, ServerSettings, load
from mainspring.settings.sections import URL_DEFAULT

STALE = 15.0
"""Seconds after which a sign of life no longer counts."""
PATIENCE = 3.0


@click.command()
@click.option("--executor", "is_executor", is_flag=True, help="Probe the executor whose signs are in a folder.")
@click.option("--signs", metavar="FOLDER", help="Folder of its signs. [default: MAINSPRING_EXECUTOR_SIGNS]")
@click.option("--ready", is_flag=True, help="Ask whether it takes work, not only whether it is alive.")
@options(client_options)
def probe(
    *,
    is_executor: bool,
    signs: str | None,
    ready: bool,
    config: str | None,
    home: str | None,
    url: str | None,
    namespace: str | None,
    context: str | None,
) -> None:
    """Exit with 0 if a server or an executor is alive or ready, else with 1 and the reason."""
    if is_executor:
        reason = executor_trouble(load(ExecutorSettings, {"signs": signs}, config=config).signs, ready=ready)
    else:
        target = target_of(config=config, home=home, url=url, namespace=namespace, context=context)
        if target.url == (URL_DEFAULT,):
            # No server is named: the one of this machine, or container, that has these settings.
            target = msgspec.structs.replace(target, url=(load(ServerSettings, {}, config=config).url,))
        try:
            answer = ask_server(target, "/readyz" if ready else "/livez", patience=PATIENCE)
            reason = "" if answer.code == 200 else f"{answer.url} answers {answer.code}"
        except UnavailableError as error:
            reason = str(error)
    if reason:
        click.echo(reason, err=True)
        click.get_current_context().exit(1)


def executor_trouble(folder: str, *, ready: bool) -> str:
    """Why the executor is not alive, or not ready; empty if it is."""
    if not folder:
        return "name the folder of the executor's signs: --signs or MAINSPRING_EXECUTOR_SIGNS"
    # A probe of a server, which is asked again and again, loads nothing of an executor.
    from mainspring.executor.process.signs import ALIVE, LEASED, age_of  # noqa: PLC0415

    now = SystemClock().now().timestamp()
    for name, words in ((ALIVE, "its loop has not turned"), (LEASED, "it has had no lease"))[: 2 if ready else 1]:
        age = age_of(folder, name, now)
        if age is None:
            return f"{folder} has no sign {name!r}"
        if age > STALE:
            return f"{words} for {age:.0f} s"
    return ""
