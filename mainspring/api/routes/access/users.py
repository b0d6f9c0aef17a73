"""Serves users and their sign-ins."""

from datetime import datetime

from starlette.responses import Response

from mainspring.api.binding import Routes
from mainspring.api.call import Call
from mainspring.api.http.json_io import respond_secret
from mainspring.api.http.paging import bad_cursor, next_of
from mainspring.api.views import view_of
from mainspring.contract.access import InvitedUser, SignInInfo, SignInPage, UserInfo, UserPage
from mainspring.contract.operations import users
from mainspring.domain.access.permissions import Role
from mainspring.domain.access.sign_in import SignIn
from mainspring.domain.access.user import USER_NAME, NewUser, User, UserChange
from mainspring.scheduler.access.users import Invited

router = Routes()


@router.bind(users.LIST_USERS)
async def list_users(call: Call, query: users.UserQuery) -> UserPage:
    if query.cursor is not None and not USER_NAME.fullmatch(query.cursor):
        raise bad_cursor()
    found = await call.engine.access.users.list(after=query.cursor or "", limit=query.limit)
    return UserPage(list(map(show_user, found)), next_of(found, query.limit, lambda last: last.name))


@router.bind(users.CREATE_USER)
async def create_user(call: Call, body: users.NewUserBody) -> Response:
    roles = {namespace: Role(role) for namespace, role in body.roles.items()}
    wanted = NewUser(name=body.name, display_name=body.display_name, roles=roles)
    return show_invited(await call.engine.access.users.create(wanted, by=call.actor), status=201)


@router.bind(users.GET_USER)
async def get_user(call: Call, name: str) -> UserInfo:
    return show_user(await call.engine.access.users.get(name))


@router.bind(users.CHANGE_USER)
async def change_user(call: Call, name: str, body: users.UserChangeBody) -> UserInfo:
    roles = None if body.roles is None else {namespace: Role(role) for namespace, role in body.roles.items()}
    change = UserChange(display_name=body.display_name, roles=roles, disabled=body.disabled)
    return show_user(await call.engine.access.users.change(name, change, by=call.actor))


@router.bind(users.DELETE_USER)
async def delete_user(call: Call, name: str) -> None:
    await call.engine.access.users.delete(name, by=call.actor)


@router.bind(users.INVITE_USER)
async def invite_user(call: Call, name: str) -> Response:
    return show_invited(await call.engine.access.users.invite(name, by=call.actor))


@router.bind(users.LIST_SIGN_INS)
async def list_sign_ins(call: Call, name: str) -> SignInPage:
    found = await call.engine.access.users.sign_ins(name)
    return SignInPage([show_sign_in(each, call.now, own=call.grant.token.id) for each in found])


@router.bind(users.END_SIGN_INS)
async def end_sign_ins(call: Call, name: str, body: users.EndSignInsBody) -> None:
    kept = call.grant.token.id if body.others else ""
    await call.engine.access.users.end_sign_ins(name, but=kept, by=call.actor)


def show_user(user: User) -> UserInfo:
    return view_of(UserInfo, user, has_password=bool(user.password), is_external=bool(user.subject))


def show_invited(invited: Invited, *, status: int = 200) -> Response:
    view = InvitedUser(show_user(invited.user), invited.code, invited.invitation.expires_at)
    return respond_secret(view, status=status)


def show_sign_in(sign_in: SignIn, now: datetime, *, own: str) -> SignInInfo:
    denial = sign_in.denial(now)
    state = "active" if denial is None else denial.code.removeprefix("sign_in_")
    return view_of(SignInInfo, sign_in, state=state, is_own=sign_in.id == own)
