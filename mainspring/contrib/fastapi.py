"""For FastAPI, and for Starlette beneath it: a lifespan for an app of jobs, and its client as a dependency."""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Annotated, Any

from fastapi import Depends
from starlette.requests import HTTPConnection

from mainspring.app import App
from mainspring.client.async_client import AsyncClient
from mainspring.contrib.embedded import embedded_executor, executor_settings
from mainspring.errors import ConfigError
from mainspring.settings import ExecutorSettings

STATE = "mainspring"

State = Mapping[str, Any]
Lifespan = Callable[[Any], AbstractAsyncContextManager[State]]
Own = Callable[[Any], AbstractAsyncContextManager[None]] | Lifespan


def lifespan(app: App, *, executor: bool | ExecutorSettings = False, inner: Own | None = None) -> Lifespan:
    """A lifespan for `FastAPI(lifespan=…)`: opens the app's client, and closes it after the last request.

    With `executor` the app's jobs run in this process too, on threads and a loop of their own: enough for a small
    deployment, and gone with it. `inner` is a lifespan of your own, entered after this one.
    """

    @asynccontextmanager
    async def living(web: Any) -> AsyncIterator[State]:
        async with AsyncExitStack() as stack:
            client = await stack.enter_async_context(app.client)
            if executor:
                settings = executor if isinstance(executor, ExecutorSettings) else executor_settings()
                await stack.enter_async_context(embedded_executor(app, settings))
            state = None if inner is None else await stack.enter_async_context(inner(web))
            yield {**(state or {}), STATE: client}

    return living


def client_of(connection: HTTPConnection) -> AsyncClient:
    """The client that the lifespan opened."""
    found = getattr(connection.state, STATE, None)
    if not isinstance(found, AsyncClient):
        raise ConfigError("no client: make the web app with lifespan=mainspring.contrib.fastapi.lifespan(…)")
    return found


MainspringClient = Annotated[AsyncClient, Depends(client_of)]
"""A parameter of this type is the client: `async def view(mainspring: MainspringClient)`."""
