"""A Celery app whose schedule only a running program knows."""

from datetime import timedelta

from celery import Celery
from celery.schedules import crontab, schedule

app = Celery("shop", broker="memory://")
app.conf.timezone = "Europe/Rome"
app.conf.task_routes = {"shop.mail.*": {"queue": "mail"}}


class Odd(schedule):  # type: ignore[misc]
    """A schedule with rules of its own."""


def entries() -> dict[str, object]:
    return {f"clean-{hour}": {"task": "shop.clean", "schedule": crontab(hour=hour, minute=0)} for hour in (3, 15)}


@app.task(name="shop.mail.send", bind=True, rate_limit="10/m")  # type: ignore[untyped-decorator]
def send(self: object, to: str, subject: str = "hello") -> None:
    """Nothing is sent."""


@app.task(name="shop.clean")  # type: ignore[untyped-decorator]
def clean() -> None:
    """Nothing is cleaned."""


app.conf.beat_schedule = {
    **entries(),
    "letters": {"task": "shop.mail.send", "schedule": timedelta(minutes=5), "args": ("ops", "hi")},
    "odd": {"task": "shop.clean", "schedule": Odd(5.0)},
    "object": {"task": "shop.mail.send", "schedule": 60, "args": (object(),)},
    "unknown": {"task": "shop.nothing", "schedule": 60, "options": {"queue": "own", "countdown": 3}},
}
print("this app talks while it is imported")


@app.on_after_finalize.connect  # type: ignore[untyped-decorator]
def periodic(sender: Celery, **_: object) -> None:
    sender.add_periodic_task(crontab(hour=7, day_of_week=1), send.s("anna"), name="monday")
