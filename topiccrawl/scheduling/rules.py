"""What a record of the queue may name: schemes, callbacks and request classes, each from a fixed list.

Whoever can write to the queue's file or server can write any record.  A record therefore never names
anything to import, and no method but those that the spider offers as callbacks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import getattr_static, isfunction
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from scrapy import FormRequest, Request, Spider
from scrapy.http import JsonRequest, XmlRpcRequest

if TYPE_CHECKING:
    from scrapy.settings import BaseSettings

#: Schemes that are fetched in any project; others when DOWNLOAD_HANDLERS has a handler for them.
WEB_SCHEMES: Final = frozenset({"http", "https"})
#: Attribute of a spider: names of its methods that records may name as callback or errback.
CALLBACKS_ATTRIBUTE: Final = "queued_callbacks"
#: Attribute of a spider: its own request classes that may be queued.
CLASSES_ATTRIBUTE: Final = "queued_requests"
_CLASSES: Final = (Request, FormRequest, JsonRequest, XmlRpcRequest)
#: Methods that Scrapy calls itself; no response is ever passed to them.
_HOOKS: Final = frozenset({"closed", "start_requests"})
#: Callbacks of Scrapy's CrawlSpider and SitemapSpider, which their own requests have.
_OF_SCRAPY: Final = frozenset({"_callback", "_errback", "_parse_sitemap"})


@dataclass(frozen=True)
class RecordRules:
    """The lists against which records are checked, on their way in and out."""

    schemes: frozenset[str] = WEB_SCHEMES
    callbacks: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    classes: Mapping[str, type[Request]] = field(default_factory=dict)

    @classmethod
    def of(cls, spider: Spider | None, settings: BaseSettings | None = None) -> RecordRules:
        """Return the rules of a running *spider*.

        Callbacks are those that its attribute ``queued_callbacks`` names; without it, the public
        methods that it defines itself, beyond those of Scrapy's own classes, and ``parse``.  Those by
        which Scrapy's ``CrawlSpider`` and ``SitemapSpider`` work belong to them in any case.
        """
        schemes = WEB_SCHEMES
        if settings is not None:
            handlers = settings.getdict("DOWNLOAD_HANDLERS")
            schemes |= {name for name, handler in handlers.items() if handler is not None}
            schemes -= {name for name, handler in handlers.items() if handler is None}
        classes: tuple[type[Request], ...] = (*_CLASSES, *getattr(spider, CLASSES_ATTRIBUTE, ()))
        return cls(
            frozenset(schemes),
            {} if spider is None else _callbacks(spider),
            {class_name(it): it for it in classes},
        )

    def check_url(self, url: object) -> None:
        """Raise ``ValueError`` for anything but a URL of an allowed scheme."""
        if not isinstance(url, str):
            raise ValueError(f"the URL must be text, got a {type(url).__name__}")
        scheme = urlsplit(url).scheme.lower()
        if scheme not in self.schemes:
            allowed = ", ".join(sorted(self.schemes))
            raise ValueError(f"the scheme of a queued URL must be one of {allowed}, got {scheme!r}")

    def callback(self, name: object, what: str) -> Callable[..., Any]:
        """Return the spider's method *name*; raise ``ValueError`` if it is not in the list."""
        found = self.callbacks.get(name) if isinstance(name, str) else None
        if found is None:
            raise ValueError(f"{what} {name!r} is not a callback of the spider")
        return found

    def callback_name(self, function: Callable[..., Any] | None, what: str) -> str | None:
        """Return the name under which *function* is in the list; raise ``ValueError`` if it is not."""
        if function is None:
            return None
        name = getattr(function, "__name__", None)
        # Bound methods are created anew at each access and compare equal by object and function.
        if name is not None and self.callbacks.get(name) == function:
            return str(name)
        raise ValueError(
            f"{what} {function!r} cannot be kept by name: it must be a public method of the running"
            f" spider, and in its {CALLBACKS_ATTRIBUTE} if it has that attribute"
        )

    def request_class(self, name: object) -> type[Request]:
        """Return the request class *name*; raise ``ValueError`` if it is not in the list."""
        found = self.classes.get(name) if isinstance(name, str) else None
        if found is None:
            raise ValueError(
                f"{name!r} is not a request class that may be queued: Scrapy's own, and those in the"
                f" spider's {CLASSES_ATTRIBUTE}"
            )
        return found


def class_name(cls: type) -> str:
    """Return the name under which records keep a request class."""
    return f"{cls.__module__}.{cls.__qualname__}"


def _callbacks(spider: Spider) -> dict[str, Callable[..., Any]]:
    names = getattr(spider, CALLBACKS_ATTRIBUTE, None)
    if names is None:
        names = {
            name
            for cls in type(spider).__mro__
            if not cls.__module__.partition(".")[0].startswith("scrapy")
            for name, value in vars(cls).items()
            if isfunction(value) and not name.startswith("_") and not hasattr(Spider, name)
        }
        names = ({"parse"} | names) - _HOOKS
    bases = [cls for cls in type(spider).__mro__ if cls.__module__.startswith("scrapy.spiders.")]
    framework = {name for cls in bases for name in _OF_SCRAPY & vars(cls).keys()}
    # Only bound methods: no class method, nested class or property.
    return {
        name: getattr(spider, name)
        for name in framework.union(names)
        if isfunction(getattr_static(type(spider), name, None))
    }
