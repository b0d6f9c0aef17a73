"""`mainspring import`."""

import importlib
import pwd
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mainspring.cli.groups import NounGroup
from mainspring.cli.importers.places import local_zone, module_file, read
from mainspring.cli.importers.report import take_over
from mainspring.cli.options import client_options, options, report_option
from mainspring.clock import SystemClock
from mainspring.domain.imports.found import UnfitError

if TYPE_CHECKING:
    from mainspring.cli.importers.beat import Arguments

SYSTEM_FILES = ("/etc/crontab", "/etc/cron.d/")
ACCOUNTS = ("root", "www-data", "nobody", "daemon", "ubuntu", "postgres", "mysql", "nginx", "apache", "deploy")
"""Users that crontabs of other machines name."""
PEOPLE_FROM = 1000

taking_options = options(
    click.option("--owner", help="Owner of the triggers. [default: the kind and the file's name]"),
    click.option("--apply", "applying", is_flag=True, help="Apply the triggers; without this, nothing is changed."),
    click.option("--partial", is_flag=True, help="With --apply: skip the lines that cannot be imported."),
    click.option("--adopt", is_flag=True, help="With --apply: take over triggers of these names from other owners."),
    click.option("-y", "--yes", is_flag=True, help="With --apply: do not ask before removing triggers."),
    client_options,
    report_option,
)
zone_option = click.option("--zone", help="Time zone of lines that name none. [default: this machine's]")
app_option = click.option("--app", metavar="MODULE:APP", help="App that has the jobs, to name positional arguments.")


@click.group("import", cls=NounGroup)
def importing() -> None:
    """Import triggers from other programs: show them, print them for `mainspring apply` (-o yaml), or --apply them.

    The command reads files and runs nothing in them. It names every line that it cannot import, and then exits 8.
    """


@importing.command("crontab")
@click.argument("file")
@click.option(
    "--system/--no-system",
    default=None,
    help="Expect a user before each command, as in /etc/crontab; without this, such lines are refused.",
)
@zone_option
@taking_options
def import_crontab(*, file: str, system: bool | None, zone: str | None, **chosen: Any) -> None:
    """Import a crontab, or - for stdin; each line becomes a trigger of the built-in handler `shell`."""
    from mainspring.domain.imports.crontab import read_crontab  # noqa: PLC0415 loads a part of the executor

    with_users = True if system is None and file.startswith(SYSTEM_FILES) else system
    home, now = zone or local_zone(), SystemClock().now()
    found = read_crontab(read(file), zone=home, now=now, with_users=with_users, users=users())
    take_over(found, "crontab", named(file), **chosen)


@importing.command("celery")
@click.argument("source", metavar="[FILE_OR_MODULE]", required=False)
@click.option(
    "--load", metavar="MODULE:APP", help="Import this app and read its schedule, instead of a file: its code is run."
)
@click.option("--zone", help="Time zone. [default: that of the file or the app, or UTC]")
@app_option
@taking_options
def import_celery(*, source: str | None, load: str | None, zone: str | None, app: str | None, **chosen: Any) -> None:
    """Import the entries of Celery beat from a Python file, or with --load from an app."""
    from mainspring.cli.importers.beat import read_beat  # noqa: PLC0415 only this command reads it

    if (source is None) == (load is None):
        raise click.UsageError("name a file or module to read, or an app to --load")
    now = SystemClock().now()
    if load is not None:
        asking: Any = importlib.import_module("mainspring.cli.importers.celery_app")
        found = asking.read_app(asking.load_app(load), now=now, zone=zone, known=jobs_by(app))
        take_over(found, "celery", load, **chosen)
    elif source is not None:
        path = source if source == "-" or Path(source).is_file() else module_file(source)
        found = read_beat(read(path), path, now=now, arguments=arguments_by(app), zone=zone)
        take_over(found, "celery", named(path), **chosen)


@importing.command("apscheduler")
@click.argument("source", metavar="FILE_OR_MODULE")
@zone_option
@app_option
@taking_options
def import_apscheduler(*, source: str, zone: str | None, app: str | None, **chosen: Any) -> None:
    """Import the jobs of APScheduler 3 from a Python file that adds them, or a JSON file that lists them."""
    from mainspring.cli.importers.apscheduler import read_apscheduler, refuse_store  # noqa: PLC0415 loads yaml

    refuse_store(source)
    path = source if source == "-" or Path(source).is_file() else module_file(source)
    found = read_apscheduler(
        read(path),
        path,
        now=SystemClock().now(),
        arguments=arguments_by(app),
        zone=zone,
        local=zone or local_zone(),
    )
    take_over(found, "apscheduler", named(path), **chosen)


def named(file: str) -> str:
    return "stdin" if file == "-" else file


def users() -> frozenset[str]:
    """Return the accounts of people on this machine, and usual ones, except those named like a command."""
    # System accounts have lower numbers, and names of commands: mail, man, sync.
    names = {*ACCOUNTS, *(account.pw_name for account in pwd.getpwall() if account.pw_uid >= PEOPLE_FROM)}
    return frozenset(name for name in names if shutil.which(name) is None)


def arguments_by(app: str | None) -> "Arguments":
    """Return a function that names positional arguments by the app's jobs."""
    known = jobs_by(app)

    def by_name(job: str, args: list[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        if not args:
            return dict(kwargs)
        handler = known(job)
        if handler is None:
            hint = "--app names them" if app is None else f"{app} has no job {job!r}"
            raise UnfitError(f"passes arguments by position, whose names are not known: {hint}, or use kwargs")
        names = [parameter.name for parameter in handler.signature.arguments]
        if len(args) > len(names):
            raise UnfitError(f"passes {len(args)} arguments, and {job} takes {len(names)}")
        return {**dict(zip(names, args, strict=False)), **kwargs}

    return by_name


def jobs_by(app: str | None) -> Callable[[str], Any]:
    """Return a function that finds a job of the app by name; without an app, it finds none."""
    if app is None:
        return lambda _: None
    sources: Any = importlib.import_module("mainspring.cli.commands.triggers.sources")
    found: Callable[[str], Any] = sources.handlers_of(app).get
    return found
