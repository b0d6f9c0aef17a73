"""Settings: as few as a project can have, and Mainspring behind its tasks."""

import os
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import django

BASE_DIR = Path(__file__).resolve().parent.parent
SECRET_KEY = os.environ.get("SECRET_KEY", "only good for an example")
ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
ROOT_URLCONF = "mysite.urls"
USE_TZ = True
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
INSTALLED_APPS = ["shop"]
if django.VERSION < (6, 0):
    INSTALLED_APPS.append("django_tasks")

url = urlsplit(os.environ.get("DATABASE_URL", ""))
ONE_DATABASE = bool(url.scheme)
"""Whether the orders are in the database of the servers."""
if ONE_DATABASE:
    host = url.hostname or parse_qs(url.query).get("host", [""])[0]
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": url.path.lstrip("/"),
            "USER": url.username or "",
            "PASSWORD": url.password or "",
            "HOST": host,
            "PORT": url.port or "",
        }
    }
else:
    DATABASES = {
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.environ.get("SQLITE_FILE", BASE_DIR / "db.sqlite3"),
        }
    }

TASKS = {
    "default": {
        "BACKEND": "mainspring.contrib.django.MainspringBackend",
        "QUEUES": ["default", "mail"],
        "OPTIONS": {
            # In the transaction at hand, if the orders are in the database of the servers.
            "DATABASE": "default" if ONE_DATABASE else None,
            "RETRY": {"attempts": 2, "backoff": 0.1},
        },
    }
}
