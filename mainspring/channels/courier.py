"""Carries messages to channels: fills in secrets, formats, sends, and reads the answer."""

import asyncio
import logging
import ssl
from collections.abc import Callable
from typing import Any

import httpcore2
import msgspec

from mainspring.channels import alertmanager, dingtalk, email, feishu, pagerduty, slack, teams, webhook, wecom
from mainspring.channels.apprise import Errands
from mainspring.channels.post import Post, judged
from mainspring.channels.references import References
from mainspring.clock import Clock
from mainspring.domain.alerts.channel import PLAIN, Channel, ChannelKind, ChannelSpec
from mainspring.domain.alerts.notice import Delivery, NoticeText
from mainspring.errors import MainspringError
from mainspring.outgoing.guard import Guard
from mainspring.outgoing.pinned import AddressForbiddenError, PinnedBackend, UnresolvedError
from mainspring.settings import SchedulerSettings

log = logging.getLogger("mainspring.channels")

TIMEOUT = 10.0
BODY_MAX = 4096
"""Bytes of an answer that are read."""
FORBIDDEN = "which channels may not reach so: the server's operator can allow it by alert_networks"
FORMATS: dict[ChannelKind, Callable[[ChannelSpec, NoticeText, float], list[Post]]] = {
    ChannelKind.WEBHOOK: webhook.posts,
    ChannelKind.ALERTMANAGER: alertmanager.posts,
    ChannelKind.SLACK: slack.posts,
    ChannelKind.TEAMS: teams.posts,
    ChannelKind.PAGERDUTY: pagerduty.posts,
    ChannelKind.DINGTALK: dingtalk.posts,
    ChannelKind.FEISHU: feishu.posts,
    ChannelKind.WECOM: wecom.posts,
}


class Courier:
    """The contract is in `scheduler/alerts/send_notices.py`."""

    def __init__(self, settings: SchedulerSettings, clock: Clock, *, tls: ssl.SSLContext | None = None) -> None:
        self._guard = Guard(settings.alert_networks, setting="alert_networks")
        self._errands = Errands(settings.alert_networks)
        self._references = References(settings.alert_secrets)
        self._backend = PinnedBackend(self._guard)
        # What goes in the clear stays in the operator's own networks.
        plain = Guard(settings.alert_networks, setting="alert_networks", only_these=True)
        self._plain_backend = PinnedBackend(plain)
        self._clock = clock
        self._tls = tls or httpcore2.default_ssl_context()

    async def send(self, channel: Channel, secrets: dict[str, str], message: NoticeText) -> Delivery:
        try:
            spec = self._references.filled(msgspec.structs.replace(channel.spec, **secrets))
            async with asyncio.timeout(TIMEOUT):
                return await self._send(spec, message)
        except TimeoutError:
            return failed(f"no answer within {TIMEOUT:g} s")
        except AddressForbiddenError as error:
            return failed(f"{error}, {FORBIDDEN}")
        except (MainspringError, UnresolvedError, OSError) as error:
            return failed(str(error))
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as error:
            return failed(str(error) or type(error).__name__)
        except Exception as error:  # whatever a channel's library raises, the other channels are served
            log.exception("channel %s of %s failed", channel.name, channel.namespace)
            return failed(f"{type(error).__name__}: {error}")

    def warnings(self, channel: Channel) -> list[str]:
        return self._references.unset(channel.spec)

    async def _send(self, spec: ChannelSpec, message: NoticeText) -> Delivery:
        if spec.kind is ChannelKind.EMAIL:
            return await email.send(spec, message, self._guard, self._tls)
        if spec.kind is ChannelKind.APPRISE:
            return await self._errands.send(spec, message)
        answer = Delivery(ok=True)
        for post in FORMATS[spec.kind](spec, message, self._clock.now().timestamp()):
            answer = await self._post(post)
            if not answer.ok:
                break
        return answer

    async def _post(self, post: Post) -> Delivery:
        backend = self._plain_backend if post.url.startswith(PLAIN) else self._backend
        async with (
            httpcore2.AsyncConnectionPool(ssl_context=self._tls, network_backend=backend) as pool,
            pool.stream("POST", post.url, headers=list(post.headers.items()), content=post.body) as response,
        ):
            body = bytearray()
            async for chunk in response.aiter_stream():
                body += chunk[: BODY_MAX - len(body)]
                if len(body) >= BODY_MAX:
                    break
            headers: dict[str, Any] = {
                name.decode("latin-1").lower(): value.decode("latin-1") for name, value in response.headers
            }
            return judged(post, response.status, headers, bytes(body))


def failed(words: str) -> Delivery:
    return Delivery(ok=False, words=words)
