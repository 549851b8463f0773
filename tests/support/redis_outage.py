"""A Redis frontier whose server goes away and comes back."""

from __future__ import annotations

import socket
import threading
from dataclasses import dataclass

from tests.support.redis_server import RedisServer
from tests.support.redis_support import ManualClock, link
from topiccrawl.frontier.redis.frontier import RedisFrontier


@dataclass
class Outage:
    """A frontier on a server that a test stops, and starts again."""

    server: RedisServer
    clock: ManualClock
    frontier: RedisFrontier

    def come_back(self) -> None:
        self.server.start()
        self.clock.now += 1.0


def id_of(path: str) -> int:
    """Id of the link with this path."""
    return link(path).id


class AnswerDropper:
    """A proxy before the server that can drop the answers."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._dropping = threading.Event()
        self._sockets: list[socket.socket] = []

    def drop_answers(self) -> None:
        self._dropping.set()

    def pass_answers(self) -> None:
        self._dropping.clear()

    def __enter__(self) -> AnswerDropper:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        for each in (self._listener, *self._sockets):
            each.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._target))
            self._sockets += [near, far]
            threading.Thread(target=self._pass, args=(near, far, False), daemon=True).start()
            threading.Thread(target=self._pass, args=(far, near, True), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, answers: bool) -> None:
        try:
            while data := source.recv(65_536):
                if answers and self._dropping.is_set():
                    # The server has executed the command; the client sees a closed connection.
                    target.shutdown(socket.SHUT_RDWR)
                    return
                target.sendall(data)
        except OSError:
            return
