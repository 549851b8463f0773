"""A Redis server that a test can start, kill and restart, with its data in a folder of the test."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import redis

from tests.support.waiting import free_port

HOW_TO_GET_ONE = "no redis-server: apt-get install redis-server (or brew install redis)"
HOW_TO_GET_TLS = "redis-server without TLS, or no openssl: use a build with BUILD_TLS=yes"

#: Seconds after which a server that does not answer counts as broken.
_PATIENCE = 20.0


def executable() -> str | None:
    """Return the path of the server's program, ``None`` without one."""
    return shutil.which("redis-server")


class RedisServer:
    """One server process, with the same port and options after a restart."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        append_only: bool = False,
        password: str = "",
        tls: dict[str, str] | None = None,
    ) -> None:
        self._folder = folder
        self._password = password
        self._tls = tls
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0
        self._options = ["--dir", str(folder), "--save", "", "--bind", "127.0.0.1", *options]
        # The system flushes when it likes: with everysec, Redis keeps what it has answered to itself for up to
        # two seconds while a flush takes long, and a kill loses it.
        self._options += ["--appendonly", "yes" if append_only else "no", "--appendfsync", "no"]
        if password:
            self._options += ["--requirepass", password]
        if tls:
            self._options += ["--tls-cert-file", tls["certificate"], "--tls-key-file", tls["key"]]
            self._options += ["--tls-ca-cert-file", tls["certificate"], "--tls-auth-clients", "no"]

    @property
    def url(self) -> str:
        """As REDIS_URL takes it, also while the server is down."""
        secret = f":{quote(self._password, safe='')}@" if self._password else ""
        if self._tls:
            return (
                f"rediss://{secret}127.0.0.1:{self.port}/0?ssl_ca_certs={self._tls['certificate']}"
            )
        return f"redis://{secret}127.0.0.1:{self.port}/0"

    def client(self) -> redis.Redis:
        """A new client."""
        return redis.Redis.from_url(self.url, socket_timeout=10)

    def start(self, *, ready: bool = True) -> None:
        """Start; with *ready*, wait until it answers."""
        # Another process may take the port between the question and the server's start.
        for _ in range(5):
            port = self.port or free_port()
            ports = ["--port", "0", "--tls-port", str(port)] if self._tls else ["--port", str(port)]
            self._process = subprocess.Popen(
                [str(executable()), *self._options, *ports],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            taken, self.port = self.port, port
            if not ready or self._answers():
                return
            self.kill()
            self.port = taken
        raise AssertionError(f"redis-server does not start in {self._folder}")

    def _answers(self) -> bool:
        client = self.client()
        end = time.monotonic() + _PATIENCE
        assert self._process is not None
        while self._process.poll() is None and time.monotonic() < end:
            try:
                client.ping()
            except redis.RedisError:
                time.sleep(0.01)  # there is no event to wait for
            else:
                client.close()
                return True
        return False

    def kill(self) -> None:
        """End it at once (SIGKILL), as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def restart(self) -> None:
        """Kill it and start it again on the same port."""
        self.kill()
        self.start()

    @contextmanager
    def losing_what_is_written(self) -> Iterator[None]:
        """Kill and restart it at the end of the block, with its append-only file as it was at the beginning."""
        file, copy = self._folder / "appendonlydir", self._folder / "copy"
        shutil.copytree(file, copy)
        yield
        self.kill()
        shutil.rmtree(file)
        copy.rename(file)
        self.start()
