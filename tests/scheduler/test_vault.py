"""Secrets as they are stored."""

import os
from datetime import UTC, datetime

import pytest

from mainspring.domain.triggers.spec import HookAuth
from mainspring.domain.webhooks.webhook import Hook
from mainspring.scheduler.access.vault import SecretLockedError, Vault

NOW = datetime(2030, 1, 1, tzinfo=UTC)
OLD, NEW = bytes(32), bytes(range(32))
SECRET = b"mshook_signs_everything"


def test_what_is_sealed_is_not_the_secret_and_opens_again() -> None:
    vault = Vault([OLD])
    sealed = vault.seal(SECRET, 7, os.urandom)

    assert SECRET not in sealed
    assert sealed != vault.seal(SECRET, 7, os.urandom)
    assert vault.open(sealed, 7) == SECRET


def test_the_first_key_seals_and_any_opens() -> None:
    before = Vault([OLD]).seal(SECRET, 7, os.urandom)
    between = Vault([NEW, OLD])
    after = between.seal(SECRET, 7, os.urandom)

    assert between.open(before, 7) == between.open(after, 7) == Vault([NEW]).open(after, 7) == SECRET


@pytest.mark.parametrize("keys", [[], [OLD]])
def test_a_server_without_the_key_says_so(keys: list[bytes]) -> None:
    with pytest.raises(SecretLockedError, match="the same secret_keys"):
        Vault(keys).open(Vault([NEW]).seal(SECRET, 7, os.urandom), 7)


def test_a_seal_opens_only_as_it_was_made_and_for_its_own_trigger() -> None:
    vault = Vault([OLD])
    sealed = vault.seal(SECRET, 7, os.urandom)

    for changed, trigger in ((sealed, 8), (sealed[:-1] + bytes([sealed[-1] ^ 1]), 7), (sealed[:20], 7)):
        with pytest.raises(SecretLockedError, match="changed in the database"):
            vault.open(changed, trigger)


def test_both_secrets_of_a_webhook_are_opened_and_one_from_before_there_were_seals_is_as_it_was() -> None:
    vault = Vault([OLD])
    hook = Hook(
        id="x", auth=HookAuth.HMAC, secret=vault.seal(SECRET, 7, os.urandom), old_secret=b"mshook_old", made_at=NOW
    )

    opened = vault.opened(hook, 7)
    assert (opened.secret, opened.old_secret) == (SECRET, b"mshook_old")
