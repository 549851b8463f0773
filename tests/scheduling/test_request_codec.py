"""Requests survive the frontier: as JSON, with everything that a fetch depends on."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scrapy import FormRequest, Request, Spider
from scrapy.http import JsonRequest

from tests.frontier.contract_suite import NOW
from topiccrawl.frontier.contract import Lease, QueuedLink
from topiccrawl.scheduling.requests import from_lease, link_key, to_mapping
from topiccrawl.scoring.evidence import LinkEvidence


class SomeSpider(Spider):
    name = "some"

    def parse(self, response):
        yield

    def parse_list(self, response):
        yield

    def failed(self, failure):
        yield


SPIDER = SomeSpider()
URL = "http://a.cn/1"


def kept(request: Request, key: str = URL) -> dict:
    return to_mapping(request, key=key, spider=SPIDER)


def there_and_back(
    request: Request, attempt: int = 1, evidence: LinkEvidence | None = None
) -> Request:
    data = json.loads(json.dumps(kept(request)))
    link = QueuedLink(URL, "a.cn", evidence or LinkEvidence(0.5), data)
    return from_lease(Lease(7, link, attempt, NOW), spider=SPIDER)


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
        {"headers": 5},
        {"body_base64": "侨"},
        {"url": "no scheme"},
    ],
)
def test_damaged_data_raises(data: dict) -> None:
    with pytest.raises(Exception, match=r"."):
        from_lease(
            Lease(7, QueuedLink(URL, "a.cn", LinkEvidence(0.0), data), 1, NOW), spider=SPIDER
        )


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
