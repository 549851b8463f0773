"""Record a running crawl as a stored web, with the crawler's own decisions as labels.

The relevant pages of such a web are those that the crawler stored.  An evaluation on it shows how
another order would have performed on the same pages, not whether the pages are on the topic.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from topiccrawl.errors import ConfigurationError, needs_extra, system_reason
from topiccrawl.evaluation.webs.topics_file import (
    RELEVANT_FOLDER,
    TOPICS_FILE,
    describe,
    file_name,
    replace_topics,
)
from topiccrawl.evaluation.webs.urls import web_key
from topiccrawl.evaluation.webs.web import StoredPage, WebTopic
from topiccrawl.evaluation.webs.writer import WebWriter
from topiccrawl.export.atomic import prepare_folder
from topiccrawl.language import _

#: Name of the seed set of recorded topics: the seeds of the recorded crawl.
RECORDED_SEEDS = "recorded"


class PageSink(Protocol):
    """A file to which responses are written one after the other."""

    def add(self, page: StoredPage) -> None:
        """Write one response; it survives kill -9 once this returns."""

    def close(self) -> None:
        """Finish and close the file."""


#: Endings of the names of WARC files and of stored webs.
_WARC, _SQLITE = (".warc", ".warc.gz"), (".sqlite", ".sqlite3", ".db")


def open_sink(path: Path) -> PageSink:
    """Open the file that a crawl is recorded in, new or existing; its suffix chooses the format.

    Raises:
        ConfigurationError: unknown suffix, a file of another format, or warcio is missing.
    """
    name = path.name.lower()
    if name.endswith((*_WARC, *_SQLITE)):
        try:
            prepare_folder(path)
        except OSError as error:
            raise ConfigurationError(
                _("-a record: {path} cannot be written: {error}").format(
                    path=path, error=system_reason(error)
                )
            ) from error
    if name.endswith(_WARC):
        with needs_extra(
            "warc", _("The WARC file {path}").format(path=path)
        ):  # optional dependency
            from topiccrawl.evaluation.webs.warc_sink import WarcSink
        return WarcSink(path)
    if name.endswith(_SQLITE):
        return WebWriter(path)
    raise ConfigurationError(
        _(
            "-a record must name a file that ends with .sqlite, .warc or .warc.gz, got {path!r}"
        ).format(path=str(path))
    )


class TopicRecord:
    """The topic of a recorded crawl, written next to its pages: topics.json and relevant/NAME.txt.

    Other topics in the same topics.json are kept.  An earlier record of the same topic is continued:
    its seeds, examples and relevant pages are kept.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        *,
        language: str,
        keywords: Sequence[str],
        seeds: Sequence[str],
        description: str = "",
    ) -> None:
        path = folder / TOPICS_FILE
        entries, old = _others(path, name)
        relative = str(old.get("relevant_file") or f"{RELEVANT_FOLDER}/{file_name(name)}")
        self._path = folder / relative
        self._path.parent.mkdir(parents=True, exist_ok=True)
        known = self._path.read_text("utf-8").splitlines() if self._path.is_file() else []
        self._known = set(known)
        key = f"seeds_{RECORDED_SEEDS}"
        own = [url for url in map(web_key, seeds) if url is not None]
        topic = WebTopic(
            name,
            tuple(keywords),
            tuple(old.get("examples") or ()),
            {RECORDED_SEEDS: tuple(dict.fromkeys([*(old.get(key) or ()), *own]))},
            frozenset(self._known),
            description,
        )
        kept = {k: v for k, v in old.items() if k.startswith("seeds_")}
        replace_topics(folder, language, [*entries, kept | describe(topic, relative)])
        self._file = self._path.open("a", encoding="utf-8")
        # Terminate an incomplete line left by kill -9.
        if known and not self._path.read_bytes().endswith(b"\n"):
            self._file.write("\n")

    def add(self, url: str) -> None:
        """Add a relevant page by any of its URLs; it is on disk once this returns."""
        key = web_key(url)
        if key is not None and key not in self._known:
            self._known.add(key)
            self._file.write(f"{key}\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _others(path: Path, name: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the other topics of a topics.json and this topic's earlier entry."""
    if not path.is_file():
        return [], {}
    try:
        entries = json.loads(path.read_text("utf-8-sig"))["topics"]
        own = [entry for entry in entries if entry["name"] == name]
    except (ValueError, LookupError, TypeError, OSError, RecursionError) as error:
        raise ConfigurationError(
            _(
                "{path} must be the topics.json of a stored web, as the crawl is recorded "
                "beside it: {name} {error}"
            ).format(path=path, name=type(error).__name__, error=error)
        ) from error
    return [entry for entry in entries if entry not in own], own[-1] if own else {}
