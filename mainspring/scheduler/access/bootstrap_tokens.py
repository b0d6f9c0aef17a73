"""The first tokens of a store, and the tokens kept at home: both have to be there, and to fit each other.

Only hashes are in the store, so what home has lost cannot be brought back, only replaced.
"""

import logging
from pathlib import Path

import msgspec

from mainspring.domain.access.permissions import NAMESPACE_ALL, SYSTEM, Role
from mainspring.domain.access.token import NewToken
from mainspring.errors import AccessDeniedError
from mainspring.scheduler.access.cache import AccessCache
from mainspring.settings import TOKEN_API, TOKEN_EXECUTOR, ServerSettings, keep_token, read_token

log = logging.getLogger("mainspring.access")

FILES = {Role.ADMIN: TOKEN_API, Role.EXECUTOR: TOKEN_EXECUTOR}
RECOVER = "make one with 'mainspring tokens create --role admin --all-namespaces --database-url …'"


class Bootstrapped(msgspec.Struct, frozen=True):
    """The settings with their tokens, and the admin token if it is new: it is shown once."""

    settings: ServerSettings
    new_admin: str = ""


async def bootstrap_tokens(settings: ServerSettings, access: AccessCache, *, with_executor: bool) -> Bootstrapped:
    """Make the first tokens if there are none, and find out which of those at home are good."""
    await access.tick()
    given = {Role.ADMIN: settings.api_token, Role.EXECUTOR: settings.executor_token}
    kept = {role: read_token(settings.home, FILES[role]) for role, text in given.items() if not text}
    found = await access.tokens.found(kept) if kept else {}
    if found:
        keep_found(settings.home, kept, found)
    else:
        found = {role: await good_or_nothing(settings.home, role, text, access) for role, text in kept.items()}
        warn_without_admin(given[Role.ADMIN], access)
    texts = given | found
    if with_executor and not texts[Role.EXECUTOR]:
        texts[Role.EXECUTOR] = await replace_executor(settings, access)
    new_admin = found[Role.ADMIN] if found.get(Role.ADMIN, "") != kept.get(Role.ADMIN, "") else ""
    complete = msgspec.structs.replace(settings, api_token=texts[Role.ADMIN], executor_token=texts[Role.EXECUTOR])
    return Bootstrapped(complete, new_admin)


def keep_found(home: str, kept: dict[Role, str], found: dict[Role, str]) -> None:
    for role, text in found.items():
        path = Path(home) / FILES[role]
        if text == kept[role]:
            log.info("this database had no tokens: the one in %s was taken over as its %s token", path, role)
            continue
        if kept[role]:
            log.warning("%s did not hold a token of this version; it is replaced by a new %s token", path, role)
        keep_token(home, FILES[role], text)


async def good_or_nothing(home: str, role: Role, text: str, access: AccessCache) -> str:
    path = Path(home) / FILES[role]
    if not text:
        log.info("this database has tokens, and %s is not there: a user of this machine has to bring one", path)
        return ""
    try:
        await access.admit(text)
    except AccessDeniedError as error:
        log.warning("%s opens nothing in this database: %s", path, error)
        return ""
    return text


def warn_without_admin(given: str, access: AccessCache) -> None:
    if not given and not access.has_admin():
        log.warning("this server has no active admin token, so it cannot be administered: %s", RECOVER)


async def replace_executor(settings: ServerSettings, access: AccessCache) -> str:
    """A token for the executor that is started with this server."""
    wanted = NewToken(name=f"executor beside {settings.scheduler.name}", role=Role.EXECUTOR, namespace=NAMESPACE_ALL)
    issued = await access.tokens.create_as(wanted, by=SYSTEM)
    path = keep_token(settings.home, TOKEN_EXECUTOR, issued.text)
    log.warning("a new token was made for the executor beside this server: %s", path)
    return issued.text
