"""The kind `email`: one mail for a notice, as text and as HTML."""

import asyncio
import html
import smtplib
import socket
import ssl
from email.message import EmailMessage
from email.utils import format_datetime

from mainspring.domain.alerts.channel import ChannelSpec, Encryption
from mainspring.domain.alerts.notice import Delivery, NoticeText
from mainspring.outgoing.guard import Guard
from mainspring.outgoing.pinned import allowed

PORTS = {Encryption.TLS: 465, Encryption.STARTTLS: 587, Encryption.NONE: 25}
TIMEOUT = 8.0


async def send(spec: ChannelSpec, message: NoticeText, guard: Guard, tls: ssl.SSLContext) -> Delivery:
    port = spec.port or PORTS[spec.encryption]
    address = (await allowed(guard, spec.host, port))[0]
    mail = mail_of(spec, message)
    return await asyncio.to_thread(deliver, spec, mail, address, port, tls)


def deliver(spec: ChannelSpec, mail: EmailMessage, address: str, port: int, tls: ssl.SSLContext) -> Delivery:
    """Runs in a thread: the library blocks."""
    try:
        kind = PinnedTls if spec.encryption is Encryption.TLS else PinnedSmtp
        with kind(spec.host, port, address, tls) as smtp:
            if spec.encryption is Encryption.STARTTLS:
                smtp.starttls(context=tls)
            if spec.username:
                smtp.login(spec.username, spec.password)
            refused = smtp.send_message(mail)
    except smtplib.SMTPResponseException as error:
        reason = (
            error.smtp_error.decode("utf-8", "replace") if isinstance(error.smtp_error, bytes) else error.smtp_error
        )
        return Delivery(ok=False, words=f"{error.smtp_code} {reason}", again=error.smtp_code < 500)
    except smtplib.SMTPException as error:
        return Delivery(ok=False, words=f"{type(error).__name__}: {error}")
    if refused:
        return Delivery(ok=False, words=f"refused for {', '.join(refused)}")
    return Delivery(ok=True, words=f"taken for {len(spec.to)} recipients")


class PinnedSmtp(smtplib.SMTP):
    """Connects to the checked address, and speaks TLS with the name."""

    def __init__(self, host: str, port: int, address: str, tls: ssl.SSLContext) -> None:
        self._address, self._tls = address, tls
        super().__init__(host, port, timeout=TIMEOUT)

    def _get_socket(self, host: str, port: int, timeout: float | None) -> socket.socket:
        del host
        return socket.create_connection((self._address, port), timeout)


class PinnedTls(PinnedSmtp):
    def _get_socket(self, host: str, port: int, timeout: float | None) -> socket.socket:
        return self._tls.wrap_socket(super()._get_socket(host, port, timeout), server_hostname=host)


def mail_of(spec: ChannelSpec, message: NoticeText) -> EmailMessage:
    mail = EmailMessage()
    mail["Subject"] = f"[mainspring] {message.title}"
    mail["From"] = spec.sender
    mail["To"] = ", ".join(spec.to)
    mail["Date"] = format_datetime(message.at)
    mail["Message-ID"] = f"<{message.id}@mainspring>"
    mail["Auto-Submitted"] = "auto-generated"
    lines = [*message.lines, *(f"{name}: {url}" for name, url in message.links)]
    mail.set_content("\n".join((message.title, "", *lines)) + "\n")
    items = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
    mail.add_alternative(f"<h3>{html.escape(message.title)}</h3><ul>{items}</ul>", subtype="html")
    return mail
