"""Where the keys for secrets come from."""

import base64
import stat
from pathlib import Path

import pytest

from mainspring.errors import ConfigError
from mainspring.settings import ServerSettings, load
from mainspring.settings.keys import KEY_FILE, kept_keys, secret_keys

FIRST, SECOND = (base64.b64encode(bytes([number]) * 32).decode() for number in (1, 255))


def test_a_key_is_made_once_and_kept_for_its_owner_alone(tmp_path: Path) -> None:
    settings = ServerSettings(home=str(tmp_path / "home"))
    assert kept_keys(settings) == []
    [made] = secret_keys(settings)

    assert len(made) == 32
    assert secret_keys(settings) == kept_keys(settings) == [made]
    assert [path.name for path in (tmp_path / "home").iterdir()] == [KEY_FILE]
    assert stat.S_IMODE((tmp_path / "home" / KEY_FILE).stat().st_mode) == 0o600


def test_keys_of_the_settings_win_and_keep_their_order(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(f"{FIRST},{SECOND.replace('/', '_')}\n")
    file.chmod(0o600)
    env = {"MAINSPRING_HOME": str(tmp_path / "home"), "MAINSPRING_SECRET_KEYS_FILE": str(file)}
    settings = load(ServerSettings, {}, env=env)

    assert secret_keys(settings) == [bytes([1]) * 32, bytes([255]) * 32]
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize("text", ["short", "not base64!", base64.b64encode(bytes(16)).decode(), "ü"])
def test_a_key_that_is_none_is_refused_without_being_shown(text: str) -> None:
    with pytest.raises(ConfigError, match="32 random bytes") as refused:
        secret_keys(ServerSettings(secret_keys=(text,)))

    assert text not in str(refused.value)
