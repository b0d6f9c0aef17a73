"""Words that tests of every layer share."""

from datetime import timedelta

from mainspring.domain.access.permissions import Actor

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)

ANNA = Actor("anna", "t1")
"""An operator with a token."""
