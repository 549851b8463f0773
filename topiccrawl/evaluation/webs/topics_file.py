"""Read, check and write the topics of a stored web: ``topics.json`` and ``relevant/*.txt``.

docs/webs.md describes every key.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from topiccrawl.errors import ConfigurationError
from topiccrawl.evaluation.webs.urls import web_key
from topiccrawl.evaluation.webs.web import WebTopic
from topiccrawl.language import _
from topiccrawl.sharedfiles import replace_file

logger = logging.getLogger(__name__)

#: Name of the file next to the web's pages.
TOPICS_FILE = "topics.json"
#: Folder of the lists of relevant pages, next to the file.
RELEVANT_FOLDER = "relevant"
#: Prefix of the keys of seed sets.
_SEEDS = "seeds_"


@dataclass(frozen=True, slots=True)
class Topics:
    """Topics of a web and the main language of its pages ("zh", "en")."""

    language: str = ""
    topics: tuple[WebTopic, ...] = ()


def read_topics(folder: Path, stored: Callable[[str], bool]) -> Topics:
    """Read the topics in *folder*; none if there is no topics.json.

    URLs are replaced by their keys.  Those for which *stored* returns False are skipped with a
    warning, because no crawl of this web can fetch them.

    Raises:
        ConfigurationError: an invalid file; the message names file, rule and value.
    """
    path = folder / TOPICS_FILE
    if not path.is_file():
        return Topics()
    try:
        data = json.loads(path.read_text("utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigurationError(
            _("{path} must be readable JSON in UTF-8: {error}").format(path=path, error=error)
        ) from error
    entries = data.get("topics") if isinstance(data, dict) else None
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise ConfigurationError(
            _('{path}: "topics" must be a list of objects, got {entries!r:.80}').format(
                path=path, entries=entries
            )
        )
    topics = tuple(_Entry(path, entry, stored).topic() for entry in entries)
    names = [topic.name for topic in topics]
    for name in names:
        if names.count(name) > 1:
            raise ConfigurationError(
                _("{path}: every topic must have a name of its own: {name!r}").format(
                    path=path, name=name
                )
            )
    language = data.get("lang") or _guess_language(topics)
    if not isinstance(language, str):
        raise ConfigurationError(
            _('{path}: "lang" must be a text such as "zh", got {language!r}').format(
                path=path, language=language
            )
        )
    return Topics(language, topics)


def write_topics(folder: Path, topics: Topics) -> None:
    """Write the files that :func:`read_topics` reads; topics.json is replaced atomically."""
    entries = []
    for number, topic in enumerate(topics.topics):
        name = f"{RELEVANT_FOLDER}/{file_name(topic.name, number)}"
        (folder / RELEVANT_FOLDER).mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{url}\n" for url in sorted(topic.relevant))
        (folder / name).write_text(lines, "utf-8")
        entries.append(describe(topic, name))
    replace_topics(folder, topics.language, entries)


def describe(topic: WebTopic, relevant_file: str) -> dict[str, object]:
    """Return a topic's entry in topics.json."""
    return {
        "name": topic.name,
        "description": topic.description,
        "keywords": list(topic.keywords),
        "examples": list(topic.examples),
        **({"negatives": list(topic.negatives)} if topic.negatives else {}),
        **({"bare_word": topic.bare_word} if topic.bare_word else {}),
        **({"samples": list(topic.samples)} if topic.samples else {}),
        **({"unsure": sorted(topic.unsure)} if topic.unsure else {}),
        **({"group": topic.group} if topic.group else {}),
        **{f"{_SEEDS}{name}": list(urls) for name, urls in topic.seeds.items()},
        "relevant": len(topic.relevant),
        "relevant_file": relevant_file,
    }


def replace_topics(folder: Path, language: str, entries: Iterable[Mapping[str, object]]) -> None:
    """Write topics.json atomically."""
    text = json.dumps({"lang": language, "topics": list(entries)}, ensure_ascii=False, indent=1)
    replace_file(folder / TOPICS_FILE, f"{text}\n".encode(), flush=False)


def file_name(name: str, number: int = 0) -> str:
    """Return the file name in relevant/ of the topic *name*, the *number*-th from 0."""
    kept = "".join(c if c.isalnum() or c in "-_" else "_" for c in name)[:60]
    return f"{kept}.txt" if any(c.isalnum() for c in kept) else f"topic-{number + 1}.txt"


def _guess_language(topics: Iterable[WebTopic]) -> str:
    words = "".join(word for topic in topics for word in topic.keywords)
    return "zh" if any("\u4e00" <= c <= "\u9fff" for c in words) else "en"


@dataclass(frozen=True, slots=True)
class _Entry:
    path: Path
    data: Mapping[str, Any]
    stored: Callable[[str], bool]

    def topic(self) -> WebTopic:
        name = self.data.get("name")
        if not isinstance(name, str) or not name.strip():
            raise ConfigurationError(
                _('{path}: a topic\'s "name" must be a text, got {name!r}').format(
                    path=self.path, name=name
                )
            )
        keys = [key for key in self.data if key.startswith(_SEEDS) and len(key) > len(_SEEDS)]
        if not keys:
            raise self._error("seeds_near", _("must be there (or another seed set)"), None)
        return WebTopic(
            name=name.strip(),
            keywords=self._texts("keywords"),
            examples=self._urls("examples", self._texts("examples")),
            seeds={key[len(_SEEDS) :]: self._seeds(key) for key in keys},
            relevant=frozenset(self._relevant(name)),
            description=str(self.data.get("description") or ""),
            negatives=self._urls("negatives", self._texts("negatives")),
            bare_word=self._text("bare_word"),
            samples=self._urls("samples", self._texts("samples")),
            unsure=frozenset(self._urls("unsure", self._texts("unsure"))),
            group=self._text("group"),
        )

    def _seeds(self, key: str) -> tuple[str, ...]:
        found = self._urls(key, self._texts(key))
        if not found:
            raise self._error(key, _("must hold a stored URL"), self.data[key])
        return found

    def _relevant(self, name: str) -> tuple[str, ...]:
        key = "relevant_file"
        given = self.data.get(key, f"{RELEVANT_FOLDER}/{name}.txt")
        if not isinstance(given, str):
            raise self._error(key, _("must be the name of a file"), given)
        file = self.path.parent / given
        try:
            lines = file.read_text("utf-8-sig").splitlines()
        except (OSError, ValueError) as error:
            raise self._error(
                key, _("must be a readable text file ({error})").format(error=error), given
            ) from error
        return self._urls(given, [line.strip() for line in lines if line.strip()])

    def _text(self, key: str) -> str:
        value = self.data.get(key) or ""
        if not isinstance(value, str):
            raise self._error(key, _("must be a text"), value)
        return value.strip()

    def _texts(self, key: str) -> tuple[str, ...]:
        value = self.data.get(key) or []
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise self._error(key, _("must be a list of texts"), value)
        return tuple(value)

    def _urls(self, key: str, given: Iterable[str]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        missing = []
        for url in given:
            own = web_key(url)
            if own is not None and self.stored(own):
                found[own] = None
            else:
                missing.append(url)
        if missing:
            logger.warning(
                _("%(path)s, topic %(topic)s, %(key)s: %(count)d URLs are not stored and are "
"skipped, the first is %(first)s"),
                {"path": self.path, "topic": self.data["name"], "key": key,
                 "count": len(missing), "first": missing[0]},
            )  # fmt: skip
        return tuple(found)

    def _error(self, key: str, rule: str, value: object) -> ConfigurationError:
        where = f"{self.path}, topic {self.data.get('name')!r}"
        return ConfigurationError(
            _("{where}: {key} {rule}, got {value!r:.200}").format(
                where=where, key=key, rule=rule, value=value
            )
        )
