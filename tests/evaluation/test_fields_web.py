"""The generated web of portals whose sites link to sites of their own field."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from topiccrawl.demo.fields import FieldWeb
from topiccrawl.demo.portals import TOPIC_NAMES, VAGUE_NAMES, Place, PortalWeb
from topiccrawl.evaluation.webs.open import open_web
from topiccrawl.evaluation.webs.portals import FieldStoredWeb

SIZE, SEED = 3_000, 5


@pytest.fixture(scope="module")
def model() -> FieldWeb:
    return FieldWeb(SIZE, SEED)


@pytest.fixture(scope="module")
def stored() -> FieldStoredWeb:
    return FieldStoredWeb(SIZE, SEED)


def field(place: Place) -> str:
    """The topic of a page; none of home pages of portals and directories."""
    if place.section is not None:
        return place.section.topic
    return place.domain.sections[0].topic if place.domain.kind == "small" else ""


def links_between_sites(model: PortalWeb) -> list[tuple[str, list[str]]]:
    """Field of each page on a topic, and fields of the pages on other sites that it links to."""
    found = []
    for url, place in model.places.items():
        if field(place) in TOPIC_NAMES and place.kind != "category":
            targets = [model.places[target] for target in model.links(url)]
            others = [field(target) for target in targets if target.domain is not place.domain]
            found.append((field(place), others))
    return found


def locality(model: PortalWeb) -> tuple[float, float]:
    """Share of the links between sites that stay in their field, and the same by chance."""
    links = [
        (source, target) for source, targets in links_between_sites(model) for target in targets
    ]
    sources, targets = (Counter(side) for side in zip(*links, strict=True))
    chance = sum(sources[each] * targets[each] for each in sources) / len(links) ** 2
    return sum(source == target for source, target in links) / len(links), chance


def test_links_between_sites_stay_in_their_field_far_more_often_than_by_chance(
    model: FieldWeb,
) -> None:
    share, chance = locality(model)
    assert 0.4 < share < 0.6
    assert share > 4 * chance
    without, by_chance = locality(PortalWeb(SIZE, SEED))
    assert without < 4 * by_chance


def test_two_links_of_one_page_lead_to_one_field_more_often_than_by_chance(model: FieldWeb) -> None:
    pages = [targets for _, targets in links_between_sites(model)]
    pairs = [pair for targets in pages for pair in combinations(targets, 2)]
    on_topic = [pair for pair in pairs if pair[0] in TOPIC_NAMES]
    alike = sum(first == second for first, second in on_topic) / len(on_topic)
    everywhere = Counter(target for targets in pages for target in targets)
    total = sum(everywhere.values())
    chance = max(everywhere[topic] for topic in TOPIC_NAMES) / total
    assert alike > 2 * chance


def test_directories_list_sites_of_one_field_and_are_on_no_topic(
    model: FieldWeb, stored: FieldStoredWeb
) -> None:
    categories = {url for url, place in model.places.items() if place.kind == "category"}
    assert categories
    for url in categories:
        home, *listed = model.links(url)
        assert model.places[home].domain.kind == "directory"
        assert {field(model.places[each]) for each in listed} <= {field(model.places[url])}
    assert any(len(model.links(url)) > 3 for url in categories)
    assert not any(categories & topic.relevant for topic in stored.topics)


def test_names_tell_the_field_of_most_channels_and_some_sites(model: FieldWeb) -> None:
    on_topic = [
        (domain, section)
        for domain in model.domains
        for section in domain.sections
        if section.topic in TOPIC_NAMES
    ]
    channels = [section.name for domain, section in on_topic if domain.kind == "portal"]
    sites = [domain.title for domain, _ in on_topic if domain.kind == "small"]
    assert sum(name not in VAGUE_NAMES for name in channels) > len(channels) / 2
    assert 0 < sum(not title[-2].isdecimal() for title in sites) < len(sites) / 2


def test_the_seed_number_draws_the_web(stored: FieldStoredWeb) -> None:
    again, other = open_web(f"fields:{SIZE}:{SEED}"), open_web(f"fields:{SIZE}:{SEED + 1}")
    assert again.name == f"fields:{SIZE}:{SEED}"
    urls = list(stored.urls())
    assert list(again.urls()) == urls
    assert all(again.get(url) == stored.get(url) for url in urls[::50])
    assert set(other.urls()) != set(urls)
    for topic in stored.topics:
        assert set(topic.seeds["near"]) <= topic.relevant
        assert not set(topic.seeds["far"]) & topic.relevant
