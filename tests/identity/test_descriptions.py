"""A file that describes an identity provider is read whole, or refused with its field and reason."""

from pathlib import Path

import pytest

from mainspring.domain.access.permissions import Role
from mainspring.errors import ConfigError
from mainspring.settings.providers import read_providers
from mainspring.settings.sections import ServerSettings

GOOD = 'issuer = "https://login.example.com"\nclient_id = "mainspring"\n'


def read(tmp_path: Path, text: str) -> None:
    (tmp_path / "corp.toml").write_text(text)
    read_providers(ServerSettings(oidc=(str(tmp_path / "corp.toml"),)), {})


def test_a_provider_is_named_after_its_file(tmp_path: Path) -> None:
    (tmp_path / "corp.toml").write_text(f'{GOOD}client_secret = "env:SECRET"\n[roles]\nops = "admin"\n')
    (found,) = read_providers(ServerSettings(oidc=(str(tmp_path / "corp.toml"),)), {"SECRET": "s"})

    assert (found.name, found.client_secret, found.roles) == ("corp", "s", {"ops": Role.ADMIN})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('issuer = "https://a.example"\n', "client_id"),
        (f'{GOOD}isuer = "x"\n', "unknown field isuer"),
        ('issuer = "http://login.example.com"\nclient_id = "m"\n', "issuer begins with https://"),
        ('issuer = "login"\nclient_id = "m"\n', "issuer is an address"),
        (f'{GOOD}scopes = ["profile"]\n', "scopes need openid"),
        (f'{GOOD}[roles]\nops = "king"\n', "king"),
        (f'{GOOD}[roles]\nops = "executor"\n', "executor is not for people"),
        (f'{GOOD}[roles]\nops = {{ "No Name" = "viewer" }}\n', "namespace"),
        (f'{GOOD}otherwise = "admin"\n', "otherwise"),
        (f'{GOOD}client_secret = "env:MISSING"\n', "MISSING is not set"),
        (f'{GOOD}client_secret = "file:/nowhere"\n', "cannot be read"),
        (f'{GOOD}name = "A B"\n', "name is 1 to 40"),
        (f'{GOOD}redirect_url = "http://jobs.example.com/x"\n', "redirect_url begins with https://"),
        ("issuer = \n", "corp.toml"),
    ],
)
def test_a_bad_description_is_refused_with_its_field(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read(tmp_path, text)

    assert reason in str(refused.value)
    assert "corp.toml" in str(refused.value)


def test_two_providers_of_one_name_are_refused(tmp_path: Path) -> None:
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text(f'{GOOD}name = "corp"\n')
    with pytest.raises(ConfigError, match="two files describe the identity provider 'corp'"):
        read_providers(ServerSettings(oidc=(str(tmp_path / "a.toml"), str(tmp_path / "b.toml"))), {})


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_providers(ServerSettings(oidc=(str(tmp_path / "none.toml"),)), {})
