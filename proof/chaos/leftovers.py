"""What has to be cleared away, written down before it exists: a trial that was killed is tidied up by the next one."""

import json
import os
import signal
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import psutil


class Leftovers:
    """Processes, namespaces, links, mounts and control groups that are ours.

    They are ended by process id and by name; nothing else is.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def note_process(self, pid: int) -> None:
        with suppress(psutil.NoSuchProcess):
            self._note("process", str(pid), psutil.Process(pid).create_time())

    def note(self, kind: str, name: str) -> None:
        """`kind`: namespace, link, mount or group (of processes)."""
        self._note(kind, name, 0.0)

    def sweep(self) -> list[str]:
        """Clear away all that is written down, the newest first; say what there still was."""
        found = [json.loads(line) for line in self._lines()]
        ways: dict[str, Callable[[str, float], bool]] = {
            "process": end_process,
            "namespace": lambda name, _: quietly("ip", "netns", "delete", name),
            "link": lambda name, _: quietly("ip", "link", "delete", name),
            "mount": lambda name, _: quietly("umount", "--lazy", name),
            "group": lambda name, _: quietly("rmdir", name),
        }
        gone = [f"{kind} {name}" for kind, name, at in reversed(found) if ways[kind](name, at)]
        self._path.unlink(missing_ok=True)
        return gone

    def _note(self, kind: str, name: str, at: float) -> None:
        with self._path.open("a") as file:
            file.write(json.dumps([kind, name, at]) + "\n")

    def _lines(self) -> list[str]:
        return self._path.read_text().splitlines() if self._path.exists() else []


def end_process(name: str, created_at: float) -> bool:
    """End it and its descendants, if it is still the process that was meant."""
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(int(name))
        if abs(process.create_time() - created_at) > 1:
            return False
        for each in (process, *process.children(recursive=True)):
            with suppress(ProcessLookupError):
                os.kill(each.pid, signal.SIGKILL)
        return True
    return False


def quietly(*command: str) -> bool:
    """Whether it did what it says."""
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
