"""A call of a webhook makes one run if its caller has the secret, and none otherwise."""

from collections.abc import AsyncIterator, Awaitable
from datetime import timedelta

import msgspec
import pytest

from mainspring.domain.metadata import read_metadata
from mainspring.domain.triggers.spec import Event, HookAuth, Webhook
from mainspring.domain.triggers.trigger import TriggerChanges, TriggerMove
from mainspring.domain.webhooks.webhook import WebhookCall
from mainspring.errors import (
    AccessDeniedError,
    ConflictError,
    InvalidInputError,
    MainspringError,
    NotFoundError,
    TooLargeError,
    UnavailableError,
)
from mainspring.scheduler.access.vault import SecretLockedError, Vault
from mainspring.scheduler.triggers.webhooks import MISSES_MAX
from mainspring.store.interface import AuditFilter
from mainspring.wire.messages import Start
from tests.scheduler.called_scene import ACTOR, CalledScene
from tests.scheduler.scene import NAMESPACE

FILE = {"file": "s3://in/2026-11-16.csv"}
NOBODY = "a" * 32


@pytest.fixture
async def scene() -> AsyncIterator[CalledScene]:
    made = await CalledScene.set()
    yield made
    await made.stop()
    await made.store.close()


async def test_a_signed_call_makes_a_run_of_its_trigger(scene: CalledScene) -> None:
    caller = await scene.open("files", labels={"from": "bank"}, priority=7)
    accepted = await caller.call(FILE)
    run = await scene.run(accepted.id)

    assert not accepted.existing
    assert msgspec.json.decode(run.input or b"") == FILE
    assert (run.job, run.priority, run.labels, run.created_by) == ("reconcile", 7, {"from": "bank"}, "trigger files")


async def test_the_secret_of_a_signature_is_not_in_the_database_as_it_is(scene: CalledScene) -> None:
    caller = await scene.open("files")
    trigger = await scene.store.triggers.get(NAMESPACE, "files")
    assert trigger is not None
    found = await scene.store.webhooks.hook(trigger=trigger.id)
    assert found is not None
    stored, _ = found
    scene.scheduler.called.hooks._vault = Vault([bytes(range(32))])

    assert b"mshook" not in stored.secret
    with pytest.raises(SecretLockedError):
        await caller.call(FILE)


async def test_calls_are_counted_for_their_trigger(scene: CalledScene) -> None:
    caller = await scene.open("files", Webhook(key="$.file"))
    for _ in range(2):
        await caller.call(FILE)
    await caller.call({"file": "another"})
    await scene.scheduler.called.calling.tick()
    await scene.scheduler.called.calling.tick()
    trigger = await scene.store.triggers.get(NAMESPACE, "files")

    assert trigger is not None
    assert (trigger.fired, trigger.last_fire_at) == (2, scene.clock.now())


async def test_a_bad_signature_leaves_no_run(scene: CalledScene) -> None:
    caller = await scene.open("files")
    with pytest.raises(AccessDeniedError) as refused:
        await caller.call(FILE, x_mainspring_signature="sha256=" + "0" * 64)
    with pytest.raises(AccessDeniedError):
        await caller.call(FILE, x_mainspring_signature="")

    assert refused.value.code == "bad_signature"
    assert await scene.runs() == []


async def test_a_bearer_secret_opens_a_webhook_that_wants_one(scene: CalledScene) -> None:
    caller = await scene.open("files", Webhook(auth=HookAuth.BEARER))
    await caller.call(FILE)
    with pytest.raises(AccessDeniedError):
        await caller.call(FILE, authorization="Bearer mshook_guess")

    assert await scene.inputs() == [FILE]
    assert caller.secret.text.encode() not in caller.secret.hook.secret


async def test_the_same_key_is_the_same_run_whatever_else_the_body_says(scene: CalledScene) -> None:
    caller = await scene.open("files", Webhook(key="header:x-delivery", mapping={"file": "$.file"}))
    first = await caller.call({"file": "a", "try": 1}, x_delivery="d-1")
    again = await caller.call({"file": "b", "try": 2}, x_delivery="d-1")
    other = await caller.call({"file": "a"}, x_delivery="d-2")

    assert (again.id, again.existing) == (first.id, True)
    assert other.id != first.id
    assert await scene.inputs() == [{"file": "a"}, {"file": "a"}]


async def test_a_repeated_call_is_known_by_its_signature_if_that_is_its_key(scene: CalledScene) -> None:
    plain = await scene.open("files")
    remembering = await scene.open("more", Webhook(key="header:x-mainspring-signature"))
    twice = [(await plain.call(FILE)).id for _ in range(2)]
    once = [await remembering.call(FILE) for _ in range(2)]

    assert twice[0] != twice[1]
    assert [(answer.id, answer.existing) for answer in once] == [(once[0].id, False), (once[0].id, True)]


async def test_two_webhooks_may_be_given_the_same_key(scene: CalledScene) -> None:
    callers = [await scene.open(name, Webhook(key="$.file")) for name in ("files", "more")]
    ids = {(await caller.call(FILE)).id for caller in callers}

    assert len(ids) == 2


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        (b"{", "malformed_json", "body"),
        (b"\xff", "malformed_json", "body"),
        (b"", "malformed_json", "body"),
        (b"[]", "bad_input", "$"),
        (b"[" * 100 + b"]" * 100, "input_too_deep", "body"),
        (b'{"path": "x"}', "bad_arguments", "input"),
        (b'{"file": 5}', "bad_arguments", "input.file"),
    ],
)
async def test_a_body_that_cannot_be_an_input_makes_no_run(
    scene: CalledScene, body: bytes, code: str, field: str
) -> None:
    caller = await scene.open("files")
    with pytest.raises(InvalidInputError) as refused:
        await caller.call(body)

    assert (refused.value.code, refused.value.field) == (code, field)
    assert isinstance(refused.value, TooLargeError) == (code == "input_too_deep")
    assert await scene.runs() == []


async def test_a_missing_place_is_named(scene: CalledScene) -> None:
    caller = await scene.open("files", Webhook(mapping={"file": "$.data.file"}))
    with pytest.raises(InvalidInputError, match=r"\$\.data\.file: is not there") as refused:
        await caller.call(FILE)

    assert refused.value.code == "missing_place"


async def test_an_address_that_nobody_has_is_not_known(scene: CalledScene) -> None:
    caller = await scene.open("files")
    hooks = scene.scheduler.called.hooks
    for address in (NOBODY, "short", ""):
        with pytest.raises(NotFoundError, match="webhook"):
            await hooks.call(address, WebhookCall({}, b"{}"))
    await scene.store.triggers.change(
        NAMESPACE,
        ["files"],
        lambda present: TriggerChanges(deletes=[TriggerMove(trigger=present["files"])]),
        now=scene.clock.now(),
    )

    with pytest.raises(NotFoundError):
        await caller.call(FILE)


async def test_guessing_addresses_does_not_keep_the_store_busy(scene: CalledScene) -> None:
    caller = await scene.open("files")
    await caller.call(FILE)
    hooks = scene.scheduler.called.hooks
    for _ in range(MISSES_MAX):
        with pytest.raises(NotFoundError):
            await hooks.call(NOBODY, WebhookCall({}, b""))

    with pytest.raises(UnavailableError):
        await hooks.call(NOBODY, WebhookCall({}, b""))
    await caller.call(FILE)
    scene.clock.advance(1)
    with pytest.raises(NotFoundError):
        await hooks.call(NOBODY, WebhookCall({}, b""))


async def test_a_call_that_comes_to_nothing_is_told_so(scene: CalledScene) -> None:
    now = scene.clock.now()
    callers = {
        "trigger_paused": await scene.open("paused"),
        "trigger_not_begun": await scene.open("later", start_at=now + timedelta(hours=1)),
        "trigger_ended": await scene.open("over", end_at=now),
        "job_gone": await scene.open("jobless", job="nothing"),
    }
    await scene.pause("paused")
    for code, caller in callers.items():
        with pytest.raises(ConflictError) as refused:
            await caller.call(FILE)
        assert refused.value.code == code

    assert await scene.runs() == []


async def test_a_rotated_secret_opens_and_the_old_one_for_its_grace_only(scene: CalledScene) -> None:
    caller = await scene.open("files")
    secrets = scene.scheduler.called.secrets
    await secrets.rotate(NAMESPACE, "files", grace=timedelta(minutes=5), new_address=False, actor=ACTOR)
    await caller.call(FILE)
    scene.clock.advance(301)
    with pytest.raises(AccessDeniedError):
        await caller.call(FILE)
    moved = await secrets.rotate(NAMESPACE, "files", grace=timedelta(0), new_address=True, actor=ACTOR)
    entries = await scene.store.access.audit(AuditFilter(namespace=NAMESPACE, kind="trigger"))

    assert moved.hook.id != caller.secret.hook.id
    assert [(entry.act, entry.actor, entry.key) for _, entry in entries] == [("trigger.secret", ACTOR, "files")] * 3
    assert all(moved.text.encode() not in entry.details for _, entry in entries)


async def test_only_webhooks_have_secrets(scene: CalledScene) -> None:
    await scene.define("paid", Event(type="paid"))
    await scene.define("files", Webhook())
    secrets = scene.scheduler.called.secrets

    assert await code_of(secrets.get(NAMESPACE, "paid")) == "not_a_webhook"
    assert await code_of(secrets.get(NAMESPACE, "files")) == "secret_missing"
    assert await code_of(secrets.get(NAMESPACE, "nothing")) == "unknown_trigger"
    assert await code_of(
        secrets.rotate(NAMESPACE, "files", grace=timedelta(days=99), new_address=False, actor=ACTOR)
    ) == ("bad_grace")


async def test_a_dry_run_says_what_would_happen_and_makes_no_run(scene: CalledScene) -> None:
    rule = Webhook(mapping={"file": "$.data.file"}, key="$.id")
    caller = await scene.open("files", rule)
    trials = scene.scheduler.called.trials
    body = msgspec.json.encode({"id": 7, "data": FILE})

    good = await trials.try_out(NAMESPACE, "files", WebhookCall(caller.prove(body), body))
    assert (good.would_run, good.signed, good.key, good.problem) == (True, True, "7", None)
    assert msgspec.json.decode(good.arguments or b"") == FILE

    unsigned = await trials.try_out(NAMESPACE, "files", WebhookCall({}, body))
    assert (unsigned.would_run, unsigned.signed, unsigned.key) == (False, False, "7")
    assert unsigned.problem is not None
    assert unsigned.problem.code == "signature_missing"
    assert await scene.runs() == []


async def test_a_handler_is_told_its_trigger(scene: CalledScene) -> None:
    caller = await scene.open("files", job="open")
    accepted = await caller.call(FILE)
    executor = await scene.attach(handlers=("open",))
    await scene.dispatch()
    start = await executor.link.expect(Start)

    assert start.runs == [accepted.id]
    assert read_metadata(start.extras[0]).trigger == "files"


async def code_of(asking: Awaitable[object]) -> str:
    with pytest.raises(MainspringError) as refused:
        await asking
    return refused.value.code
