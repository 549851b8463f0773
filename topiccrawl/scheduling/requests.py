"""Requests as JSON-compatible data, as the frontier keeps them, and back.

Most links are plain GETs for the spider's ``parse``.  Nothing is kept of them beyond the link itself: an
absent key means the default.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from scrapy import Request

from topiccrawl.crawl.requests.meta import (
    ATTEMPT,
    DEPTH,
    DOWNLOAD_SLOT,
    EVIDENCE,
    LEASE,
    LEASED_LINK,
    LEASED_URL,
    LOGIN,
    PRIORITY_SCALE,
    SCORE,
    SESSION,
    YIELDED,
)
from topiccrawl.frontier.contract import Lease
from topiccrawl.scheduling.leased import CONTINUED, RETRY_TIMES, LeasedLink
from topiccrawl.scheduling.rules import RecordRules, class_name
from topiccrawl.urls.hosts import host_of

#: Meta keys that are not kept: the frontier has them itself, they describe one download or its session, or
#: (the last two) HttpProxyMiddleware derives them from the proxy at each download.
_TRANSIENT: Final = frozenset(
    {LEASE, ATTEMPT, SCORE, EVIDENCE, LEASED_URL, LEASED_LINK, DEPTH, "download_latency"}
    | {LOGIN, SESSION, YIELDED}
    | {"_auth_proxy", "_scheme_proxy"}
)
#: Headers that are not kept, in lower case: HttpProxyMiddleware writes it, with the proxy's password.
_SECRET_HEADERS: Final = frozenset({"proxy-authorization"})
#: Key of the attempt at which ``retry_times`` was kept.
_KEPT_AT = "attempt"
#: What may be a method (RFC 9110, 9.1: a token; all registered ones are of this form).
_METHOD: Final = re.compile(r"[A-Za-z-]{1,32}")
#: Characters that would end a header (RFC 9110, 5.5).
_ENDS_HEADER: Final = re.compile(r"[\r\n]")


def redirect_source(meta: Mapping[str, Any]) -> str | None:
    """Return the handed-out URL that redirected to the request with this *meta*, else ``None``.

    Retries and further requests copy the meta of a redirect; only the redirect itself has the
    handed-out URL as its latest source.
    """
    urls = meta.get("redirect_urls")
    return urls[-1] if urls and urls[-1] == meta.get(LEASED_URL) else None


def link_key(request: Request, canonical: Callable[[str], str]) -> str:
    """Return the string that identifies what *request* fetches.

    The canonical URL for a GET without body.  Other methods and bodies add a fragment, which a
    canonical URL never has, so that a form sent to a page's own URL is not taken for the page.
    """
    url = canonical(request.url)
    if request.method == "GET" and not request.body:
        return url
    body = hashlib.blake2b(request.body, digest_size=8).hexdigest()
    return f"{url}#{request.method}:{body}"


def to_mapping(request: Request, *, key: str, rules: RecordRules) -> dict[str, Any]:
    """Return what is needed to rebuild *request* beyond its link's *key*.

    For requests as the spider makes them; see :func:`continued` for those that come back from the
    downloader.  Raises ``ValueError`` naming the part that is not JSON-compatible or that *rules* do
    not allow.
    """
    rules.check_url(request.url)
    kept: dict[str, Any] = {}
    if request.url != key:
        kept["url"] = request.url
    if request.method != "GET":
        kept["method"] = request.method
    if request.body:
        kept.update(_body_to(request.body))
    # Header bytes need not be UTF-8; Latin-1 decodes every byte.
    headers = {
        name.decode("latin-1"): [value.decode("latin-1") for value in values]
        for name, values in request.headers.items()
        if name.decode("latin-1").lower() not in _SECRET_HEADERS
    }
    if headers:
        kept["headers"] = headers
    if request.encoding != "utf-8":
        kept["encoding"] = request.encoding
    if request.dont_filter:
        kept["dont_filter"] = True
    if request.flags:
        kept["flags"] = list(request.flags)
    if request.cookies:
        kept["cookies"] = _plain(request.cookies, "cookies")
    if request.cb_kwargs:
        kept["cb_kwargs"] = _plain(request.cb_kwargs, "cb_kwargs")
    if (callback := rules.callback_name(request.callback, "callback")) not in (None, "parse"):
        kept["callback"] = callback
    if (errback := rules.callback_name(request.errback, "errback")) is not None:
        kept["errback"] = errback
    meta = {
        name: _plain(value, f"meta[{name!r}]")
        for name, value in request.meta.items()
        if name not in _TRANSIENT and not (name == DOWNLOAD_SLOT and value == host_of(request.url))
    }
    if meta:
        kept["meta"] = meta
    if type(request) is not Request:
        kept["_class"] = class_name(type(request))
        rules.request_class(kept["_class"])
    if ATTEMPT in request.meta and RETRY_TIMES in meta:
        kept[_KEPT_AT] = request.meta[ATTEMPT]
    return kept


def continued(
    leased: Mapping[str, Any], request: Request, *, key: str, rules: RecordRules, redirected: bool
) -> dict[str, Any]:
    """Return the mapping of a *request* that comes back from the downloader to the queue.

    It is the *leased* mapping: what middlewares have written into the request (a proxy and its
    password, a user agent, cookies, slots, time-outs) belongs to one download and is not kept, except
    for the counters by which Scrapy limits retries and redirects.  Of a *redirected* request also the
    method counts, and which of the body, the headers and the cookies the redirect has dropped.
    """
    rules.check_url(request.url)
    kept = {name: value for name, value in leased.items() if name not in ("url", "meta", _KEPT_AT)}
    if request.url != key:
        kept["url"] = request.url
    if redirected:
        kept.pop("method", None)
        if request.method != "GET":
            kept["method"] = request.method
        if not request.body:
            kept.pop("body", None)
            kept.pop("body_base64", None)
        kept.pop("cookies", None)
        headers = {
            name: values
            for name, values in kept.pop("headers", {}).items()
            if name in request.headers
        }
        if headers:
            kept["headers"] = headers
    meta = dict(leased.get("meta", {}))
    for name, kind in CONTINUED.items():
        value = request.meta.get(name)
        if isinstance(value, kind):
            meta[name] = _plain(value, f"meta[{name!r}]")
    if meta:
        kept["meta"] = meta
    if ATTEMPT in request.meta and RETRY_TIMES in meta:
        kept[_KEPT_AT] = request.meta[ATTEMPT]
    return kept


def from_lease(lease: Lease, *, rules: RecordRules) -> Request:
    """Rebuild the request of a popped link, with its lease, score and evidence in ``meta``.

    Raises ``ValueError`` (or what the request class raises) when the data cannot be read, or name
    what *rules* do not allow.
    """
    link = lease.link
    data: dict[str, Any] = {"url": link.url, **link.request}
    rules.check_url(data["url"])
    cls = rules.request_class(data.pop("_class")) if "_class" in data else Request
    for name in ("callback", "errback"):
        if data.get(name) is not None:
            data[name] = rules.callback(data[name], name)
    if _METHOD.fullmatch(data.get("method", "GET")) is None:
        raise ValueError(f"{data['method']!r} is not a method")
    # Bytes, because the request would encode a string in its own encoding.
    if "body" in data:
        data["body"] = data["body"].encode("utf-8")
    if "body_base64" in data:
        data["body"] = base64.b64decode(data.pop("body_base64"), validate=True)
    if "headers" in data:
        data["headers"] = _headers_from(data["headers"])
    meta = {name: value for name, value in data.get("meta", {}).items() if name not in _TRANSIENT}
    if "_auth_proxy" in data.get("meta", {}):
        # A record of an older version, which kept what HttpProxyMiddleware had written.
        meta.pop("proxy", None)
    if lease.attempt > data.pop(_KEPT_AT, lease.attempt):
        meta.pop(RETRY_TIMES, None)
    if link.evidence.depth:
        meta[DEPTH] = link.evidence.depth
    meta[LEASE] = lease.id
    meta[ATTEMPT] = lease.attempt
    meta[SCORE] = link.evidence.score
    meta[EVIDENCE] = link.evidence
    meta[LEASED_LINK] = LeasedLink(link)
    data["meta"] = meta
    data["priority"] = round(PRIORITY_SCALE * link.evidence.score)
    request = cls(**{name: data[name] for name in cls.attributes if name in data})
    # The request writes its URL in its own way; the scheme must be the same.
    rules.check_url(request.url)
    request.meta[LEASED_URL] = request.url
    return request


def _headers_from(kept: Mapping[str, list[str]]) -> dict[bytes, list[bytes]]:
    headers: dict[bytes, list[bytes]] = {}
    for name, values in kept.items():
        if not isinstance(values, list) or any(map(_ENDS_HEADER.search, (name, *values))):
            raise ValueError(f"header {name!r} cannot be sent: {values!r}")
        if name.lower() not in _SECRET_HEADERS:
            headers[name.encode("latin-1")] = [value.encode("latin-1") for value in values]
    return headers


def _body_to(body: bytes) -> dict[str, str]:
    try:
        return {"body": body.decode("utf-8")}
    except UnicodeDecodeError:
        return {"body_base64": base64.b64encode(body).decode("ascii")}


def _plain(value: Any, where: str) -> Any:
    """Return *value* as JSON data (tuples become lists); raise ``ValueError`` if it cannot be."""
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if isinstance(value, Mapping):
        for name in value:
            if not isinstance(name, str):
                raise ValueError(f"{where} has the key {name!r}, which is not a string")
        return {name: _plain(item, f"{where}[{name!r}]") for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, f"{where}[{i}]") for i, item in enumerate(value)]
    raise ValueError(
        f"{where} is a {type(value).__name__}, which cannot be kept in the frontier "
        "(JSON-compatible values only)"
    )
