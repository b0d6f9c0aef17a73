"""Secrets that came by the environment are taken out of it once they are read.

The initial environment stays readable in `/proc/<pid>/environ` for every process of the same user, such as the commands that
an executor runs, also after a variable is deleted. So the text itself is overwritten there.
"""

import logging
import os
from pathlib import Path

from mainspring.settings.sections import ClientSettings, ExecutorSettings, ServerSettings

log = logging.getLogger("mainspring.settings")

SECRETS = frozenset(
    f"{section.prefix}{name.upper()}"
    for section in (ServerSettings, ExecutorSettings, ClientSettings)
    for name in section.secrets
)
OURS = frozenset({"MAINSPRING_API_TOKEN", "MAINSPRING_EXECUTOR_TOKEN", "MAINSPRING_SECRET_KEYS"})
"""Variables that only this process needs; its code and its children inherit the others."""

STAT = Path("/proc/self/stat")
MEMORY = Path("/proc/self/mem")
ENV_START, ENV_END = 47, 48
"""Places among the numbers of /proc/self/stat that follow the name."""


def conceal() -> dict[str, str]:
    """Overwrite secrets where other processes can read them, and return ours; code of this process still finds the others."""
    given = SECRETS & os.environ.keys()
    if not given:
        return {}
    try:
        overwrite(given)
    except (OSError, ValueError, IndexError) as error:
        if STAT.exists():
            log.warning("%s can be read by other processes of this user: %s", ", ".join(sorted(given)), error)
    taken = {name: os.environ.pop(name) for name in given}
    # Again, so that they lie elsewhere.
    os.environ.update({name: text for name, text in taken.items() if name not in OURS})
    return {name: text for name, text in taken.items() if name in OURS}


def overwrite(names: frozenset[str] | set[str]) -> None:
    """Overwrite the initial values of these variables with zeros."""
    numbers = STAT.read_text().rpartition(")")[2].split()
    start, end = int(numbers[ENV_START]), int(numbers[ENV_END])
    if not 0 < start < end:
        return
    with MEMORY.open("r+b", buffering=0) as memory:
        memory.seek(start)
        place = start
        for entry in memory.read(end - start).split(b"\0"):
            name, _, value = entry.partition(b"=")
            if value and os.fsdecode(name) in names:
                memory.seek(place + len(name) + 1)
                memory.write(bytes(len(value)))
            place += len(entry) + 1
