"""The demonstration web behind a loopback proxy that answers from it and nowhere else.

Hosts that the web does not have: 502; ``https://`` URLs: 501.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from topiccrawl.webserver.forward import HEAD_LIMIT, ForwardProxy, RequestRecord

if TYPE_CHECKING:
    from topiccrawl.demo.web import DemoWeb
    from topiccrawl.webserver.answers import Answer

__all__ = ["HEAD_LIMIT", "DemoProxy", "RequestRecord"]


class DemoProxy(ForwardProxy):
    """The proxy of a :class:`DemoWeb`; other parameters are those of :class:`ForwardProxy`."""

    NO_TLS = "the demonstration web has http:// pages only"

    def __init__(
        self,
        web: DemoWeb,
        *,
        latency_seconds: float = 0.0,
        gzip_share: float = 0.5,
        log_limit: int = 100_000,
        port: int = 0,
    ) -> None:
        super().__init__(
            latency_seconds=latency_seconds, gzip_share=gzip_share, log_limit=log_limit, port=port
        )
        self.web = web
        self._failed: set[str] = set()

    def respond(self, method: str, url: str) -> Answer | None:
        """Return the web's answer; pages that fail at the first try succeed at the second."""
        answer = self.web.answer(url, 2 if url in self._failed else 1)
        if answer is not None and answer.status >= 500:
            self._failed.add(url)
        return answer
