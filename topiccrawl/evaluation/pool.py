"""Workers in several processes."""

from __future__ import annotations

import multiprocessing
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.plan import Plan
from topiccrawl.evaluation.tasks import LinksOf, Message, RunsOf, Task
from topiccrawl.evaluation.worker import Worker

#: Kind of the message with which a worker process reports that its task is complete.
_DONE = "done"


class Pool:
    """Runs tasks on *jobs* worker processes, or in this process if *jobs* is 1.

    A worker caches what it has read for a topic.  It is therefore given tasks of its last topic as
    long as there are any, then tasks of the topic with the most tasks left.
    """

    def __init__(self, plan: Plan, jobs: int) -> None:
        self._plan = plan
        self._jobs = jobs
        self._local: Worker | None = None
        self._processes: dict[Connection, SpawnProcess] = {}

    def __enter__(self) -> Pool:
        if self._jobs <= 1:
            self._local = Worker(self._plan)
            return self
        context = multiprocessing.get_context("spawn")
        for _ in range(self._jobs):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs, self._plan), daemon=True)
            process.start()
            theirs.close()
            self._processes[ours] = process
        return self

    def __exit__(self, *error: object) -> None:
        if self._local is not None:
            self._local.close()
        for connection, process in self._processes.items():
            if error[0] is None:
                connection.send(None)
            else:
                process.terminate()
            connection.close()
        for process in self._processes.values():
            process.join()

    def run(self, tasks: Sequence[Task], receive: Callable[[Message], object]) -> None:
        """Run all *tasks*; *receive* is called in this process with every message.

        Raises:
            ConfigurationError: raised by a worker.
            RuntimeError: any other error in a worker process; contains its traceback.
        """
        if self._local is not None:
            for task in tasks:
                self._local.do(task, receive)
            return
        left = list(tasks)
        last: dict[Connection, str] = {}
        busy: set[Connection] = set()
        for connection in self._processes:
            self._next(connection, left, last, busy)
        while busy:
            for ready in wait(list(busy)):
                assert isinstance(ready, Connection)
                kind, value = _receive(ready)
                if kind == "message":
                    receive(value)
                    continue
                if kind == "configuration":
                    raise ConfigurationError(value)
                if kind == "error":
                    raise RuntimeError(f"a worker failed:\n{value}")
                busy.discard(ready)
                self._next(ready, left, last, busy)

    def _next(
        self,
        connection: Connection,
        left: list[Task],
        last: dict[Connection, str],
        busy: set[Connection],
    ) -> None:
        if not left:
            return
        own = last.get(connection)
        others = {topic for each, topic in last.items() if each is not connection}
        counts = {topic: sum(_topic(t) == topic for t in left) for topic in map(_topic, left)}

        def rank(topic: str) -> tuple[bool, bool, int]:
            return topic == own, topic not in others, counts[topic]

        topic = max(counts, key=rank)
        task = next(t for t in left if _topic(t) == topic)
        left.remove(task)
        last[connection] = topic
        busy.add(connection)
        connection.send(task)


def _topic(task: Task) -> str:
    return "" if isinstance(task, LinksOf) else task.unit.topic


def _receive(connection: Connection) -> tuple[str, Any]:
    try:
        kind, value = connection.recv()
    except (EOFError, ConnectionResetError):
        return "error", "it ended without an error message (killed, or out of memory?)"
    return kind, value


def _serve(connection: Connection, plan: Plan) -> None:
    """Run the tasks received over *connection* in a worker process until it receives ``None``."""
    try:
        worker = Worker(plan)
        while (task := connection.recv()) is not None:
            assert isinstance(task, LinksOf | RunsOf)
            worker.do(task, lambda message: connection.send(("message", message)))
            connection.send((_DONE, None))
        worker.close()
    except ConfigurationError as error:
        connection.send(("configuration", str(error)))
    except (EOFError, KeyboardInterrupt):
        pass  # the parent process has ended
    except Exception:
        connection.send(("error", traceback.format_exc()))
