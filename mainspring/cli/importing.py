"""`mainspring import`."""

import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from mainspring.cli.exits import FAILURE
from mainspring.cli.groups import NounGroup
from mainspring.cli.importers.apscheduler import read_apscheduler, refuse_store
from mainspring.cli.importers.beat import Arguments, read_beat
from mainspring.cli.importers.crontab import read_crontab
from mainspring.cli.importers.found import Found, UnfitError
from mainspring.cli.options import client_options, options, report_option
from mainspring.cli.output import note, print_content, print_table
from mainspring.cli.words import harmless
from mainspring.clock import SystemClock
from mainspring.domain.triggers.spec import TriggerSpec
from mainspring.domain.triggers.words import say
from mainspring.errors import ConfigError

COLUMNS = ("line", "name", "job", "fires", "note")
SIZE_MAX = 16 * 1024 * 1024
LOCALTIME = Path("/etc/localtime")
SYSTEM_FILES = ("/etc/crontab", "/etc/cron.d/")

taking_options = options(
    click.option("--owner", help="Whose triggers these become. [default: the kind and the file's name]"),
    click.option("--apply", "applying", is_flag=True, help="Apply them at once; otherwise nothing is changed."),
    click.option("--partial", is_flag=True, help="With --apply: leave out what cannot be taken over."),
    click.option("--adopt", is_flag=True, help="With --apply: take over triggers of these names."),
    click.option("-y", "--yes", is_flag=True, help="With --apply: do not ask before removing triggers."),
    client_options,
    report_option,
)
zone_option = click.option("--zone", help="For what names no zone itself. [default: that of this machine]")
app_option = click.option("--app", metavar="MODULE:APP", help="Whose jobs these are, to name arguments by position.")


@click.group("import", cls=NounGroup)
def importing() -> None:
    """Take over what other programs start: show it, print it for `mainspring apply` (-o yaml), or --apply it.

    Their files are read, and nothing in them is run. Exits 1 if something could not be taken over.
    """


@importing.command("crontab")
@click.argument("file")
@click.option("--system", is_flag=True, help="Lines have a user before the command, as in /etc/crontab.")
@zone_option
@taking_options
def import_crontab(*, file: str, system: bool, zone: str | None, **chosen: Any) -> None:
    """Take over a crontab, or - for stdin; each line starts the built-in handler `shell`."""
    with_users = system or file.startswith(SYSTEM_FILES)
    found = read_crontab(read(file), zone=zone or local_zone(), now=SystemClock().now(), with_users=with_users)
    take_over(found, f"crontab:{label(file)}", **chosen)


@importing.command("celery-beat")
@click.argument("source", metavar="FILE_OR_MODULE")
@click.option("--zone", help="[default: what the file says, or UTC]")
@app_option
@taking_options
def import_beat(*, source: str, zone: str | None, app: str | None, **chosen: Any) -> None:
    """Take over the entries of Celery beat's configuration in a Python file."""
    path = source if source == "-" or Path(source).is_file() else module_file(source)
    found = read_beat(read(path), path, now=SystemClock().now(), arguments=arguments_by(app), zone=zone)
    take_over(found, f"celery-beat:{label(path)}", **chosen)


@importing.command("apscheduler")
@click.argument("source", metavar="FILE_OR_MODULE")
@zone_option
@app_option
@taking_options
def import_apscheduler(*, source: str, zone: str | None, app: str | None, **chosen: Any) -> None:
    """Take over the jobs of APScheduler 3 that a Python file adds, or a JSON file lists."""
    refuse_store(source)
    path = source if source == "-" or Path(source).is_file() else module_file(source)
    found = read_apscheduler(
        read(path), path, now=SystemClock().now(), arguments=arguments_by(app), zone=zone or local_zone()
    )
    take_over(found, f"apscheduler:{label(path)}", **chosen)


def take_over(
    found: Found,
    usual: str,
    *,
    owner: str | None,
    applying: bool,
    partial: bool,
    adopt: bool,
    yes: bool,
    output: str,
    **target: Any,
) -> None:
    whose = owner or usual
    for each in found.refused:
        click.echo(
            f"line {each.line}: not taken over: {harmless(each.reason)}  ({harmless(each.text[:100])})", err=True
        )
    specs = [each.spec for each in found.taken]
    if not applying:
        show(found, whose, specs, output)
    elif found.refused and not partial:
        raise ConfigError(f"nothing was applied: {len(found.refused)} cannot be taken over; see --partial")
    else:
        apply_specs(whose, specs, adopt=adopt, yes=yes, output=output, target=target)
    click.get_current_context().exit(FAILURE if found.refused else 0)


def show(found: Found, owner: str, specs: Sequence[TriggerSpec], output: str) -> None:
    files: Any = importlib.import_module("mainspring.cli.trigger_files")
    if output == "yaml":
        click.echo(files.write_file(owner, specs), nl=False)
    elif output == "json":
        print_content({"owner": owner, "triggers": specs, "refused": found.refused}, output)
    else:
        rows = [
            (each.line, each.spec.name, each.spec.job, say(each.spec), "; ".join(each.notes) or None)
            for each in found.taken
        ]
        print_table(COLUMNS, rows)
        note(f"{len(rows)} can be taken over, {len(found.refused)} cannot; -o yaml prints them, --apply applies them")


def apply_specs(
    owner: str, specs: Sequence[TriggerSpec], *, adopt: bool, yes: bool, output: str, target: dict[str, Any]
) -> None:
    calling: Any = importlib.import_module("mainspring.cli.calling")
    commands: Any = importlib.import_module("mainspring.cli.apply")
    sources: Any = importlib.import_module("mainspring.cli.sources")
    with calling.open_client(**target) as client:
        written = sources.Written(owner, specs)
        done = commands.apply_one(client, written, adopt=adopt, yes=yes, words="imported", output=output)
    if output != "table":
        print_content(done, output)


def arguments_by(app: str | None) -> Arguments:
    """Names for arguments, as the jobs of the app have them."""
    known: Callable[[str], Any] = lambda _: None  # noqa: E731 the usual case
    if app is not None:
        sources: Any = importlib.import_module("mainspring.cli.sources")
        known = sources.handlers_of(app).get

    def named(job: str, args: list[Any], kwargs: Mapping[str, Any]) -> dict[str, Any]:
        if not args:
            return dict(kwargs)
        handler = known(job)
        if handler is None:
            said = "--app names them" if app is None else f"{app} has no job {job!r}"
            raise UnfitError(f"passes arguments by position, whose names are not known: {said}, or use kwargs")
        names = [parameter.name for parameter in handler.signature.arguments]
        if len(args) > len(names):
            raise UnfitError(f"passes {len(args)} arguments, and {job} takes {len(names)}")
        return {**dict(zip(names, args, strict=False)), **kwargs}

    return named


def read(file: str) -> str:
    try:
        raw = sys.stdin.buffer.read(SIZE_MAX + 1) if file == "-" else Path(file).read_bytes()
        if len(raw) > SIZE_MAX:
            raise ConfigError(f"{file}: is over the limit of {SIZE_MAX // 1024 // 1024} MB")
        return raw.decode()
    except OSError as error:
        raise ConfigError(f"{file}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{file}: is not UTF-8 at byte {error.start}") from None


def label(file: str) -> str:
    return "stdin" if file == "-" else Path(file).name


def module_file(module: str) -> str:
    """Where a module is, without importing it."""
    inside = Path(*module.split("."))
    for place in (Path.cwd(), *map(Path, sys.path)):
        for candidate in (place / inside.with_suffix(".py"), place / inside / "__init__.py"):
            if candidate.is_file():
                return str(candidate)
    raise ConfigError(f"{module}: there is no such file, and no such module here")


def local_zone() -> str:
    """The zone that cron goes by on this machine."""
    if named := os.environ.get("TZ", "").removeprefix(":"):
        return named
    if LOCALTIME.is_symlink() and "zoneinfo/" in (target := str(LOCALTIME.readlink())):
        return target.rpartition("zoneinfo/")[2]
    return "UTC"
