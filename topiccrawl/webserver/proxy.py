"""A forward proxy whose answers come from one web object."""

from __future__ import annotations

from typing import Generic, TypeVar

from topiccrawl.webserver.answers import Answer, AnsweringWeb
from topiccrawl.webserver.forward import ForwardProxy

WebT = TypeVar("WebT", bound=AnsweringWeb)

#: Share of the pages that are compressed (a choice: a crawl sees both kinds).
_GZIP_SHARE = 0.5


class WebProxy(ForwardProxy, Generic[WebT]):
    """Proxy for any object with an ``answer`` method; other parameters as :class:`ForwardProxy`.

    ``https://`` URLs are refused with status 501.
    """

    def __init__(
        self,
        web: WebT,
        *,
        latency_seconds: float,
        log_limit: int = 100_000,
        port: int = 0,
    ) -> None:
        super().__init__(
            latency_seconds=latency_seconds, gzip_share=_GZIP_SHARE, log_limit=log_limit, port=port
        )
        self.web = web
        self._failed: set[str] = set()

    def respond(self, method: str, url: str) -> Answer | None:
        """Return the web's answer; the request after a 5xx answer is the second attempt."""
        answer = self.web.answer(url, 2 if url in self._failed else 1)
        if answer is not None and answer.status >= 500:
            self._failed.add(url)
        return answer
