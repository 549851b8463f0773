"""Several benches at once, each in a process of its own."""

from __future__ import annotations

import multiprocessing
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import TYPE_CHECKING, Any

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.worker import LinksOf, Message, RunsOf, Task, Worker

if TYPE_CHECKING:
    from topiccrawl.evaluation.plan import Plan

__all__ = ["Pool"]

#: Sent by a worker: the task is over; its error.
_DONE = "done"


class Pool:
    """Does tasks on *jobs* benches; with one job in this process.

    A bench keeps what it has read of a topic, so that a worker gets the tasks of one topic as long
    as there are any, and then those of the topic with most tasks left.
    """

    def __init__(self, plan: Plan, jobs: int) -> None:
        self._plan = plan
        self._jobs = jobs
        self._bench: Worker | None = None
        self._workers: dict[Connection, SpawnProcess] = {}

    def __enter__(self) -> Pool:
        if self._jobs <= 1:
            self._bench = Worker(self._plan)
            return self
        context = multiprocessing.get_context("spawn")
        for _ in range(self._jobs):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, self._plan), daemon=True)
            process.start()
            theirs.close()
            self._workers[ours] = process
        return self

    def __exit__(self, *error: object) -> None:
        if self._bench is not None:
            self._bench.close()
        for connection, process in self._workers.items():
            if error[0] is None:
                connection.send(None)
            else:
                process.terminate()
            connection.close()
        for process in self._workers.values():
            process.join()

    def run(self, tasks: Sequence[Task], heard: Callable[[Message], object]) -> None:
        """Do all *tasks*; *heard* is told, here, of every message.

        Raises :class:`~topiccrawl.errors.ConfigurationError` as the bench does, ``RuntimeError`` with
        the worker's traceback for any other error.
        """
        if self._bench is not None:
            for task in tasks:
                self._bench.do(task, heard)
            return
        left = list(tasks)
        last: dict[Connection, str] = {}
        busy: set[Connection] = set()
        for connection in self._workers:
            self._next(connection, left, last, busy)
        while busy:
            for ready in wait(list(busy)):
                assert isinstance(ready, Connection)
                kind, value = _receive(ready)
                if kind == "message":
                    heard(value)
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
        mine = last.get(connection)
        others = {topic for each, topic in last.items() if each is not connection}
        counts = {topic: sum(_topic(t) == topic for t in left) for topic in map(_topic, left)}

        def rank(topic: str) -> tuple[bool, bool, int]:
            return topic == mine, topic not in others, counts[topic]

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
    except EOFError:
        return "error", "it ended without a word (killed, or out of memory?)"
    return kind, value


def _work(connection: Connection, plan: Plan) -> None:
    """A worker process: does the tasks it is sent until it is sent ``None``."""
    try:
        bench = Worker(plan)
        while (task := connection.recv()) is not None:
            assert isinstance(task, LinksOf | RunsOf)
            bench.do(task, lambda message: connection.send(("message", message)))
            connection.send((_DONE, None))
        bench.close()
    except ConfigurationError as error:
        connection.send(("configuration", str(error)))
    except (EOFError, KeyboardInterrupt):
        pass  # whoever asked is gone
    except Exception:
        connection.send(("error", traceback.format_exc()))
