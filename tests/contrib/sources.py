"""Source distributions of packages, fetched by name with pip and kept in the environment."""

import fcntl
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

KEPT_IN = Path(sys.prefix) / "sources"


def source_of(package: str, version: str) -> Path:
    """The unpacked source distribution; fetched once, whichever process asks first."""
    unpacked = KEPT_IN / f"{package}-{version}"
    KEPT_IN.mkdir(exist_ok=True)
    with (KEPT_IN / f"{package}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not unpacked.is_dir():
            unpack(fetched(package, version))
    return unpacked


def fetched(package: str, version: str) -> Path:
    # What builds it may come as a wheel: made from its own source it would take longer than all else.
    wanted = (f"{package}=={version}", "--no-deps", "--no-binary", package, "--ignore-requires-python")
    command = [sys.executable, "-m", "pip", "download", "--quiet", *wanted, "--dest", str(KEPT_IN)]
    ended = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    return KEPT_IN / f"{package}-{version}.tar.gz"


def unpack(archive: Path) -> None:
    """Into its place whole, or not at all."""
    with tarfile.open(archive) as packed, TemporaryDirectory(dir=KEPT_IN) as half:
        packed.extractall(half, filter="data")
        [made] = Path(half).iterdir()
        made.rename(KEPT_IN / made.name)
    archive.unlink()
