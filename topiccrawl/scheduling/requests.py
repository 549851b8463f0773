"""Requests as JSON-compatible data, as the frontier keeps them, and back.

Most links are plain GETs for the spider's ``parse``.  Nothing is kept of them beyond the link itself: an
absent key means the default.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from scrapy import Request, Spider
from scrapy.utils.misc import load_object
from scrapy.utils.request import request_from_dict

from topiccrawl.crawl.meta import (
    ATTEMPT,
    DEPTH,
    DOWNLOAD_SLOT,
    EVIDENCE,
    LEASE,
    LEASED_URL,
    PRIORITY_SCALE,
    SCORE,
)
from topiccrawl.frontier.contract import Lease
from topiccrawl.urls.hosts import host_of

if TYPE_CHECKING:
    from scrapy.http.request import CallbackT

#: Meta keys that are not kept: the frontier has them itself, or they describe one download.
_TRANSIENT = frozenset({LEASE, ATTEMPT, SCORE, EVIDENCE, LEASED_URL, DEPTH, "download_latency"})
#: Meta key of RetryMiddleware's quick tries, which each delayed attempt begins anew.
_RETRY_TIMES = "retry_times"
#: Key of the attempt at which ``retry_times`` was kept.
_KEPT_AT = "attempt"


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


def to_mapping(request: Request, *, key: str, spider: Spider | None = None) -> dict[str, Any]:
    """Return what is needed to rebuild *request* beyond its link's *key*.

    Raises ``ValueError`` naming the part that is not JSON-compatible, or the callback that is not a
    method of *spider*.
    """
    kept: dict[str, Any] = {}
    if request.url != key:
        kept["url"] = request.url
    if request.method != "GET":
        kept["method"] = request.method
    if request.body:
        kept.update(_body_to(request.body))
    if request.headers:
        # Header bytes need not be UTF-8; Latin-1 decodes every byte.
        kept["headers"] = {
            name.decode("latin-1"): [value.decode("latin-1") for value in values]
            for name, values in request.headers.items()
        }
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
    if (callback := _method_name(request.callback, spider, "callback")) not in (None, "parse"):
        kept["callback"] = callback
    if (errback := _method_name(request.errback, spider, "errback")) is not None:
        kept["errback"] = errback
    meta = {
        name: _plain(value, f"meta[{name!r}]")
        for name, value in request.meta.items()
        if name not in _TRANSIENT and not (name == DOWNLOAD_SLOT and value == host_of(request.url))
    }
    if meta:
        kept["meta"] = meta
    if type(request) is not Request:
        kept["_class"] = f"{type(request).__module__}.{type(request).__qualname__}"
    if ATTEMPT in request.meta and _RETRY_TIMES in meta:
        kept[_KEPT_AT] = request.meta[ATTEMPT]
    return kept


def from_lease(lease: Lease, *, spider: Spider | None = None) -> Request:
    """Rebuild the request of a popped link, with its lease, score and evidence in ``meta``.

    Raises ``ValueError`` (or what the request class raises) when the data cannot be read.
    """
    link = lease.link
    data: dict[str, Any] = {"url": link.url, **link.request}
    if "_class" in data:
        cls = load_object(data["_class"])
        # The queue may be shared: the class must be a request, not just any class.
        if not (isinstance(cls, type) and issubclass(cls, Request)):
            raise ValueError(f"{data['_class']} is not a Request class")
    # Bytes, because the request would encode a string in its own encoding.
    if "body" in data:
        data["body"] = data["body"].encode("utf-8")
    if "body_base64" in data:
        data["body"] = base64.b64decode(data.pop("body_base64"), validate=True)
    if "headers" in data:
        data["headers"] = {
            name.encode("latin-1"): [value.encode("latin-1") for value in values]
            for name, values in data["headers"].items()
        }
    meta = dict(data.get("meta", {}))
    if lease.attempt > data.pop(_KEPT_AT, lease.attempt):
        meta.pop(_RETRY_TIMES, None)
    if link.evidence.depth:
        meta[DEPTH] = link.evidence.depth
    meta[LEASE] = lease.id
    meta[ATTEMPT] = lease.attempt
    meta[SCORE] = link.evidence.score
    meta[EVIDENCE] = link.evidence
    data["meta"] = meta
    data["priority"] = round(PRIORITY_SCALE * link.evidence.score)
    request = request_from_dict(data, spider=spider)
    request.meta[LEASED_URL] = request.url
    return request


def _body_to(body: bytes) -> dict[str, str]:
    try:
        return {"body": body.decode("utf-8")}
    except UnicodeDecodeError:
        return {"body_base64": base64.b64encode(body).decode("ascii")}


def _method_name(
    function: CallbackT | Callable[..., Any] | None, spider: Spider | None, what: str
) -> str | None:
    if function is None:
        return None
    name = getattr(function, "__name__", None)
    bound = getattr(spider, name, None) if name else None
    # Bound methods are created anew at each access and compare equal by object and function.
    if bound is not None and bound == function:
        return name
    raise ValueError(
        f"{what} {function!r} cannot be kept by name: it must be a method of the running spider"
    )


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
