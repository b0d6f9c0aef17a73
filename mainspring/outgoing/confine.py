"""Confines a process that runs a library which opens its own sockets: the interpreter itself asks the guard.

Only for a process that does nothing else: an audit hook cannot be taken back.
"""

import os
import site
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mainspring.outgoing.guard import Guard

CALLS_OUT = ("socket.connect", "socket.sendto", "socket.sendmsg")
NEVER = (
    *("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.forkpty", "pty.spawn"),
    *("syslog.openlog", "syslog.syslog"),
)
"""Other ways out of a process than a connection."""
TRUSTED = ("/etc/ssl", "/etc/pki", "/usr/share", "/usr/lib", "/usr/local/share", "/dev/null", "/dev/urandom")
"""Where certificates, zones and shared libraries are found, besides the interpreter's own folders."""


def confine(guard: Guard) -> list[str]:
    """Refuse this process every address that the guard refuses, other programs, and files that are not the interpreter's.

    Returns the list to which refusals are added, for libraries swallow the errors that they get.
    """
    folders, refusals = own_folders(), list[str]()

    def hook(event: str, args: Sequence[Any]) -> None:
        reason = refusal(guard, folders, event, args)
        if reason is not None:
            refusals.append(reason)
            raise PermissionError(reason)

    sys.addaudithook(hook)
    return refusals


def refusal(guard: Guard, folders: tuple[str, ...], event: str, args: Sequence[Any]) -> str | None:
    if event in CALLS_OUT:
        return refused_address(guard, args[1])
    if event in NEVER:
        return f"{event} is not for channels"
    if event == "open" and isinstance(args[0], str | bytes | os.PathLike):
        path = os.path.realpath(os.fsdecode(args[0]))
        # A template or an attachment that an address names would carry a file of the server away.
        return None if path.startswith(folders) else f"{path} is not for channels"
    return None


def refused_address(guard: Guard, address: Any) -> str | None:
    """Why this address may not be reached; a connected datagram socket sends without one."""
    if address is None:
        return None
    if not isinstance(address, tuple):
        return "a local socket is not for channels"
    try:
        return guard.refusal(str(address[0]))
    except ValueError:
        # The interpreter resolves a name that is connected to directly, and does not show the hook to which address.
        return f"{address[0]} is a name, not an address"


def own_folders() -> tuple[str, ...]:
    """Folders whose files may be opened: those of the interpreter, its packages, certificates, and temporary files."""
    named = [*sysconfig.get_paths().values(), *site.getsitepackages(), *filter(None, sys.path), sys.prefix]
    roots = [*named, sys.base_prefix, str(Path(__file__).parents[2] / "mainspring"), tempfile.gettempdir(), *TRUSTED]
    return tuple(dict.fromkeys(os.path.realpath(each) for each in roots))
