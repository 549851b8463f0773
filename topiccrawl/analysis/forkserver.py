"""Worker processes that are forked from a process without threads.

A fork copies memory, locks included, but only the thread that calls it: a lock that another thread holds at that
moment stays locked in the child forever.  A crawl has such threads (store, DNS, sentence encoder), and its workers
take such locks: of modules that are imported at their first use, of jieba, of cached properties (Python 3.11).
Python 3.12 and later warn of such forks, and libraries refuse two of them at once (filelock 4).

Hence this process is forked once, before it has threads, and that fork, the *fork server*, forks every worker, also
one that replaces another hours later.  Workers share the loaded models and the topic with this process, and the
function that they call need not be picklable.  A server in a new interpreter, as :mod:`multiprocessing` offers it and
prefers from Python 3.14 on, loads everything a second time and runs the main module of a user's script again.
Measured 2026-11 with all models of ``extract`` and two workers, Python 3.11 and 3.13, medians on a busy machine:

===================================  =====================  =====================  ======================
..                                   fork of this process   this server            server of Python
===================================  =====================  =====================  ======================
time of the first two workers        36 to 60 ms            68 to 98 ms            2.9 to 3.2 s
time of one that replaces another    19 to 36 ms            16 to 20 ms            16 to 45 ms
memory of all processes              148 to 165 MB          150 to 164 MB          282 to 304 MB
the same after 200 pages             157 to 174 MB          167 to 181 MB          not measured
===================================  =====================  =====================  ======================
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import select
import signal
import socket
import threading
import warnings
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any, Final

#: What a request to the server consists of, beside the open files.
_REQUEST: Final = b"."
#: Files of a request: the worker's tasks, the pipe that ends with this process, and the pipe for its status.
_FILES: Final = 3
#: Status of a process whose server has ended before it.
_UNKNOWN: Final = 255


class ForkedProcess:
    """A worker; the methods are those of :class:`multiprocessing.Process`.

    The server sends its id, and, when it has ended, its exit status, through *status*.  *life* is the end
    of the pipe that the worker ends with.
    """

    def __init__(self, pid: int, status: Connection, life: int) -> None:
        self.pid = pid
        self.exitcode: int | None = None
        """Exit status, or the negative signal that ended it; ``None`` until :meth:`join` has seen its end."""
        self._status = status
        self._life = life

    def is_alive(self) -> bool:
        """Whether it runs."""
        self.join(0.0)
        return self.exitcode is None

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        if self.exitcode is None and self._status.poll(timeout):
            try:
                self.exitcode = self._status.recv()
            except (EOFError, OSError):
                self.exitcode = _UNKNOWN

    def kill(self) -> None:
        """End it at once."""
        if self.exitcode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Close the pipes; it ends if it has not."""
        self._status.close()
        os.close(self._life)


class ForkServer:
    """Forks workers that call *main* with their end of a pipe; started with the first worker or by :meth:`start`.

    *main* is called with the default actions of signals, except that Ctrl-C is ignored, and with none of the open
    files of this process.  A worker ends at once when this process does, and when *main* returns.
    """

    def __init__(self, main: Callable[[Connection], None]) -> None:
        self._main = main
        self._lock = threading.Lock()
        self._process: BaseProcess | None = None
        self._requests: socket.socket | None = None

    def start(self) -> None:
        """Start the server unless it was started.

        Raises ``OSError`` if it cannot be started.
        """
        with self._lock:
            self._start()

    def fork(self) -> tuple[ForkedProcess, Connection]:
        """Return a new worker, and this end of its pipe.

        Raises ``OSError`` if it cannot be started.
        """
        with self._lock:
            server = self._start()
            with contextlib.ExitStack() as theirs:
                tasks, their_tasks = multiprocessing.Pipe()
                theirs.callback(their_tasks.close)
                status, their_status = multiprocessing.Pipe(duplex=False)
                theirs.callback(their_status.close)
                their_life, life = os.pipe()
                theirs.callback(os.close, their_life)
                files = [their_tasks.fileno(), their_life, their_status.fileno()]
                with contextlib.suppress(OSError):  # it has ended: so does the pipe for the status
                    socket.send_fds(server, [_REQUEST], files)
        try:
            pid: int = status.recv()
            if pid < 0:
                raise OSError(-pid, os.strerror(-pid))
        except (EOFError, OSError) as error:
            tasks.close()
            status.close()
            os.close(life)
            raise OSError(str(error) or "the server of the processes has ended") from error
        return ForkedProcess(pid, status, life), tasks

    def close(self) -> None:
        """End the server; workers do not end with it."""
        with self._lock:
            if self._requests is not None:
                self._requests.close()
                self._requests = None
            if self._process is not None:
                self._process.kill()
                self._process.join()
                self._process.close()
                self._process = None

    def _start(self) -> socket.socket:
        if self._requests is not None:
            return self._requests
        ours, theirs = socket.socketpair()
        context: Any = multiprocessing.get_context("fork")
        process: BaseProcess = context.Process(
            target=_serve, args=(theirs, self._main), daemon=True
        )
        # Python ignores an interrupt in the middle of a fork, and a child that has not begun prints it.
        masked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            with warnings.catch_warnings():
                # A user's program may have threads before anything of ours starts.
                warnings.filterwarnings("ignore", ".*multi-threaded", DeprecationWarning)
                process.start()
        except (OSError, AssertionError, RuntimeError) as error:
            # Daemonic processes of multiprocessing may not have children: an assertion.  filelock and a Python
            # that ends refuse a fork.
            ours.close()
            raise OSError(str(error)) from error
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, masked)
            theirs.close()
        self._process, self._requests = process, ours
        return ours


def _serve(requests: socket.socket, main: Callable[[Connection], None]) -> None:
    """Fork a worker for each request, and send the exit status of each worker, until the requests end."""
    # Ctrl-C is for the parent, which ends its processes.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    # A reactor's: its file is closed below, and each end of a worker would print a traceback, or be written to
    # the file that has its number then.
    signal.set_wakeup_fd(-1)
    # The default action ends a process, without waiting for the interpreter; that of SIGCHLD does nothing.
    for number in (signal.SIGPROF, signal.SIGTERM, signal.SIGIO, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    _close_files_except(requests.fileno())
    # Nothing of the parent's is finalized here: a database would be closed a second time.
    gc.freeze()
    workers: dict[int, tuple[int, Connection]] = {}
    while True:
        for ready in wait([requests, *workers]):
            if isinstance(ready, int):
                pid, status = workers.pop(ready)
                os.close(ready)
                with contextlib.suppress(OSError):  # nobody wants to know it anymore
                    status.send(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
                status.close()
                continue
            message, files, *_ = socket.recv_fds(requests, len(_REQUEST), _FILES)
            if not message:
                os._exit(0)
            tasks, life, status_file = files
            status = Connection(status_file, readable=False)
            # Only the worker has the other end, which is closed when it ends.
            ended, held = os.pipe()
            try:
                if not (pid := os.fork()):
                    _work(tasks, life, held, main)
            except OSError as error:
                os.close(ended)
                with contextlib.suppress(OSError):
                    status.send(-(error.errno or 1))
                status.close()
            else:
                workers[ended] = pid, status
                with contextlib.suppress(OSError):
                    status.send(pid)
            for file in (tasks, life, held):
                os.close(file)


def _work(tasks: int, life: int, held: int, main: Callable[[Connection], None]) -> None:
    """Be a worker; does not return."""
    try:
        _close_files_except(tasks, life, held)
        _end_with(life)
        main(Connection(tasks))
    finally:
        # Without the handlers that the parent has registered for its own end.
        os._exit(0)


def _close_files_except(*kept: int) -> None:
    """Close the files that a fork has inherited.

    Sockets, databases and locks that it holds would stay open after the end of its parent; and a pipe does
    not end with its owner while others hold its end.
    """
    start = 3
    for file in sorted(kept):
        os.closerange(start, file)
        start = file + 1
    os.closerange(start, os.sysconf("SC_OPEN_MAX"))


def _end_with(life: int) -> None:
    """Have this process end when a pipe on which nothing is sent does."""
    # Not at module level: there is none on Windows.
    import fcntl

    # SIGIO, whose default action ends the process also in C code, when the pipe ends (fcntl(2), F_SETOWN).
    fcntl.fcntl(life, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(life, fcntl.F_SETFL, fcntl.fcntl(life, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([life], [], [], 0.0)[0]:
        os._exit(0)  # it has ended before
