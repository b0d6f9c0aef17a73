"""What a call brings becomes a run's input and key, or a refusal that names what is missing."""

from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from mainspring.domain.triggers.spec import Event, HookAuth, TriggerSpec, Webhook
from mainspring.domain.webhooks.call import check_event, check_webhook, input_of, key_of, key_of_run
from mainspring.domain.webhooks.webhook import Hook, WebhookCall, check_caller, kept, sign
from mainspring.errors import AccessDeniedError, InvalidInputError

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
BODY = b'{"data": {"id": 71, "file": "s3://in/2026-11-16.csv"}}'
SECRET = "mshook_secret"
SPEC = TriggerSpec(name="files", job="reconcile", when=Webhook(), input=msgspec.Raw(b'{"dry": false}'))


def hook(auth: HookAuth = HookAuth.HMAC) -> Hook:
    return Hook(id="a" * 32, auth=auth, secret=kept(auth, SECRET), made_at=NOON)


def signed(body: bytes = BODY, *, secret: str = SECRET) -> dict[str, str]:
    return {"x-mainspring-signature": sign(secret.encode(), body)}


def refusal(rule: Webhook, headers: dict[str, str], *, kept_as: Hook | None = None, body: bytes = BODY) -> str:
    with pytest.raises(AccessDeniedError) as refused:
        check_caller(kept_as or hook(rule.auth), rule, WebhookCall(headers, body), NOON)
    return refused.value.code


def test_a_good_signature_is_let_in_however_it_is_written() -> None:
    plain = signed()["x-mainspring-signature"]
    for written in (plain, f"sha256={plain}", f"SHA256={plain.upper()}"):
        check_caller(hook(), Webhook(), WebhookCall({"x-mainspring-signature": written}, BODY), NOON)


def test_a_signature_of_another_secret_body_or_form_is_refused() -> None:
    assert refusal(Webhook(), signed(secret="mshook_other")) == "bad_signature"
    assert refusal(Webhook(), signed(), body=BODY + b" ") == "bad_signature"
    assert refusal(Webhook(), {"x-mainspring-signature": "sha256="}) == "bad_signature"
    assert refusal(Webhook(), {"x-mainspring-signature": "\xe9"}) == "bad_signature"
    assert refusal(Webhook(), {}) == "signature_missing"


def test_a_time_that_is_signed_keeps_old_calls_out() -> None:
    rule = Webhook(timestamp_header="x-time", tolerance=300)

    def at(when: datetime, told: datetime | None = None) -> dict[str, str]:
        text = str(int(when.timestamp()))
        return signed(text.encode() + b"." + BODY) | {"x-time": text if told is None else str(int(told.timestamp()))}

    check_caller(hook(), rule, WebhookCall(at(NOON - timedelta(seconds=300)), BODY), NOON)
    old = NOON - timedelta(seconds=302)
    assert refusal(rule, at(old)) == "signature_expired"
    assert refusal(rule, at(NOON + timedelta(seconds=302))) == "signature_expired"
    assert refusal(rule, at(old, told=NOON)) == "bad_signature"
    assert refusal(rule, signed()) == "signature_missing"


def test_a_bearer_secret_is_compared_by_its_hash() -> None:
    rule = Webhook(auth=HookAuth.BEARER)
    check_caller(hook(HookAuth.BEARER), rule, WebhookCall({"authorization": f"Bearer {SECRET}"}, BODY), NOON)

    assert SECRET.encode() not in hook(HookAuth.BEARER).secret
    assert refusal(rule, {"authorization": "Bearer mshook_other"}) == "bad_signature"
    assert refusal(rule, {"authorization": f"Basic {SECRET}"}) == "signature_missing"
    assert refusal(rule, signed()) == "signature_missing"


def test_an_old_secret_is_good_until_its_grace_ends() -> None:
    old = msgspec.structs.replace(
        hook(), secret=b"mshook_new", old_secret=SECRET.encode(), old_until=NOON + timedelta(seconds=1)
    )
    check_caller(old, Webhook(), WebhookCall(signed(), BODY), NOON)
    check_caller(old, Webhook(), WebhookCall(signed(secret="mshook_new"), BODY), NOON)

    assert refusal(Webhook(), signed(), kept_as=msgspec.structs.replace(old, old_until=NOON)) == "bad_signature"


def test_a_secret_for_another_kind_of_proof_opens_nothing() -> None:
    headers = {"authorization": f"Bearer {SECRET}"}

    assert refusal(Webhook(auth=HookAuth.BEARER), headers, kept_as=hook(HookAuth.HMAC)) == "secret_outdated"


def test_arguments_are_taken_from_their_places_and_completed() -> None:
    mapping = {"file": "$.data.file", "event": "header:x-event"}

    made = input_of(SPEC, mapping, BODY, {"x-event": "ready"})
    assert msgspec.json.decode(made) == {"dry": False, "file": "s3://in/2026-11-16.csv", "event": "ready"}
    assert msgspec.json.decode(input_of(SPEC, {}, b'{"dry": true, "a": 1}')) == {"dry": True, "a": 1}


@pytest.mark.parametrize(
    ("mapping", "body", "field", "code"),
    [
        ({"file": "$.data.path"}, BODY, "$.data.path", "missing_place"),
        ({"file": "header:x-file"}, BODY, "header:x-file", "missing_place"),
        ({}, b"[1]", "$", "bad_input"),
    ],
)
def test_what_a_call_does_not_bring_is_named(mapping: dict[str, str], body: bytes, field: str, code: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        input_of(SPEC, mapping, body)

    assert (refused.value.field, refused.value.code) == (field, code)


def test_a_key_is_a_text_or_a_whole_number() -> None:
    assert key_of("$.data.id", BODY, {}) == "71"
    assert key_of("header:x-id", BODY, {"x-id": "d-1"}) == "d-1"
    assert key_of_run(3, "71") != key_of_run(4, "71")
    for body in (b'{"id": 1.5}', b'{"id": true}', b'{"id": null}', b'{"id": ""}', b'{"id": "a\\u0000"}'):
        with pytest.raises(InvalidInputError, match="id"):
            key_of("$.id", body, {})


@pytest.mark.parametrize(
    ("rule", "field"),
    [
        (Webhook(signature_header="X-Signature"), "when.signature_header"),
        (Webhook(timestamp_header="a b"), "when.timestamp_header"),
        (Webhook(tolerance=0), "when.tolerance"),
        (Webhook(mapping={"a": "b"}), "when.mapping.a"),
        (Webhook(mapping={"a": "header:"}), "when.mapping.a"),
        (Webhook(key="id"), "when.key"),
        (Webhook(key="$.id", remember_calls=True), "when.remember_calls"),
        (Webhook(auth=HookAuth.BEARER, remember_calls=True), "when.remember_calls"),
        (Event(type="a b"), "when.type"),
        (Event(type="order", mapping={"a": "header:x"}), "when.mapping.a"),
        (Event(type="order", filter={"x": msgspec.Raw(b"1")}), "when.filter.x"),
    ],
)
def test_a_rule_that_cannot_work_is_refused_by_field(rule: Webhook | Event, field: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        check_webhook(rule) if isinstance(rule, Webhook) else check_event(rule)

    assert refused.value.field == field
