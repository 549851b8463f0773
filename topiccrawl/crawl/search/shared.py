"""Rests and intervals of search engines that crawls and commands of one folder share.

The journal has the queries of one topic.  An engine that has refused must also be left alone by the next
topic, by ``scrapy sources``, and by a crawl that starts anew: hence a small file beside the queues.
"""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Final

from topiccrawl.frontier.backend import FrontierConfig
from topiccrawl.frontier.factory import frontier_backend
from topiccrawl.frontier.paths import frontier_folder
from topiccrawl.sharedfiles import replace_file
from topiccrawl.sources.rests import LONGEST_REST_SECONDS, EngineRests, RestState

#: Name of the file beside the queues.
_NAME: Final = "search-engines.json"
#: A larger file is not read (a guess: thousands of engines).
_MOST_BYTES: Final = 1_000_000


class SharedRests:
    """The rests of engines in a file, replaced as a whole; two writers at one moment may lose one entry.

    The file *path* need not be there; ``None``: nothing is shared.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def read_into(self, rests: EngineRests, now: float) -> None:
        """Add what others have recorded until *now*; a file that cannot be read counts as empty."""
        for engine, state in self._read().items():
            # A clock that was set back must not keep an engine resting.
            rests.merge(engine, state._replace(until=min(state.until, now + LONGEST_REST_SECONDS)))

    def write(self, engine: str, rests: EngineRests, until: float = 0.0) -> None:
        """Record the state of *engine*, which is left alone until *until* at least.

        A folder that cannot be written only means that nothing is shared.
        """
        if self._path is None:
            return
        state = rests.state(engine)
        states = self._read() | {engine: state._replace(until=max(until, state.until))}
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps(states, ensure_ascii=False)
            replace_file(self._path, text.encode(), flush=False)

    def _read(self) -> dict[str, RestState]:
        if self._path is None:
            return {}
        try:
            with self._path.open("rb") as file:
                found = json.loads(file.read(_MOST_BYTES))
            return {
                str(engine): RestState(int(blocks), int(accidents), float(until), str(reason))
                for engine, (blocks, accidents, until, reason) in found.items()
            }
        except (OSError, ValueError, TypeError, AttributeError):
            return {}


def shared_rests(config: FrontierConfig) -> SharedRests:
    """Return the rests beside the queues; without a queue that is kept, none are shared."""
    if not frontier_backend(config).keeps_queue():
        return SharedRests(None)
    return SharedRests(frontier_folder(config.store_uri, config.frontier_dir) / _NAME)
