"""Which release of a server knows which policies: an older one in the fleet would claim past those that it does not know."""

from collections.abc import Iterable, Mapping

from mainspring.domain.cluster.server import Server
from mainspring.domain.limits.policy import USUAL, Policy
from mainspring.errors import ConflictError

FIRST = "0.1.0"
"""The first release that knows policies at all, and all parts of them that are not named below."""
LATER: Mapping[str, str] = {}
"""The release that brought it, by the name of a policy's field."""


def release_of(policy: Policy, *, before: Policy = USUAL, later: Mapping[str, str] = LATER) -> str:
    """The oldest release that knows all that a policy says, unless it was said before; empty: it says nothing new."""
    names = Policy.__struct_fields__
    said = [name for name in names if getattr(policy, name) not in (getattr(before, name), getattr(USUAL, name))]
    return max((later.get(name, FIRST) for name in said), key=numbers_of, default="")


def refuse_older(servers: Iterable[Server], needed: str) -> None:
    """Raises ConflictError if one of these live servers is of an older release than the one that is needed."""
    old = next((one for one in servers if needed and is_older(one.version, needed)), None)
    if old is not None:
        reason = f"is of release {old.version}, which does not know this policy (since {needed}): upgrade it first"
        raise ConflictError("server", old.name, reason, code="old_server")


def is_older(version: str, needed: str) -> bool:
    """A server that names no version is not judged by it."""
    return bool(version) and numbers_of(version) < numbers_of(needed)


def numbers_of(version: str) -> tuple[int, ...]:
    """`0.10.2` as numbers; what stands after a number, as in `3rc1`, is not looked at."""
    return tuple(leading_number(part) for part in version.split("."))


def leading_number(part: str) -> int:
    digits = part[: len(part) - len(part.lstrip("0123456789"))]
    return int(digits) if digits else 0
