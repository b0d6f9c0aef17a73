"""`mainspring init`."""

import re
from collections.abc import Iterator
from pathlib import Path

import click

from mainspring.errors import ConfigError

TEMPLATES = Path(__file__).parent / "project"
FILES = {
    "jobs.py": "jobs.py.txt",
    "test_jobs.py": "test_jobs.py.txt",
    "mainspring.toml": "mainspring.toml.txt",
    "README.md": "README.md.txt",
    ".gitignore": "gitignore.txt",
}
NAME = "{{name}}"


@click.command()
@click.argument("folder", default=".", metavar="[DIR]")
@click.option("--force", is_flag=True, help="Replace existing files.")
def init(*, folder: str, force: bool) -> None:
    """Write a small project that runs into DIR: three jobs, their tests and settings. [default: this folder]"""
    place = Path(folder)
    refuse_file(place)
    there = [name for name in FILES if (place / name).exists()]
    if there and not force:
        raise ConfigError(f"{', '.join(there)} in {place.absolute()} would be replaced; --force does so")
    try:
        place.mkdir(parents=True, exist_ok=True)
        for name, content in contents(project_name(place)):
            (place / name).write_text(content)
    except OSError as error:
        raise ConfigError(f"{place.absolute()} cannot be written: {error.strerror}") from None
    announce(place)


def refuse_file(place: Path) -> None:
    if place.exists() and not place.is_dir():
        raise ConfigError(f"{place} is a file; name a folder")


def contents(name: str) -> Iterator[tuple[str, str]]:
    for file, template in FILES.items():
        yield file, (TEMPLATES / template).read_text().replace(NAME, name)


def project_name(place: Path) -> str:
    """Return the folder's name as a valid app name."""
    return re.sub(r"[^a-z0-9]+", "-", place.absolute().name.lower()).strip("-") or "app"


def announce(place: Path) -> None:
    here = place.absolute() == Path.cwd()
    click.echo(f"""
Wrote {", ".join(FILES)}{"" if here else f" to {place}"}.

Start it:

  {"" if here else f"cd {place} && "}mainspring up jobs:app --reload

Ask for a run, in another terminal{"" if here else " in that folder"}:

  mainspring enqueue greet name=Anna --wait
""")
