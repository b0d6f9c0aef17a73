"""For Flask: an extension that gives every process one client, configured as Flask is."""

from flask import Flask, current_app

from mainspring.app import App
from mainspring.client.client import Client
from mainspring.contrib.clients import process_client
from mainspring.errors import ConfigError

NAME = "mainspring"
KEYS = ("MAINSPRING_URL", "MAINSPRING_TOKEN", "MAINSPRING_NAMESPACE", "MAINSPRING_CA_FILE")
"""Keys of Flask's configuration; other settings come from the environment."""


class Mainspring:
    """`Mainspring(flask_app, jobs)`, or `Mainspring(app=jobs)` and `init_app` later.

    The jobs of the app given are then enqueued by `job.enqueue_sync(…)` through the client of the Flask app.
    """

    def __init__(self, flask_app: Flask | None = None, app: App | None = None) -> None:
        self._app = app
        if flask_app is not None:
            self.init_app(flask_app)

    def init_app(self, flask_app: Flask) -> None:
        url, token, namespace, ca_file = (flask_app.config.setdefault(key, None) for key in KEYS)
        client = process_client(tuple(url) if isinstance(url, list) else url, token, namespace, ca_file)
        flask_app.extensions[NAME] = client
        if self._app is not None:
            self._app.sync_client = client

    @property
    def client(self) -> Client:
        """The client of the Flask app at hand; any thread may use it."""
        found = current_app.extensions.get(NAME)
        if not isinstance(found, Client):
            raise ConfigError(f"{current_app.name} has no Mainspring: call init_app with it")
        return found
