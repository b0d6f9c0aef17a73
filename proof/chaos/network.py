"""The network of a trial: a namespace for each place on one bridge, in which packets from any place to any other can be lost.

A pair is cut by teaching one side a hardware address for the other that nobody has: its packets leave and reach no one, no
connection is refused and no error is reported, as when a cable is cut between two switches. It works in one direction at a
time, so a one-way partition is half of a cut.
"""

import os
import shutil
import subprocess
from typing import Protocol

from proof.chaos.leftovers import Leftovers, quietly
from proof.chaos.places import PLACES, number

BRIDGE = "chaos0"
NOBODY = "02:de:ad:00:00:00"
"""A hardware address that no place has."""


class Network(Protocol):
    """Where places are, and what is between them."""

    can_cut: bool

    def open(self) -> None: ...

    def address(self, place: str) -> str: ...

    def enter(self, place: str) -> list[str]:
        """What a command begins with to be run at that place."""

    def deafen(self, target: str, *, to: str) -> None:
        """Lose every packet on its way from `to` to the target."""

    def hear(self, target: str, *, to: str) -> None:
        """Undo that."""


class Namespaces:
    """One network namespace for each place; needs root."""

    can_cut = True

    def __init__(self, leftovers: Leftovers) -> None:
        self._leftovers = leftovers

    def open(self) -> None:
        self._leftovers.note("link", BRIDGE)
        ip("link", "add", BRIDGE, "type", "bridge")
        ip("link", "set", BRIDGE, "up")
        for place in PLACES:
            self._add(place)

    def address(self, place: str) -> str:
        return f"10.77.0.{number(place)}"

    def enter(self, place: str) -> list[str]:
        return ["nsenter", f"--net=/run/netns/{named(place)}", "--"]

    def deafen(self, target: str, *, to: str) -> None:
        inside(to, "neigh", "replace", self.address(target), "lladdr", NOBODY, "dev", "eth0", "nud", "permanent")

    def hear(self, target: str, *, to: str) -> None:
        quietly("ip", "-n", named(to), "neigh", "delete", self.address(target), "dev", "eth0")

    def _add(self, place: str) -> None:
        outer = f"chaos-{place}"
        self._leftovers.note("namespace", named(place))
        ip("netns", "add", named(place))
        # The system takes down a namespace in its own time: a link of the trial before may still be there.
        quietly("ip", "link", "delete", outer)
        ip("link", "add", outer, "type", "veth", "peer", "name", "eth0", "netns", named(place))
        ip("link", "set", outer, "master", BRIDGE, "up")
        inside(place, "address", "add", f"{self.address(place)}/24", "dev", "eth0")
        inside(place, "link", "set", "eth0", "up")
        inside(place, "link", "set", "lo", "up")


class Loopback:
    """Where namespaces are not permitted: places are addresses of this machine, and nothing between them can be cut."""

    can_cut = False

    def open(self) -> None: ...

    def address(self, place: str) -> str:
        return f"127.77.0.{number(place)}"

    def enter(self, place: str) -> list[str]:  # noqa: ARG002
        return []

    def deafen(self, target: str, *, to: str) -> None:
        raise NotImplementedError(f"{to} and {target} are on one machine")

    def hear(self, target: str, *, to: str) -> None: ...


def namespaces_permitted() -> bool:
    """Found out by making one."""
    if os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("nsenter"):
        return False
    probe = f"chaos-probe-{os.getpid()}"
    made = quietly("ip", "netns", "add", probe)
    return made and quietly("ip", "netns", "delete", probe)


def named(place: str) -> str:
    return f"chaos-{place}"


def inside(place: str, *words: str) -> None:
    ip("-n", named(place), *words)


def ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise OSError(f"ip {' '.join(words)}: {done.stderr.strip()}")
