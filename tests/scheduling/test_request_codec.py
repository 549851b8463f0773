"""Requests survive the frontier: as JSON, with everything that a fetch depends on."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scrapy import FormRequest, Request, Spider
from scrapy.http import JsonRequest
from scrapy.settings import Settings
from scrapy.spiders import CrawlSpider, SitemapSpider

from tests.frontier.contract_suite import NOW
from topiccrawl.frontier.contract import Lease, QueuedLink
from topiccrawl.scheduling.requests import from_lease, link_key, to_mapping
from topiccrawl.scheduling.rules import RecordRules
from topiccrawl.scoring.evidence import LinkEvidence


class SomeSpider(Spider):
    name = "some"

    def parse(self, response):
        yield

    def parse_list(self, response):
        yield

    def failed(self, failure):
        yield

    def _secret(self, response):
        yield

    @property
    def engine_room(self):
        raise AssertionError("a property was read")


SPIDER = SomeSpider()
RULES = RecordRules.of(SPIDER)
URL = "http://a.cn/1"


def kept(request: Request, key: str = URL) -> dict:
    return to_mapping(request, key=key, rules=RULES)


def there_and_back(
    request: Request, attempt: int = 1, evidence: LinkEvidence | None = None
) -> Request:
    data = json.loads(json.dumps(kept(request)))
    link = QueuedLink(URL, "a.cn", evidence or LinkEvidence(0.5), data)
    return from_lease(Lease(7, link, attempt, NOW), rules=RULES)


@pytest.mark.parametrize(
    "request_",
    [
        Request(URL),
        Request(URL, callback=SPIDER.parse),
        Request(URL, priority=9, meta={"depth": 3, "topic_score": 1.0, "topic_evidence": object()}),
        Request(URL, meta={"download_slot": "a.cn", "download_latency": 0.1}),
        Request(URL, meta={"topic_lease": 1, "topic_attempt": 1, "topic_leased_url": URL}),
    ],
    ids=["plain", "default callback", "score and depth", "slot by host name", "lease"],
)
def test_of_a_plain_request_nothing_is_kept(request_: Request) -> None:
    assert kept(request_) == {}


def test_the_url_as_written_is_fetched_not_its_canonical_form() -> None:
    request = Request("http://a.cn/?b=2&a=1#top")
    assert kept(request, key="http://a.cn/?a=1&b=2") == {"url": "http://a.cn/?b=2&a=1#top"}


FULL = Request(
    URL,
    method="POST",
    body="关键词=侨情".encode("gb18030"),
    headers={"X-名".encode(): [b"\xff\x00", "值".encode()], "Referer": "http://a.cn/"},
    cookies=[{"name": "sid", "value": "1", "domain": "a.cn"}],
    encoding="gb18030",
    dont_filter=True,
    flags=["侨"],
    cb_kwargs={"页": 2, "list": (1, {"a": None})},
    meta={"proxy": "http://127.0.0.1:1", "download_slot": "login", "retry_times": 1},
    callback=SPIDER.parse_list,
    errback=SPIDER.failed,
)


@pytest.mark.parametrize(
    "attribute",
    [
        "url",
        "method",
        "body",
        "headers",
        "cookies",
        "encoding",
        "dont_filter",
        "flags",
        "callback",
        "errback",
    ],
)
def test_a_request_with_everything_comes_back_with_everything(attribute: str) -> None:
    assert getattr(there_and_back(FULL), attribute) == getattr(FULL, attribute)


def test_tuples_come_back_as_lists_on_every_backend() -> None:
    assert kept(FULL)["cb_kwargs"] == {"页": 2, "list": [1, {"a": None}]}
    assert there_and_back(FULL).cb_kwargs == {"页": 2, "list": [1, {"a": None}]}


def test_a_popped_request_carries_its_lease_score_and_evidence() -> None:
    evidence = LinkEvidence(0.1234, {"tih": 0.1}, "http://a.cn/", "侨务", 3)
    request = there_and_back(Request(URL, meta={"k": "v"}), attempt=2, evidence=evidence)
    leased = request.meta.pop("topic_leased_link")
    assert (leased.link.url, leased.link.request) == (URL, {"meta": {"k": "v"}})
    assert request.meta == {
        "k": "v",
        "depth": 3,
        "topic_lease": 7,
        "topic_attempt": 2,
        "topic_score": 0.1234,
        "topic_evidence": evidence,
        "topic_leased_url": URL,
    }
    assert request.priority == 123


def test_text_bodies_are_readable_and_others_base64() -> None:
    assert kept(Request(URL, body="侨情"))["body"] == "侨情"
    assert kept(Request(URL, body=b"\xff"))["body_base64"] == "/w=="


@example(body="侨情".encode(), encoding="gb18030")  # readable as UTF-8, and not the request's own
@given(body=st.binary(), encoding=st.sampled_from(["utf-8", "gb18030", "big5", "latin-1"]))
def test_any_body_comes_back_whatever_the_request_s_encoding(body: bytes, encoding: str) -> None:
    assert there_and_back(Request(URL, body=body, encoding=encoding)).body == body


def test_request_classes_come_back() -> None:
    form = FormRequest(URL, formdata={"q": "侨情"})
    assert type(there_and_back(form)) is FormRequest
    assert there_and_back(form).body == form.body
    assert type(there_and_back(JsonRequest(URL, data={"q": 1}))) is JsonRequest


def test_a_delayed_retry_gets_the_quick_retries_anew() -> None:
    request = Request(URL, meta={"retry_times": 2, "topic_attempt": 1})
    assert there_and_back(request, attempt=1).meta["retry_times"] == 2
    assert "retry_times" not in there_and_back(request, attempt=2).meta


@pytest.mark.parametrize(
    ("request_", "named"),
    [
        (Request(URL, meta={"page": {"tree": object()}}), r"meta\['page'\]\['tree'\] is a object"),
        (Request(URL, meta={"seen": [1, {2}]}), r"meta\['seen'\]\[1\] is a set"),
        (Request(URL, cb_kwargs={"raw": b"x"}), r"cb_kwargs\['raw'\] is a bytes"),
        (Request(URL, meta={"by id": {1: "a"}}), r"meta\['by id'\] has the key 1"),
        (
            Request(URL, callback=lambda response: None),
            "callback .*lambda.* cannot be kept by name",
        ),
        (Request(URL, errback=SomeSpider().failed), "errback .* cannot be kept by name"),
    ],
    ids=["object", "set", "bytes", "integer key", "lambda", "another spider's method"],
)
def test_what_cannot_be_kept_is_named(request_: Request, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        kept(request_)


@pytest.mark.parametrize(
    "data",
    [
        {"callback": "gone"},  # a method of an older spider
        {"_class": "subprocess.Popen"},  # a shared queue must not name any class there is
        {"_class": "no.such.Class"},
        {"_class": "scrapy.Request"},  # not the name under which it is kept
        {"_class": ["scrapy.http.request.Request"]},
        {"callback": "close"},  # of every spider, and no callback
        {"callback": "_secret"},
        {"callback": "update_settings"},
        {"callback": "crawler"},
        {"callback": "__init__"},
        {"errback": "from_crawler"},
        {"callback": {"name": "parse"}},
        {"url": "file:///etc/passwd"},
        {"url": "FTP://a.cn/1"},
        {"url": " file:///etc/passwd"},
        {"url": "data:,x"},
        {"url": 5},
        {"method": "GET / HTTP/1.1\r\nX: y"},
        {"headers": {"X": ["a\r\nCookie: b"]}},
        {"headers": {"X\r\nCookie": ["b"]}},
        {"headers": {"X": "text"}},
        {"meta": ["proxy"]},
        {"attempt": "1"},
        {"headers": 5},
        {"body_base64": "侨"},
        {"url": "no scheme"},
    ],
)
def test_damaged_data_raises(data: dict) -> None:
    with pytest.raises(Exception, match=r"."):
        from_lease(Lease(7, QueuedLink(URL, "a.cn", LinkEvidence(0.0), data), 1, NOW), rules=RULES)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (Request(URL), Request(URL + "#top"), True),
        (Request(URL), Request(URL, method="POST"), False),
        (Request(URL), Request(URL, body="q=1"), False),
        (Request(URL, method="POST", body="a"), Request(URL, method="POST", body="b"), False),
        (Request(URL, method="POST", body="a"), Request(URL, method="POST", body="a"), True),
    ],
)
def test_a_form_sent_to_a_page_s_url_is_not_the_page(left, right, same) -> None:
    def canonical(url: str) -> str:
        return url.partition("#")[0]

    assert (link_key(left, canonical) == link_key(right, canonical)) is same


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://a.cn/1", "javascript:alert(1)"])
def test_a_record_whose_key_is_no_web_address_is_refused(url: str) -> None:
    lease = Lease(7, QueuedLink(url, "a.cn", LinkEvidence(0.0), {}), 1, NOW)
    with pytest.raises(ValueError, match="scheme of a queued URL must be one of http, https"):
        from_lease(lease, rules=RULES)


def test_reading_a_record_imports_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "from scrapy import Request\nclass Trap(Request): pass\n"
    (tmp_path / "trap_of_a_record.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    link = QueuedLink(URL, "a.cn", LinkEvidence(0.0), {"_class": "trap_of_a_record.Trap"})
    with pytest.raises(ValueError, match="is not a request class that may be queued"):
        from_lease(Lease(7, link, 1, NOW), rules=RULES)
    assert "trap_of_a_record" not in sys.modules


class OwnRequest(Request):
    pass


class ListingSpider(SomeSpider):
    queued_callbacks = ("parse_list",)
    queued_requests = (OwnRequest,)


def test_a_spider_may_list_its_callbacks_and_request_classes() -> None:
    spider = ListingSpider()
    rules = RecordRules.of(spider)
    request = OwnRequest(URL, callback=spider.parse_list)
    data = to_mapping(request, key=URL, rules=rules)
    lease = Lease(7, QueuedLink(URL, "a.cn", LinkEvidence(0.0), data), 1, NOW)
    back = from_lease(lease, rules=rules)
    assert (type(back), back.callback) == (OwnRequest, spider.parse_list)
    with pytest.raises(ValueError, match=r"errback .* in its queued_callbacks"):
        to_mapping(Request(URL, errback=spider.failed), key=URL, rules=rules)
    with pytest.raises(ValueError, match="is not a request class that may be queued"):
        to_mapping(OwnRequest(URL), key=URL, rules=RULES)


@pytest.mark.parametrize(
    ("base", "names"),
    [(CrawlSpider, ("_callback", "_errback")), (SitemapSpider, ("_parse_sitemap",))],
)
def test_requests_of_scrapys_own_spiders_are_kept(base: type[Spider], names: Sequence[str]) -> None:
    class OwnSpider(base):  # type: ignore[misc, valid-type]
        name = "own"

        def _secret(self, response):
            pass

    spider = OwnSpider()
    rules = RecordRules.of(spider)
    for name in names:
        request = Request(URL, callback=getattr(spider, name))
        data = to_mapping(request, key=URL, rules=rules)
        lease = Lease(7, QueuedLink(URL, "a.cn", LinkEvidence(0.0), data), 1, NOW)
        assert from_lease(lease, rules=rules).callback == getattr(spider, name)
        with pytest.raises(ValueError, match="is not a callback"):
            RULES.callback(name, "callback")
    with pytest.raises(ValueError, match="cannot be kept by name"):
        to_mapping(Request(URL, callback=spider._secret), key=URL, rules=rules)


def test_other_schemes_need_a_download_handler_in_the_settings() -> None:
    settings = Settings({"DOWNLOAD_HANDLERS": {"ftp": "some.Handler", "http": None}})
    rules = RecordRules.of(SPIDER, settings)
    rules.check_url("ftp://a.cn/1")
    for refused in ("http://a.cn/", "file:///etc/passwd"):
        with pytest.raises(ValueError, match="must be one of ftp, https"):
            rules.check_url(refused)


def test_what_the_proxy_middleware_wrote_into_an_older_queue_does_not_come_back() -> None:
    data = {
        "headers": {"Proxy-Authorization": ["Basic dTpw"], "X": ["y"]},
        "meta": {"proxy": "http://127.0.0.1:1", "_auth_proxy": "http://127.0.0.1:1", "k": "v"},
    }
    lease = Lease(7, QueuedLink(URL, "a.cn", LinkEvidence(0.0), data), 1, NOW)
    request = from_lease(lease, rules=RULES)
    assert dict(request.headers) == {b"X": [b"y"]}
    assert "proxy" not in request.meta
    assert request.meta["k"] == "v"
