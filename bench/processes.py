"""Starts child processes in groups of their own and stops them by process id."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import psutil

GRACE = 5.0


class CommandError(Exception):
    """A command ended badly; says which, and the end of what it printed."""

    def __init__(self, command: Sequence[str], output: str) -> None:
        tail = " | ".join(line for line in output.strip().splitlines()[-2:] if line.strip())
        super().__init__(f"{Path(command[0]).name} {' '.join(command[1:3])}: {tail or 'no output'}")


def run(
    command: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    directory: Path | None = None,
    user: str | int | None = None,
    timeout: float = 600.0,
) -> str:
    """Run a command to its end and return what it printed."""
    process = subprocess.Popen(
        command,
        env={**os.environ, **(environment or {})},
        cwd=directory,
        user=user,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=timeout)
    except BaseException:
        stop(process)
        raise
    if process.returncode != 0:
        raise CommandError(command, output)
    return output


def start(
    command: Sequence[str],
    log: Path,
    *,
    environment: Mapping[str, str] | None = None,
    directory: Path | None = None,
    user: str | int | None = None,
) -> subprocess.Popen[bytes]:
    """Start a command that stays, in a session of its own, printing into `log`."""
    with log.open("ab") as out:
        return subprocess.Popen(
            command,
            env={**os.environ, **(environment or {})},
            cwd=directory,
            user=user,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )


def stop(process: subprocess.Popen[bytes] | subprocess.Popen[str], how: signal.Signals = signal.SIGTERM) -> None:
    """End a process that this module started, and whatever is left of its group."""
    if process.poll() is None:
        process.send_signal(how)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def family(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """A process and all its descendants."""
    parent = psutil.Process(process.pid)
    return [parent, *parent.children(recursive=True)]
