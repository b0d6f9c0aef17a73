"""The web side of the guest book."""

from typing import Any

from flask import Flask, request
from jobs import app as jobs
from jobs import check_entry

from mainspring import NotFoundError
from mainspring.contrib.flask import Mainspring

mainspring = Mainspring(app=jobs)


def create_app() -> Flask:
    web = Flask(__name__)
    web.config.from_prefixed_env()  # FLASK_MAINSPRING_URL and its kin
    mainspring.init_app(web)

    @web.post("/entries")
    def add() -> tuple[dict[str, str], int]:
        run = check_entry.enqueue_sync(text=request.form["text"])
        return {"run": run.id}, 202

    @web.get("/entries/<run>")
    def show(run: str) -> dict[str, Any]:
        found = mainspring.client.get(run)
        return {"state": found.state, "result": found.result}

    @web.errorhandler(NotFoundError)
    def missing(error: NotFoundError) -> tuple[dict[str, str], int]:
        return {"error": str(error)}, 404

    return web
