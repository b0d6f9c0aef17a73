"""An app for several executor processes."""

import asyncio
import os

from mainspring import App

app = App("fleet")


@app.job
async def whoami() -> int:
    return os.getpid()


@app.job
async def sit() -> None:
    await asyncio.Event().wait()
