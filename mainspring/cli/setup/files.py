"""`mainspring files`."""

from importlib.resources import as_file, files
from pathlib import Path

import click

from mainspring.errors import ConfigError

PACKAGE = "mainspring"
KINDS = ("compose", "container", "grafana", "haproxy", "helm", "prometheus", "systemd")
PLACES = {"container": "Containerfile"}
"""Kinds whose name differs from that of their file or folder."""


@click.command("files")
@click.argument("kind", type=click.Choice(KINDS))
@click.option("--to", "target", metavar="FOLDER", default=".", show_default=True, help="Folder to write to.")
@click.option("--force", is_flag=True, help="Overwrite files that are there and differ.")
def deploy_files(*, kind: str, target: str, force: bool) -> None:
    """Write the files to install Mainspring with: systemd units, a Helm chart, compose, a Containerfile and more."""
    with as_file(files(PACKAGE) / "deploy" / PLACES.get(kind, kind)) as source:
        found = {path.relative_to(source.parent if source.is_file() else source): path for path in sources(source)}
        written = {Path(target) / name: path.read_bytes() for name, path in sorted(found.items())}
    check_targets(written, force=force)
    for path, content in written.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        click.echo(path)


def sources(source: Path) -> list[Path]:
    return [source] if source.is_file() else [path for path in source.rglob("*") if path.is_file()]


def check_targets(written: dict[Path, bytes], *, force: bool) -> None:
    """Raises ConfigError, before anything is written, if a file would be lost."""
    for path, content in written.items():
        if path.exists() and not force and (path.is_dir() or path.read_bytes() != content):
            raise ConfigError(f"{path} is there and differs: --force overwrites it")
