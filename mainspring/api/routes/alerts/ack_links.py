"""Serves the links in messages by which an alert is acknowledged: a page with a button, so that looking changes nothing."""

from html import escape

from starlette.responses import HTMLResponse, Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.contract.alerts import operations as alerts
from mainspring.domain.alerts.alert import Alert

HEADERS = {
    "content-security-policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
}
"""The page loads nothing, and no other page gets to know its address."""
BUTTON = '<form method="post"><button>Acknowledge</button></form>'

router = Routes()


@router.bind(alerts.SHOW_ACK_LINK)
async def show_ack_link(call: Call, link: str) -> Response:
    alert = await call.engine.alerting.operations.linked(link)
    return page(alert, "" if alert.acked_at or not alert.is_open else BUTTON)


@router.bind(alerts.USE_ACK_LINK)
async def use_ack_link(call: Call, link: str) -> Response:
    return page(await call.engine.alerting.operations.acknowledge_linked(link), "")


def page(alert: Alert, below: str) -> HTMLResponse:
    state = f"acknowledged by {alert.acked_by}" if alert.acked_at else alert.state.value
    texts = (f"{alert.rule} in {alert.namespace}", f"{alert.subject}: {alert.words}", state)
    shown = "".join(f"<p>{escape(text)}</p>" for text in texts)
    head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Mainspring</title>'
    return HTMLResponse(f"{head}{shown}{below}</html>", headers=HEADERS)
