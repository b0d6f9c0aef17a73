"""Alert rules and channels as operators and code define them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import msgspec

from mainspring.clock import Clock
from mainspring.domain.access.permissions import Actor, AuditEntry, audit_entry
from mainspring.domain.alerts.channel import SEALED, Channel, ChannelSpec, check_channel, split_secrets
from mainspring.domain.alerts.check_rule import check_alert, check_known, check_notified, check_quiet, check_room
from mainspring.domain.alerts.plan import (
    AnyAlertSpec,
    NounName,
    PlannedAct,
    PlannedDefinition,
    PresentDefinition,
    plan_definitions,
)
from mainspring.domain.alerts.rule import AlertRule, AlertSpec
from mainspring.domain.ids import Ids
from mainspring.domain.networks import Network
from mainspring.domain.slos.slo import Slo, SloSpec, check_slo
from mainspring.domain.suggest import did_you_mean
from mainspring.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from mainspring.scheduler.access.vault import Vault
from mainspring.store.interface import Store
from mainspring.store.interface.alerts.alerts import Defining

RULE, CHANNEL, SLO = "rule", "channel", "slo"


class AlertPlan(msgspec.Struct, frozen=True):
    """The changes of a set of definitions, and how many stay as they are."""

    items: Sequence[PlannedDefinition]
    kept: int


class AlertDefinitions:
    """Each change is one transaction, audited; nothing is cached, for evaluation reads everything anyway."""

    def __init__(self, store: Store, clock: Clock, ids: Ids, vault: Vault, *, networks: Sequence[Network]) -> None:
        self._store, self._clock, self._ids, self._vault = store, clock, ids, vault
        self._networks = networks
        """Whether channels may be reached by plain HTTP."""

    async def rules(self, namespace: str) -> list[AlertRule]:
        return [one for one in await self._store.alerts.rules() if one.namespace == namespace]

    async def channels(self, namespace: str) -> list[Channel]:
        return [one for one in await self._store.alerts.channels() if one.namespace == namespace]

    async def rule(self, namespace: str, name: str) -> AlertRule:
        """Raises NotFoundError."""
        return found_in(await self.rules(namespace), "alert_rule", name)

    async def channel(self, namespace: str, name: str) -> Channel:
        """Raises NotFoundError."""
        return found_in(await self.channels(namespace), CHANNEL, name)

    async def set_rule(self, namespace: str, name: str, spec: AlertSpec, *, actor: Actor) -> AlertRule:
        """Define a rule, or replace it; raises InvalidInputError."""
        check_alert(name, spec)
        everywhere = await self._store.alerts.rules()
        if all((one.namespace, one.name) != (namespace, name) for one in everywhere):
            check_room(len(everywhere))
        check_known(
            spec, [one.name for one in await self.channels(namespace)], [one.name for one in await self.slos(namespace)]
        )
        check_quiet(spec, await self._calendars(namespace))
        await self._put(namespace, RULE, name, spec, actor)
        return await self.rule(namespace, name)

    async def _calendars(self, namespace: str) -> set[str]:
        return {name for place, name in await self._store.calendars.present_versions() if place == namespace}

    async def slos(self, namespace: str) -> list[Slo]:
        return [one for one in await self._store.alerts.slos() if one.namespace == namespace]

    async def slo(self, namespace: str, name: str) -> Slo:
        """Raises NotFoundError."""
        return found_in(await self.slos(namespace), SLO, name)

    async def set_slo(self, namespace: str, name: str, spec: SloSpec, *, actor: Actor) -> Slo:
        """Define an SLO, or replace it; raises InvalidInputError."""
        check_slo(name, spec)
        check_notified("notify", spec.notify, [one.name for one in await self.channels(namespace)])
        await self._put(namespace, SLO, name, spec, actor)
        return await self.slo(namespace, name)

    async def set_channel(
        self, namespace: str, name: str, spec: ChannelSpec, *, actor: Actor, is_admin: bool
    ) -> Channel:
        """Define a channel, or replace it; a secret that is given as `sealed:` stays. Raises InvalidInputError."""
        check_channel(name, spec, networks=self._networks)
        check_cluster(spec, is_admin=is_admin)
        present = next((one for one in await self.channels(namespace) if one.name == name), None)
        await self._put(namespace, CHANNEL, name, self._filled(spec, present), actor)
        return await self.channel(namespace, name)

    async def delete(self, namespace: str, noun: str, name: str, *, actor: Actor) -> None:
        """Raises NotFoundError, and ConflictError for a channel or an SLO that rules name."""
        if noun != RULE:
            users = [one.name for one in await self.rules(namespace) if name in names_of(one.spec, noun)]
            users += [one.name for one in await self.slos(namespace) if noun == CHANNEL and name in one.spec.notify]
            if users:
                raise ConflictError(noun, name, f"is named by the rules {', '.join(users[:5])}: change those first")
        entry = self._entry(namespace, noun, name, "delete", actor, {})
        if not await self._store.alerts.define(namespace, [], [(noun, name)], [entry]):
            raise NotFoundError("alert_rule" if noun == RULE else noun, name)

    async def plan(
        self, namespace: str, owner: str, wanted: Mapping[NounName, AnyAlertSpec], *, adopt: bool
    ) -> AlertPlan:
        """The changes that `apply` would make; raises InvalidInputError."""
        present = await self._present(namespace)
        self._check(owner, wanted, present)
        await self._check_quiet(namespace, wanted)
        await self._check_room(namespace, wanted)
        items = plan_definitions(owner, wanted, present, adopt=adopt)
        changed = {(one.noun, one.name) for one in items}
        return AlertPlan(items, sum(key not in changed for key in wanted))

    async def apply(
        self,
        namespace: str,
        owner: str,
        wanted: Mapping[NounName, AnyAlertSpec],
        *,
        adopt: bool,
        actor: Actor,
        is_admin: bool,
    ) -> AlertPlan:
        """Make the owner's definitions equal to these, all or none; raises ConflictError for names of other owners."""
        for spec in wanted.values():
            if isinstance(spec, ChannelSpec):
                check_cluster(spec, is_admin=is_admin)
        plan = await self.plan(namespace, owner, wanted, adopt=adopt)
        if taken := [one for one in plan.items if one.act is PlannedAct.CONFLICT]:
            raise ConflictError(taken[0].noun, taken[0].name, "belongs to another owner: adopt it, or rename it")
        puts = [
            self._defining(namespace, one.noun, one.name, wanted[one.noun, one.name], actor, owner)
            for one in plan.items
            if one.act is not PlannedAct.REMOVE
        ]
        deletes = [(one.noun, one.name) for one in plan.items if one.act is PlannedAct.REMOVE]
        entries = [self._entry(namespace, one.noun, one.name, one.act, actor, {"owner": owner}) for one in plan.items]
        await self._store.alerts.define(namespace, puts, deletes, entries)
        return plan

    async def _check_room(self, namespace: str, wanted: Mapping[NounName, AnyAlertSpec]) -> None:
        """Raises InvalidInputError if a set would make more rules than are kept, counted before any are removed."""
        present = {(one.namespace, one.name) for one in await self._store.alerts.rules()}
        added = {(namespace, name) for noun, name in wanted if noun == RULE} - present
        if added:
            check_room(len(present) + len(added) - 1)

    def _check(
        self,
        owner: str,
        wanted: Mapping[NounName, AnyAlertSpec],
        present: Mapping[NounName, PresentDefinition],
    ) -> None:
        left = {key for key, one in present.items() if one.owner != owner} | wanted.keys()
        channels = {name for noun, name in left if noun == CHANNEL}
        slos = {name for noun, name in left if noun == SLO}
        for (noun, name), spec in wanted.items():
            with blamed_on(noun, name):
                self._check_one(name, spec, channels, slos)

    def _check_one(self, name: str, spec: AnyAlertSpec, channels: Collection[str], slos: Collection[str]) -> None:
        if isinstance(spec, ChannelSpec):
            check_channel(name, spec, networks=self._networks)
        elif isinstance(spec, SloSpec):
            check_slo(name, spec)
            check_notified("notify", spec.notify, channels)
        else:
            check_alert(name, spec)
            check_known(spec, channels, slos)

    async def _check_quiet(self, namespace: str, wanted: Mapping[NounName, AnyAlertSpec]) -> None:
        asked = {key: spec for key, spec in wanted.items() if isinstance(spec, AlertSpec) and spec.quiet is not None}
        calendars = await self._calendars(namespace) if asked else set()
        for key, spec in asked.items():
            with blamed_on(*key):
                check_quiet(spec, calendars)

    async def _present(self, namespace: str) -> dict[NounName, PresentDefinition]:
        found: dict[NounName, PresentDefinition] = {}
        for rule in await self.rules(namespace):
            found[RULE, rule.name] = PresentDefinition(rule.owner, rule.spec)
        for channel in await self.channels(namespace):
            spec = msgspec.structs.replace(channel.spec, **self.secrets_of(channel))
            found[CHANNEL, channel.name] = PresentDefinition(channel.owner, spec)
        for slo in await self.slos(namespace):
            found[SLO, slo.name] = PresentDefinition(slo.owner, slo.spec)
        return found

    def secrets_of(self, channel: Channel) -> dict[str, Any]:
        """The sealed fields of a channel; raises SecretLockedError."""
        if not channel.secrets:
            return {}
        opened = self._vault.open(channel.secrets, f"{channel.namespace} {channel.name}")
        return msgspec.json.decode(opened, type=dict[str, Any])

    def _filled(self, spec: ChannelSpec, present: Channel | None) -> ChannelSpec:
        """The channel with the secrets that it keeps."""
        kept = {} if present is None else self.secrets_of(present)
        return msgspec.structs.replace(
            spec, **{field: text for field, text in kept.items() if getattr(spec, field) == SEALED}
        )

    async def _put(self, namespace: str, noun: str, name: str, spec: AnyAlertSpec, actor: Actor) -> None:
        shown = msgspec.to_builtins(split_secrets(spec)[0] if isinstance(spec, ChannelSpec) else spec)
        entry = self._entry(namespace, noun, name, "set", actor, shown)
        await self._store.alerts.define(
            namespace, [self._defining(namespace, noun, name, spec, actor, "")], [], [entry]
        )

    def _defining(self, namespace: str, noun: str, name: str, spec: AnyAlertSpec, actor: Actor, owner: str) -> Defining:
        secrets = b""
        if isinstance(spec, ChannelSpec):
            spec, found = split_secrets(spec)
            if found:
                secrets = self._vault.seal(msgspec.json.encode(found), f"{namespace} {name}", self._ids.noise)
        now = self._clock.now()
        return Defining(
            noun=noun, name=name, spec=spec, secrets=secrets, owner=owner, author=actor.name, updated_at=now
        )

    def _entry(
        self, namespace: str, noun: str, name: str, act: str, actor: Actor, details: Mapping[str, object]
    ) -> AuditEntry:
        kind = "alert_rule" if noun == RULE else noun
        return audit_entry(f"{kind}.{act}", kind, name, details, namespace=namespace, actor=actor, at=self._clock.now())


@contextmanager
def blamed_on(noun: str, name: str) -> Iterator[None]:
    """Name the definition of a set whose field is refused."""
    try:
        yield
    except InvalidInputError as error:
        raise InvalidInputError(f"{noun}s.{name}.{error.field}", error.reason, code=error.code) from None


D = TypeVar("D", AlertRule, Channel, Slo)


def found_in(things: Sequence[D], kind: str, name: str) -> D:
    found = next((one for one in things if one.name == name), None)
    if found is None:
        raise NotFoundError(kind, name, did_you_mean(name, [one.name for one in things]).removeprefix("; "))
    return found


def names_of(spec: AlertSpec, noun: str) -> tuple[str, ...]:
    """The channels or SLOs that a rule names."""
    return (*spec.notify, *spec.escalate_to) if noun == CHANNEL else (spec.slo,)


def check_cluster(spec: ChannelSpec, *, is_admin: bool) -> None:
    if spec.cluster and not is_admin:
        raise ForbiddenError("cluster: only an admin of all namespaces may have a channel told of the cluster")
