"""Reads a topic folder (topic.toml, samples/*.txt, the .tsv files), from disk or a zipped package."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal, cast

from topiccrawl.errors import ConfigurationError
from topiccrawl.language import _, listed
from topiccrawl.tables import TableReader
from topiccrawl.text.normalize import normalize
from topiccrawl.topics.addresses import check_seed_url
from topiccrawl.topics.categories import read_categories
from topiccrawl.topics.classification import CODE_RULE, load_classification
from topiccrawl.topics.decisions import DECISIONS_FILE, load_decisions, with_decisions
from topiccrawl.topics.definition import (
    DEFAULT_LINK_THRESHOLD,
    RELATIONS,
    Keyword,
    Limits,
    Relation,
    Sample,
    Seed,
    Thresholds,
    TopicDefinition,
)
from topiccrawl.topics.judgments import JUDGMENTS_FILE, load_judgments
from topiccrawl.urls.scope import checked_patterns
from topiccrawl.userfiles import read_user_text, read_user_toml

TOPIC_FILE = "topic.toml"
SAMPLES_FOLDER = "samples"

#: Largest file of a topic (a choice): the text of 30 novels, and read in well under a second.
MOST_BYTES = 20_000_000

_KEYS = (
    "name", "aliases", "description", "language", "classification", "queries", "keywords",
    "negative", "url_tokens", "allow", "deny", "browser", "seeds", "thresholds", "limits",
    "categories",
)  # fmt: skip
_PLACEHOLDERS = ("keyword", "site", "category")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def load_definition(folder: Path | Traversable) -> TopicDefinition:
    """Return the checked definition in a topic *folder*, which must have the name of the topic.

    Raises ``ConfigurationError`` if anything in it is wrong; the message names file, key and rule.
    """
    return read_definition(folder, parse_topic_file(folder))


def parse_topic_file(folder: Path | Traversable) -> dict[str, Any]:
    """Return the content of the folder's topic.toml; raises like :func:`load_definition`."""
    file = folder / TOPIC_FILE
    if not has_topic_file(folder):
        raise ConfigurationError(
            _("{where}: there is no such file; a topic folder must contain it").format(where=file)
        )
    return read_user_toml(file, MOST_BYTES)


def has_topic_file(folder: Path | Traversable) -> bool:
    """Return whether *folder* has a topic.toml, or cannot be looked into: who reads that learns why."""
    try:
        return (folder / TOPIC_FILE).is_file()
    except OSError:
        return True


def read_definition(folder: Path | Traversable, parsed: Mapping[str, Any]) -> TopicDefinition:
    """Validate *parsed*, the content of topic.toml, with what else is in its folder."""
    where = str(folder / TOPIC_FILE)
    table = TableReader(where, "", parsed, _KEYS)
    name = table.text("name", required=True)
    # A relative path such as "." has no name of its own.
    folder_name = folder.resolve().name if isinstance(folder, Path) else folder.name
    if normalize(folder_name) != normalize(name):
        table.reject(
            "name",
            _("must equal the folder's name {name!r}").format(name=folder_name),
            name,
        )
    language: Literal["zh", "en"] = table.choice("language", ("zh", "en"), "zh")
    seen: dict[str, str] = {}
    keywords = _keywords(table, seen)
    negatives = _terms(table.table("negative", None), "negative", "[0, 0.5]", seen)
    definition = TopicDefinition(
        name=name,
        aliases=table.texts("aliases"),
        description=table.text("description"),
        language=language,
        classification=_classification(table),
        keywords=keywords,
        negatives=tuple(negatives),
        url_tokens=_url_tokens(table),
        seeds=_seeds(table),
        queries=_queries(table),
        allow=_patterns(table, "allow"),
        deny=_patterns(table, "deny"),
        browser=_patterns(table, "browser"),
        thresholds=_thresholds(table.table("thresholds", ("relevance", "link"))),
        limits=_limits(table.table("limits", ("max_pages", "max_depth"))),
        samples=_samples(folder / SAMPLES_FOLDER),
        categories=read_categories(table, folder, _samples),
        judgments=load_judgments(folder / JUDGMENTS_FILE),
        source=str(folder),
    )
    definition = with_decisions(definition, load_decisions(folder / DECISIONS_FILE))
    if not definition.keywords and not definition.samples:
        table.reject(
            "keywords",
            _("or {folder}/*.txt must exist: they define the topic").format(folder=SAMPLES_FOLDER),
        )
    return definition


def _keywords(table: TableReader, seen: dict[str, str]) -> tuple[Keyword, ...]:
    keywords = table.table("keywords", RELATIONS)
    return tuple(
        keyword
        for relation in RELATIONS
        for keyword in _terms(
            keywords.table(relation, None), cast("Relation", relation), "(0, 1]", seen
        )
    )


def _terms(
    table: TableReader, relation: Relation, rule: str, seen: dict[str, str]
) -> list[Keyword]:
    found: list[Keyword] = []
    for term, value in table.numbers(rule=rule).items():
        normal = normalize(term).strip()
        if not any(c.isalnum() for c in normal):
            table.reject(term, _("must contain a letter, a digit or a Han character"), term)
        if normal in seen:
            rule = _("is the same term as {seen} after normalization")
            table.reject(term, rule.format(seen=seen[normal]))
        seen[normal] = table.key(term)
        found.append(Keyword(term.strip(), value, relation))
    return found


def _classification(table: TableReader) -> tuple[str, ...]:
    codes = table.texts("classification")
    for i, code in enumerate(codes):
        if load_classification().nearest(code) is None:
            table.reject(f"classification[{i}]", _(CODE_RULE), code)
    return codes


def _url_tokens(table: TableReader) -> dict[str, float]:
    tokens: dict[str, float] = {}
    for token, value in table.table("url_tokens", None).numbers(rule="(0, 1]").items():
        normal = normalize(token).strip()
        if not normal.strip("/"):
            table.reject(f"url_tokens.{token}", _("must contain more than slashes"), token)
        if normal in tokens:
            table.reject(f"url_tokens.{token}", _("occurs twice after normalization"))
        tokens[normal] = value
    return tokens


def _seeds(table: TableReader) -> tuple[Seed, ...]:
    seeds: list[Seed] = []
    first: dict[str, str] = {}
    for reader in table.tables("seeds", ("name", "url", "whole", "browser")):
        key = reader.key("url")
        if reader.raw("url") is None:
            reader.reject("url", _("is missing"))
        url = check_seed_url(table.file, key, reader.raw("url"))
        if url in first:
            reader.reject("url", _("is the same URL as {first}").format(first=first[url]), url)
        first[url] = key
        seeds.append(Seed(url, reader.text("name"), reader.flag("whole"), reader.flag("browser")))
    return tuple(seeds)


def _queries(table: TableReader) -> tuple[str, ...]:
    queries = table.texts("queries")
    for i, query in enumerate(queries):
        for name in _PLACEHOLDER.findall(query):
            if name not in _PLACEHOLDERS:
                known = listed(f"{{{p}}}" for p in _PLACEHOLDERS)
                table.reject(
                    f"queries[{i}]",
                    _("may contain the placeholders {known}").format(known=known),
                    query,
                )
    return queries


def _patterns(table: TableReader, key: str) -> tuple[str, ...]:
    return checked_patterns(
        table.texts(key), lambda i, message: table.reject(f"{key}[{i}]", message)
    )


def _thresholds(table: TableReader) -> Thresholds:
    return Thresholds(
        relevance=table.number("relevance", None, rule="(0, 1)"),
        link=table.number("link", DEFAULT_LINK_THRESHOLD, rule="(0, 1)"),
    )


def _limits(table: TableReader) -> Limits:
    return Limits(max_pages=table.count("max_pages"), max_depth=table.count("max_depth"))


def _samples(folder: Path | Traversable) -> tuple[Sample, ...]:
    if not folder.is_dir():
        return ()
    samples: list[Sample] = []
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.lower().endswith(".txt") or file.name.startswith("."):
            continue
        text = read_user_text(file, MOST_BYTES)
        if not text.strip():
            raise ConfigurationError(
                _("{file}: must not be empty: the topic is learned from samples").format(file=file)
            )
        samples.append(Sample(file.name, text))
    return tuple(samples)
