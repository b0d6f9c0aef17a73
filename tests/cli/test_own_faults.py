"""A server sees a disk that is nearly full, and a certificate that ends."""

from datetime import timedelta
from pathlib import Path

from mainspring.clock import SystemClock
from mainspring.settings.own_faults import of_certificate, of_disk
from tests.cli.certificates import make_certificate


def test_a_certificate_that_ends_within_two_weeks_is_told(tmp_path: Path) -> None:
    file = str(make_certificate(tmp_path).certificate)
    now = SystemClock().now()
    [soon] = of_certificate(file, now + timedelta(days=36_500))

    assert list(of_certificate("", now)) == []
    assert soon.subject == f"certificate {file}"
    assert "renew it" in soon.words


def test_a_certificate_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    [gone] = of_certificate(str(tmp_path / "gone.pem"), SystemClock().now())

    assert gone.words.startswith("cannot be read: ")


def test_a_disk_with_little_room_is_told(tmp_path: Path) -> None:
    [full] = of_disk(tmp_path, least=2**80)

    assert full.subject == "disk"
    assert list(of_disk(tmp_path, least=0)) == []
    assert list(of_disk(tmp_path / "gone", least=2**80)) == []
