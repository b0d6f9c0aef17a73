"""Trouble of the machine that a server runs on: a disk that is nearly full, a certificate that ends."""

import shutil
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from cryptography import x509

from mainspring.domain.alerts.findings import Fault
from mainspring.settings.sections import ServerSettings

SOON = timedelta(days=14)
ROOM_MIN = 1024**3
"""Bytes: below it a server can soon accept nothing, or not even start."""


def own_faults(settings: ServerSettings, now: datetime) -> Sequence[Fault]:
    return [*of_disk(Path(settings.home)), *of_certificate(settings.tls_certificate, now)]


def of_disk(home: Path, least: int = ROOM_MIN) -> Iterator[Fault]:
    try:
        room = shutil.disk_usage(home).free
    except OSError:
        # A server whose home is gone has worse trouble, which its readiness tells.
        return
    if room < least:
        yield Fault("disk", f"{room / 1024**2:.0f} MiB are left in {home}: make room", room)


def of_certificate(file: str, now: datetime) -> Iterator[Fault]:
    if not file:
        return
    try:
        [first, *_] = x509.load_pem_x509_certificates(Path(file).read_bytes())
    except (OSError, ValueError) as error:
        yield Fault(f"certificate {file}", f"cannot be read: {error}")
        return
    left = first.not_valid_after_utc - now
    if left < SOON:
        words = f"ends on {first.not_valid_after_utc:%Y-%m-%d}: renew it, and restart the server"
        yield Fault(f"certificate {file}", words, left.total_seconds())
