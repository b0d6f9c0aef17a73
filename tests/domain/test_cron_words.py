"""Expressions in words."""

import pytest

from mainspring.domain.cron import parse_cron
from mainspring.domain.cron.words import describe


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("30 9 * * mon-fri", "at 09:30 on weekdays"),
        ("@daily", "at 00:00 every day"),
        ("@hourly", "every hour"),
        ("0 */2 * * *", "every 2 hours"),
        ("* * * * *", "every minute"),
        ("*/5 * * * *", "every 5 minutes"),
        ("10-20 * * * *", "at minutes 10 to 20 of every hour"),
        ("15,45 9-17 * * *", "at minutes 15 and 45 from 09:00 to 17:59"),
        ("*/6 1-3 * * *", "every 6 minutes from 01:00 to 03:59"),
        ("*/59 * * * *", "at minutes 0 and 59 of every hour"),
        ("*/40 1-4 * * *", "at minutes 0 and 40 from 01:00 to 04:59"),
        ("*/7 * * * *", "at minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56 of every hour"),
        ("*/25 * * * * *", "at seconds 0, 25 and 50 of every minute"),
        ("5 * 3 * * *", "at second 5 of every minute from 03:00 to 03:59"),
        ("*/30 */40 * * * *", "every 30 seconds of minutes 0 and 40 of every hour"),
        ("*/15 */5 * * *", "every 15 minutes of the hours 0, 5, 10, 15 and 20"),
        ("*/15 */6 * * *", "every 15 minutes of every 6th hour"),
        ("*/10 * * * * *", "every 10 seconds"),
        ("*/15 3 * * * *", "every 15 seconds of minute 3 of every hour"),
        ("30 8,12 * * sat,sun", "at 08:30 and 12:30 on weekends"),
        ("5 10 5 * * *", "at 05:10:05 every day"),
        ("0 12 1,15 * *", "at 12:00 on days 1 and 15 of the month"),
        ("0 0 1-5,9 * *", "at 00:00 on days 1 to 5 and 9 of the month"),
        ("0 0 L * *", "at 00:00 on the last day of the month"),
        ("0 0 L-2 * *", "at 00:00 on the 3rd last day of the month"),
        ("0 0 15W * *", "at 00:00 on the weekday nearest to day 15 of the month"),
        ("0 0 * * fri#2", "at 00:00 on the 2nd Friday"),
        ("5 4 * * 5L", "at 04:05 on the last Friday"),
        ("0 0 13 * 5", "at 00:00 on day 13 of the month and on Friday"),
        ("0 0 */10 * *", "at 00:00 on days 1, 11, 21 and 31 of the month"),
        ("0 0 */10 * 1", "at 00:00 on days 1, 11, 21 and 31 of the month if it is Monday"),
        ("0 0 1 1,7 *", "at 00:00 on day 1 of the month in January and July"),
    ],
)
def test_an_expression_is_told_in_words(text: str, words: str) -> None:
    assert describe(parse_cron(text)) == words
