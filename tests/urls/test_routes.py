"""Routes of scripts as parameters of a URL."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from topiccrawl.page.hrefs import Resolver
from topiccrawl.urls.canonical import canonical_url
from topiccrawl.urls.routes import is_route, shown_url, split_route, with_route


@given(st.text(min_size=1, max_size=60).map(lambda text: f"/{text}"))
def test_a_route_survives_the_canonical_form(fragment: str) -> None:
    plain = "http://www.example.cn/app?x=1"
    try:
        url = with_route(plain, fragment)
    except UnicodeEncodeError:
        return
    assert split_route(url)[0] == plain
    assert split_route(canonical_url(url)) == (plain, split_route(url)[1])


@pytest.mark.parametrize(
    ("href", "url", "shown"),
    [
        ("#/article/3", "http://a.cn/app/?_route_=%2Farticle%2F3", "http://a.cn/app/#/article/3"),
        (
            "/#!/新闻",
            "http://a.cn/?_route_=%21%2F%E6%96%B0%E9%97%BB",
            "http://a.cn/#!/%E6%96%B0%E9%97%BB",
        ),
        ("x.html#top", "http://a.cn/app/x.html", "http://a.cn/app/x.html"),
        ("?q=1#/b", "http://a.cn/app/?q=1&_route_=%2Fb", "http://a.cn/app/?q=1#/b"),
    ],
)
def test_routes_are_pages_where_a_browser_is_used(href: str, url: str, shown: str) -> None:
    resolver = Resolver("http://a.cn/app/?_route_=%2Fhome", routes=True)
    assert resolver.resolve(href) == url
    assert shown_url(url) == shown


def test_elsewhere_fragments_are_places_in_a_page() -> None:
    assert Resolver("http://a.cn/app/").resolve("/x#/article/3") == "http://a.cn/x"
    assert Resolver("http://a.cn/app/").resolve("#/article/3") is None
    assert not is_route("top")
    assert not is_route("/")
