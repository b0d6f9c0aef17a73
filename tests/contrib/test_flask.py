"""The Flask extension: one client for each server and process, found through the Flask app at hand."""

import subprocess
import sys
from collections.abc import Iterator

import pytest
from flask import Flask

from mainspring import ConfigError
from mainspring.contrib.flask import Mainspring
from tests.architecture.source import ROOT
from tests.contrib.live import TOKEN, Live, live_server
from tests.contrib.shop import Shop


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with live_server(tmp_path_factory.mktemp("home")) as started:
        yield started


def web(url: str, *, namespace: str | None = None) -> Flask:
    made = Flask(__name__)
    made.config.update(MAINSPRING_URL=url, MAINSPRING_TOKEN=TOKEN, MAINSPRING_NAMESPACE=namespace)
    return made


def test_the_jobs_of_the_app_go_through_the_client_of_the_flask_app(live: Live) -> None:
    shop, flask = Shop(), web(live.url)
    mainspring = Mainspring(flask, shop.app)
    with flask.app_context():
        listed = mainspring.client.list()

    assert listed.runs == []
    assert shop.app.sync_client is flask.extensions["mainspring"]


def test_an_extension_may_serve_several_flask_apps() -> None:
    mainspring = Mainspring()
    first, second, third = web("http://first"), web("http://first"), web("http://first", namespace="other")
    clients = []
    for flask in (first, second, third):
        mainspring.init_app(flask)
        with flask.app_context():
            clients.append(mainspring.client)

    assert clients[0] is clients[1]
    assert clients[0] is not clients[2]
    assert [client.namespace for client in clients] == ["default", "default", "other"]


def test_a_flask_app_without_it_is_told_what_to_do() -> None:
    flask = Flask("bare")
    with flask.app_context(), pytest.raises(ConfigError, match="bare has no Mainspring: call init_app with it"):
        assert Mainspring().client


FORKING = """
import os, sys
from mainspring.contrib.clients import process_client
client = process_client(sys.argv[1], sys.argv[2], None, None)
client.list()
child = os.fork()
for _ in range(50):
    assert client.list().runs == []
if child:
    assert os.waitpid(child, 0)[1] == 0
"""


def test_a_process_that_forks_does_not_share_its_connections(live: Live) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", FORKING, live.url, TOKEN], cwd=ROOT, check=False, capture_output=True, text=True
    )

    assert ended.returncode == 0, ended.stderr
