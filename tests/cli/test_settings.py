"""Where settings come from, and what is refused."""

import stat
from pathlib import Path

import pytest

from mainspring.domain.cluster.session import PoolSize
from mainspring.domain.jobs.job import Pool
from mainspring.errors import ConfigError
from mainspring.settings import (
    ClientSettings,
    ExecutorSettings,
    SchedulerSettings,
    ServerSettings,
    keep_token,
    load,
    read_token,
)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "mainspring.toml"
    path.write_text(
        """
        [server]
        host = "from-file"
        port = 1111
        home = "/from/file"
        [scheduler]
        lease = 20
        [executor]
        queues = ["a", "b"]
        labels = { zone = "eu" }
        pools = ["threads=1:2:3"]
        """
    )
    return path


def test_a_flag_wins_over_the_environment_that_over_the_file_that_over_the_default(config: Path) -> None:
    env = {"MAINSPRING_PORT": "2222", "MAINSPRING_HOST": "from-env", "MAINSPRING_CONFIG": str(config)}
    settings = load(ServerSettings, {"port": 3333, "host": None}, env=env)

    assert (settings.port, settings.host, settings.home, settings.pool_size) == (3333, "from-env", "/from/file", 10)


def test_the_scheduler_s_table_and_variables_reach_the_server(config: Path) -> None:
    settings = load(ServerSettings, env={"MAINSPRING_SCHEDULER_HINTS": "false"}, config=str(config))

    assert settings.scheduler == SchedulerSettings(lease=20.0, hints=False)


def test_lists_labels_and_pools_are_read_from_every_source(config: Path) -> None:
    by_file = load(ExecutorSettings, env={}, config=str(config))
    by_env = load(ExecutorSettings, env={"MAINSPRING_EXECUTOR_QUEUES": "a, b", "MAINSPRING_EXECUTOR_LABELS": "zone=eu"})
    by_flag = load(ExecutorSettings, {"pools": ("loop=0:5:5",)}, env={})

    assert by_file.queues == by_env.queues == ("a", "b")
    assert by_file.labels == by_env.labels == {"zone": "eu"}
    assert PoolSize(Pool.THREADS, 1, 2, 3) in by_file.pools
    assert by_flag.pools == (
        PoolSize(Pool.LOOP, 0, 5, 5),
        PoolSize(Pool.THREADS, 4, 32, 128),
        PoolSize(Pool.PROCESSES, 0, 2, 32),
    )


def test_an_executor_takes_the_servers_that_clients_take_unless_others_are_named_for_it(tmp_path: Path) -> None:
    (tmp_path / "mainspring.toml").write_text('[executor]\nservers = ["http://from-file"]\n')
    env = {"MAINSPRING_URL": "http://a, http://b", "MAINSPRING_CONFIG": str(tmp_path / "mainspring.toml")}
    own = {**env, "MAINSPRING_EXECUTOR_SERVERS": "http://c"}

    assert load(ExecutorSettings, env=env).servers == ("http://a", "http://b") == load(ClientSettings, env=env).url
    assert load(ExecutorSettings, env=own).servers == ("http://c",)
    assert load(ExecutorSettings, {"servers": ("http://d,http://e", "http://f")}, env=own).servers == (
        "http://d",
        "http://e",
        "http://f",
    )


def test_a_secret_may_come_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s3cret\n")
    settings = load(ClientSettings, env={"MAINSPRING_TOKEN_FILE": str(tmp_path / "secret")})

    assert settings.token == "s3cret"


@pytest.mark.parametrize(
    ("content", "token", "reason"),
    [
        (" \n", "", "MAINSPRING_TOKEN_FILE: '{path}' is empty"),
        ("s3cret", "other", "MAINSPRING_TOKEN and MAINSPRING_TOKEN_FILE are both set"),
        ("one\ntwo", "", "MAINSPRING_TOKEN_FILE: a token is one line of visible ASCII characters"),
        ("s\u00fcss", "", "MAINSPRING_TOKEN_FILE: a token is one line of visible ASCII characters"),
    ],
)
def test_a_secret_that_cannot_be_meant_is_refused(tmp_path: Path, content: str, token: str, reason: str) -> None:
    path = tmp_path / "secret"
    path.write_text(content)
    with pytest.raises(ConfigError) as refused:
        load(ClientSettings, env={"MAINSPRING_TOKEN_FILE": str(path), "MAINSPRING_TOKEN": token})

    assert reason.format(path=path) in str(refused.value)


@pytest.mark.parametrize(("host", "dialled"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("10.0.0.7", "10.0.0.7")])
def test_a_server_that_listens_everywhere_is_reached_on_this_machine(host: str, dialled: str) -> None:
    assert ServerSettings(host=host, port=1).url == f"http://{dialled}:1"


@pytest.mark.parametrize(
    ("env", "reason"),
    [
        ({"MAINSPRING_PROT": "1"}, "unknown variable MAINSPRING_PROT; did you mean MAINSPRING_PORT"),
        ({"MAINSPRING_PORT": "many"}, "MAINSPRING_PORT: Expected `int`"),
        ({"MAINSPRING_PORT": "70000"}, "MAINSPRING_PORT: Expected `int` <= 65535"),
        ({"MAINSPRING_SCHEDULER_LEASE": "-1"}, "MAINSPRING_SCHEDULER_LEASE: Expected `float` > 0"),
        ({"MAINSPRING_SCHEDULER_BEAT": "6"}, "at most half of lease"),
        ({"MAINSPRING_API_TOKEN_FILE": "/no/such/file"}, "MAINSPRING_API_TOKEN_FILE: '/no/such/file' cannot be read"),
        ({"MAINSPRING_CONFIG": "/no/such/file"}, "configuration file '/no/such/file' cannot be read"),
    ],
)
def test_a_wrong_setting_says_where_it_is_and_what_is_wrong(env: dict[str, str], reason: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load(ServerSettings, env=env)

    assert reason in str(refused.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[server]\nprot = 1", "[server] prot: unknown setting; did you mean port?"),
        ("[servr]\nport = 1", "unknown table [servr]; did you mean server?"),
        ("port = 1", "unknown table [port]"),
        ("[server", "configuration file"),
    ],
)
def test_an_unknown_key_in_the_file_is_an_error(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "bad.toml").write_text(text)

    with pytest.raises(ConfigError) as refused:
        load(ServerSettings, env={}, config=str(tmp_path / "bad.toml"))
    assert reason in str(refused.value)


@pytest.mark.parametrize("pool", ["fibres=1:2:3", "threads=1:2", "threads=3:2:1", "threads=a:b:c", "threads=0:1:-1"])
def test_a_bad_pool_is_refused(pool: str) -> None:
    with pytest.raises(ConfigError, match="--pools"):
        load(ExecutorSettings, {"pools": (pool,)}, env={})


def test_variables_that_kubernetes_sets_for_a_service_of_our_name_are_not_settings() -> None:
    env = {
        "MAINSPRING_SERVICE_HOST": "10.0.0.1",
        "MAINSPRING_SERVICE_PORT_HTTP": "8484",
        "MAINSPRING_PORT": "tcp://10.0.0.1:8484",
        "MAINSPRING_PORT_8484_TCP_ADDR": "10.0.0.1",
    }

    assert load(ServerSettings, env=env) == ServerSettings()


def test_a_token_is_kept_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    home = str(tmp_path / "home")
    keep_token(home, "api.token", "first")
    keep_token(home, "api.token", "second")

    assert read_token(home, "api.token") == "second"
    assert stat.S_IMODE((tmp_path / "home" / "api.token").stat().st_mode) == 0o600
    assert read_token(home, "other.token") == ""


@pytest.mark.parametrize(
    ("host", "exposed"),
    [("127.0.0.1", False), ("localhost", False), ("::1", False), ("0.0.0.0", True), ("example.org", True)],
)
def test_only_loopback_is_not_exposed(host: str, *, exposed: bool) -> None:
    assert ServerSettings(host=host).exposed is exposed
