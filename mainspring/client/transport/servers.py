"""The servers to talk to, and the headers of every call."""

from collections.abc import Iterable, Iterator, Sequence
from urllib.parse import urlsplit

import msgspec

from mainspring.discovery.address import is_source
from mainspring.errors import ConfigError, UnavailableError
from mainspring.settings import TOKEN_API, ClientSettings, load, read_token
from mainspring.settings.loopback import is_loopback
from mainspring.settings.sections import HOME_DEFAULT

TIMEOUT = 30.0
CONNECT_MAX = 3.0
"""Seconds to wait for a connection where there is another server to try."""
UNREACHABLE = "unreachable"

Urls = str | Iterable[str] | None
"""Addresses of servers, tried in this order: one, several with commas between them, or a list."""
Given = tuple[Urls, str | None, str | None]
"""Addresses, token and namespace, as far as the caller named them."""


def find_server(
    given: Given,
    *,
    ca_file: str | None = None,
    home: str | None = None,
    config: str | None = None,
    context: str | None = None,
) -> ClientSettings:
    """The caller's servers, or those of the environment, a context, a file and the home directory."""
    url, token, namespace = given
    urls = url if url is None or isinstance(url, str) else tuple(url)
    flags = {"url": urls, "token": token, "namespace": namespace, "ca_file": ca_file, "home": home}
    settings = with_books(load(ClientSettings, flags, config=config, context=context))
    check_urls(settings.url)
    return msgspec.structs.replace(settings, token=find_token(settings))


def with_books(settings: ClientSettings) -> ClientSettings:
    """The settings with the servers of their address books in place of these, if they name any."""
    if not any(map(is_source, settings.url)):
        return settings
    # Only a client with address books pays for importing their adapters.
    from mainspring.discovery.resolve import servers_of  # noqa: PLC0415

    return msgspec.structs.replace(settings, url=servers_of(settings))


def find_token(settings: ClientSettings) -> str:
    """Raises ConfigError if there is none."""
    found = settings.token or home_token(settings)
    if not found:
        raise ConfigError(
            f"no token for {', '.join(settings.url)}: set MAINSPRING_TOKEN or MAINSPRING_TOKEN_FILE, choose a context "
            f"that has one, or name the home of the server (not {settings.home})"
        )
    return found


def home_token(settings: ClientSettings) -> str:
    """The token of a server on this machine; it goes elsewhere only if its home was named."""
    here = all(is_loopback(urlsplit(url).hostname or "") for url in settings.url)
    if settings.home == HOME_DEFAULT and not here:
        return ""
    return read_token(settings.home, TOKEN_API)


def check_urls(urls: Sequence[str]) -> None:
    """Raises ConfigError unless there is one at least, and calls can go to all of them."""
    if not urls:
        raise ConfigError("no address of a server is given, such as http://127.0.0.1:8484")
    for url in urls:
        check_url(url)


def check_url(url: str) -> None:
    """Raises ConfigError unless it is an address that calls can go to."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good:
        raise ConfigError(f"url: {url!r} is not the address of a server, such as http://127.0.0.1:8484")
    if "@" in parts.netloc:
        raise ConfigError("url: leave user and password out of the address: the token has a setting of its own")


def headers(settings: ClientSettings) -> dict[str, str]:
    from mainspring.domain.access.permissions import check_namespace_name  # noqa: PLC0415 not for those who only define jobs

    place = {"mainspring-namespace": check_namespace_name(settings.namespace)} if settings.namespace else {}
    return {"authorization": f"Bearer {settings.token}"} | place


class UnreachableError(UnavailableError):
    """No answer came; `unsent`: the server cannot have got the whole request."""

    code = UNREACHABLE
    unsent = False


def unreachable(url: object, error: Exception, *, unsent: bool = False) -> UnreachableError:
    made = UnreachableError(f"{url} cannot be reached: {reason_of(error)}")
    made.unsent = unsent
    return made


def reason_of(error: Exception) -> str:
    """The innermost reason that says something, in plain words."""
    chain = list(causes(error))
    for cause in chain:
        for name, words in REASONS:
            if any(kind.__name__ == name for kind in type(cause).__mro__):
                return words.format(error=cause)
    return str(error) or type(error).__name__


def causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


REASONS = (
    ("ConnectionRefusedError", "nothing listens there"),
    ("gaierror", "the name of the host is not known"),
    ("SSLCertVerificationError", "its certificate is not trusted: {error.verify_message}"),
    ("SSLError", "it does not speak TLS as expected; is the address http or https?"),
    ("ProxyRefusedError", "{error}"),
    ("NoAnswerError", "it closed the connection without an answer; is the address http or https?"),
    ("BrokenOffError", "the connection broke off"),
    ("NotHttpError", "it does not speak HTTP"),
    ("RemoteDisconnected", "it closed the connection without an answer; is the address http or https?"),
    ("ConnectionResetError", "the connection broke off"),
    ("BrokenPipeError", "the connection broke off"),
    ("BadStatusLine", "it does not speak HTTP"),
    ("TimeoutError", "it took too long to answer"),
)
"""By the name of the class: a client that makes no secure call need not load ssl."""
