"""Reasons for a missing connection, in words that an operator can act on."""

import os
import socket
import ssl

from websockets.exceptions import ConnectionClosed, InvalidHandshake, ProxyError

TEXT_MAX = 200


def dialling_trouble(error: Exception, within: float) -> str:
    """Why a connection could not be opened."""
    match error:
        case TimeoutError():
            return f"it did not answer within {within:.1f} s"
        case ssl.SSLCertVerificationError():
            return f"its certificate is not trusted: {error.verify_message}"
        case ssl.SSLError():
            return "it does not speak TLS as expected"
        case socket.gaierror():
            return "its name cannot be resolved"
        case ProxyError():
            return "the proxy on the way does not let the connection through"
        case OSError():
            return system_words(error)
        case ConnectionClosed() | EOFError():
            return "it closed the connection before it answered"
        case InvalidHandshake() if isinstance(error.__cause__, EOFError):
            return "it closed the connection before it answered"
    return "it does not answer as a server does"


def lost(error: Exception) -> str:
    """Why an open connection ended."""
    if isinstance(error, ConnectionClosed) and error.rcvd is not None:
        said = f": {printable(error.rcvd.reason)}" if error.rcvd.reason else ""
        return f"the server closed the connection (code {error.rcvd.code}{said})"
    return "the connection was lost"


def system_words(error: OSError) -> str:
    """The system's message, without the address, which the log line names already."""
    if error.errno is None or error.errno < 0:
        return "it cannot be reached"
    return os.strerror(error.errno).lower()


def printable(text: str) -> str:
    """The other side's text, fit for one line of a log."""
    return "".join(each if each.isprintable() else " " for each in text[:TEXT_MAX])
