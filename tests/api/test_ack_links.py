"""Links in messages: a page with a button, which changes nothing until it is pressed."""

import pytest

from mainspring.domain.alerts.alert import AlertId
from mainspring.domain.alerts.channel import Channel, ChannelKind, ChannelSpec
from mainspring.domain.ids import parse_run_id
from mainspring.scheduler.access.vault import Vault
from mainspring.scheduler.alerts.ack_links import AckLinks
from mainspring.store.interface import AuditFilter
from tests.api.alert_samples import acknowledge_alert
from tests.api.conftest import Server

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def link_of(server: Server) -> tuple[str, AlertId]:
    path, _ = await acknowledge_alert(server)
    alert_id = AlertId(parse_run_id(path.split("/")[4]))
    operations = server.scheduler.alerting.operations
    operations._links = AckLinks(Vault([bytes(32)]), operations._ids, operations._clock, "https://jobs.example/console")
    [alert] = await server.store.alerts.get([alert_id])
    spec = ChannelSpec(kind=ChannelKind.WEBHOOK, url="https://hooks.example.com/x")
    channel = Channel(namespace="default", name="ops", spec=spec, updated_at=alert.since_at)
    return operations._links.url(channel, alert).removeprefix("https://jobs.example"), alert_id


async def test_looking_acknowledges_nothing_and_the_button_does(server: Server) -> None:
    anonymous = {"authorization": ""}
    after = None
    # The server evaluates alerts meanwhile, and one whose rule is not there may be over before it is acknowledged.
    while after is None or not after.is_open:
        path, alert = await link_of(server)
        shown = await server.http.get(path, headers=anonymous)
        [before] = await server.store.alerts.get([alert])
        pressed = await server.http.post(path, headers=anonymous)
        [after] = await server.store.alerts.get([alert])

    assert (shown.status_code, pressed.status_code) == (200, 200)
    assert "<button>Acknowledge</button>" in shown.text
    assert "default-src 'none'" in shown.headers["content-security-policy"]
    assert before.acked_at is None
    assert after.acked_by == "link in channel ops"
    assert "<button>" not in pressed.text


async def acknowledged(server: Server) -> list[tuple[str, str]]:
    """The subjects of acknowledgements in the log, and who made them."""
    log = await server.store.access.audit(AuditFilter(kind="alert"))
    return [(entry.key, entry.actor.name) for _, entry in log if entry.act == "alert.acknowledge"]


async def test_a_good_link_is_in_the_log_once_and_a_bad_one_never(server: Server) -> None:
    path, alert = await link_of(server)
    before = await acknowledged(server)
    for pressed in (path[:-6] + "AAAAAA", path, path):
        await server.http.post(pressed, headers={"authorization": ""})
    written = await acknowledged(server)

    assert written == [(alert.hex(), "link in channel ops"), *before]


async def test_a_bad_link_is_a_problem_and_not_a_page(server: Server) -> None:
    path, _ = await link_of(server)
    for method in ("GET", "POST"):
        answer = await server.http.request(method, path[:-6] + "AAAAAA")
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown_link")
