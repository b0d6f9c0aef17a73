"""Play a new user, with real processes in a folder of their own, and write docs/walk-through.md from what was printed."""

import asyncio
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from scripts.walk_through_text import STEPS, TITLE, Step, normal
from tests.support.processes import ServerProcess, clean_environment, eventually

PAGE = Path(__file__).parents[1] / "docs" / "walk-through.md"
UP = "mainspring up"
LOGGED = re.compile(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z [A-Z]+ .*\n", re.MULTILINE)
ID = re.compile(r"^[0-9a-f-]{36}$", re.MULTILINE)
TIMEOUT = 60
NAME = "laptop"


class User:
    """Types commands in one folder, and notes what they print."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        bin_folder = Path(sys.executable).parent
        self._env = clean_environment(
            MAINSPRING_LOG_FORMAT="text",
            TZ="UTC",
            LC_ALL="C.UTF-8",
            PATH=f"{bin_folder}:{os.environ['PATH']}",
            XDG_CONFIG_HOME=str(folder / "settings"),
            MAINSPRING_EXECUTOR_NAME=NAME,
        )
        self._runs: dict[str, str] = {}
        self._server: ServerProcess | None = None

    async def take(self, step: Step) -> str:
        """The step as a part of the page."""
        said = step.words
        if step.file:
            with (self._folder / "shop" / step.file).open("a") as file:
                file.write(step.code)
            said += f'\n\n```python title="{step.file}"\n{step.code.strip()}\n```'
        if step.commands:
            typed = [await self._type(command, step) for command in step.commands]
            said += "\n\n```console\n" + "\n".join(typed).rstrip() + "\n```"
        return said

    async def _type(self, command: str, step: Step) -> str:
        shown = command.format(**self._runs)
        if shown.startswith(UP):
            return f"$ {shown}\n{await self._start(shown)}"
        if step.until:
            await eventually(lambda: self._ready(shown, step.until), f"{step.until!r} from {shown}", within=TIMEOUT)
        printed = self._call(shown, refused=step.refused)
        if step.run and (found := ID.search(printed)):
            self._runs[step.run] = found[0]
        return f"$ {shown}\n{printed}"

    async def _start(self, shown: str) -> str:
        words = shown.split()[1:]
        self._server = ServerProcess(words, log=self._folder / "up.log", env=self._env, folder=self._folder / "shop")
        self._server.start()
        await self._server.ready(executors=1)
        self._env["MAINSPRING_URL"] = self._server.url
        return LOGGED.sub("", self._server.said).strip() + "\n"

    def _ready(self, shown: str, until: str) -> bool:
        looked = re.sub(r"^mainspring enqueue (\w+).*", r"mainspring jobs show \1", shown)
        return re.search(until, self._run(looked).stdout) is not None

    def _call(self, shown: str, *, refused: bool) -> str:
        done = self._run(shown)
        if bool(done.returncode) != refused:
            raise ChildProcessError(f"{shown} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout + (done.stderr if refused else "")

    def _run(self, shown: str) -> subprocess.CompletedProcess[str]:
        place = self._folder / "shop"
        return subprocess.run(
            ["bash", "-c", shown],
            env=self._env,
            cwd=place if place.exists() else self._folder,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )

    async def leave(self) -> None:
        if self._server is not None:
            await self._server.terminate()

    def close(self) -> None:
        if self._server is not None:
            self._server.close()


async def record() -> str:
    """The page, as it is this time."""
    with tempfile.TemporaryDirectory() as folder:
        user = User(Path(folder))
        try:
            parts = [await user.take(step) for step in STEPS]
            await user.leave()
        finally:
            user.close()
        return normal("\n\n".join([TITLE, *parts]) + "\n", folder)


if __name__ == "__main__":
    PAGE.write_text(asyncio.run(record()))
