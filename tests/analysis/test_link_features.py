"""Hashed features: the same on every machine, bounded, and computed only if wanted."""

from __future__ import annotations

import numpy as np

from topiccrawl.analysis.features import NONE, WIDTH, feature_id, feature_rows
from topiccrawl.analysis.links import LinkReader, merge
from topiccrawl.page.links import Link
from topiccrawl.scoring.strategy import N_FEATURES
from topiccrawl.topics.topic import Topic

URL = "http://news.example/sport/2024/1.html"


def features(
    topic: Topic, url: str = URL, anchor: str = "归侨", context: str = "座谈"
) -> list[int]:
    link = Link(url, anchor, context=context, region="list", tag_path="html/body/ul/li/a")
    row: list[int] = (
        LinkReader(topic, features=True).read(merge([(url, link)])).batch.features[0].tolist()
    )
    return [found for found in row if found != NONE]


def test_a_feature_id_is_the_same_on_every_machine() -> None:
    assert feature_id("anchor", "华侨") == 38_343  # CRC-32 of the bytes, modulo 2^18
    assert 0 <= feature_id("region", "") < N_FEATURES


def test_a_word_of_the_anchor_is_another_feature_than_the_same_word_of_the_url() -> None:
    assert feature_id("anchor", "sport") != feature_id("url", "sport")


def test_each_kind_has_its_feature(topic: Topic) -> None:
    expected = {
        feature_id("host", "news.example"),
        feature_id("directory", "news.example/sport/2024"),
        feature_id("path", "news.example html/body/ul/li/a"),
        feature_id("region", "list"),
        feature_id("anchor", "归侨"),
        feature_id("url", "news"),
        feature_id("url", "sport"),
        feature_id("url", "html"),
        feature_id("context", "座谈"),
    }
    assert set(features(topic)) == expected


def test_a_channel_is_one_feature_as_a_host_and_as_a_folder(topic: Topic) -> None:
    channel = feature_id("url", "sport")
    for host in ("sport.portal.example", "SPORT.portal.example:8080", "www.sport.other.example"):
        assert channel in features(topic, url=f"http://{host}/1.html")
    assert channel not in features(topic, url="http://www.portal.example/1.html")
    assert feature_id("url", "www") not in features(topic, url="http://www.portal.example/")


def test_the_tag_path_of_another_host_is_another_feature(topic: Topic) -> None:
    elsewhere = features(topic, url="http://other.example/sport/2024/1.html")
    assert not {feature_id("path", "news.example html/body/ul/li/a")} & set(elsewhere)


def test_features_are_bounded_and_unique(topic: Topic) -> None:
    many = " ".join(f"w{i}" for i in range(50))
    url = f"http://news.example/{many.replace(' ', '-')}"
    found = features(topic, url, f"{many} {many}", many)
    assert len(found) == len(set(found)) == WIDTH
    # "news" of the host is the first of six words.
    assert feature_id("url", "w4") in found, "words of the anchor leave room for those of the URL"
    assert feature_id("url", "w5") not in found, "and these for words of the context"
    assert [feature_id("context", f"w{i}") in found for i in (0, 5, 6)] == [True, True, False]


def test_a_link_with_a_malformed_url_has_features(topic: Topic) -> None:
    assert feature_id("anchor", "归侨") in features(topic, "http://[broken/1")


def test_rows_are_padded() -> None:
    table = feature_rows([(5, 6), ()])
    assert table.shape == (2, WIDTH)
    assert table[0, :3].tolist() == [5, 6, NONE]
    assert (table[1] == NONE).all()
    assert feature_rows([(), ()]).shape == (2, 0)


def test_features_are_computed_only_if_wanted(topic: Topic) -> None:
    link = Link(URL, anchor="归侨座谈会", region="list", tag_path="html/body/ul/li/a")
    merged = merge([(URL, link)])
    without, made = LinkReader(topic).read(merged), LinkReader(topic, features=True).read(merged)
    assert without.batch.features.shape == (1, 0)
    assert feature_id("region", "list") in made.batch.features[0]
    assert feature_id("path", "news.example html/body/ul/li/a") in made.batch.features[0]
    for name in ("rw_relevance", "anchor_similarity", "context_similarity"):
        assert np.array_equal(getattr(without.batch, name), getattr(made.batch, name))


def test_of_several_links_to_one_target_the_first_gives_the_position(topic: Topic) -> None:
    body = Link(URL, anchor="归侨", region="body", tag_path="html/body/p/a")
    nav = Link(URL, anchor="首页", region="nav", tag_path="html/body/nav/a")
    (merged,) = merge([(URL, body), (URL, nav)])
    assert (merged.region, merged.tag_path) == ("body", "html/body/p/a")
