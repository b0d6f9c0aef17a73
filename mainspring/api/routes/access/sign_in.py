"""Serves sign-ins: a password, a token or an invitation becomes a cookie."""

from starlette.requests import Request
from starlette.responses import Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.caller_address import address_of
from mainspring.api.http.cookies import check_same_origin, cookie_of, set_cookie
from mainspring.api.http.headers import header
from mainspring.api.http.json_io import respond
from mainspring.contract.access import InvitationInfo, SignedInInfo
from mainspring.contract.operations import users
from mainspring.domain.access.sign_in import Browser
from mainspring.errors import InvalidInputError
from mainspring.scheduler.access.sign_ins import SignedIn

router = Routes()


@router.bind(users.SIGN_IN)
async def sign_in(call: Call, body: users.SignInBody) -> Response:
    check_same_origin(call.request)
    access, browser = call.engine.access, browser_of(call.request)
    if body.token:
        grant = await call.request.app.state.authenticator.find(body.token.strip())
        return signed_in(call, await access.sign_ins.with_token(grant, browser), grant.token.name)
    if not body.name or not body.password:
        raise InvalidInputError("name", "and password are needed, or a token", code="bad_name")
    name = body.name.strip().lower()
    return signed_in(call, await access.sign_ins.with_password(name, body.password, browser), name)


@router.bind(users.SIGN_OUT)
async def sign_out(call: Call) -> Response:
    await call.engine.access.sign_ins.end(call.grant, cookie_of(call.request))
    answer = Response(status_code=204)
    set_cookie(call.request, answer, "", seconds=0)
    return answer


@router.bind(users.CHANGE_PASSWORD)
async def change_password(call: Call, body: users.PasswordBody) -> None:
    await call.engine.access.sign_ins.change_password(call.grant, body.old, body.new, browser_of(call.request))


@router.bind(users.SHOW_INVITATION)
async def show_invitation(call: Call, body: users.InvitationBody) -> InvitationInfo:
    return InvitationInfo(*await call.engine.access.sign_ins.show_invitation(body.code))


@router.bind(users.ACCEPT_INVITATION)
async def accept_invitation(call: Call, body: users.AcceptBody) -> Response:
    check_same_origin(call.request)
    name = body.name.strip().lower()
    made = await call.engine.access.sign_ins.accept(body.code, name, body.password, browser_of(call.request))
    return signed_in(call, made, name)


def signed_in(call: Call, made: SignedIn, name: str) -> Response:
    answer = respond(SignedInInfo(name, made.csrf, made.sign_in.expires_at))
    seconds = int((made.sign_in.expires_at - call.now).total_seconds())
    set_cookie(call.request, answer, made.text, seconds=seconds)
    return answer


def browser_of(request: Request) -> Browser:
    return Browser(address_of(request), header(request, b"user-agent"))
