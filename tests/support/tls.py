"""A self-signed certificate for servers of tests on 127.0.0.1."""

from __future__ import annotations

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest


def certificates(folder: Path) -> dict[str, str] | None:
    """Make a self-signed certificate for 127.0.0.1; return ``None`` without openssl."""
    if shutil.which("openssl") is None:
        return None
    key, certificate = folder / "key.pem", folder / "cert.pem"
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"),
            *("-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"),
            *("-keyout", str(key), "-out", str(certificate)),
        ],
        check=True,
        capture_output=True,
    )
    return {"key": str(key), "certificate": str(certificate)}


def tls_of_server(folder: Path) -> tuple[ssl.SSLContext, str]:
    """Return what a server on 127.0.0.1 speaks TLS with, and the file of its certificate; skip without openssl."""
    files = certificates(folder)
    if files is None:
        pytest.skip("no openssl: apt-get install openssl")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files["certificate"], files["key"])
    return context, files["certificate"]
