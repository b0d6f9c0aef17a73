"""Settings with which a server refuses to start: weak tokens, a broken certificate, plain HTTP to other machines."""

import ipaddress
import ssl
from pathlib import Path
from urllib.parse import urlsplit

from mainspring.domain.cluster.server import check_address, check_zone
from mainspring.errors import ConfigError
from mainspring.settings.loopback import is_loopback
from mainspring.settings.sections import ServerSettings

TOKEN_MIN = 32


def check_security(settings: ServerSettings) -> None:
    """Raises ConfigError, naming the setting to change, unless the server may start."""
    for name, token in (("API", settings.api_token), ("EXECUTOR", settings.executor_token)):
        if token and len(token) < TOKEN_MIN:
            raise ConfigError(f"MAINSPRING_{name}_TOKEN is shorter than {TOKEN_MIN} characters: take a random one")
    if settings.api_token and settings.api_token == settings.executor_token:
        raise ConfigError("MAINSPRING_API_TOKEN and MAINSPRING_EXECUTOR_TOKEN must differ: executors may do less")
    check_networks(settings)
    check_metrics(settings)
    check_certificate(settings)
    check_place(settings)
    if settings.exposed and not settings.secure and not settings.insecure:
        raise ConfigError(
            f"host {settings.host} is reachable from outside, and tokens would travel in the clear: set "
            "MAINSPRING_TLS_CERTIFICATE and MAINSPRING_TLS_KEY, or MAINSPRING_INSECURE=true if something in front speaks TLS"
        )


def check_metrics(settings: ServerSettings) -> None:
    address = settings.metrics_address
    if address is not None and not is_loopback(address[0]) and not settings.insecure:
        raise ConfigError(
            f"metrics_listen: {address[0]} is reachable from outside, and asks for no token there: take 127.0.0.1, "
            "let Prometheus show a token to /metrics instead, or set MAINSPRING_INSECURE=true"
        )


def check_place(settings: ServerSettings) -> None:
    check_zone("zone", settings.zone)
    if not settings.advertised and (settings.discovery or (settings.balance and not settings.alone)):
        raise ConfigError(
            f"advertise_url: name the address where others reach this server: {settings.host} is every one of this machine; "
            "or set balance = false where all servers have one address, that of a load balancer"
        )
    if not settings.advertise_url:
        return
    url = check_address("advertise_url", settings.advertise_url)
    if settings.exposed and is_loopback(urlsplit(url).hostname or ""):
        raise ConfigError(f"advertise_url: other machines cannot reach {url}, which names each machine itself")


def check_networks(settings: ServerSettings) -> None:
    for text in settings.trusted_proxies:
        try:
            ipaddress.ip_network(text, strict=False)
        except ValueError:
            raise ConfigError(f"trusted_proxies: {text!r} is not a network such as 10.0.0.0/8") from None


def check_certificate(settings: ServerSettings) -> None:
    if bool(settings.tls_certificate) != bool(settings.tls_key):
        missing = "tls_key" if settings.tls_certificate else "tls_certificate"
        raise ConfigError(f"{missing} is missing: tls_certificate and tls_key go together")
    if not settings.secure:
        return
    for name, path in (("tls_certificate", settings.tls_certificate), ("tls_key", settings.tls_key)):
        check_readable(name, path)
    try:
        chain = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        chain.load_cert_chain(settings.tls_certificate, settings.tls_key, password=refuse_password)
    except ssl.SSLError as error:
        raise ConfigError(certificate_trouble(settings, error)) from None


def check_readable(name: str, path: str) -> None:
    try:
        Path(path).open("rb").close()
    except OSError as error:
        raise ConfigError(f"{name}: {path!r} cannot be read: {error.strerror}") from None


def refuse_password() -> str:
    raise ConfigError("tls_key is encrypted: give the server a key without a password, readable only by it")


def certificate_trouble(settings: ServerSettings, error: ssl.SSLError) -> str:
    if error.reason == "KEY_VALUES_MISMATCH":
        return f"tls_key: {settings.tls_key!r} is not the key of the certificate {settings.tls_certificate!r}"
    return (
        f"tls_certificate {settings.tls_certificate!r} and tls_key {settings.tls_key!r} are not both PEM files: {error}"
    )


def trust(ca_file: str) -> ssl.SSLContext:
    """Whom to believe: the authorities that the system knows, or those in the file alone."""
    try:
        return ssl.create_default_context(cafile=ca_file or None)
    except OSError as error:
        reason = error.strerror or f"it holds no certificates in PEM ({error})"
        raise ConfigError(f"ca_file: {ca_file!r} cannot be read: {reason}") from None
