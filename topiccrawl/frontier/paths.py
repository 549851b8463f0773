"""Where the SQLite frontiers lie, and the files beside them."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from topiccrawl.store.uri import masked, sqlite_path

if TYPE_CHECKING:
    from topiccrawl.frontier.backend import FrontierConfig

#: Folder of SQLite frontiers when the store is not a file.
_DEFAULT_FOLDER: Final = Path("data")
_SUFFIX: Final = ".frontier"


def frontier_path(topic: str, config: FrontierConfig) -> Path:
    """Return the path of the SQLite frontier of *topic*: beside the store, named after the topic.

    TOPICCRAWL_FRONTIER_DIR replaces the folder.  A part of the name is a hash of topic and store, so
    that neither topics with similar names nor two stores in one folder share a file.
    """
    folder = frontier_folder(config.store_uri, config.frontier_dir)
    store = masked(config.store_uri).partition("?")[0]
    if config.store_uri.startswith("sqlite:"):
        # Only the file's name: the folder may be moved, or be spelled in another way.
        store = sqlite_path(config.store_uri).name
    key = f"{topic}\x00{store}".encode("utf-8", "replace")
    digest = hashlib.blake2b(key, digest_size=4).hexdigest()
    return folder / f"{_readable(topic)}-{digest}{_SUFFIX}"


def spider_folder(spider: str, config: FrontierConfig) -> Path:
    """Return the folder of the SQLite frontiers of a spider that is no topic spider.

    It is in that of the topic spider's.
    """
    return frontier_folder(config.store_uri, config.frontier_dir) / _readable(spider)


def frontier_folder(store_uri: str, frontier_dir: str) -> Path:
    """Return the folder of the SQLite frontiers: *frontier_dir*, else that of the store's file."""
    if frontier_dir:
        return Path(frontier_dir).expanduser()
    if store_uri.startswith("sqlite:"):
        return sqlite_path(store_uri).parent
    return _DEFAULT_FOLDER


def _readable(name: str) -> str:
    return re.sub(r"[^\w-]+", "_", name.encode("utf-8", "replace").decode())[:40]
