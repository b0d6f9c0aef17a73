"""Certificates for tests, made by openssl."""

import subprocess
from pathlib import Path

import msgspec


class Certificate(msgspec.Struct, frozen=True):
    """Signed by itself, so it is its own authority."""

    certificate: str
    key: str


def make_certificate(folder: Path, name: str = "server", *, password: str = "") -> Certificate:
    made = Certificate(str(folder / f"{name}.pem"), str(folder / f"{name}.key"))
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-days", "2"]
    command += ["-subj", f"/CN={name}", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    command += ["-keyout", made.key, "-out", made.certificate]
    command += ["-passout", f"pass:{password}"] if password else ["-nodes"]
    subprocess.run(command, check=True, capture_output=True)
    return made
