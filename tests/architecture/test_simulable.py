"""The core takes its clock, randomness, ids, store and links as arguments, so that a whole cluster can be simulated."""

import ast
import re
from fnmatch import fnmatch, translate

import pytest

from tests.architecture.source import package
from tests.architecture.uses import uses

CORE = ("domain/*", "wire/*", "scheduler/*", "executor/*", "store/*")

EDGES = (
    "executor/process/executor.py",  # starts the link's thread and the pools
    "executor/process/shutdown.py",  # the end of that process
    "executor/pools/*",  # threads and processes are what a pool is
    "executor/breakers/guards.py",  # a lock: handlers call from any thread
    "executor/builtin/*",  # commands and requests are what they are for
    "executor/process/child.py",  # the inside of a pool's process
    "executor/link/websocket.py",  # a socket behind the Link protocol
    "executor/link/trouble.py",  # reads the errors of that socket
    "store/*/connection.py",  # drivers, and the thread that SQLite needs
    "store/postgres/connect.py",  # sockets to a database
    "store/postgres/pool.py",  # and how long to wait for one
    "scheduler/off_loop.py",  # a thread for long computations, for the same reason as below
    "scheduler/access/passwords.py",  # a hash takes a thread, as the loop must not stand still for it
)

REFUSED = (
    "time.*",
    "datetime.datetime.now",
    "datetime.datetime.utcnow",
    "datetime.datetime.today",
    "datetime.date.today",
    "random.*",
    "secrets.*",
    "uuid.uuid[1-8]",
    "uuid.getnode",
    "os.urandom",
    "os.getrandom",
    "os.fork",
    "os.kill",
    "socket.*",
    "ssl.*",
    "selectors.*",
    "threading.*",
    "_thread.*",
    "multiprocessing.*",
    "concurrent.futures.*",
    "subprocess.*",
    "signal.*",
    "asyncio.sleep",
    "asyncio.timeout",
    "asyncio.timeout_at",
    "asyncio.wait_for",
    "asyncio.to_thread",
    "asyncio.run",
    "asyncio.open_connection",
    "asyncio.open_unix_connection",
    "asyncio.start_server",
    "asyncio.create_subprocess_*",
    "*.run_in_executor",
    "*.run_coroutine_threadsafe",
    "*.create_connection",
    "*.create_server",
    "*.call_later",
    "*.call_at",
)

is_refused = re.compile("|".join(map(translate, REFUSED))).match

REFUSED_IMPORTS = ("websockets", "httpx2", "uvicorn", "fastapi", "uvloop")

ALLOWED = {("domain/ids.py", "os.urandom")}
"""A default argument: the randomness of Ids is given from outside whenever it matters."""

CORE_FILES = [
    source
    for source in package()
    if any(fnmatch(source.inside, core) for core in CORE) and not any(fnmatch(source.inside, edge) for edge in EDGES)
]


def test_the_core_reads_no_clock_throws_no_dice_and_opens_nothing() -> None:
    broken = [
        f"{source.name}:{line} uses {name}"
        for source in CORE_FILES
        for line, name in uses(source.tree)
        if is_refused(name) and (source.inside, name) not in ALLOWED
    ]
    broken += [
        f"{source.name}:{line} imports {name}"
        for source in CORE_FILES
        for line, name in source.imported()
        if name.partition(".")[0] in REFUSED_IMPORTS
    ]

    assert broken == []


def test_the_one_allowed_source_of_randomness_is_a_default_argument() -> None:
    (ids,) = (source for source in CORE_FILES if source.inside == "domain/ids.py")
    defaults = {
        ast.unparse(default)
        for function in ids.functions()
        for default in function.args.defaults + function.args.kw_defaults
        if default
    }

    assert [name for _, name in uses(ids.tree) if name == "os.urandom"] == ["os.urandom"]
    assert "os.urandom" in defaults


@pytest.mark.parametrize("edge", EDGES)
def test_every_edge_exists(edge: str) -> None:
    assert any(fnmatch(source.inside, edge) for source in package())


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("import time\ntime.monotonic()", "time.monotonic"),
        ("from time import monotonic as m\nm()", "time.monotonic"),
        ("from datetime import datetime\ndatetime.now()", "datetime.datetime.now"),
        ("import datetime as dt\ndt.datetime.now(dt.UTC)", "datetime.datetime.now"),
        ("import asyncio\nasyncio.get_running_loop().run_in_executor(None, f)", "?.run_in_executor"),
        ("def f(loop):\n    loop.run_in_executor(None, f)", "?.run_in_executor"),
        ("class A:\n    def f(self):\n        self.loop.call_later(1, f)", "?.loop.call_later"),
        ("from os import urandom\nclass A:\n    source = urandom", "os.urandom"),
        ("import random\nclass A:\n    jitter = staticmethod(random.random)", "random.random"),
        ("import asyncio\nasyncio.sleep(1)", "asyncio.sleep"),
    ],
)
def test_the_walk_sees_through_aliases_and_values(text: str, name: str) -> None:
    seen = [used for _, used in uses(ast.parse(text))]

    assert name in seen
    assert is_refused(name)


@pytest.mark.parametrize(
    "text",
    [
        "import asyncio\nasyncio.sleep(0)",
        "import random\ndef f(source: random.Random) -> random.Random: ...",
        "def f(clock):\n    clock.sleep(1)\n    clock.now()\n    clock.monotonic()",
    ],
)
def test_what_is_given_as_an_argument_may_be_used(text: str) -> None:
    seen = [used for _, used in uses(ast.parse(text))]

    assert not [used for used in seen if is_refused(used)]
