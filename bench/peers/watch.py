"""Waits until the handlers have started and the store says that nothing is left; prints how long it took."""
# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call"

import argparse
import json
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlparse

import psycopg
import redis

PAUSE = 0.01


def started(directory: Path) -> tuple[int, float]:
    """How many handlers have started, and when the first one did."""
    lines = [file.read_text().split() for file in directory.glob("*.count")]
    return sum(int(count) for count, _ in lines), min((float(first) for _, first in lines), default=0.0)


def left_in(url: str, questions: list[str]) -> Callable[[], bool]:
    """A function that says whether the store still has unfinished runs."""
    scheme = urlparse(url).scheme
    if scheme == "redis":
        client = redis.Redis.from_url(url)
        return lambda: any(client.execute_command(*question.split()) for question in questions)
    if scheme == "postgresql":
        connection = psycopg.connect(url, autocommit=True)
        return lambda: any(row and row[0] for row in (connection.execute(q).fetchone() for q in questions))
    database = sqlite3.connect(urlparse(url).path)
    return lambda: any(row and row[0] for row in (database.execute(q).fetchone() for q in questions))


def watch(directory: Path, count: int, left: Callable[[], bool], deadline: float) -> float:
    while started(directory)[0] < count or left():
        if time.monotonic() > deadline:
            raise SystemExit(f"only {started(directory)[0]} of {count} runs were started in time")
        time.sleep(PAUSE)
    return time.monotonic() - started(directory)[1]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--probe", type=Path, required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--url", required=True)
    parser.add_argument("--timeout", type=float, required=True)
    parser.add_argument("questions", nargs="+")
    options = parser.parse_args()
    left = left_in(options.url, options.questions)
    seconds = watch(options.probe, options.count, left, time.monotonic() + options.timeout)
    print(json.dumps({"seconds": seconds, "started": started(options.probe)[0]}))


if __name__ == "__main__":
    main()
