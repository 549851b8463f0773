"""The categories of a topic, each of which gets a section in a briefing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from topiccrawl.errors import ConfigurationError
from topiccrawl.insight.categories.division import categorize, sample_keywords
from topiccrawl.insight.overview import Overview
from topiccrawl.topics.load import find_definition

if TYPE_CHECKING:
    from topiccrawl.store.headlines import PageHeadline
    from topiccrawl.topics.definition import Category


def topic_categories(topic: str) -> tuple[Category, ...]:
    """Return the categories of *topic* as its folder defines them; none without a folder."""
    try:
        return find_definition(topic).categories
    except (ConfigurationError, OSError):
        return ()


def category_names(
    headlines: Sequence[PageHeadline], categories: Sequence[Category]
) -> Mapping[str, str]:
    """Return the category of each page by URL; pages of none are left out."""
    overview = Overview.of(headlines)
    urls = overview.columns.url
    return {str(urls[row]): name for row, name in first_categories(overview, categories).items()}


def first_categories(overview: Overview, categories: Sequence[Category]) -> Mapping[int, str]:
    """Return the first of the *categories* of each page that has one, by its row."""
    found = categorize(overview, categories, sample_keywords(categories))
    rows = np.flatnonzero(found.members.any(axis=1))
    return {int(row): found.names[int(found.members[row].argmax())] for row in rows}
