"""Where pages and the channels of a site lie."""

from __future__ import annotations

import pytest

from topiccrawl.analysis.places import front_of, location_of
from topiccrawl.scoring.strategy import N_FEATURES


@pytest.mark.parametrize(
    ("front", "inside", "outside"),
    [
        (
            "http://sports.a.example.cn/",
            "http://sports.a.example.cn/2024/1.html",
            "http://www.a.example.cn/1.html",
        ),
        ("http://a.example/tiyu/", "http://www.a.example/tiyu/x/1.html", "http://a.example/1.html"),
        ("http://a.example/tiyu", "http://a.example/tiyu/1.html", "http://a.example/yule/1.html"),
        ("http://a.example/tiyu/index.html", "http://a.example/tiyu/1.html", "http://a.example/"),
        (
            "http://a.example/v1.0/tiyu/",
            "http://a.example/v1.0/tiyu/1.html",
            "http://a.example/v1.0/1.html",
        ),
    ],
)
def test_pages_of_a_channel_lie_where_its_front_page_says(
    front: str, inside: str, outside: str
) -> None:
    domain, place = divmod(front_of(front), N_FEATURES)
    assert domain == location_of(inside).place.domain
    assert place in location_of(inside).folders
    assert place not in location_of(outside).folders


@pytest.mark.parametrize(
    "url",
    [
        "http://www.a.example/",
        "http://a.example/",
        "http://a.example/tiyu/1.html",
        "http://a.example/list?id=3",
        "http://a.example/1/2/3/4/5/6/7/",
        "http://[broken/",
    ],
)
def test_other_pages_are_no_front_pages_of_channels(url: str) -> None:
    assert front_of(url) == 0
