"""Plays one page: its Python in one namespace, its commands in one folder, from top to bottom."""

import ast
import asyncio
import contextlib
import inspect
import io
import os
import re
import shlex
import subprocess
import sys
from typing import Any

import click

from mainspring.cli.main import command, main
from mainspring.cli.output.exits import CHANGES, OK
from mainspring.cli.processes.up import announce
from tests.docs.blocks import Block, Command
from tests.docs.normal import agrees, pair_ids
from tests.docs.preludes import Prelude
from tests.docs.stage import Stage
from tests.support.limits import HANG
from tests.support.processes import clean_environment

EXPECTED = re.compile(r"^ *print\(.*\)  # (.+)$", re.MULTILINE)
SERVERS = re.compile(r"http://127\.0\.0\.1:8484|https://mainspring\.example(?:\.com)?(?::8484)?")
ELSEWHERE = re.compile(r"^(?:\w+=\S+ )*mainspring (?:server|executor)\b|postgresql://")
"""Commands for other machines: what they are called with is checked, and no more."""
SHELL = re.compile(r"\$[({\w]|[|<>]")
"""What only a shell understands; `$.total` is a place in a document."""
SAID_NO = "mainspring: "
LOOKING = re.compile(r"mainspring \w+ (?:list|show|logs|types)")
LOOKS = 500
"""Logs and counts arrive a moment after a run's end: what only looks is looked at again."""
ENDLESS = "curl -N"


class Player:
    def __init__(self, stage: Stage, prelude: Prelude) -> None:
        self._stage, self._prelude = stage, prelude
        self._names: dict[str, Any] = dict(prelude.names)
        self._stand_ins: dict[str, str] = {}

    async def play(self, block: Block) -> str:
        """What is wrong with the block, in a line; empty if it does what the page says."""
        if block.kind == "python":
            return await self.run_python(block.code)
        for typed in block.commands():
            if wrong := await asyncio.to_thread(self.run_command, typed):
                return f"$ {typed.text}: {wrong}"
        return ""

    async def run_python(self, code: str) -> str:
        compiled = compile(code, "page", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            found = eval(compiled, self._names)
            if inspect.isawaitable(found):
                await asyncio.wait_for(found, HANG)
        expected, said = EXPECTED.findall(code), printed.getvalue().splitlines()
        return f"printed {said}, not {expected}" if expected and said != expected else ""

    async def close(self) -> None:
        """End the clients that the page has made, in this loop."""
        for found in self._names.values():
            if hasattr(found, "handlers") and hasattr(found, "sync_client"):
                await found.client.close()
                found.sync_client.close()
            elif hasattr(found, "enqueue_many") and hasattr(found, "queues"):
                closing = found.close()
                if inspect.isawaitable(closing):
                    await closing

    def run_command(self, typed: Command) -> str:
        text = self._for_this_time(typed.text)
        if ELSEWHERE.search(text):
            return parse_only(text)
        code, printed = self._call(text, typed.shown)
        for _ in range(LOOKS if LOOKING.match(text) and typed.shown else 0):
            if agrees(typed.shown, printed):
                break
            code, printed = self._call(text, typed.shown)
        self._stand_ins |= pair_ids(typed.shown, printed)
        if (code not in (OK, CHANGES)) != typed.shown.startswith(SAID_NO):
            return f"exit code {code}: {printed}"
        return "" if not typed.shown or agrees(typed.shown, printed) else f"printed\n{printed}\nnot\n{typed.shown}"

    def _for_this_time(self, text: str) -> str:
        for shown, found in {**self._stand_ins, **self._prelude.stands_for(text)}.items():
            text = text.replace(shown, found)
        return SERVERS.sub(self._stage.url, text)

    def _call(self, text: str, shown: str) -> tuple[int, str]:
        if text.startswith("mainspring up"):
            assert text.split()[2] == self._stage.app, f"the page's app is {self._stage.app}"
            return captured(lambda: announce(self._stage.settings, self._stage.app))
        if text.startswith("mainspring ") and not SHELL.search(text):
            return captured(main, shlex.split(text.replace("\\\n", " ")))
        if text.startswith(ENDLESS):
            return self._read_while(text, lines=len(shown.splitlines()))
        shell = ["bash", "-c", text]
        done = subprocess.run(shell, check=False, capture_output=True, text=True, env=environment(), timeout=HANG)
        return done.returncode, done.stdout + (done.stderr if done.returncode else "")

    def _read_while(self, text: str, lines: int) -> tuple[int, str]:
        reading = subprocess.Popen(["bash", "-c", f"exec {text}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert reading.stdout is not None
        assert self._prelude.meanwhile is not None, "the prelude says what happens meanwhile"
        heard = [reading.stdout.readline()]
        self._prelude.meanwhile()
        heard += [reading.stdout.readline() for _ in range(lines - 1)]
        reading.kill()
        reading.communicate()
        return 0, b"".join(heard).decode()


def captured(act: Any, argv: list[str] | None = None) -> tuple[int, str]:
    """Exit code and output of a command that runs in this process."""
    before, code = sys.argv, 0
    sys.argv = argv or before
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        try:
            act()
        except SystemExit as ended:
            code = int(ended.code or 0)
    sys.argv = before
    return code, out.getvalue() + (err.getvalue() if code else "")


def parse_only(text: str) -> str:
    """What the command line has against these arguments."""
    words = shlex.split(text, comments=True)
    if ">" in words:  # the rest is the shell's
        words = words[: words.index(">")]
    context: Any = command.make_context("mainspring", words[words.index("mainspring") + 1 :])
    while isinstance(context.command, click.Group):
        name, found, rest = context.command.resolve_command(context, [*context._protected_args, *context.args])
        assert found is not None, f"there is no {name}"
        context = found.make_context(name, list(rest), parent=context)
    return ""


def environment() -> dict[str, str]:
    """That of the page, where `python` is this one."""
    mine = {name: value for name, value in os.environ.items() if name.startswith("MAINSPRING_")}
    folder = os.path.dirname(sys.executable)  # noqa: PTH120 a link must stay one
    return clean_environment(**mine) | {"PATH": f"{folder}:{os.environ['PATH']}"}
