"""Checks of the token: presence, validity and permissions."""

from datetime import datetime, timedelta

from mainspring.cli.doctor.probe import fetch
from mainspring.client.calls import ask
from mainspring.contract.access import WhoamiInfo
from mainspring.contract.operations.access import WHOAMI
from mainspring.domain.cluster.finding import Finding, fail, ok, warn
from mainspring.errors import ForbiddenError, MainspringError
from mainspring.settings import ClientSettings

WAYS = "set MAINSPRING_TOKEN or MAINSPRING_TOKEN_FILE, use a context, or name the server's home"
OTHER = f"'mainspring config show --origin' says where it comes from; {WAYS}"
EXPIRES_SOON = timedelta(days=7)
EVERYWHERE = "*"


def check_access(target: ClientSettings, now: datetime) -> Finding:
    """The server's view of the caller."""
    try:
        return judge(fetch(target, ask(WHOAMI)), now)
    except ForbiddenError as error:
        return fail("token", str(error), "use a token for people: viewer, operator, editor or admin")
    except MainspringError as error:
        return fail("token", str(error), OTHER)


def judge(who: WhoamiInfo, now: datetime) -> Finding:
    reach = "all namespaces" if who.namespace == EVERYWHERE else f"namespace {who.namespace}"
    found = f"{who.name}: {who.role} of {reach}"
    if who.expires_at is None:
        return ok("token", f"{found}, without an end")
    if who.expires_at - now < EXPIRES_SOON:
        hours = max((who.expires_at - now).total_seconds() / 3600, 0)
        return warn("token", f"{found}, expires in {hours:.0f} hours", "have it rotated: mainspring tokens rotate")
    return ok("token", f"{found}, until {who.expires_at:%Y-%m-%d}")
