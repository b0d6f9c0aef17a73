"""Every kind of channel: webhook, email and Alertmanager against real servers, the vendors' against stubs."""

import contextlib
import hashlib
import hmac
import re
import ssl
from collections.abc import AsyncIterator
from email import message_from_bytes
from pathlib import Path
from typing import Any

import httpcore2
import msgspec
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult

from mainspring.channels.courier import Courier
from mainspring.channels.references import References
from mainspring.clock import SystemClock
from mainspring.domain.alerts.alert import Alert, AlertId, AlertState, NoticeKind
from mainspring.domain.alerts.channel import Channel, ChannelKind, ChannelSpec, Encryption, check_channel
from mainspring.domain.alerts.notice import Delivery, Hint, NoticeText
from mainspring.domain.alerts.rule import Severity
from mainspring.domain.ids import id_text
from mainspring.domain.networks import read_networks
from mainspring.errors import ConfigError, InvalidInputError
from mainspring.settings import SchedulerSettings
from mainspring.testing.clock import START, FakeClock
from tests.channels import stubs
from tests.channels.stubs import SECRET, PerMinute, Receiver
from tests.cli.certificates import Certificate, make_certificate
from tests.support.pgbouncer import free_port
from tests.support.processes import eventually
from tests.support.services import Service, find_program

LOCAL = SchedulerSettings(alert_networks=("127.0.0.0/8",), alert_secrets=("HOOK_URL", "/run/nowhere"))
ALERT = Alert(
    id=AlertId(bytes(15) + b"\x01"),
    namespace="default",
    rule="fails",
    subject="job <!channel> *x*",
    severity=Severity.PAGE,
    state=AlertState.FIRING,
    since_at=START,
    fired_at=START,
    value=3.0,
    words="3 failed",
)
MESSAGE = NoticeText(
    id="ab" * 16,
    namespace="default",
    kind=NoticeKind.FIRE,
    title="Firing: fails in default: job <!channel> *x*",
    lines=("job <!channel> *x*: 3 failed (for 5 s)",) * 3,
    severity=Severity.PAGE,
    alerts=(ALERT,),
    rule="fails",
    runbook="https://wiki.example.com/fails",
    hints={ALERT.id: Hint("https://wiki.example.com/fails", "mainspring dead list")},
    at=START,
)
LONG = msgspec.structs.replace(MESSAGE, title="t" * 5000, lines=("ü" * 2000,) * 11)


async def send(
    message: NoticeText = MESSAGE,
    *,
    settings: SchedulerSettings = LOCAL,
    tls: ssl.SSLContext | None = None,
    **fields: Any,
) -> Delivery:
    channel = Channel(namespace="default", name="ops", spec=ChannelSpec(**fields), updated_at=START)
    return await Courier(settings, FakeClock(), tls=tls).send(channel, {}, message)


@pytest.fixture
async def receiver() -> AsyncIterator[Receiver]:
    async with Receiver() as made:
        yield made


async def test_a_webhook_is_signed_and_has_a_stable_id(receiver: Receiver) -> None:
    answers = [await send(kind=ChannelKind.WEBHOOK, url=receiver.url, secret="hush") for _ in range(2)]
    first, second = receiver.got
    said = dict(part.split("=") for part in first.headers["mainspring-signature"].split(","))
    expected = hmac.new(b"hush", said["t"].encode() + b"." + first.body, hashlib.sha256).hexdigest()

    assert [answer.ok for answer in answers] == [True, True]
    assert said["v1"] == expected
    assert first.headers["mainspring-notice"] == second.headers["mainspring-notice"] == MESSAGE.id
    assert first.json["alerts"][0]["subject"] == ALERT.subject
    assert first.json["alerts"][0]["remedy"] == "mainspring dead list"


@pytest.mark.parametrize(("status", "again"), [(500, True), (429, True), (404, False), (302, False)])
async def test_refusals_that_may_pass_are_tried_again(receiver: Receiver, status: int, again: bool) -> None:
    receiver.judge = lambda _: (status, "no")
    receiver.headers = "retry-after: 30\r\nlocation: http://127.0.0.1:1/\r\n"
    answer = await send(kind=ChannelKind.WEBHOOK, url=receiver.url)

    assert (answer.ok, answer.again, answer.after) == (False, again, 30.0)
    assert len(receiver.got) == 1


async def test_addresses_that_are_not_public_are_refused_unless_named(receiver: Receiver) -> None:
    answer = await send(settings=SchedulerSettings(), kind=ChannelKind.WEBHOOK, url=receiver.url)

    assert "127.0.0.1 (loopback), which channels may not reach so" in answer.words
    assert receiver.got == []


async def test_what_goes_in_the_clear_stays_in_the_networks_that_the_operator_named() -> None:
    answer = await send(kind=ChannelKind.WEBHOOK, url="http://192.88.98.1/x")

    assert "192.88.98.1 (public), which channels may not reach so" in answer.words


@pytest.mark.parametrize(
    ("url", "networks", "reason"),
    [
        ("http://192.88.98.1/x", ("10.0.0.0/8",), "is public: only https"),
        ("https://192.168.0.1/x", ("10.0.0.0/8",), "(private) is not public"),
        ("https://localhost/x", ("10.0.0.0/8",), "(loopback) is not public"),
        ("http://10.0.0.1/x", ("10.0.0.0/8",), ""),
        ("http://alerts.internal/x", ("10.0.0.0/8",), ""),
        ("http://alerts.internal/x", (), "is not an https address"),
        ("https://192.88.98.1/x", (), ""),
    ],
)
def test_an_address_that_cannot_be_reached_is_refused_when_it_is_saved(
    url: str, networks: tuple[str, ...], reason: str
) -> None:
    spec = ChannelSpec(kind=ChannelKind.WEBHOOK, url=url)
    refusing = pytest.raises(InvalidInputError, match=re.escape(reason)) if reason else contextlib.nullcontext()

    with refusing:
        check_channel("ops", spec, networks=read_networks(networks))


@pytest.mark.parametrize(
    ("kind", "judge", "fields"),
    [
        (ChannelKind.SLACK, stubs.slack, {}),
        (ChannelKind.TEAMS, stubs.teams, {}),
        (ChannelKind.PAGERDUTY, stubs.pagerduty, {"routing_key": "R" * 32}),
        (ChannelKind.DINGTALK, stubs.dingtalk, {"secret": SECRET, "at_mobiles": ("13800000000",)}),
        (ChannelKind.FEISHU, stubs.feishu, {"secret": SECRET}),
        (ChannelKind.WECOM, stubs.wecom, {}),
        (ChannelKind.WECOM, stubs.wecom, {"at_mobiles": ("13800000000",)}),
    ],
)
@pytest.mark.parametrize("message", [MESSAGE, LONG], ids=["short", "long"])
async def test_a_stub_of_a_vendor_takes_signature_and_size(
    receiver: Receiver, kind: ChannelKind, judge: stubs.Judge, fields: dict[str, Any], message: NoticeText
) -> None:
    receiver.judge = judge

    assert (await send(message, kind=kind, url=receiver.url, **fields)).ok, receiver.got


async def test_a_robot_that_takes_no_more_is_tried_again_later(receiver: Receiver) -> None:
    receiver.judge = PerMinute(stubs.dingtalk, 1, {"errcode": 130101, "errmsg": "send too fast"})
    first, second = [await send(kind=ChannelKind.DINGTALK, url=receiver.url, secret=SECRET) for _ in range(2)]

    assert (first.ok, second.ok, second.again) == (True, False, True)
    assert second.words.startswith("errcode 130101")


async def test_a_wrong_secret_is_not_taken_for_success(receiver: Receiver) -> None:
    receiver.judge = stubs.feishu

    assert not (await send(kind=ChannelKind.FEISHU, url=receiver.url, secret="another")).ok


async def test_pagerduty_resolves_what_it_triggered(receiver: Receiver) -> None:
    receiver.judge = stubs.pagerduty
    over = msgspec.structs.replace(ALERT, state=AlertState.RESOLVED, ended_at=START)
    ended = msgspec.structs.replace(MESSAGE, kind=NoticeKind.RECOVER, alerts=(over,))
    for message in (MESSAGE, ended):
        await send(message, kind=ChannelKind.PAGERDUTY, url=receiver.url, routing_key="R" * 32)

    assert [got.json["event_action"] for got in receiver.got] == ["trigger", "resolve"]
    assert len({got.json["dedup_key"] for got in receiver.got}) == 1


async def test_what_was_over_before_pagerduty_was_told_is_an_incident_that_is_resolved(receiver: Receiver) -> None:
    receiver.judge = stubs.pagerduty
    over = msgspec.structs.replace(ALERT, state=AlertState.RESOLVED, ended_at=START)
    late = msgspec.structs.replace(MESSAGE, alerts=(over,))
    await send(late, kind=ChannelKind.PAGERDUTY, url=receiver.url, routing_key="R" * 32)

    assert [got.json["event_action"] for got in receiver.got] == ["trigger", "resolve"]
    assert len({got.json["dedup_key"] for got in receiver.got}) == 1


async def test_a_test_leaves_no_incident_open(receiver: Receiver) -> None:
    receiver.judge = stubs.pagerduty
    test = msgspec.structs.replace(MESSAGE, kind=NoticeKind.TEST, alerts=())
    await send(test, kind=ChannelKind.PAGERDUTY, url=receiver.url, routing_key="R" * 32)

    assert [got.json["event_action"] for got in receiver.got] == ["trigger", "resolve"]


async def test_pagerduty_is_told_what_was_acknowledged(receiver: Receiver) -> None:
    receiver.judge = stubs.pagerduty
    acked = msgspec.structs.replace(MESSAGE, kind=NoticeKind.ACKNOWLEDGE)
    for message in (MESSAGE, acked):
        await send(message, kind=ChannelKind.PAGERDUTY, url=receiver.url, routing_key="R" * 32)

    assert [got.json["event_action"] for got in receiver.got] == ["trigger", "acknowledge"]
    assert len({got.json["dedup_key"] for got in receiver.got}) == 1


async def test_the_end_of_many_alerts_is_no_new_incident(receiver: Receiver) -> None:
    receiver.judge = stubs.pagerduty
    over = tuple(
        msgspec.structs.replace(ALERT, id=AlertId(bytes([number]) * 16), ended_at=START) for number in range(30)
    )
    for kind in (NoticeKind.RECOVER, NoticeKind.DIGEST):
        ended = msgspec.structs.replace(MESSAGE, kind=kind, alerts=over)
        await send(ended, kind=ChannelKind.PAGERDUTY, url=receiver.url, routing_key="R" * 32)

    assert [got.json["event_action"] for got in receiver.got] == ["resolve"] * 60


async def test_a_digest_resolves_and_triggers_each_alert_by_its_own_key(receiver: Receiver) -> None:
    receiver.judge = stubs.pagerduty
    over = msgspec.structs.replace(ALERT, id=AlertId(b"o" * 16), ended_at=START)
    mixed = msgspec.structs.replace(MESSAGE, kind=NoticeKind.DIGEST, alerts=(ALERT, over))
    await send(mixed, kind=ChannelKind.PAGERDUTY, url=receiver.url, routing_key="R" * 32)

    keys = [(got.json["event_action"], got.json["dedup_key"].rpartition("/")[2]) for got in receiver.got]
    assert keys == [("trigger", id_text(ALERT.id)), ("resolve", id_text(over.id))]


async def test_a_real_alertmanager_has_the_alert_and_its_end(tmp_path: Path) -> None:
    (tmp_path / "am.yml").write_text("route: {receiver: none}\nreceivers: [{name: none}]\n")
    service = Service(tmp_path, "/-/ready")
    flags = [f"--web.listen-address=127.0.0.1:{service.port}", "--cluster.listen-address=", "--config.file=am.yml"]
    try:
        await service.start([find_program("prometheus-alertmanager"), *flags, f"--storage.path={tmp_path}"])
        now = SystemClock().now()
        begun = msgspec.structs.replace(ALERT, since_at=now, fired_at=now)
        clocked = msgspec.structs.replace(MESSAGE, at=now, alerts=(begun,))
        firing = await send(clocked, kind=ChannelKind.ALERTMANAGER, url=service.url)
        listed = await service.get("/api/v2/alerts")
        over = msgspec.structs.replace(begun, ended_at=now)
        ended = msgspec.structs.replace(clocked, kind=NoticeKind.RECOVER, alerts=(over,))
        await send(ended, kind=ChannelKind.ALERTMANAGER, url=service.url)

        async def is_over() -> bool:
            return bool(await service.get("/api/v2/alerts") == [])

        await eventually(is_over, "the alert's end")
    finally:
        service.stop()

    assert firing.ok
    assert listed[0]["labels"]["subject"] == ALERT.subject
    assert listed[0]["annotations"] == {
        "summary": "3 failed",
        "runbook_url": "https://wiki.example.com/fails",
        "action": "mainspring dead list",
    }


class Mailbox:
    """Keeps the mails that a real mail server took."""

    def __init__(self) -> None:
        self.mails: list[Any] = []

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:  # noqa: N802 of the library
        self.mails.append(message_from_bytes(envelope.content))
        return "250 OK"


def mail_server(mailbox: Mailbox, certificate: Certificate, encryption: Encryption) -> Controller:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate.certificate, certificate.key)

    def login(_server: Any, _session: Any, _envelope: Any, _mechanism: str, given: Any) -> AuthResult:
        return AuthResult(success=given.login == b"ops" and given.password == b"hush")

    more: dict[str, Any] = {"authenticator": login, "auth_required": True, "auth_require_tls": False}
    if encryption is Encryption.TLS:
        more["ssl_context"] = context
    else:
        more |= {"tls_context": context, "require_starttls": True}
    return Controller(mailbox, hostname="127.0.0.1", port=free_port(), **more)


@pytest.mark.parametrize("encryption", [Encryption.STARTTLS, Encryption.TLS])
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::DeprecationWarning")
async def test_a_real_mail_server_takes_mail_over_tls_with_a_login(tmp_path: Path, encryption: Encryption) -> None:
    certificate, mailbox = make_certificate(tmp_path), Mailbox()
    server = mail_server(mailbox, certificate, encryption)
    tls = ssl.create_default_context(cafile=certificate.certificate)
    server.start()
    fields: dict[str, Any] = {
        "host": "localhost",
        "port": server.port,
        "sender": "mainspring@example.com",
        "to": ("ops@example.com",),
    }
    sent: dict[str, Any] = {"kind": ChannelKind.EMAIL, "encryption": encryption, "username": "ops", **fields}
    try:
        good = await send(tls=tls, password="hush", **sent)
        bad = await send(tls=tls, password="wrong", **sent)
        stranger = await send(tls=httpcore2.default_ssl_context(), password="hush", **sent)
    finally:
        server.stop()
    [mail] = mailbox.mails
    text, html = mail.get_payload()

    assert good.ok, good.words
    assert (bad.ok, stranger.ok) == (False, False)
    assert mail["Message-ID"] == f"<{MESSAGE.id}@mainspring>"
    assert "job <!channel> *x*" in text.get_payload()
    assert "&lt;!channel&gt;" in html.get_payload()


async def test_apprise_sends_by_its_own_kinds(receiver: Receiver) -> None:
    answer = await send(kind=ChannelKind.APPRISE, url=f"json://127.0.0.1:{receiver.port}/x")

    assert answer.ok, answer.words
    assert receiver.got[0].json["title"] == MESSAGE.title


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_the_sockets_that_apprise_opens_pass_the_guard(receiver: Receiver, host: str) -> None:
    answer = await send(settings=SchedulerSettings(), kind=ChannelKind.APPRISE, url=f"json://{host}:{receiver.port}/x")

    assert not answer.ok
    assert "(loopback), which channels may not reach" in answer.words
    assert receiver.got == []


async def test_apprise_is_led_to_no_other_address_by_an_answer(receiver: Receiver) -> None:
    receiver.judge = lambda got: (302, "there") if got.path == "/x/" else (200, "ok")
    receiver.headers = f"location: http://127.0.0.2:{receiver.port}/inside\r\n"
    only = SchedulerSettings(alert_networks=("127.0.0.1/32",))
    answer = await send(settings=only, kind=ChannelKind.APPRISE, url=f"json://127.0.0.1:{receiver.port}/x/")

    assert not answer.ok
    assert [got.path for got in receiver.got] == ["/x/"]


@pytest.mark.parametrize("url", ["syslog://", "growl://127.0.0.1", "mailto://ops:hush@127.0.0.1:9?to=a@example.com"])
async def test_apprise_has_no_other_way_out(url: str) -> None:
    answer = await send(settings=SchedulerSettings(), kind=ChannelKind.APPRISE, url=url)

    assert not answer.ok, answer.words


def test_only_references_that_the_operator_named_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOOK_URL", "https://example.com")
    monkeypatch.setenv("DATABASE_URL", "postgresql://secret")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "key").write_text("hush\n")
    (tmp_path / "out").write_text("secret")
    references = References(["HOOK_URL", "GONE", str(tmp_path / "in")])

    assert references.read("env:HOOK_URL") == "https://example.com"
    assert references.read(f"file:{tmp_path}/in/key") == "hush"
    for refused in ("env:DATABASE_URL", "env:GONE", f"file:{tmp_path}/out", f"file:{tmp_path}/in/../out"):
        with pytest.raises(ConfigError):
            references.read(refused)
