"""Finds or installs what the benchmark needs, in a directory of its own."""

import os
import shutil
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from bench.processes import CommandError, run

ROOT = Path(__file__).resolve().parent.parent
HOME = Path(os.environ.get("BENCH_HOME", ROOT / ".bench"))
PEERS = Path(__file__).resolve().parent / "peers"
NODE_HOME = HOME / "node"
POLICY = Path("/usr/sbin/policy-rc.d")


class MissingError(Exception):
    """Something the benchmark needs is not here and could not be installed."""


def find_program(name: str) -> str | None:
    """A program on the path or in one of Debian's PostgreSQL directories, newest first."""
    versions = sorted(map(str, Path("/usr/lib/postgresql").glob(f"*/bin/{name}")), reverse=True)
    return shutil.which(name) or next(iter(versions), None)


def require_program(name: str, package: str) -> str:
    """Find a program, installing Debian's package for it if need be and allowed."""
    found = find_program(name)
    if found is None:
        install_package(package)
        found = find_program(name)
    if found is None:
        raise MissingError(f"{name} was not found after installing {package}")
    return found


def install_package(package: str) -> None:
    """Install a Debian package whose service neither starts now nor at the next boot."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise MissingError(f"please install the package {package}")
    # Exit code 101 from this script tells Debian's packages not to start their services.
    forbid = not POLICY.exists()
    if forbid:
        POLICY.write_text("#!/bin/sh\nexit 101\n")
        POLICY.chmod(0o755)
    try:
        run(["apt-get", "install", "-y", "--no-install-recommends", package])
    finally:
        if forbid:
            POLICY.unlink()
    if shutil.which("systemctl"):
        with suppress(CommandError):
            run(["systemctl", "disable", package])


def python_of_peers(requirements: str = "requirements.txt") -> str:
    """The interpreter of the virtual environment with these peers, made on first use."""
    wanted = PEERS / requirements
    home = HOME / wanted.stem.replace("requirements", "python")
    interpreter = str(home / "bin" / "python")
    if not is_current(home, wanted):
        shutil.rmtree(home, ignore_errors=True)
        run([sys.executable, "-m", "venv", str(home)])
        run([interpreter, "-m", "pip", "install", "--quiet", "-r", str(wanted)])
        mark_current(home, wanted)
    return interpreter


def node_of_peers() -> str:
    """The peers' own Node, from npm like the peers, with their scripts beside its packages."""
    wanted = PEERS / "package.json"
    NODE_HOME.mkdir(parents=True, exist_ok=True)
    if not is_current(NODE_HOME, wanted):
        npm = require_program("npm", "npm")
        shutil.copy(wanted, NODE_HOME)
        options = ["--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel", "error"]
        run([npm, "install", *options], directory=NODE_HOME)
        mark_current(NODE_HOME, wanted)
    for script in PEERS.glob("*.mjs"):
        shutil.copy(script, NODE_HOME)
    return next(map(str, NODE_HOME.glob("node_modules/node-linux-*/bin/node")), "node")


def is_current(home: Path, wanted: Path) -> bool:
    mark = home / "installed"
    return mark.exists() and mark.read_text() == digest(wanted)


def mark_current(home: Path, wanted: Path) -> None:
    (home / "installed").write_text(digest(wanted))


def digest(file: Path) -> str:
    return sha256(file.read_bytes()).hexdigest()
