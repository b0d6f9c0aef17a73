"""The app of the children in which a bug is looked for."""

import os
import signal
from pathlib import Path

from mainspring import App, Pool

app = App("zoo")


@app.job(pool=Pool.PROCESSES)
def leave_line(trace: str, number: int) -> int:
    with Path(trace).open("a") as out:
        out.write(f"{number}\n")
    return os.getpid()


@app.job(pool=Pool.PROCESSES)
def kill_child() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
