"""A MongoDB-protocol server that a test starts, kills and starts again.

Where servers come from:

``MONGODB_URI``
    a running server; tests use a database of their own there and drop it.
``TOPICCRAWL_TEST_MONGO_SERVER``
    the executable that ``.ci/install-mongo FOLDER`` made.  Tests that kill the server need this one,
    and it serves the others too when ``MONGODB_URI`` is not set.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

HOW_TO_GET_ONE = (
    "no MongoDB: set MONGODB_URI=mongodb://host, or "
    "TOPICCRAWL_TEST_MONGO_SERVER=$(.ci/install-mongo FOLDER)"
)
HOW_TO_GET_A_KILLABLE_ONE = (
    "no MongoDB to kill: set TOPICCRAWL_TEST_MONGO_SERVER=$(.ci/install-mongo FOLDER)"
)


def given_uri() -> str | None:
    """The server to use as it is."""
    return os.environ.get("MONGODB_URI") or None


def given_executable() -> str | None:
    """The server to start."""
    return os.environ.get("TOPICCRAWL_TEST_MONGO_SERVER") or None


class MongoServer:
    """One server process with its data in *folder*; keeps its port over restarts."""

    def __init__(self, executable: str, folder: Path) -> None:
        self._executable = executable
        self._folder = folder
        self._address = "127.0.0.1:0"
        self._process: subprocess.Popen[str] | None = None

    @property
    def uri(self) -> str:
        """``mongodb://127.0.0.1:PORT``, also while the server is down."""
        return f"mongodb://{self._address}"

    def start(self) -> None:
        """Start and wait until connections are accepted."""
        self._process = subprocess.Popen(
            [self._executable, "-listen", self._address, "-data", str(self._folder)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdout is not None
        first = self._process.stdout.readline().strip()
        assert first.startswith("mongodb://"), f"the test server did not start: {first!r}"
        self._address = first.removeprefix("mongodb://").rstrip("/")

    def kill(self) -> None:
        """End it at once (SIGKILL), as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None
