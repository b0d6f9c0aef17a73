"""Serves sign-ins at identity providers: the browser goes there, and comes back with a code."""

import base64
import binascii
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

import msgspec
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.cookies import PLAIN_NAME, SECURE_NAME, put_cookie
from mainspring.api.http.headers import header
from mainspring.api.routes.access.sign_in import browser_of
from mainspring.clock import Clock
from mainspring.contract.access import ProviderInfo, ProviderList
from mainspring.contract.operations import users
from mainspring.domain.access.permissions import Actor
from mainspring.domain.access.provider import Provider, new_user_of, subject_of
from mainspring.domain.ids import Ids
from mainspring.errors import MainspringError
from mainspring.identity.fetch import Fetcher
from mainspring.identity.providers import TICKET_LIFE, Providers, Return, SignInTicket
from mainspring.outgoing.guard import Guard
from mainspring.scheduler.access.sign_ins import SignedIn
from mainspring.scheduler.access.vault import SecretLockedError, Vault
from mainspring.settings import ServerSettings
from mainspring.settings.keys import secret_keys
from mainspring.settings.providers import read_providers

log = logging.getLogger("mainspring.access")

CONSOLE = "/console/"
TICKET_NAME = "-ticket"
"""After the name of the sign-in's cookie."""
SEALED_FOR = "sign-in"
SEE_OTHER = 303

router = Routes()


@dataclass
class Doors:
    """The identity providers of this server, and the key for sign-ins under way."""

    providers: Providers
    vault: Vault = field(default_factory=Vault)
    console_url: str = ""
    ids: Ids = field(default_factory=Ids)

    def back(self, provider: Provider, request: Request) -> str:
        """The address that the provider is to send people back to; it has to know it beforehand."""
        path = f"/api/v1/sign-in/providers/{provider.name}/return"
        if provider.redirect_url:
            return provider.redirect_url
        if self.console_url:
            parts = urlsplit(self.console_url)
            return f"{parts.scheme}://{parts.netloc}{path}"
        return f"{request.scope['scheme']}://{header(request, b'host')}{path}"

    def write(self, ticket: SignInTicket) -> str:
        sealed = self.vault.seal(msgspec.json.encode(ticket), SEALED_FOR, self.ids.noise)
        return base64.urlsafe_b64encode(sealed).decode().rstrip("=")

    def read(self, request: Request, name: str) -> SignInTicket | None:
        """Of a browser that knows this server by that cookie, and by no other: another host might have set that."""
        text = request.cookies.get(name, "")
        try:
            sealed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
            return msgspec.json.decode(self.vault.open(sealed, SEALED_FOR), type=SignInTicket)
        except (binascii.Error, ValueError, msgspec.DecodeError, SecretLockedError):
            return None


def open_doors(settings: ServerSettings, clock: Clock) -> Doors:
    """Raises ConfigError for a provider that is not described well."""
    found = read_providers(settings)
    fetcher = Fetcher(Guard(settings.oidc_networks, setting="oidc_networks"))
    ids = Ids()
    # A server without providers needs no key here, and in tests may have no home to keep one in.
    vault = Vault(secret_keys(settings)) if found else Vault()
    return Doors(Providers(found, fetcher, clock, ids.noise), vault, settings.scheduler.console_url, ids)


@router.bind(users.LIST_PROVIDERS)
async def list_providers(call: Call) -> ProviderList:
    doors: Doors = call.request.app.state.doors
    return ProviderList([ProviderInfo(each.name, each.title or each.name) for each in doors.providers.listed()])


@router.bind(users.GO_TO_PROVIDER)
async def go_to_provider(call: Call, provider: str, query: users.GoQuery) -> Response:
    doors: Doors = call.request.app.state.doors
    back = doors.back(doors.providers.provider(provider), call.request)

    async def leave() -> Response:
        url, ticket = await doors.providers.begin(provider, back=back, then=page_of(query.then))
        answer = RedirectResponse(url, SEE_OTHER)
        put_cookie(answer, cookie_name(back) + TICKET_NAME, doors.write(ticket), seconds=TICKET_LIFE)
        return answer

    return await or_say_why(provider, leave)


@router.bind(users.RETURN_FROM_PROVIDER)
async def return_from_provider(call: Call, provider: str, query: users.ReturnQuery) -> Response:
    doors: Doors = call.request.app.state.doors
    name = cookie_name(doors.back(doors.providers.provider(provider), call.request))
    ticket = doors.read(call.request, name + TICKET_NAME)

    async def arrive() -> Response:
        claims = await doors.providers.finish(provider, ticket, Return(query.state, query.code, query.error))
        made = await admitted(call, doors.providers.provider(provider), claims)
        assert ticket is not None
        answer = RedirectResponse(ticket.then, SEE_OTHER)
        put_cookie(answer, name, made.text, seconds=int((made.sign_in.expires_at - call.now).total_seconds()))
        return answer

    answer = await or_say_why(provider, arrive)
    # A ticket is good once: the provider's code is, too.
    put_cookie(answer, name + TICKET_NAME, "", seconds=0)
    return answer


async def admitted(call: Call, provider: Provider, claims: dict[str, object]) -> SignedIn:
    """The sign-in of the user whom the claims name, who is made or changed to fit them."""
    access = call.engine.access
    wanted = new_user_of(provider, claims)
    user = await access.users.adopt(subject_of(claims), wanted, by=Actor(provider.name))
    return await access.sign_ins.for_subject(user, browser_of(call.request))


async def or_say_why(provider: str, act: Callable[[], Awaitable[Response]]) -> Response:
    """The act's answer; a person whose act fails is sent to the sign-in page, which knows the codes."""
    try:
        return await act()
    except MainspringError as error:
        log.warning("a sign-in at %s failed: %s", provider, error)
        return RedirectResponse(f"{CONSOLE}?{urlencode({'refused': error.code})}", SEE_OTHER)


def cookie_name(back: str) -> str:
    """As the browser knows this server: a proxy in front of it may speak TLS."""
    return SECURE_NAME if back.startswith("https://") else PLAIN_NAME


def page_of(wanted: str) -> str:
    """A page of the console, never another site."""
    is_page = wanted.startswith(CONSOLE) and wanted.isascii() and wanted.isprintable() and "\\" not in wanted
    return wanted if is_page else CONSOLE
