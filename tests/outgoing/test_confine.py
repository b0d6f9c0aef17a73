"""A confined process reaches no address, program or file that it should not, whatever its library tries."""

import subprocess
import sys
from pathlib import Path

import pytest

CONFINED = """
import socket, subprocess, sys, os
from mainspring.outgoing.confine import confine
from mainspring.outgoing.guard import Guard
secret = sys.argv[1]
refusals = confine(Guard(["127.0.0.3/32"]))
try:
    {act}
except PermissionError as error:
    print("refused:", error)
except OSError as error:
    print("tried:", type(error).__name__)
else:
    print("done")
"""


def confined(act: str) -> str:
    secret = Path.home() / ".mainspring-confined"
    code = CONFINED.format(act=act)
    ran = subprocess.run([sys.executable, "-c", code, str(secret)], capture_output=True, text=True, check=True)
    return ran.stdout.strip()


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ("socket.create_connection(('127.0.0.1', 9), 1)", "127.0.0.1 (loopback)"),
        ("socket.create_connection(('localhost', 9), 1)", "(loopback)"),
        ("socket.socket().connect(('localhost', 9))", "localhost is a name, not an address"),
        ("socket.socket(socket.AF_INET6).connect(('::ffff:10.0.0.1', 9))", "::ffff:10.0.0.1 (private)"),
        ("socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('10.0.0.1', 9))", "10.0.0.1 (private)"),
        ("socket.socket(type=socket.SOCK_DGRAM).sendmsg([b'x'], [], 0, ('10.0.0.1', 9))", "10.0.0.1 (private)"),
        ("socket.socket(socket.AF_UNIX).connect('/run/x.sock')", "a local socket is not for channels"),
        ("subprocess.run(['true'])", "subprocess.Popen is not for channels"),
        ("os.system('true')", "os.system is not for channels"),
        ("open(secret)", ".mainspring-confined is not for channels"),
        ("open('/proc/self/environ')", "is not for channels"),
    ],
)
def test_a_confined_process_is_refused(act: str, reason: str) -> None:
    said = confined(act)

    assert said.startswith("refused: ")
    assert said.endswith(reason)


@pytest.mark.parametrize(
    ("act", "said"),
    [
        ("socket.create_connection(('127.0.0.3', 9), 1)", "tried: ConnectionRefusedError"),
        ("import ssl; ssl.create_default_context()", "done"),
        ("import zoneinfo; zoneinfo.ZoneInfo('Europe/Berlin')", "done"),
    ],
)
def test_a_confined_process_may_still(act: str, said: str) -> None:
    assert confined(act) == said
