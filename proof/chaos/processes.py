"""Processes of a trial: started at a place, ended by id, with what they say in a file each."""

import asyncio
import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from mainspring.clock import SystemClock
from proof.chaos.leftovers import Leftovers
from proof.chaos.network import Network
from proof.chaos.waiting import until
from tests.support.processes import clean_environment

CODE = Path(__file__).resolve().parents[2]
UNPRIVILEGED = ("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--")
"""PostgreSQL and PgBouncer refuse to run as root."""


@dataclass(frozen=True)
class Ground:
    """What every process of a trial stands on."""

    folder: Path
    """For what is read afterwards: logs and records."""
    scratch: Path
    """For what is thrown away: data directories and sockets."""
    network: Network
    leftovers: Leftovers
    clock: SystemClock
    began: float

    def now(self) -> float:
        """Seconds since the trial began, the scale of all records."""
        return self.clock.monotonic() - self.began


class Actor:
    """One process at a place; it may be started again when it has ended."""

    def __init__(
        self, ground: Ground, name: str, place: str, command: Sequence[str], env: Mapping[str, str] | None = None
    ) -> None:
        self.name = name
        self.place = place
        self._ground = ground
        self._command = command
        self._env = env or {}
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with (self._ground.folder / f"{self.name}.log").open("ab") as log:
            self._process = subprocess.Popen(
                [*self._ground.network.enter(self.place), *self._command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=clean_environment(**self._env),
                cwd=CODE,
                start_new_session=True,
            )
        self._ground.leftovers.note_process(self._process.pid)

    @property
    def pid(self) -> int:
        assert self._process is not None, "not started yet"
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def said(self) -> str:
        """In all its lives."""
        return (self._ground.folder / f"{self.name}.log").read_text(errors="replace")

    def family(self) -> list[int]:
        """Its process id, and those of its descendants."""
        with suppress(psutil.NoSuchProcess):
            return [self.pid, *(child.pid for child in psutil.Process(self.pid).children(recursive=True))]
        return []

    def signal(self, number: signal.Signals) -> None:
        if self.alive:
            os.kill(self.pid, number)

    def freeze(self) -> None:
        """As a machine that is suspended: its children stand still too."""
        for pid in self.family():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)

    def thaw(self) -> None:
        for pid in self.family():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    async def kill(self) -> None:
        """As a power cut would."""
        self.signal(signal.SIGKILL)
        await self.over()

    async def terminate(self) -> tuple[int, float]:
        """Its exit code, and how long it took to come to an end."""
        began = self._ground.now()
        self.signal(signal.SIGTERM)
        return await self.over(), self._ground.now() - began

    async def over(self) -> int:
        await until(lambda: not self.alive, f"the end of {self.name}")
        assert self._process is not None
        return self._process.wait()

    def close(self) -> None:
        """End it and its descendants, whatever state they are in."""
        for pid in reversed(self.family() if self.alive else []):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if self._process is not None:
            self._process.wait()


def as_unprivileged() -> tuple[str, ...]:
    return UNPRIVILEGED if os.geteuid() == 0 else ()


async def run(*command: str | Path) -> str:
    """Run a command to its end; raises OSError with what it said if that is a bad one."""
    process = await asyncio.create_subprocess_exec(
        *map(str, command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd="/"
    )
    said, _ = await process.communicate()
    if process.returncode != 0:
        raise OSError(f"{Path(command[0]).name} {command[1]}: {said.decode(errors='replace').strip()[-300:]}")
    return said.decode(errors="replace")
