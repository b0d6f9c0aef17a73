"""Enqueue one of each, wait for them, and show what there is: one of each."""

import os

import psycopg
from jobs import app, book, pay, send_mail, set_price

TABLES = """
CREATE TABLE IF NOT EXISTS prices (item text PRIMARY KEY, cents integer, fence integer);
CREATE TABLE IF NOT EXISTS payments (key text PRIMARY KEY, "order" integer, cents integer);
CREATE TABLE IF NOT EXISTS outbox (key text, "to" text);
CREATE TABLE IF NOT EXISTS bookings ("order" integer);
"""
COUNTS = """
SELECT 'prices', count(*) FROM prices
UNION ALL SELECT 'payments', count(*) FROM payments
UNION ALL SELECT 'outbox', count(*) FROM outbox
UNION ALL SELECT 'bookings', count(*) FROM bookings
"""


def main() -> None:
    with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
        connection.execute(TABLES)
    runs = [
        set_price.enqueue_sync(item="book", cents=1250),
        pay.enqueue_sync(order=7, cents=1250),
        send_mail.enqueue_sync(to="anna@example.com"),
        book.enqueue_sync(order=7),
    ]
    for run in runs:
        over = run.wait(timeout=30)
        print(f"{over.job}: {over.state}, attempt {over.attempt}")
    with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
        for table, count in connection.execute(COUNTS):
            print(f"{table}: {count}")
    app.sync_client.close()


if __name__ == "__main__":
    main()
