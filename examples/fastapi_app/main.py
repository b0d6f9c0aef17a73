"""The web side of the sign-up service."""

import os
from typing import Any

from fastapi import FastAPI, HTTPException
from jobs import app as jobs
from jobs import count_letters, welcome
from pydantic import BaseModel

from mainspring import NotFoundError
from mainspring.contrib.fastapi import MainspringClient, lifespan

web = FastAPI(lifespan=lifespan(jobs, executor=os.environ.get("EXECUTOR_INSIDE") == "1"))


class Signup(BaseModel):
    email: str


@web.post("/signups", status_code=202)
async def sign_up(signup: Signup) -> dict[str, str]:
    # The same address twice is one mail.
    run = await welcome.options(key=f"welcome {signup.email}").enqueue(email=signup.email)
    return {"run": run.id}


@web.get("/signups/{run}")
async def show(run: str, mainspring: MainspringClient) -> dict[str, Any]:
    try:
        found = await mainspring.get(run)
    except NotFoundError:
        raise HTTPException(404) from None
    return {"state": found.state, "result": found.result}


@web.get("/letters/{email}")
async def letters(email: str) -> int:
    run = await count_letters.enqueue(email=email)
    return await run.result(timeout=10)
