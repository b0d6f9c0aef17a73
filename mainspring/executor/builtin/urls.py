"""Addresses as people write them, made into those that can be asked."""

from urllib.parse import SplitResult, quote, urljoin, urlsplit

from mainspring.errors import InvalidInputError

KEPT = "".join(chr(code) for code in range(33, 127) if chr(code) not in '"<>\\^`{|}')
"""Characters that are not quoted in a path or a query."""
# `%` too, since most addresses come quoted already.


def read_url(text: str) -> str:
    """The address with its host and its letters written as the wire wants them; raises InvalidInputError."""
    try:
        parts = urlsplit(text)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise unfit(f"{shown(text)!r} is not an http or https address")
        place = host_of(parts) + ("" if parts.port is None else f":{parts.port}")
    except ValueError as error:
        raise unfit(f"is not an address: {error}") from None
    query = f"?{quote(parts.query, KEPT)}" if parts.query else ""
    return f"{parts.scheme}://{place}{quote(parts.path, KEPT) or '/'}{query}"


def follow(url: str, target: str) -> str:
    """The address that a `Location` leads to, whose bytes are in `target` one by one; raises InvalidInputError."""
    try:
        return read_url(urljoin(url, quote(target, KEPT, encoding="latin-1")))
    except ValueError as error:
        raise unfit(f"a redirect leads to what is not an address: {error}") from None


def origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port


def shown(url: str) -> str:
    """The address without user, password, query and fragment."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}"


def host_of(parts: SplitResult) -> str:
    """Raises ValueError."""
    name = parts.hostname or ""
    if ":" in name:
        return f"[{name}]"
    encoded = name.encode("idna").decode()
    if not encoded.isprintable() or " " in encoded:
        raise ValueError("there are characters in its host that no name has")
    return encoded


def unfit(reason: str) -> InvalidInputError:
    return InvalidInputError("url", reason, code="bad_url")
