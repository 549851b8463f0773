"""Define the topic for a crawl of a stored web, without the labels.

The simulation and the real crawl read the same folder, or get the same word, so both learn the same
topic.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from w3lib.encoding import http_content_type_encoding

from topiccrawl.analysis.page import MIN_BODY_CHARS
from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _
from topiccrawl.page.page import Page
from topiccrawl.text.analyzer import TextAnalyzer
from topiccrawl.text.normalize import normalize
from topiccrawl.topics.derive import derive_url_tokens
from topiccrawl.topics.folder import SAMPLES_FOLDER, TOPIC_FILE
from topiccrawl.topics.load import BARE_WORD, find_definition, load_definition

if TYPE_CHECKING:
    from topiccrawl.evaluation.experiment import Define
    from topiccrawl.evaluation.webs.web import StoredPage, Web, WebTopic
    from topiccrawl.topics.definition import TopicDefinition


@dataclass(frozen=True, slots=True)
class DefinedTopic:
    """A topic as a crawler gets it."""

    argument: str
    """Value of ``-a topic=``."""
    definition: TopicDefinition
    keywords: tuple[str, ...]
    """The words of the topic for naive rules: those that define it, and all if none does."""


def define_topic(
    root: Path, web: Web, topic: WebTopic, seeds: Sequence[str], define: Define
) -> DefinedTopic:
    """Return the topic as defined by *define*; folders are written in *root*.

    Raises:
        ConfigurationError: the topic lacks what *define* requires, or has no seeds.
    """
    if define != "word":
        folder = write_topic_folder(root, web, topic, seeds, define)
        return DefinedTopic(str(folder.resolve()), load_definition(folder), topic.keywords)
    where = f"{web.name}, topic {topic.name!r}"
    word = topic.bare_word or next(iter(_usable(topic.keywords)), "")
    if not word:
        raise ConfigurationError(_("{where}: bare_word must hold a word").format(where=where))
    definition = find_definition(word, tuple(dict.fromkeys(seeds)), word_is_known=not seeds)
    if definition.source != BARE_WORD:
        raise ConfigurationError(
            _(
                "{where}: --define word needs a bare_word without a topic folder, got "
                "{word!r}, which is {source}"
            ).format(where=where, word=word, source=definition.source)
        )
    return DefinedTopic(word, definition, (word,))


def write_topic_folder(
    root: Path, web: Web, topic: WebTopic, seeds: Iterable[str], define: Define
) -> Path:
    """Write ``root/<name>`` with topic.toml and samples/*.txt and return it.

    All keywords are core terms of value 1; stop words and duplicates are skipped.  URL tokens are
    derived from them, as ``scrapy topics --new`` does.  Example pages become samples: title and body
    as the crawler extracts them.  *define* must not be "word".

    Raises:
        ConfigurationError: the topic lacks what *define* requires, or has no seeds.
    """
    where = f"{web.name}, topic {topic.name!r}"
    words = _usable(topic.keywords) if define != "examples" else []
    key = {"examples": "examples", "both": "examples", "samples": "samples"}.get(define, "")
    samples = _samples(web, getattr(topic, key)) if key else []
    if not words and define in ("keywords", "samples"):
        raise ConfigurationError(
            _("{where}: keywords must hold a word that is no stop word").format(where=where)
        )
    if not samples and key:
        raise ConfigurationError(
            _("{where}: {key} must hold a stored page with text").format(where=where, key=key)
        )
    urls = list(dict.fromkeys(seeds))
    if not urls:
        raise ConfigurationError(_("{where}: the seed set is empty").format(where=where))
    folder = root / folder_name(topic.name)
    (folder / SAMPLES_FOLDER).mkdir(parents=True, exist_ok=True)
    tokens = derive_url_tokens((word, 1.0) for word in words)
    lines = [
        f"name = {_quote(folder.name)}",
        f"description = {_quote(topic.description)}",
        f'language = "{"zh" if web.language.lower().startswith("zh") else "en"}"',
        *(["[keywords.core]"] if words else []),
        *(f"{_quote(word)} = 1.0" for word in words),
        *(["[url_tokens]"] if tokens else []),
        *(f"{_quote(token)} = {value:g}" for token, value in tokens.items()),
        *(f"[[seeds]]\nurl = {_quote(url)}" for url in urls),
    ]
    (folder / TOPIC_FILE).write_text("\n".join(lines) + "\n", encoding="utf-8")
    for number, text in enumerate(samples, 1):
        path = folder / SAMPLES_FOLDER / f"{number:03}.txt"
        path.write_text(text, encoding="utf-8", errors="replace")
    return folder


def folder_name(name: str) -> str:
    """Return *name* as a folder name: letters, digits, Han characters, ``_`` and ``-`` only.

    >>> folder_name("a/b"), folder_name("侨情"), folder_name("..")
    ('a_b', '侨情', 'topic')
    """
    kept = re.sub(r"[^\w-]+", "_", name)[:60].strip("_-")
    return kept if any(c.isalnum() for c in kept) else "topic"


def sample_text(page: StoredPage) -> str:
    """Return title and body of a page; all visible text if the body is too short."""
    read = Page(
        page.url,
        page.body,
        declared_charset=http_content_type_encoding(page.content_type),
        content_type=page.content_type,
    )
    text = read.body if len(read.body) >= MIN_BODY_CHARS else read.visible_text
    return f"{read.title}\n{text}".strip()


def _samples(web: Web, examples: Sequence[str]) -> list[str]:
    pages = (web.get(url) for url in dict.fromkeys(examples))
    texts = (sample_text(page) for page in pages if page is not None and page.status == 200)
    return [text for text in texts if text]


def _usable(keywords: Sequence[str]) -> list[str]:
    """Return the keywords that contain a term, without duplicates after normalization."""
    words: dict[str, str] = {}
    for word in keywords:
        words.setdefault(normalize(word).strip(), word.strip())
    analyzer = TextAnalyzer(list(words.values()))
    return [w for key, w in words.items() if any(map(str.isalnum, key)) and analyzer.terms(w)]


def _quote(text: str) -> str:
    """Return a TOML basic string; JSON's escapes are a subset of TOML's."""
    clean = "".join(c if c.isprintable() else " " for c in text)
    return json.dumps(clean, ensure_ascii=False)
