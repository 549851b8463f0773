"""HTTP authentication: challenges of servers and their answers (RFC 7617 Basic, RFC 7616 Digest)."""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

# Names are tried at their first character only: the time is linear in the header, which a server may fill with
# a name of 256 KB.
_PARAMETER: Final = re.compile(r'(?<![\w-])([\w-]++)\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"|([^\s,"]+))')
_SCHEME: Final = re.compile(r"(?:^|,)\s*(Basic|Digest)(?=\s|$|,)", re.IGNORECASE)
#: Hashes of RFC 7616, with hashlib's names, the best first.
_ALGORITHMS: Final = {"SHA-512-256": "sha512_256", "SHA-256": "sha256", "MD5": "md5"}


@dataclass(frozen=True, slots=True)
class Challenge:
    """One challenge of a WWW-Authenticate header."""

    scheme: str
    """``basic`` or ``digest``."""
    parameters: dict[str, str] = field(default_factory=dict)

    @property
    def algorithm(self) -> str:
        """Name of the hash, without ``-sess``, in upper case."""
        return self.parameters.get("algorithm", "MD5").upper().removesuffix("-SESS")


def best_challenge(headers: Iterable[str]) -> Challenge | None:
    """Return the strongest challenge that can be answered, ``None`` without one."""
    found: list[Challenge] = []
    for header in map(_as_text, headers):
        marks = list(_SCHEME.finditer(header))
        for mark, after in zip(marks, [*marks[1:], None], strict=True):
            part = header[mark.end() : after.start() if after else len(header)]
            values = {
                name.lower(): re.sub(r"\\(.)", r"\1", quoted) if quoted else plain
                for name, quoted, plain in _PARAMETER.findall(part)
            }
            found.append(Challenge(mark[1].lower(), values))
    order = list(_ALGORITHMS)
    digests = [it for it in found if it.scheme == "digest" and it.algorithm in order]
    digests = [it for it in digests if it.parameters.get("nonce")]
    if digests:
        return min(digests, key=lambda it: order.index(it.algorithm))
    return next((it for it in found if it.scheme == "basic"), None)


class HttpAuthorization:
    """Writes Authorization headers for one user."""

    def __init__(self, user: str, password: str, challenge: Challenge) -> None:
        self._user = user
        self._password = password
        self._challenge = challenge
        self._count = 0

    def header(self, method: str, url: str) -> str:
        """Return the value of the Authorization header of a request."""
        if self._challenge.scheme == "basic":
            pair = f"{self._user}:{self._password}".encode()
            return f"Basic {base64.b64encode(pair).decode('ascii')}"
        return self._digest(method, url)

    def _digest(self, method: str, url: str) -> str:
        given = self._challenge.parameters
        realm, nonce = given.get("realm", ""), given["nonce"]
        parts = urlsplit(url)
        uri = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._count += 1
        count, own = f"{self._count:08x}", os.urandom(8).hex()
        secret = self._hash(f"{self._user}:{realm}:{self._password}")
        if given.get("algorithm", "").upper().endswith("-SESS"):
            secret = self._hash(f"{secret}:{nonce}:{own}")
        what = self._hash(f"{method}:{uri}")
        qops = [it.strip().lower() for it in given.get("qop", "").split(",")]
        if "auth" in qops:
            response = self._hash(f"{secret}:{nonce}:{count}:{own}:auth:{what}")
        else:
            response = self._hash(f"{secret}:{nonce}:{what}")
        values = {"username": self._user, "realm": realm, "nonce": nonce, "uri": uri}
        values |= {"response": response}
        if "opaque" in given:
            values["opaque"] = given["opaque"]
        text = ", ".join(f'{name}="{_quoted(value)}"' for name, value in values.items())
        if "algorithm" in given:
            text += f", algorithm={given['algorithm']}"
        if "auth" in qops:
            text += f', qop=auth, nc={count}, cnonce="{own}"'
        return f"Digest {text}"

    def _hash(self, text: str) -> str:
        name = _ALGORITHMS[self._challenge.algorithm]
        return hashlib.new(name, text.encode("utf-8")).hexdigest()


def _as_text(header: str) -> str:
    """Return a header whose bytes were read as Latin-1 as UTF-8, if they are."""
    try:
        return header.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return header


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
